"""Windows that give results before their end, and behind it: table.exec.emit.*."""

import pytest

from tests.datastream.streams.restarts import collect_with_restarts
from tests.table.clock import by_batch, local_tables
from windrow.common import RowKind, Types, WatermarkStrategy
from windrow.common.watermark_strategy import Watermark, WatermarkGenerator
from windrow.datastream import StreamExecutionEnvironment
from windrow.errors import ConfigurationError, SqlError
from windrow.table import EnvironmentSettings, Schema, StreamTableEnvironment

EARLY, LATE = "table.exec.emit.early-fire", "table.exec.emit.late-fire"
LATENESS = "table.exec.emit.allow-lateness"
ROW = Types.ROW_NAMED(["at", "n"], [Types.LONG(), Types.INT()])
SUMS = "SELECT SUM(n) AS s FROM t GROUP BY TUMBLE(ts, INTERVAL '0.01' SECOND)"


class Newest(WatermarkGenerator):
    """The watermark behind each row is the newest time."""

    def __init__(self):
        self.newest = -1

    def on_event(self, event, event_timestamp, output):
        self.newest = max(self.newest, event_timestamp)
        output.emit_watermark(Watermark(self.newest))

    def on_periodic_emit(self, output):
        """Rows decide."""


NEWEST = WatermarkStrategy.for_generator(Newest).with_timestamp_assigner(lambda row, _: row[0])


def tables_of(rows, settings, env=None, mode=None):
    env = env or StreamExecutionEnvironment.create_local_environment(parallelism=1)
    tables = StreamTableEnvironment.create(env, mode)
    schema = Schema.new_builder().column("at", "BIGINT").column("n", "INT")
    schema.column_by_expression("ts", "CAST(TO_TIMESTAMP_LTZ(at, 3) AS TIMESTAMP(3))")
    stream = env.from_collection(rows, ROW).assign_timestamps_and_watermarks(NEWEST)
    tables.create_temporary_view("t", stream, schema.watermark("ts", "SOURCE_WATERMARK()").build())
    for key, value in settings.items():
        tables.get_config().set(key, value)
    return tables


def changes(rows, settings, query=SUMS):
    tables = tables_of(rows, settings)
    found = collect_with_restarts(tables.to_changelog_stream(tables.sql_query(query)), 1)
    return [f"{row.get_row_kind()}{row[0]}" for row in found]


EACH = {f"{EARLY}.enabled": "true", f"{EARLY}.delay": "0 s"}
EACH_LATE = {f"{LATE}.enabled": "true", f"{LATE}.delay": "0 s", LATENESS: "10 ms"}


def test_without_a_delay_each_row_changes_the_result():
    """Early firing: the first row is an insertion, others take its place, and the end changes nothing."""
    assert changes([(1, 1), (2, 2), (12, 5), (13, 0)], EACH) == ["+I1", "-U1", "+U3", "+I5"]


def test_late_rows_change_a_result_that_was_there():
    """Late firing: within what may be late; what comes behind that is dropped."""
    rows = [(1, 1), (12, 5), (3, 2), (19, 1), (4, 8), (25, 1)]
    assert changes(rows, EACH_LATE) == ["+I1", "-U1", "+U3", "+I6", "+I1"]


def test_early_and_late_firing_go_together():
    """Before the end with each row, and behind it as well."""
    assert changes([(1, 1), (2, 1), (12, 5), (3, 2)], EACH | EACH_LATE) == [
        *["+I1", "-U1", "+U2", "+I5", "-U2", "+U4"],
    ]


QUERY = """
    SELECT k, SUM(n) AS n, TUMBLE_END(proc, INTERVAL '1' MINUTE) AS e FROM t
    GROUP BY k, TUMBLE(proc, INTERVAL '1' MINUTE)
"""


def by_clock(delay, times):
    tables = local_tables()
    tables.get_config().set(f"{EARLY}.enabled", "true").set(f"{EARLY}.delay", delay)
    return [sorted((k, n) for k, n, _ in rows) for rows in by_batch(tables, QUERY, times)]


def test_results_come_so_long_after_each_other():
    """By a delay of processing time from the first row on, and at the end; what is as before does not come again."""
    assert by_clock("5 s", [0, 1_000, 6_000, 11_000, 62_000]) == [
        [],
        [],
        [("a", 1), ("b", 2)],
        [("a", 1), ("a", 4)],
        [("a", 4), ("a", 8)],
    ]


def test_windows_of_the_clock_give_results_with_each_row():
    """And behind their end those of the next window."""
    found = by_clock("0", [0, 1_000, 2_000, 61_000, 62_000])
    assert found == [[("a", 1)], [("b", 2)], [("a", 1), ("a", 4)], [("a", 4)], [("b", 5)]]


def test_the_last_changes_are_the_result_on_both_runtimes(env):
    """Whatever comes between them: what is left is what windows give once."""
    rows = [(1, 1), (2, 2), (12, 5), (13, 1), (33, 7)]
    found = tables_of(rows, EACH, env).sql_query(SUMS).to_pandas()
    assert sorted(found["s"]) == [3, 6, 7]


