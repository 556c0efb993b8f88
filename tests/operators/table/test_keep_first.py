"""The first row of each key by event time."""

import pytest

from windrow.operators.base import LATE_RECORDS
from windrow.operators.table.keep_first import KeepFirstOperator
from windrow.testing import OperatorHarness


def harness_of(snapshot=None):
    return OperatorHarness(KeepFirstOperator(), lambda row: row[0], snapshot=snapshot)


@pytest.mark.parametrize("cut", [False, True])
def test_the_first_row_comes_with_the_watermark(cut):
    """Once; what comes before it in time but behind it takes its place until then. A checkpoint changes nothing."""
    harness = harness_of()
    harness.process_element(("k", "late", 7), 7)
    if cut:
        harness = harness_of(harness.snapshot())
    harness.process_element(("k", "first", 3), 3)
    harness.process_element(("k", "same time", 3), 3)
    harness.process_watermark(2)
    assert harness.values() == []
    harness.process_watermark(3)
    assert harness.values() == [("first", 3, 1)]
    harness.process_element(("k", "another", 9), 9)
    harness.process_watermark(20)
    assert harness.values() == [("first", 3, 1)]


def test_what_is_late_is_dropped_and_counted():
    """It is older than the watermark: nobody can know whether it was the first one."""
    harness = harness_of()
    harness.process_watermark(5)
    harness.process_element(("k", "late", 4), 4)
    harness.process_element(("k", "in time", 5), 5)
    harness.process_watermark(9)
    assert harness.values() == [("in time", 5, 1)]
    assert harness.counters[LATE_RECORDS] == 1
