"""The times of pairs that an interval join finds."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.datastream.streams.restarts import collect_with_restarts
from tests.property_examples import examples
from windrow.common import Types, WatermarkStrategy
from windrow.common.watermark_strategy import Watermark, WatermarkGenerator
from windrow.datastream import StreamExecutionEnvironment
from windrow.errors import SqlError
from windrow.table import Schema, StreamTableEnvironment

ROW = Types.ROW_NAMED(["at", "k"], [Types.LONG(), Types.STRING()])


class Strict(WatermarkGenerator):
    """A watermark behind each element: none is older."""

    def on_event(self, event, event_timestamp, output):
        output.emit_watermark(Watermark(event_timestamp - 1))

    def on_periodic_emit(self, output):
        """Elements decide."""


STRICT = WatermarkStrategy.for_generator(Strict).with_timestamp_assigner(lambda row, _: row[0])


def tables_of(env, lefts, rights):
    tables = StreamTableEnvironment.create(env)
    schema = Schema.new_builder().column("at", "BIGINT").column("k", "STRING")
    schema.column_by_expression("ts", "CAST(TO_TIMESTAMP_LTZ(at, 3) AS TIMESTAMP(3))")
    schema.watermark("ts", "SOURCE_WATERMARK()")
    schema.column_by_expression("p", "PROCTIME()")
    for name, times in (("lefts", lefts), ("rights", rights)):
        rows = [(time, "k") for time in times]
        stream = env.from_collection(rows, ROW).assign_timestamps_and_watermarks(STRICT)
        tables.create_temporary_view(name, stream, schema.build())
    tables.execute_sql(
        "CREATE VIEW pairs AS SELECT l.ts AS of_left, r.ts AS of_right FROM lefts AS l JOIN rights AS r ON l.k = r.k "
        "AND r.ts BETWEEN l.ts - INTERVAL '0.003' SECOND AND l.ts + INTERVAL '0.007' SECOND"
    )
    return tables


def windows(column):
    window = f"TUMBLE(TABLE pairs, DESCRIPTOR({column}), INTERVAL '0.002' SECOND)"
    start = "EXTRACT(MILLISECOND FROM window_start)"
    return f"SELECT {start}, COUNT(*) FROM TABLE({window}) GROUP BY window_start, window_end"


def expected(lefts, rights, of_left):
    counts = {}
    for left in lefts:
        for right in rights:
            if -3 <= right - left <= 7:
                time = left if of_left else right
                counts[time // 2 * 2] = counts.get(time // 2 * 2, 0) + 1
    return sorted(counts.items())


TIMES = st.lists(st.integers(0, 60), max_size=12).map(sorted)


@settings(max_examples=examples(25))
@given(TIMES, TIMES, st.integers(1, 4))
def test_windows_by_either_time_of_a_pair_have_them_all(lefts, rights, size):
    """Watermarks are held back by the interval, so that the older time of a pair is not late."""
    for column in ("of_left", "of_right"):
        tables = tables_of(StreamExecutionEnvironment.create_local_environment(parallelism=1), lefts, rights)
        if not (lefts and rights):
            continue
        stream = tables.to_data_stream(tables.sql_query(windows(column)))
        found = sorted(tuple(row) for row in collect_with_restarts(stream, size))
        assert found == expected(lefts, rights, column == "of_left")


def test_they_have_them_on_both_runtimes(env):
    """Windows by the older time, with several subtasks."""
    lefts, rights = [1, 5, 9, 30], [2, 7, 11, 12, 36, 40]
    rows = tables_of(env, lefts, rights).sql_query(windows("of_left")).execute().collect()
    assert sorted(tuple(row) for row in rows) == expected(lefts, rights, of_left=True)


def test_event_time_is_lost_in_a_join_by_processing_time():
    """There, rows wait for longer than their event time says: the error names the column, and why."""
    tables = tables_of(StreamExecutionEnvironment.create_local_environment(parallelism=1), [1], [2])
    tables.execute_sql(
        "CREATE VIEW by_clock AS SELECT l.ts FROM lefts AS l JOIN rights AS r ON l.k = r.k "
        "AND l.p BETWEEN r.p - INTERVAL '1' SECOND AND r.p"
    )
    with pytest.raises(SqlError, match=r"'ts' .* is none: it went through an interval join by processing time"):
        tables.sql_query("SELECT 1 FROM TABLE(TUMBLE(TABLE by_clock, DESCRIPTOR(ts), INTERVAL '1' SECOND))")


def milliseconds(tables, query):
    """What a query of times gives, with restarts, in order."""
    rows = collect_with_restarts(tables.to_data_stream(tables.sql_query(query)), 2)
    return sorted((tuple(row) for row in rows), key=repr)


@settings(max_examples=examples(15))
@given(TIMES, TIMES, st.sampled_from([-3, 0, 3]), st.sampled_from(["INNER", "LEFT", "RIGHT", "FULL"]))
def test_equal_event_times_are_a_bound(lefts, rights, span, kind):
    """Of one moment, with a span of time added or without: then no other condition bounds the join."""
    lefts, rights = lefts or [0], rights or [0]
    tables = tables_of(StreamExecutionEnvironment.create_local_environment(parallelism=1), lefts, rights)
    added = f" + INTERVAL '{span / 1000}' SECOND" if span else ""
    found = milliseconds(
        tables,
        "SELECT EXTRACT(MILLISECOND FROM l.ts), EXTRACT(MILLISECOND FROM r.ts) "
        f"FROM lefts AS l {kind} JOIN rights AS r ON r.ts = l.ts{added}",
    )
    pairs = [(left, right) for left in lefts for right in rights if right == left + span]
    if kind in ("LEFT", "FULL"):
        pairs += [(left, None) for left in lefts if left + span not in rights]
    if kind in ("RIGHT", "FULL"):
        pairs += [(None, right) for right in rights if right - span not in lefts]
    assert found == sorted(pairs, key=repr)


@pytest.mark.parametrize("column", ["of_left", "of_right"])
@pytest.mark.parametrize("bound", ["p.{} = x.ts", "x.ts BETWEEN p.{} AND p.{} + INTERVAL '0.002' SECOND"])
def test_pairs_join_by_either_of_their_times(column, bound):
    """A pair has two event times: the one that is named counts, whichever is the newer one."""
    lefts, rights = [1, 5, 9, 30], [2, 4, 7, 9, 11, 12, 36, 37]
    tables = tables_of(StreamExecutionEnvironment.create_local_environment(parallelism=1), lefts, rights)
    found = milliseconds(
        tables,
        f"SELECT EXTRACT(MILLISECOND FROM p.{column}), EXTRACT(MILLISECOND FROM x.ts) FROM pairs AS p "
        f"JOIN rights AS x ON {bound.format(column, column)}",
    )
    times = [(left, right) for left in lefts for right in rights if -3 <= right - left <= 7]
    width = 2 if "BETWEEN" in bound else 0
    at = [pair[column == "of_right"] for pair in times]
    assert found == sorted([(time, x) for time in at for x in rights if time <= x <= time + width], key=repr)
    assert found


def test_rows_of_windows_join_by_their_own_time():
    """Behind a window table function rows have the time of their window as well, which no bound names here."""
    lefts, rights = [1, 2, 5], [2, 3, 9]
    tables = tables_of(StreamExecutionEnvironment.create_local_environment(parallelism=1), lefts, rights)
    found = milliseconds(
        tables,
        "SELECT EXTRACT(MILLISECOND FROM w.ts), EXTRACT(MILLISECOND FROM r.ts) "
        "FROM TABLE(TUMBLE(TABLE lefts, DESCRIPTOR(ts), INTERVAL '0.01' SECOND)) AS w "
        "JOIN rights AS r ON r.ts BETWEEN w.ts AND w.ts + INTERVAL '0.001' SECOND",
    )
    assert found == [(1, 2), (2, 2), (2, 3)]
