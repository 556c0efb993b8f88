"""Aggregates over the rows up to each row."""

import pytest

from windrow.operators.table.over import OverOperator
from windrow.operators.table.row_aggregates import RowCall
from windrow.table import data_types as t
from windrow.testing import OperatorHarness

SUM = RowCall("SUM", (1,), t.IntType())


def test_late_rows_are_dropped_and_counted():
    """Rows no later than what has gone out of their key are late, with a bounded frame as with an unbounded one."""
    for preceding in (1, None):
        operator = OverOperator([SUM], by_rows=True, preceding=preceding)
        harness = OperatorHarness(operator, lambda row: row[0])
        harness.process_element(("a", 1), 1000)
        harness.process_watermark(1000)
        harness.process_element(("a", 5), 1000)
        harness.process_element(("a", 2), 2000)
        harness.process_watermark(2000)
        assert harness.values() == [(1, 1), (2, 3)]
        assert harness.counters["num_late_records_dropped"] == 1


@pytest.mark.parametrize("by_rows", [True, False])
def test_the_first_rows_of_a_key_are_not_late_before_1970(by_rows):
    """A row of time 0 or before it is there; in Flink such a row is late at once with a bounded frame."""
    harness = OperatorHarness(OverOperator([SUM], by_rows=by_rows, preceding=1), lambda row: row[0])
    harness.process_element(("a", 1), -5_000)
    harness.process_element(("a", 2), 0)
    harness.process_watermark(1_000)
    assert [value[0] for value in harness.values()] == [1, 2]
    assert not harness.counters["num_late_records_dropped"]


@pytest.mark.parametrize(("by_rows", "expected"), [(True, [1, 3, 5, 7]), (False, [1, 9, 9, 9])])
def test_frames_of_rows_end_at_the_row_and_frames_of_time_at_its_time(by_rows, expected):
    """Rows of one time have the same result in a range, and each its own in a frame of rows."""
    harness = OperatorHarness(OverOperator([SUM], by_rows=by_rows, preceding=1), lambda row: row[0])
    for number, time in ((1, 1000), (2, 5000), (3, 5000), (4, 5000)):
        harness.process_element(("a", number), time)
    harness.process_watermark(9000)
    assert [value[1] for value in harness.values()] == expected
