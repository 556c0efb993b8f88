"""What a user's function can get at."""

import functools
import json
import operator
import random
import sys
from dataclasses import dataclass

import pytest

from windrow.common import Row
from windrow.operators.reach import Reach

KEPT = []
FACTOR = 3
NAMES = {1: "a"}


def times(number):
    return number * FACTOR


def keeps_in_global(value):
    KEPT.append(value)
    return value


def keeps_in_itself(value):
    keeps_in_itself.last = value
    return value


def keeps_in_default(value, kept=[]):  # noqa: B006
    kept.append(value)
    return value


def sets_global(value):
    global FACTOR  # noqa: PLW0603
    FACTOR = value
    return value


def defines_class(value):
    class Holder:
        item = value

    return Holder.item


class Function:
    def keeps(self, value):
        self.last = value
        return value

    def keeps_not(self, value):
        return (value[0], 1)

    def __call__(self, value):
        return value


@dataclass
class Event:
    name: str


def enclosing():
    factor, kept = 4, []

    def sets(value):
        nonlocal kept
        kept = value
        return value

    def uses(value):
        return value[0] * factor

    def counts(value):
        return [item for item in value if uses(value)]

    return sets, lambda value: (value, kept), uses, counts


SETS, GIVES_KEPT, USES, COUNTS = enclosing()


@pytest.mark.parametrize(
    "function",
    [
        lambda value: (value[0], 1),
        lambda value: {**value, "a": 1},
        lambda value: [times(item) for item in value],
        lambda value: sorted(value, key=lambda item: item[0]),
        lambda value: json.loads(value[0]),
        lambda value: Row(a=value[0]),
        lambda value: value.upper() if isinstance(value, str) else str(value),
        *(USES, COUNTS, str, len, operator.itemgetter(0), operator.attrgetter("name"), Function().keeps_not),
    ],
)
def test_a_function_that_can_keep_nothing(function):
    """It reaches its argument, builtins, the standard library, and what never changes."""
    assert Reach(function).ends_at([(1, 2), {"a": 1}, Row(a=1)])


@pytest.mark.parametrize(
    "function",
    [
        *(keeps_in_global, keeps_in_itself, keeps_in_default, sets_global, defines_class, SETS, GIVES_KEPT),
        *(Function().keeps, Function(), functools.partial(times, 1), KEPT.append),
        lambda value: NAMES[value[0]],
        lambda value: [KEPT.append(item) for item in value],
        lambda value: eval("KEPT"),
        lambda value: Event(value[0]),
        lambda value: keeps_in_global(value[0]),
        lambda value: pytest.approx(value[0]),
    ],
)
def test_a_function_that_may_keep_something(function):
    """In a global, a variable of an enclosing function, a default, an attribute, or where its code does not say."""
    assert not Reach(function).ends_at([(1, 2)])


def test_attributes_of_own_classes_may_keep_something():
    """What ``event.name`` does is up to the class; of rows and Python's own types it is known."""
    name = Reach(lambda event: event.name)
    assert name.ends_at([Row(name="a")])
    assert not name.ends_at([Row(name="a"), Event("a")])
    assert Reach(lambda event: (1, event)).ends_at([Event("a")])


@pytest.mark.parametrize(
    ("function", "computes"),
    [
        (lambda value: times(value[0]), True),
        (lambda value: json.dumps(operator.itemgetter(0)(value)), True),
        (lambda value: f"{value!r:>9}", True),
        (lambda value: Row(a=value), True),
        (lambda value: print(value, 1), False),
        (lambda value: value + random.random(), False),
        (lambda value: sys.stdout.write(value + "x"), False),
        (random.Random, False),
        (print, False),
        (keeps_in_global, False),
        (lambda value: NAMES[value], False),
    ],
)
def test_which_functions_do_nothing_but_compute(function, computes):
    """Nobody sees when such a one is called beside others: it keeps, reads, writes and draws nothing."""
    assert Reach(function).computes is computes
