"""Copies of elements."""

import dataclasses
import threading
from collections import OrderedDict, deque
from typing import NamedTuple

import numpy as np
import pytest

from windrow.common import Row
from windrow.common.copies import copied, copied_each
from windrow.common.types import RowKind


class Reading(NamedTuple):
    sensor: str
    values: object


class Bag:
    def __init__(self, items):
        self.items = items


class TupleWithMore(tuple):
    pass


class TextWithMore(str):
    pass


class Slotted:
    __slots__ = ("items",)

    def __init__(self, items):
        self.items = items


class SaysHow:
    def __init__(self, items):
        self.items = items

    def __deepcopy__(self, memo):
        return SaysHow([*self.items, "copied"])


@dataclasses.dataclass(frozen=True)
class Frozen:
    name: str
    values: object


def test_what_cannot_change_is_itself():
    """Copying it would cost time and change nothing."""
    for value in (1, "a", None, ("a", ("b", (2.5, None))), Reading("a", (1,)), Frozen("a", 1), frozenset({1})):
        assert copied(value) is value


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
        (Row("a", 1), lambda value: value.set_field_names(["x", "y"])),
        ({1}, lambda value: value.add(2)),
        (deque([[1]]), lambda value: value[0].append(2)),
        (OrderedDict(a=[1]), lambda value: value["a"].append(2)),
        (Frozen("a", [1]), lambda value: value.values.append(2)),
        (bytearray(b"a"), lambda value: value.append(66)),
        (np.zeros(2), lambda value: value.put(0, 1)),
    ],
)
def test_what_can_change_is_copied_as_deep_as_it_can(value, change):
    """A later change of the one is not seen in the other."""
    before = repr(value)
    given = copied(value)
    change(value)
    assert repr(given) == before
    assert repr(value) != before
    assert type(given) is type(value)


@pytest.mark.parametrize("kind", [Bag, Slotted])
def test_objects_are_copied_with_what_they_hold(kind):
    """Objects of the user's own classes too."""
    bag = kind([1])
    given = copied(bag)
    bag.items.append(2)
    assert given.items == [1]


@pytest.mark.parametrize("plain", [TupleWithMore(("a", 1)), TextWithMore("a")])
def test_attributes_of_tuples_and_texts_are_copied(plain):
    """An object of a subclass can change where it has attributes, and only there."""
    assert copied(plain) is plain
    plain.note = ["x"]
    given = copied(plain)
    plain.note.append("y")
    assert (given, given.note, type(given)) == (plain, ["x"], type(plain))


def test_a_class_says_what_a_copy_is():
    """``__deepcopy__`` is asked, inside other values as well."""
    assert copied([SaysHow([])])[0].items == ["copied"]


def test_a_copy_of_a_row_is_the_same_row():
    """Names and kind of change are those of the original."""
    row = Row.of_kind(RowKind.DELETE, a=1, b=[2])
    assert copied(row) == row
    assert copied(row)._fields == ["a", "b"]


def test_what_holds_itself_is_copied():
    """A list in itself has no end."""
    value = [1]
    value.append(value)
    given = copied(value)
    assert given[1] is given
    assert given is not value


def test_what_cannot_be_copied_raises():
    """Nobody gets the original in silence."""
    with pytest.raises(TypeError, match="cannot pickle"):
        copied([threading.Lock()])


def test_many_at_once():
    """A sequence of which nothing can change is given back."""
    names, lists = ["a", "b"], [[1], [2]]
    assert copied_each(names) is names
    copies = copied_each(lists)
    lists[0].append(3)
    assert copies == [[1], [2]]
