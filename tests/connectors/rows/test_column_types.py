"""Columns that need no conversion."""

from hypothesis import given
from hypothesis import strategies as st

from windrow.common import Types
from windrow.connectors.rows.column_types import ColumnType

KINDS = [Types.INT(), Types.LONG(), Types.DOUBLE(), Types.BOOLEAN(), Types.STRING()]
VALUES = st.none() | st.booleans() | st.integers(-(2**64), 2**64) | st.floats(allow_nan=False) | st.text(max_size=2)


@given(st.sampled_from(KINDS), st.lists(st.integers(0, 9), max_size=4) | st.lists(VALUES, max_size=4))
def test_a_column_of_its_type_is_what_conversion_gives(kind, values):
    """Types included: a truth value is no number, and a whole number no fraction."""
    if ColumnType(kind).holds(values):
        convert = kind.converter()
        assert repr(values) == repr([None if value is None else convert(value) for value in values])


def test_one_value_of_another_type_is_enough():
    """What is out of range, or of another type."""
    for kind, good, bad in [
        (Types.INT(), 1, 2**31),
        (Types.INT(), 1, True),
        (Types.DOUBLE(), 0.5, 1),
        (Types.STRING(), "a", 1),
    ]:
        column_type = ColumnType(kind)
        assert column_type.holds([good, good])
        assert not column_type.holds([good, bad])
