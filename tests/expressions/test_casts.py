"""CAST of collections, whose elements Arrow keeps beside them."""

import pyarrow as pa
import pytest

from windrow.expressions.casts import cast
from windrow.expressions.logical_types import arrow_of
from windrow.table import DataTypes

TEXTS, NUMBERS = DataTypes.ARRAY(DataTypes.STRING()), DataTypes.ARRAY(DataTypes.INT())
TEXT_MAP = DataTypes.MAP(DataTypes.STRING(), DataTypes.STRING())
NUMBER_MAP = DataTypes.MAP(DataTypes.INT(), DataTypes.INT())


@pytest.mark.parametrize(
    ("source", "target", "given", "expected"),
    [
        (TEXTS, NUMBERS, [["x"], ["1", None], None, [], ["2"]], [[1, None], None, [], [2]]),
        (TEXT_MAP, NUMBER_MAP, [[("x", "y")], [("1", "2")], None, [("3", None)]], [[(1, 2)], None, [(3, None)]]),
    ],
)
def test_elements_before_a_slice_are_not_cast(source, target, given, expected):
    """They are there, and no value shows them."""
    values = pa.array(given, arrow_of(source))[1:]
    found = cast(values, source, target)
    assert found.type == arrow_of(target)
    assert found.to_pylist() == expected
    assert cast(values[:0], source, target).to_pylist() == []


def test_elements_behind_null_are_not_cast():
    """Arrow may keep some there."""
    texts = pa.array(["x", "1"])
    values = pa.ListArray.from_arrays(pa.array([0, 1, 2], pa.int32()), texts, mask=pa.array([True, False]))
    assert cast(values, TEXTS, NUMBERS).to_pylist() == [None, [1]]


def test_rows_of_a_slice_keep_their_nulls():
    """The fields of a row that is NULL are not looked at."""
    source = DataTypes.ROW([DataTypes.FIELD("a", DataTypes.STRING())])
    target = DataTypes.ROW([DataTypes.FIELD("b", DataTypes.INT())])
    values = pa.array([{"a": "x"}, {"a": "1"}, None, {"a": None}], arrow_of(source))[1:]
    assert cast(values, source, target).to_pylist() == [{"b": 1}, None, {"b": None}]
