"""Accumulators of users, and what all accumulators have in common."""

import pickle

import pytest

from windrow.common import accumulators
from windrow.common.accumulators import Accumulator, SimpleAccumulator
from windrow.errors import ConfigurationTypeError

MADE = [
    getattr(accumulators, name) for name in accumulators.__all__ if name not in ("Accumulator", "SimpleAccumulator")
]


class Joined(SimpleAccumulator):
    """A user's own: texts, joined."""

    def __init__(self):
        self.texts = []

    def add(self, value):
        self.texts.append(value)

    def get_local_value(self):
        return "".join(self.texts)

    def reset_local(self):
        self.texts = []

    def merge(self, other):
        self.texts += other.texts


@pytest.mark.parametrize("kind", [*MADE, Joined], ids=lambda kind: kind.__name__)
def test_a_clone_shares_nothing(kind):
    """What is added to a clone, or to the one it was made of, does not reach the other; both survive pickling."""
    value = "a" if kind is Joined else 3
    one = kind()
    one.add(value)
    expected = one.get_local_value()
    clone = one.clone()
    one.reset_local()
    one.add("b" if kind is Joined else 2)
    one.add("b" if kind is Joined else 4)
    assert type(clone) is kind
    assert clone.get_local_value() == expected == pickle.loads(pickle.dumps(clone)).get_local_value()


@pytest.mark.parametrize("kind", [*MADE, Joined], ids=lambda kind: kind.__name__)
def test_one_that_was_reset_changes_nothing(kind):
    """Merged before or after, it is as if it were not there, and it is like a new one."""
    value = "a" if kind is Joined else 3
    one, reset = kind(), kind()
    one.add(value)
    reset.add(value)
    reset.reset_local()
    assert reset.get_local_value() == kind().get_local_value()
    expected = one.get_local_value()
    one.merge(reset)
    reset.merge(one)
    assert one.get_local_value() == reset.get_local_value() == expected


@pytest.mark.parametrize("kind", MADE, ids=lambda kind: kind.__name__)
def test_another_class_cannot_be_merged(kind):
    """The error names both classes."""
    with pytest.raises(ConfigurationTypeError, match=rf"a {kind.__name__} can be merged .*\(Joined\)"):
        kind().merge(Joined())


def test_what_an_accumulator_must_have():
    """A class without merge is no accumulator."""

    class Half(Accumulator):
        def add(self, value):
            """Nothing."""

        get_local_value = reset_local = lambda self: None

    with pytest.raises(TypeError, match="merge"):
        Half()


def test_an_accumulator_shows_its_value():
    """With its class."""
    joined = Joined()
    joined.add("ab")
    assert repr(joined) == "Joined('ab')"
