"""Aggregates of the rows of a window that may be taken back."""

from windrow.operators.table.changes import DELETE, INSERT, UPDATE_AFTER, UPDATE_BEFORE
from windrow.operators.table.row_aggregates import RowCall
from windrow.operators.table.window_changes import ChangedRowAggregates
from windrow.table.data_types import BigIntType, IntType

CALLS = [RowCall("COUNT", (1,), BigIntType()), RowCall("MAX", (1,), IntType()), RowCall("LAST_VALUE", (1,), IntType())]


def folded(aggregates, rows):
    kept = aggregates.create_accumulator()
    for row in rows:
        kept = aggregates.add(row, kept)
    return kept


def test_what_is_taken_back_counts_no_more():
    """Behind the aggregates stands how many rows are left; NULL is a row, and no value."""
    aggregates = ChangedRowAggregates(1, CALLS)
    rows = [("a", 3, INSERT), ("a", None, INSERT), ("a", 9, INSERT), ("a", 9, UPDATE_BEFORE), ("a", 4, UPDATE_AFTER)]
    assert aggregates.get_result(folded(aggregates, rows)) == ("a", 2, 4, 4, 3)
    rows += [("a", 3, DELETE), ("a", None, DELETE), ("a", 4, DELETE)]
    assert aggregates.get_result(folded(aggregates, rows)) == ("a", 0, None, None, 0)


def test_the_least_value_is_that_of_all_rows():
    """Also of those that were taken back: a session begins with them."""
    aggregates = ChangedRowAggregates(1, CALLS[:1], [2])
    rows = [("a", 3, 7, INSERT), ("a", 3, 5, INSERT), ("a", 3, 5, DELETE)]
    assert aggregates.get_result(folded(aggregates, rows)) == ("a", 1, 5, 1)


def test_parts_of_a_window_are_one_after_the_other():
    """A row of one of them may be taken back in another one."""
    aggregates = ChangedRowAggregates(1, CALLS)
    first = folded(aggregates, [("a", 9, INSERT), ("a", 3, INSERT)])
    merged = aggregates.merge(first, folded(aggregates, [("a", 9, DELETE)]))
    assert aggregates.get_result(merged) == ("a", 1, 3, 3, 1)
