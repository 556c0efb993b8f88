"""Queries whose columns have to be made alike."""

import pytest

from windrow.datastream import StreamExecutionEnvironment
from windrow.table import StreamTableEnvironment

ZONED = "CAST(TIMESTAMP '2020-05-07 02:30:00' AS TIMESTAMP_LTZ(3))"
LOCAL = "TIMESTAMP '2020-05-07 02:30:00.000'"


@pytest.mark.parametrize("query", [f"VALUES ({ZONED}), ({LOCAL})", f"SELECT {ZONED} AS z UNION ALL SELECT {LOCAL}"])
def test_times_beside_points_in_time_are_read_in_the_zone_of_the_session(query):
    """What clocks show there is one and the same point in time."""
    tables = StreamTableEnvironment.create(StreamExecutionEnvironment.create_local_environment(parallelism=1))
    tables.get_config().set("table.local-time-zone", "Asia/Shanghai")
    moments = [row[0] for row in tables.execute_sql(query).collect()]
    assert len(moments) == 2
    assert moments[0] == moments[1]
