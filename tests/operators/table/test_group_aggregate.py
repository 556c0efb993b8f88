"""Groups whose results change with each row."""

from windrow.operators.table.changes import DELETE, INSERT, UPDATE_AFTER, UPDATE_BEFORE
from windrow.operators.table.group_aggregate import GroupAggregateOperator
from windrow.operators.table.row_aggregates import RowCall
from windrow.table import data_types as t
from windrow.testing import OperatorHarness

MOST = RowCall("MAX", (2,), t.IntType())


def harness_of(snapshot=None):
    operator = GroupAggregateOperator(1, [MOST], retracts=True)
    return OperatorHarness(operator, lambda row: row[0], snapshot=snapshot)


def test_a_group_that_loses_all_rows_is_deleted():
    """The greatest value is taken back, the next one comes back, and at the end the group goes."""
    harness = harness_of()
    for value, kind in ((1, INSERT), (5, INSERT), (5, UPDATE_BEFORE), (1, DELETE)):
        harness.process_element(("k", "a", value, kind), 0)
    assert harness.values() == [
        ("a", 1, INSERT),
        ("a", 1, UPDATE_BEFORE),
        ("a", 5, UPDATE_AFTER),
        ("a", 5, UPDATE_BEFORE),
        ("a", 1, UPDATE_AFTER),
        ("a", 1, DELETE),
    ]
    assert harness.num_state_entries() == 0


def test_a_group_goes_on_from_a_checkpoint():
    """What was counted before is there afterwards."""
    first = harness_of()
    first.process_element(("k", "a", 3, INSERT), 0)
    second = harness_of(first.snapshot())
    second.process_element(("k", "a", 3, DELETE), 0)
    assert second.values() == [("a", 3, DELETE)]
