"""Aggregates that keep values."""

import pytest

from windrow.errors import SqlError
from windrow.operators.table.row_aggregates import RowAggregates, RowCall
from windrow.table import DataTypes


@pytest.mark.parametrize(("distinct", "expected"), [(True, 2), (False, 3)])
def test_count_of_several_columns_counts_the_rows_without_null(distinct, expected):
    """Of DISTINCT those that differ in any of the columns."""
    counts = RowAggregates(0, [RowCall("COUNT", (0, 1), DataTypes.BIGINT(), distinct)])
    kept = counts.create_accumulator()
    for row in ((1, "a"), (1, "b"), (1, "a"), (1, None), (None, "a")):
        kept = counts.add(row, kept)
    assert counts.get_result(kept) == (expected,)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (RowCall("COUNT", (), DataTypes.BIGINT(), distinct=True), "takes columns"),
        (RowCall("LISTAGG", (0, 1), DataTypes.STRING(), options=(None,)), "has to be a constant text"),
    ],
)
def test_calls_that_say_nothing_are_refused(call, says):
    """When the query is planned, and no row has come yet."""
    with pytest.raises(SqlError, match=says):
        RowAggregates(0, [call])


def test_listagg_of_numbers_says_what_to_write():
    """It takes text alone, as Flink's does."""
    lists = RowAggregates(0, [RowCall("LISTAGG", (0,), DataTypes.STRING())])
    with pytest.raises(TypeError, match="LISTAGG takes text; got 5: CAST it AS STRING"):
        lists.get_result(lists.add((5,), lists.create_accumulator()))
