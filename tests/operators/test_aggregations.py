from typing import NamedTuple

import pytest

from windrow.common import Row
from windrow.operators.aggregations import ComparableAggregator, SumAggregator
from windrow.operators.fields import Field


class Reading(NamedTuple):
    sensor: str
    value: int


class Plain:
    def __init__(self, value):
        self.value = value


@pytest.mark.parametrize(
    ("position", "first", "second", "expected"),
    [
        (0, 1, 2, 3),
        (1, ("a", 1), ("b", 2), ("a", 3)),
        (1, ["a", 1], ["b", 2], ["a", 3]),
        ("value", Reading("a", 1), Reading("b", 2), Reading("a", 3)),
        (1, Reading("a", 1), Reading("b", 2), Reading("a", 3)),
        ("n", Row(k="a", n=1), Row(k="b", n=2), Row(k="a", n=3)),
        (1, Row("a", 1), Row("b", 2), Row("a", 3)),
        ("n", {"k": "a", "n": 1}, {"k": "b", "n": 2}, {"k": "a", "n": 3}),
    ],
)
def test_sum_keeps_the_other_fields_of_the_first(position, first, second, expected):
    """A sum replaces its field in the first element, whatever kind of element it is."""
    result = SumAggregator(position).reduce(first, second)
    assert result == expected
    assert type(result) is type(first)


@pytest.mark.parametrize("element", [["a", 1], Row(k="a", n=1), {0: "a", 1: 1}])
def test_inputs_are_never_changed(element):
    """Elements are shared between operators: an aggregation gives a copy."""
    before = repr(element)
    Field("n" if isinstance(element, Row) else 1).replaced(element, 9)
    assert repr(element) == before


def test_objects_are_read_and_copied_by_attribute():
    """An object's field is its attribute, and the object itself is left alone."""
    first = Plain(1)
    assert SumAggregator("value").reduce(first, Plain(4)).value == 5
    assert first.value == 1


@pytest.mark.parametrize(
    ("greatest", "whole_element", "first", "expected"),
    [
        (False, False, True, ("x", 1)),
        (True, False, True, ("x", 3)),
        (False, True, True, ("y", 1)),
        (False, True, False, ("z", 1)),
        (True, True, True, ("v", 3)),
        (True, True, False, ("w", 3)),
    ],
)
def test_least_and_greatest(greatest, whole_element, first, expected):
    """min and max keep the first element's other fields; min_by and max_by give the element, ties as asked."""
    function = ComparableAggregator(1, greatest=greatest, whole_element=whole_element, first=first)
    elements = [("x", 2), ("y", 1), ("z", 1), ("v", 3), ("w", 3)]
    result = elements[0]
    for element in elements[1:]:
        result = function.reduce(result, element)
    assert result == expected


@pytest.mark.parametrize(("position", "element"), [(1, 5), ("n", 5), ("n", ("a", 1)), (1, "text")])
def test_an_element_without_the_field_is_an_error(position, element):
    """A field that an element does not have is named, with the element."""
    with pytest.raises(TypeError, match=f"no field {position!r}.*{type(element).__name__}"):
        Field(position).get(element)
