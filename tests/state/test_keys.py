"""Which keys are one."""

import pickle
from collections import namedtuple
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from windrow.common import Row
from windrow.state.keys import ComparableKey, are_plain, comparable_key, key_of_user
from windrow.state.stable_hash import stable_hash

NAN = float("nan")


class Colour(Enum):
    RED = 1


@dataclass(frozen=True)
class Point:
    x: float
    y: object = 0


Pair = namedtuple("Pair", "a b")

ONE = [
    (NAN, float("nan")),
    (NAN, np.float64("nan")),
    (NAN, np.float32("nan")),
    (("a", NAN), ("a", float("nan"))),
    (("a", ("b", NAN)), ("a", ("b", float("nan")))),
    (Pair("a", NAN), ("a", float("nan"))),
    (Point(NAN), Point(float("nan"))),
    (Row(a=NAN, b=1), Row(b=1, a=float("nan"))),
    (Row(1, NAN), Row(1, float("nan"))),
    (frozenset({NAN, 1}), frozenset({float("nan"), 1})),
    ([1, "a"], [1.0, "a"]),
    ([], []),
    ([[1], [NAN]], [[True], [float("nan")]]),
    (("a", [1]), ("a", [1])),
    (Row(a=[1]), Row(a=[1])),
    (Point(1.0, [1]), Point(1.0, [1])),
    (-0.0, np.float64(-0.0)),
    *((1, 1.0), (1, True), (0, 0.0), ("a", "a"), (("a", 1), ("a", 1.0)), (Decimal(1), 1)),
]
TWO = [
    (0.0, -0.0),
    (0, -0.0),
    (("a", 0.0), ("a", -0.0)),
    (Point(0.0), Point(-0.0)),
    (NAN, None),
    (NAN, "nan"),
    ([1, 2], (1, 2)),
    ([1, 2], [2, 1]),
    ([[1], 2], [1, [2]]),
    (Row(a=NAN), Row(b=NAN)),
    (Row(a=[1]), Row(a=(1,))),
    (Point(NAN), (NAN, 0)),
]


@pytest.mark.parametrize(("first", "second"), ONE, ids=repr)
def test_one_key(first, second):
    """Equal, of one hash, also after a way through another process; of one key group."""
    first, second = comparable_key(first), comparable_key(second)
    assert first == second
    assert hash(first) == hash(second)
    assert {first: 1}[pickle.loads(pickle.dumps(second))] == 1
    assert stable_hash(first) == stable_hash(second)


@pytest.mark.parametrize(("first", "second"), TWO, ids=repr)
def test_two_keys(first, second):
    """A dictionary keeps them apart."""
    first, second = comparable_key(first), comparable_key(second)
    assert first != second
    assert len({first, second}) == 2


PLAIN = ["a", 1, 1.5, None, b"a", ("a", 1), ("a", (1.5, None)), Colour.RED, Point(1.0), Decimal(2)]


@pytest.mark.parametrize("key", PLAIN)
def test_most_keys_are_left_as_they_are(key):
    """Nothing is wrapped that Python compares as Java does."""
    assert comparable_key(key) is key


@pytest.mark.parametrize("key", [NAN, -0.0, [1, ("a", [2])], ("a", NAN), Row(a=[1]), Point(-0.0)], ids=repr)
def test_functions_see_what_the_selector_gave(key):
    """The same value of the same type, and a copy where it can be changed."""
    seen = key_of_user(comparable_key(key))
    assert (repr(seen), type(seen)) == (repr(key), type(key))
    assert repr(comparable_key(key)) == repr(key)


def test_a_key_that_is_changed_stays_what_it_was():
    """Neither the selector's object nor that which a function has seen is the one that is looked up."""
    for key, change in (([1], lambda key: key.append(2)), (Row(a=1), lambda key: key.__setitem__("a", 2))):
        before = repr(key)
        stored = comparable_key(key)
        change(key)
        change(key_of_user(stored))
        assert repr(stored) == before


@pytest.mark.parametrize("key", [[{}], ["a", {1}], ("a", [bytearray()])])
def test_what_cannot_be_hashed_is_refused(key):
    """In a list as well."""
    with pytest.raises(TypeError, match="unhashable type"):
        comparable_key(key)


KEYS = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2) | st.floats() | st.text(max_size=2) | st.just(Colour.RED),
    lambda parts: st.lists(parts, max_size=3) | st.lists(parts, max_size=3).map(tuple),
    max_leaves=6,
)


@settings(deadline=None, print_blob=True)
@given(keys=st.lists(KEYS, max_size=8))
def test_many_keys_are_plain_where_each_is(keys):
    """Keys that are said to be plain are left as they are."""
    if are_plain(keys):
        assert all(comparable_key(key) is key for key in keys)
    if any(isinstance(comparable_key(key), ComparableKey) for key in keys):
        assert not are_plain(keys)


def test_keys_that_programs_have_are_plain():
    """Asked of many at once; other keys are looked at one by one."""
    for keys in (["a", "b"], [1, 2, True, None], [("a", 1), ("b", 2)], [1.5, 0.0], []):
        assert are_plain(keys)
    comparable_key(Colour.RED)
    assert are_plain([Colour.RED, "a"])
    for keys in ([1.5, NAN], [-0.0], [("a", 1.5)], [[1]], [Row(1)], ["a", 1.5]):
        assert not are_plain(keys)
