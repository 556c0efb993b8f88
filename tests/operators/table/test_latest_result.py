"""The results of windows that fire more than once, as changes."""

from windrow.operators.table.changes import INSERT, UPDATE_AFTER, UPDATE_BEFORE
from windrow.operators.table.latest_result import LatestResultOperator
from windrow.testing import OperatorHarness


def harness_of(lateness=0, *, by_clock=False):
    return OperatorHarness(LatestResultOperator(lateness, by_clock=by_clock), lambda row: row[0])


def test_a_result_takes_the_place_of_the_one_before():
    """The first one is an insertion; one that is as before changes nothing."""
    harness = harness_of()
    for value in (1, 1, 3):
        harness.process_element(("k", value), 9)
    assert harness.values() == [(1, INSERT), (1, UPDATE_BEFORE), (3, UPDATE_AFTER)]


def test_a_window_that_is_over_is_forgotten():
    """When the watermark is so far behind its end that nothing counts any more, and not before."""
    harness = harness_of(5)
    harness.process_element(("k", 1), 9)
    harness.process_watermark(13)
    assert harness.num_state_entries() == 1
    harness.process_watermark(14)
    assert harness.num_state_entries() == harness.num_event_timers() == 0


def test_a_window_of_the_clock_is_forgotten_behind_the_batch_in_which_it_ends():
    """What fires in that batch comes when the clock is there already: it still meets the result before it."""
    harness = harness_of(by_clock=True)
    harness.process_element(("k", 1), 9)
    harness.set_processing_time(20)
    for value in (1, 2):
        harness.process_element(("k", value), 9)
    assert harness.values() == [(1, INSERT), (1, UPDATE_BEFORE), (2, UPDATE_AFTER)]
    harness.set_processing_time(21)
    assert harness.num_state_entries() == harness.num_processing_timers() == 0
