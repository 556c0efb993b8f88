"""Values of tuples as what users are given."""

import pytest

from windrow.common import Row
from windrow.table import DataTypes
from windrow.table.values import to_external

PLACE = DataTypes.ROW([DataTypes.FIELD("x", DataTypes.INT())])


@pytest.mark.parametrize(
    ("kind", "given", "expected"),
    [
        (DataTypes.MULTISET(DataTypes.STRING()), [("a", 2), ("b", 1)], {"a": 2, "b": 1}),
        (DataTypes.MULTISET(PLACE), [({"x": 1}, 2)], {Row(x=1): 2}),
        (DataTypes.MULTISET(DataTypes.ARRAY(DataTypes.INT())), [([1, 2], 1)], {(1, 2): 1}),
        (DataTypes.MAP(DataTypes.STRING(), PLACE), [("a", {"x": 1}), ("b", None)], {"a": Row(x=1), "b": None}),
        (DataTypes.MAP(DataTypes.STRING(), DataTypes.INT()), None, None),
    ],
)
def test_maps_and_multisets_are_dicts(kind, given, expected):
    """Rows among their keys and values are Rows, and arrays that are keys are tuples."""
    convert = to_external(kind)
    assert convert is not None
    assert convert(given) == expected
