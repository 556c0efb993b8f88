"""Whether columns are of a declared type as they are."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from windrow.common import Row, Types
from windrow.elements.inference import columns_from
from windrow.errors import TypeConversionError
from windrow.operators.column_function import same
from windrow.operators.column_types import columns_fit

FIELDS = [Types.BYTE(), Types.SHORT(), Types.INT(), Types.LONG(), Types.DOUBLE(), Types.FLOAT(), Types.STRING()]
FIELDS += [Types.BOOLEAN(), Types.CHAR(), Types.BIG_INT()]
VALUES = [
    st.integers(-(2**31), 2**31),
    st.integers(-300, 300),
    st.floats(width=32),
    st.text(max_size=2),
    st.booleans(),
    st.none() | st.integers(0, 3),
    st.none() | st.text(max_size=2),
]


@settings(deadline=None)
@given(
    data=st.data(), fields=st.lists(st.tuples(st.sampled_from(FIELDS), st.sampled_from(VALUES)), min_size=1, max_size=3)
)
def test_what_fits_is_not_changed_by_conversion(data, fields):
    """Tuples, rows and single values."""
    rows = data.draw(st.lists(st.tuples(*[values for _, values in fields]), min_size=1, max_size=5))
    types = [kind for kind, _ in fields]
    names = [f"f{number}" for number in range(len(types))]
    forms = [
        (Types.TUPLE(types), rows),
        (Types.ROW_NAMED(names, types), [Row(**dict(zip(names, row, strict=True))) for row in rows]),
        (types[0], [row[0] for row in rows]),
    ]
    for declared, elements in forms:
        columns = columns_from(elements)
        if columns is not None and columns_fit(declared, columns):
            convert = declared.converter()
            try:
                converted = [convert(element) for element in elements]
            except TypeConversionError:
                pytest.fail(f"{elements} do not fit {declared}")
            assert same(converted, elements)


@pytest.mark.parametrize(
    ("declared", "elements"),
    [
        (Types.LONG(), [1, 2**62]),
        (Types.INT(), [2**31 - 1, -(2**31)]),
        (Types.STRING(), ["a", None]),
        (Types.TUPLE([Types.LONG(), Types.DOUBLE()]), [(1, 0.5)]),
        (Types.ROW_NAMED(["n"], [Types.BOOLEAN()]), [Row(n=True)]),
    ],
)
def test_what_is_of_the_type_fits(declared, elements):
    """No element is looked at."""
    columns = columns_from(elements)
    assert columns_fit(declared, columns)
    assert columns.untouched


@pytest.mark.parametrize(
    ("declared", "elements"),
    [
        (Types.INT(), [2**31]),
        (Types.LONG(), [None, 1]),
        (Types.LONG(), [1.5]),
        (Types.TUPLE([Types.LONG()]), [(1, 2)]),
        (Types.ROW_NAMED(["m"], [Types.LONG()]), [Row(n=1)]),
        (Types.TUPLE([Types.LONG()]), [1]),
        (Types.FLOAT(), [0.5]),
    ],
)
def test_others_are_converted_one_by_one(declared, elements):
    """Out of range, null, of another type or form."""
    assert not columns_fit(declared, columns_from(elements))
