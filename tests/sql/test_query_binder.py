"""Queries whose columns have to be made alike."""

import pytest

from tests.table.events import EVENT, EVENTS, schema_of_events
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


MINUTE = "TUMBLE(TABLE events, DESCRIPTOR(rt), INTERVAL '1' MINUTE)"
SAME = "a.window_start = b.window_start AND a.window_end = b.window_end"


@pytest.mark.parametrize(
    ("condition", "numbers"),
    [
        (f"n IN (SELECT n FROM {MINUTE} b WHERE {SAME} AND k = 'a')", [1, 3, 4]),
        (f"EXISTS (SELECT * FROM {MINUTE} b WHERE {SAME} AND n = 4 AND a.n = 3)", [3]),
        (f"NOT EXISTS (SELECT * FROM {MINUTE} b WHERE {SAME} AND k = 'b')", [3, 4]),
    ],
)
def test_a_name_in_a_query_in_another_one_is_looked_for_there_first(condition, numbers):
    """And what stands before IN is of the outer query, though both have a column of that name."""
    env = StreamExecutionEnvironment.create_local_environment(parallelism=1)
    tables = StreamTableEnvironment.create(env)
    tables.create_temporary_view("events", env.from_collection(EVENTS, EVENT), schema_of_events())
    found = tables.sql_query(f"SELECT n FROM {MINUTE} a WHERE {condition}").execute().collect()
    assert sorted([row.n for row in found]) == numbers
