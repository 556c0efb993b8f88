"""Rows that take the place of each other, as changes."""

from windrow.operators.table.changes import DELETE, INSERT, UPDATE_AFTER, UPDATE_BEFORE
from windrow.operators.table.normalize import NormalizeOperator
from windrow.testing import OperatorHarness


def harness_of(snapshot=None):
    return OperatorHarness(NormalizeOperator(), lambda row: row[0], snapshot=snapshot)


def test_a_row_takes_the_place_of_the_last_one_with_its_key():
    """What was there before comes first; a row that is the same changes nothing, as in Flink."""
    harness = harness_of()
    for value in ("x", "x", "y"):
        harness.process_element(("k", "k", value, UPDATE_AFTER), 0)
    assert harness.values() == [("k", "x", INSERT), ("k", "x", UPDATE_BEFORE), ("k", "y", UPDATE_AFTER)]


def test_a_deletion_is_that_of_the_whole_row():
    """It may have the key alone; one of what is not there changes nothing, and the next row is a new one."""
    harness = harness_of()
    for row in (("x", UPDATE_AFTER), (None, DELETE), (None, DELETE), ("z", UPDATE_AFTER)):
        harness.process_element(("k", "k", *row), 0)
    assert harness.values() == [("k", "x", INSERT), ("k", "x", DELETE), ("k", "z", INSERT)]


def test_rows_are_known_after_a_restart():
    """They are state of the key."""
    harness = harness_of()
    harness.process_element(("k", "k", "x", UPDATE_AFTER), 0)
    restarted = harness_of(harness.snapshot())
    restarted.process_element(("k", "k", "y", UPDATE_AFTER), 0)
    assert restarted.values() == [("k", "x", UPDATE_BEFORE), ("k", "y", UPDATE_AFTER)]