def test_a_periodic_late_result_waits():
    """With a delay late rows are told together: here none is before the window is forgotten."""
    settings = {f"{LATE}.enabled": "true", f"{LATE}.delay": "5 ms", LATENESS: "10 ms"}
    assert changes([(1, 1), (12, 5), (3, 2), (4, 2), (25, 1)], settings) == ["+I1", "+I5", "+I1"]


def test_columns_that_are_left_are_the_key_of_the_changes():
    """A window's start, or its end, tells its results apart, with the other keys."""
    from windrow.sql.plan import upsert_keys

    tables = tables_of([(1, 1)], EACH)
    group = "FROM t GROUP BY n, TUMBLE(ts, INTERVAL '1' SECOND)"
    for columns, keys in (
        ("n, TUMBLE_END(ts, INTERVAL '1' SECOND)", [{0, 1}]),
        ("COUNT(*), TUMBLE_START(ts, INTERVAL '1' SECOND), n, TUMBLE_END(ts, INTERVAL '1' SECOND)", [{1, 2}, {2, 3}]),
        ("n, COUNT(*)", []),
    ):
        assert upsert_keys(tables.sql_query(f"SELECT {columns} {group}")._relation) == keys


def test_batch_mode_gives_results_once():
    """As in Flink, the settings are those of streams."""
    tables = tables_of([(1, 1), (2, 2)], EACH, mode=EnvironmentSettings.in_batch_mode())
    rows = list(tables.sql_query(SUMS).execute().collect())
    assert [(row.get_row_kind(), row[0]) for row in rows] == [(RowKind.INSERT, 3)]


@pytest.mark.parametrize(
    ("query", "message"),
    [
        (
            "SELECT SUM(n) FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' SECOND)) "
            "GROUP BY window_start, window_end",
            "groups of a window table function give their results once",
        ),
        ("SELECT SUM(n) FROM t GROUP BY SESSION(ts, INTERVAL '1' SECOND)", "SESSION gives its results once"),
    ],
)
def test_windows_that_do_not_fire_early_are_refused(query, message):
    """Those of window table functions, and sessions, as in Flink."""
    with pytest.raises(SqlError, match=message):
        tables_of([(1, 1)], EACH).sql_query(query)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({f"{EARLY}.enabled": "yes"}, "takes true or false; got 'yes'"),
        ({f"{EARLY}.delay": "-1 s"}, "takes a span of time such as '5 s'"),
        ({f"{EARLY}.enabled": "true"}, f"takes '{EARLY}.delay' as well"),
        ({f"{LATE}.enabled": "true", f"{LATE}.delay": "0 s"}, f"takes '{LATENESS}' of more than zero"),
        (EACH_LATE | {f"{LATE}.delay": "1 s"}, "no less"),
        ({"table.exec.emit.early-fire.enable": "true"}, f"did you mean '{EARLY}.enabled'"),
    ],
)
def test_settings_that_do_not_fit_are_refused(settings, message):
    """When they are set, or when a statement needs them."""
    with pytest.raises(ConfigurationError, match=message):
        tables_of([(1, 1)], settings).sql_query(SUMS)


def test_windows_of_a_zone_give_results_before_their_end_and_behind_it():
    """Days of New York, of which the one on which clocks are set forward has 23 hours."""
    env = StreamExecutionEnvironment.create_local_environment(parallelism=1)
    hour, first = 3_600_000, 1_583_557_200_000  # 2020-03-07 00:00 there
    rows = [(first + at * hour, n) for at, n in ((23, 1), (24, 2), (46, 4), (47, 8), (25, 16))]
    tables = StreamTableEnvironment.create(env)
    tables.get_config().set("table.local-time-zone", "America/New_York")
    for key, value in (EACH | EACH_LATE | {LATENESS: "2 d"}).items():
        tables.get_config().set(key, value)
    schema = Schema.new_builder().column("at", "BIGINT").column("n", "INT")
    schema.column_by_expression("ts", "TO_TIMESTAMP_LTZ(at, 3)").watermark("ts", "SOURCE_WATERMARK()")
    stream = env.from_collection(rows, ROW).assign_timestamps_and_watermarks(NEWEST)
    tables.create_temporary_view("t", stream, schema.build())
    query = "SELECT SUM(n) AS s, {0}_START(ts, {1}), {0}_END(ts, {1}) FROM t GROUP BY {0}(ts, {1})"
    made = tables.to_changelog_stream(tables.sql_query(query.format("TUMBLE", "INTERVAL '1' DAY")))
    found = [f"{row.get_row_kind()}{row[0]} {row[1]:%d} {row[2]:%d %H}" for row in collect_with_restarts(made, 1)]
    assert found == [
        *["+I1 07 08 00", "+I2 08 09 00", "-U2 08 09 00", "+U6 08 09 00", "+I8 09 10 00"],
        *["-U6 08 09 00", "+U22 08 09 00"],
    ]
