"""What elements are made of."""

import dataclasses
import pickle

import pyarrow as pa
import pytest

from windrow.common import Row, Types
from windrow.elements.columns import Columns
from windrow.elements.shape import DataclassShape, RowShape, ScalarShape, TupleShape, shape_of


@dataclasses.dataclass(frozen=True)
class Reading:
    place: str
    degrees: float


@dataclasses.dataclass
class Changeable:
    number: int


def elements(shape, *columns):
    return Columns.of(shape, [pa.array(column, kind) for column, kind in zip(columns, shape.types, strict=True)])


SHAPES = [
    (ScalarShape.of(pa.int64()), [[1, 2]], [1, 2]),
    (ScalarShape.of(pa.bool_()), [[True, None]], [True, None]),
    (TupleShape((pa.int64(), pa.string())), [[1, 2], ["a", None]], [(1, "a"), (2, None)]),
    (RowShape((pa.int64(), pa.float64())), [[1, 2], [0.5, 1.5]], [Row(1, 0.5), Row(2, 1.5)]),
    (RowShape((pa.int64(),), field_names=("n",)), [[1, 2]], [Row(n=1), Row(n=2)]),
    (
        DataclassShape((pa.string(), pa.float64()), kind=Reading, field_names=("place", "degrees")),
        [["a"], [1.5]],
        [Reading("a", 1.5)],
    ),
]


@pytest.mark.parametrize(("shape", "columns", "expected"), SHAPES, ids=lambda value: type(value).__name__)
def test_rows_are_objects_of_python(shape, columns, expected):
    """With Python's own numbers and texts, and the same after a journey."""
    for made in (elements(shape, *columns), pickle.loads(pickle.dumps(elements(shape, *columns)))):
        assert list(made) == expected
        assert [type(value) for value in made] == [type(value) for value in expected]


def test_elements_of_no_fields_are_as_many_as_rows():
    """An empty tuple, an empty row."""
    batch = pa.record_batch([pa.array([1, 2])], names=["n"]).select([])
    assert TupleShape(()).elements([], 2) == [(), ()]
    assert RowShape((), field_names=()).elements([], 2) == [Row(), Row()]
    assert batch.num_columns == 0


def test_elements_that_can_change_are_told_from_others():
    """Rows can, and what holds a list, and objects of a dataclass that is not frozen."""
    assert ScalarShape.of(pa.string()).never_changes
    assert not TupleShape((pa.list_(pa.int64()),)).never_changes
    assert not RowShape((pa.int64(),)).never_changes
    assert DataclassShape((pa.int64(),), kind=Reading, field_names=("n",)).never_changes
    assert not DataclassShape((pa.int64(),), kind=Changeable, field_names=("number",)).never_changes


def test_shapes_are_equal_by_what_they_are_made_of():
    """Columns of equal shapes can be one."""
    assert shape_of(Types.ROW_NAMED(["n"], [Types.LONG()])) == shape_of(Types.ROW_NAMED(["n"], [Types.LONG()]))
    assert shape_of(Types.ROW_NAMED(["n"], [Types.LONG()])) != shape_of(Types.ROW_NAMED(["m"], [Types.LONG()]))
    assert shape_of(Types.TUPLE([Types.LONG()])) != ScalarShape.of(pa.int64())
