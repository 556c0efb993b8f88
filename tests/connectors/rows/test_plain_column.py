"""Columns that need no conversion."""

from hypothesis import given
from hypothesis import strategies as st

from windrow.common import Types
from windrow.connectors.files.json_values import from_json
from windrow.connectors.rows.plain_column import PlainRows

ROW = Types.ROW_NAMED(
    ["i", "l", "d", "b", "s"], [Types.INT(), Types.LONG(), Types.DOUBLE(), Types.BOOLEAN(), Types.STRING()]
)
VALUES = st.none() | st.booleans() | st.integers(-(2**64), 2**64) | st.floats(allow_nan=False) | st.text(max_size=2)
GOOD = st.fixed_dictionaries(
    {},
    optional={"i": st.integers(0, 9), "l": st.integers(0, 9), "d": st.floats(0, 1), "b": st.booleans(), "s": st.text()},
)
ANY = st.dictionaries(st.sampled_from(["i", "l", "d", "b", "s", "x"]), VALUES)


@given(st.lists(GOOD | ANY, max_size=4))
def test_what_is_found_plain_is_what_conversion_gives(objects):
    """Types included: a truth value is no number, and a whole number no fraction."""
    rows = PlainRows(ROW).rows(objects)
    if rows is None:
        return
    assert repr(rows) == repr(list(map(from_json(ROW), objects)))


def test_one_that_is_not_plain_is_enough():
    """What is out of range, of another type, or no object."""
    plain = PlainRows(ROW)
    full = {"i": 1, "l": 2, "d": 0.5, "b": True, "s": "a"}
    assert plain.rows([full, full]) is not None
    for other in ({"i": 2**31}, {"i": True}, {"d": 1}, {"s": 1}):
        assert plain.rows([full, full | other]) is None
    assert plain.rows([full, [1]]) is None
