from functools import reduce
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


@pytest.mark.parametrize(
    ("position", "element"),
    [(1, 5), ("n", 5), ("n", ("a", 1)), (1, "text"), (2, ("a", 1)), ("n", {"m": 1}), (2, Row(1))],
)
def test_an_element_without_the_field_is_an_error(position, element):
    """A field that an element does not have is named, with the element."""
    with pytest.raises(TypeError, match=f"no field {position!r}.*{type(element).__name__}"):
        Field(position).get(element)


KINDS = {
    "tuple": (1, lambda name, n: (name, n)),
    "list": (1, lambda name, n: [name, n]),
    "named tuple": ("value", Reading),
    "row": (1, Row),
    "named row": ("n", lambda name, n: Row(k=name, n=n)),
    "dict": ("n", lambda name, n: {"k": name, "n": n}),
}


@pytest.mark.parametrize(("position", "make"), KINDS.values(), ids=KINDS)
def test_every_aggregation_of_every_kind_of_element(position, make):
    """Java's rules hold for all: sum, min and max keep the first element's other fields, min_by and max_by do not."""
    elements = [make("x", 2), make("y", 1), make("z", 1), make("v", 3), make("w", 3)]
    before = repr(elements)
    functions = {
        "sum": SumAggregator(position),
        "min": ComparableAggregator(position, greatest=False),
        "max": ComparableAggregator(position, greatest=True),
        "min_by": ComparableAggregator(position, greatest=False, whole_element=True),
        "min_by last": ComparableAggregator(position, greatest=False, whole_element=True, first=False),
        "max_by": ComparableAggregator(position, greatest=True, whole_element=True),
        "max_by last": ComparableAggregator(position, greatest=True, whole_element=True, first=False),
    }
    assert {name: reduce(function.reduce, elements) for name, function in functions.items()} == {
        "sum": make("x", 10),
        "min": make("x", 1),
        "max": make("x", 3),
        "min_by": make("y", 1),
        "min_by last": make("z", 1),
        "max_by": make("v", 3),
        "max_by last": make("w", 3),
    }
    assert repr(elements) == before
