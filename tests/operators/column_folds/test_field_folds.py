"""Tuples that are combined field by field."""

import pyarrow as pa

from windrow.elements.shape import TupleShape
from windrow.operators.column_folds.field_folds import FieldFolds
from windrow.tracing.outcome import NotTraceable


def test_sums_wrap_around_and_exact_ones_do_not():
    """A BIGINT has 64 bits; what stands for a decimal number has as many as it needs."""
    greatest = 2**63 - 1
    assert FieldFolds(["sum", "exact"]).reduce((greatest, greatest), (1, 1)) == (-(2**63), 2**63)


def test_null_is_neither_least_nor_greatest():
    """It gives way to any value."""
    assert FieldFolds(["min", "max"]).reduce((None, "b"), ("a", None)) == ("a", "b")


def test_numbers_fold_on_columns_and_texts_do_not():
    """The plan says which."""
    assert not isinstance(FieldFolds(["first", "sum"]).plan(TupleShape((pa.string(), pa.int64()))), NotTraceable)
    assert isinstance(FieldFolds(["min"]).plan(TupleShape((pa.string(),))), NotTraceable)
