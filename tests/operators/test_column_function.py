"""A user's function on columns."""

import warnings

import numpy as np
import pyarrow as pa
import pytest

from windrow.common import Row
from windrow.elements.columns import Columns
from windrow.elements.shape import LONG, ScalarShape, TupleShape
from windrow.operators.column_function import ColumnFunction, same

NUMBERS = Columns.of(LONG, [np.array([1, 2, 3])])


def test_a_function_that_can_be_traced_gives_columns():
    """Of the shape of its results."""
    function = ColumnFunction("map", lambda x: (x, x * 0.5))
    found = function.results(NUMBERS)
    assert list(found) == [(1, 0.5), (2, 1.0), (3, 1.5)]
    assert found.shape == TupleShape((pa.int64(), pa.float64()))


@pytest.mark.parametrize("function", [lambda x: f"{x}", lambda x: [x], print])
def test_another_gives_none(function):
    """It is called for each element."""
    assert ColumnFunction("map", function).results(NUMBERS) is None


def test_a_batch_that_columns_do_not_give_exactly_is_left_to_python():
    """The next one is not."""
    function = ColumnFunction("map", lambda x: x * 2**62)
    assert function.results(NUMBERS) is None
    assert list(function.results(Columns.of(LONG, [np.array([0, 1])]))) == [0, 2**62]


def test_columns_that_differ_from_python_are_off_from_then_on():
    """With one warning, which names the operator and both values."""
    function = ColumnFunction("map", lambda x: x + 1)
    found = function.results(NUMBERS)
    with pytest.warns(RuntimeWarning, match="'map': computed on columns its function gives 3, called by itself 4"):
        assert not function.check(found, [2, 4, 4])
    assert function.is_checked
    assert function.results(NUMBERS) is None


def test_columns_that_agree_stay_on():
    """Without a word."""
    function = ColumnFunction("map", lambda x: x + 1)
    found = function.results(NUMBERS)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert function.check(found, [2, 3, 4])
    assert function.results(NUMBERS) is not None


def test_shapes_are_traced_one_by_one():
    """A function of numbers and of texts."""
    function = ColumnFunction("map", lambda x: x + x)
    texts = Columns.of(ScalarShape.of(pa.string()), [pa.array(["a"])])
    assert list(function.results(NUMBERS)) == [2, 4, 6]
    assert list(function.results(texts)) == ["aa"]


def test_the_same_means_values_and_types_all_the_way_down():
    """A NaN is the same as another, and 0.0 is not -0.0."""
    nan = float("nan")
    assert same([(1, [nan], Row(a=1))], [(1, [nan], Row(a=1))])
    for given, expected in (
        (1, 1.0),
        (1, True),
        (0.0, -0.0),
        ((1,), (1.0,)),
        (Row(a=1), Row(a=1.0)),
        (Row(a=1), Row(b=1)),
    ):
        assert not same([given], [expected])
