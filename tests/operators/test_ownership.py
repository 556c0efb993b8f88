"""What a function gives belongs to the next operator."""

import dataclasses

import numpy as np
import pytest

from windrow.common import Row
from windrow.operators.ownership import handed_on, handed_on_each, handing_on, reference_counts, without_kept


@dataclasses.dataclass
class Event:
    name: str
    tags: object


def _made_new(kind):
    return {
        "list": lambda: [1],
        "dict": lambda: {"a": 1},
        "row": lambda: Row(a=1, b=[2]),
        "nested": lambda: ("a", [{"b": [1]}]),
        "object": lambda: Event("a", [1]),
        "set": lambda: {1},
        "array": lambda: np.zeros(3),
    }[kind]


@pytest.mark.parametrize("kind", ["list", "dict", "row", "nested", "object", "set", "array"])
def test_what_nobody_else_holds_is_not_copied(kind):
    """A function that makes a new object and forgets it pays nothing."""
    make = _made_new(kind)

    def generator():
        for _ in range(3):
            yield make()

    for result in generator():
        assert handed_on(result) is result
    results = [make() for _ in range(3)]
    ids = list(map(id, results))
    assert list(map(id, handed_on_each(results))) == ids
    seen = []
    call = handing_on(lambda _: seen.append(id(made := make())) or made)
    assert id(call(1)) == seen[0]


@pytest.mark.parametrize(
    "wrap",
    [
        lambda kept: kept,
        lambda kept: ("a", kept),
        lambda kept: ["a", kept],
        lambda kept: {"a": kept},
        lambda kept: Row(a=kept),
        lambda kept: Event("a", kept),
        lambda kept: ("a", {"b": [kept]}),
    ],
)
def test_what_somebody_holds_is_copied(wrap):
    """Also where it is inside something new."""
    kept = [1]
    call = handing_on(lambda _: wrap(kept))
    given = call(None)
    expected = wrap([1])
    kept.append(2)
    assert given == expected


def test_a_view_of_an_array_is_copied():
    """Whoever has the array would change what it shows."""
    buffer = np.zeros(4)
    given = handing_on(lambda _: buffer[:2])(None)
    buffer[0] = 7
    assert given.tolist() == [0, 0]


def test_a_tuple_that_is_held_holds_what_is_in_it():
    """One reference to the list, but two to the tuple."""
    kept = ("a", [1])
    given = handing_on(lambda _: {"kept": kept})(None)
    kept[1].append(2)
    assert given == {"kept": ("a", [1])}


def test_an_argument_that_comes_back_is_not_copied():
    """A function that changes its element in place changes what is its own."""
    elements = [{"n": 1}]
    assert handing_on(lambda element: element)(elements[0]) is elements[0]


def test_an_argument_that_comes_back_and_is_kept_is_copied():
    """The function may look at what it kept later."""
    kept = []
    element = {"n": 1}
    given = handing_on(lambda element: kept.append(element) or element)(element)
    assert given == element
    assert given is not element


def test_elements_that_a_function_kept_are_copied():
    """Those alone, and none where it kept none."""
    kept = []
    values = [{"n": n} for n in range(3)]
    before = reference_counts(values)
    assert without_kept(values, before) is values
    kept.append(values[1])
    given = without_kept(values, before)
    assert given == values
    assert [one is other for one, other in zip(given, values, strict=True)] == [True, False, True]


def test_what_cannot_change_is_not_counted():
    """Texts, numbers and tuples of them."""
    assert reference_counts([1, "a", ("b", 2)]) is None
    values = [1, 2]
    assert without_kept(values, None) is values
    assert handed_on_each(values) is values
