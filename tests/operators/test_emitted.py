"""Copies of results that are kept."""

from typing import NamedTuple

import pytest

from windrow.common import Row
from windrow.operators.emitted import emitted


class Reading(NamedTuple):
    sensor: str
    values: object


class Bag:
    def __init__(self, items):
        self.items = items


class TupleWithMore(tuple):
    pass


@pytest.mark.parametrize("value", [1, "a", None, ("a", 1), ("a", ("b", (2.5, None))), Reading("a", 1), ()])
def test_what_cannot_change_is_itself(value):
    """Copying it would cost time and change nothing."""
    assert emitted(value) is value


@pytest.mark.parametrize(
    ("value", "change"),
    [
        (["a"], lambda value: value.append(1)),
        ([["a"]], lambda value: value[0].append(1)),
        (("a", ["b"]), lambda value: value[1].append(1)),
        (("a", ("b", {})), lambda value: value[1][1].update(c=1)),
        (Reading("a", []), lambda value: value.values.append(1)),
        ({"a": 1}, lambda value: value.update(b=2)),
        ({"a": [1]}, lambda value: value["a"].append(2)),
        (Row(a=1), lambda value: value.__setitem__("a", 2)),
        (Row("a", [1]), lambda value: value[1].append(2)),
        ({1}, lambda value: value.add(2)),
    ],
)
def test_what_can_change_is_copied_as_deep_as_it_can(value, change):
    """A later change of the kept value is not seen in what was emitted."""
    before = repr(value)
    sent = emitted(value)
    change(value)
    assert repr(sent) == before
    assert repr(value) != before
    assert type(sent) is type(value)


def test_objects_are_copied_with_what_they_hold():
    """Objects of the user's own classes too, tuples with attributes included."""
    bag = Bag([1])
    sent = emitted(bag)
    bag.items.append(2)
    assert sent.items == [1]
    more = TupleWithMore(("a", Bag([1])))
    more.note = ["x"]
    sent = emitted(more)
    more.note.append("y")
    assert sent.note == ["x"]
