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
