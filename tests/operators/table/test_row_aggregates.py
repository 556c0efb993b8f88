"""Aggregates that keep values."""

import pytest

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
