"""Aggregates of windows whose rows take back others."""

import datetime as dt

import pytest

from windrow.common import Row, RowKind, Types
from windrow.datastream import StreamExecutionEnvironment
from windrow.errors import ConfigurationError
from windrow.table import AggregateFunction, DataTypes, Schema, StreamTableEnvironment
from windrow.table.udf import udaf

SECOND = 1000
INSERT, DELETE = RowKind.INSERT, RowKind.DELETE
BEFORE, AFTER = RowKind.UPDATE_BEFORE, RowKind.UPDATE_AFTER
#: b has no row in the first minute in the end, and a one that came from the second one.
CHANGES = [
    (INSERT, "a", 1, 5),
    (INSERT, "b", 2, 10),
    (INSERT, "a", 7, 70),
    (DELETE, "b", 2, 10),
    (BEFORE, "a", 7, 70),
    (AFTER, "a", 8, 20),
    (INSERT, "b", 3, 80),
]
TUMBLE = "TABLE(TUMBLE(TABLE t, DESCRIPTOR(rt), INTERVAL '1' MINUTE))"


def tables_of(env):
    rows = [Row.of_kind(kind, k, n, second * SECOND) for kind, k, n, second in CHANGES]
    stream = env.from_collection(rows, Types.ROW_NAMED(["k", "n", "ts"], [Types.STRING(), Types.INT(), Types.LONG()]))
    schema = (
        Schema.new_builder()
        .column("k", DataTypes.STRING())
        .column("n", DataTypes.INT())
        .column("ts", DataTypes.BIGINT())
        .column_by_expression("rt", "CAST(TO_TIMESTAMP_LTZ(ts, 3) AS TIMESTAMP(3))")
        .watermark("rt", "rt - INTERVAL '10' MINUTE")
        .build()
    )
    tables = StreamTableEnvironment.create(env)
    tables.create_temporary_view("t", tables.from_changelog_stream(stream, schema))
    return tables


@pytest.fixture
def local():
    return tables_of(StreamExecutionEnvironment.create_local_environment(parallelism=1))


def test_rows_are_taken_back_in_their_window(env):
    """On both runtimes: what is left of a window gives one result that stays, and where nothing is left none."""
    tables = tables_of(env)
    query = f"SELECT k, window_start, COUNT(*) AS c, SUM(n) AS s FROM {TUMBLE} GROUP BY k, window_start, window_end"
    table = tables.sql_query(query)
    rows = tables.to_data_stream(table).execute_and_collect(limit=9)
    first, second = dt.datetime(1970, 1, 1), dt.datetime(1970, 1, 1, 0, 1)
    assert sorted(map(tuple, rows)) == [("a", first, 2, 9), ("b", second, 1, 3)]


def test_overlapping_windows_take_back_in_each(local):
    """Whichever a row was in."""
    query = (
        "SELECT k, window_end, MAX(n) AS m FROM TABLE(HOP(TABLE t, DESCRIPTOR(rt), INTERVAL '1' MINUTE, "
        "INTERVAL '2' MINUTE)) GROUP BY k, window_start, window_end"
    )
    ends = [dt.datetime(1970, 1, 1, 0, minute) for minute in range(4)]
    found = sorted(tuple(row) for row in local.execute_sql(query).collect())
    assert found == [("a", ends[1], 8), ("a", ends[2], 8), ("b", ends[2], 3), ("b", ends[3], 3)]


def test_sessions_reach_as_far_as_rows_that_were_taken_back(local):
    """As in Flink, where they keep their windows; a session without rows that are left gives nothing."""
    query = (
        "SELECT k, window_start, window_end, SUM(n) AS s FROM TABLE(SESSION(TABLE t PARTITION BY k, DESCRIPTOR(rt), "
        "INTERVAL '30' SECOND)) GROUP BY k, window_start, window_end"
    )
    times = [dt.datetime(1970, 1, 1) + dt.timedelta(seconds=second) for second in (5, 50, 80, 110)]
    found = sorted(tuple(row) for row in local.execute_sql(query).collect())
    assert found == [("a", times[0], times[1], 9), ("b", times[2], times[3], 3)]


class Total(AggregateFunction):
    """A sum that takes nothing back."""

    def create_accumulator(self):
        return [0]

    def accumulate(self, accumulator, value):
        accumulator[0] += value

    def get_value(self, accumulator):
        return accumulator[0]


class Difference(Total):
    """A sum that takes back."""

    def retract(self, accumulator, value):
        accumulator[0] -= value


def test_an_aggregate_of_the_programs_own_takes_back_by_its_method(local):
    """Without one it is refused."""
    for name, function in (("total", Total()), ("difference", Difference())):
        local.create_temporary_function(name, udaf(function, result_type="BIGINT", accumulator_type="ARRAY<BIGINT>"))
    query = f"SELECT k, {{}}(n) FROM {TUMBLE} GROUP BY k, window_start, window_end"
    found = [tuple(row) for row in local.execute_sql(query.format("difference")).collect()]
    assert sorted(found) == [("a", 9), ("b", 3)]
    with pytest.raises(ConfigurationError, match="Total has no retract, and here rows are taken back"):
        local.execute_sql(query.format("total"))


@pytest.mark.parametrize(
    "query",
    [
        "SELECT COUNT(*) FROM TABLE(CUMULATE(TABLE t, DESCRIPTOR(rt), INTERVAL '1' MINUTE, INTERVAL '1' HOUR)) "
        "GROUP BY window_start, window_end",
        f"SELECT * FROM {TUMBLE}",
        f"SELECT MAX(window_end) FROM {TUMBLE} GROUP BY k, window_start, window_end",
    ],
    ids=["windows that grow", "windows without groups", "aggregates of the window"],
)
def test_other_windows_refuse_them(local, query):
    """With what makes the changes."""
    with pytest.raises(ConfigurationError, match=r"WindowTable doesn't support consuming update and delete changes"):
        local.execute_sql(query)


def test_windows_that_fire_early_refuse_them(local):
    """Their results would have to be taken back, too."""
    local.execute_sql("SET 'table.exec.emit.early-fire.enabled' = 'true'")
    local.execute_sql("SET 'table.exec.emit.early-fire.delay' = '0 s'")
    with pytest.raises(ConfigurationError, match=r"WindowTable doesn't support consuming update and delete changes"):
        local.execute_sql("SELECT COUNT(*) FROM t GROUP BY TUMBLE(rt, INTERVAL '1' MINUTE)")
