"""Accumulators of one operator's functions, through their runtime context."""

import pytest

from windrow.common.accumulators import DoubleCounter, Histogram, IntCounter, LongCounter
from windrow.errors import ConfigurationTypeError, UsageError
from windrow.operators.runtime_context import OperatorRuntimeContext


def context():
    return OperatorRuntimeContext("my operator")


def test_an_accumulator_is_found_by_its_name():
    """The object that was added; None if there is none."""
    mine, counter = context(), IntCounter()
    mine.add_accumulator("n", counter)
    assert mine.get_accumulator("n") is counter
    assert mine.get_int_counter("n") is counter
    assert mine.get_accumulator("m") is None


@pytest.mark.parametrize(
    ("method", "kind"),
    [
        ("get_int_counter", IntCounter),
        ("get_long_counter", LongCounter),
        ("get_double_counter", DoubleCounter),
        ("get_histogram", Histogram),
    ],
)
def test_counters_are_made_when_they_are_first_asked_for(method, kind):
    """Asked for again, it is the same one, and it is registered."""
    mine = context()
    made = getattr(mine, method)("n")
    assert type(made) is kind
    assert getattr(mine, method)("n") is made is mine.get_accumulator("n")


def test_one_name_one_accumulator():
    """Adding a second one under a name is an error, as in Flink, and the first one stays."""
    mine, counter = context(), IntCounter()
    mine.add_accumulator("n", counter)
    with pytest.raises(UsageError, match="accumulator 'n' is registered in operator 'my operator' already"):
        mine.add_accumulator("n", IntCounter())
    assert mine.get_accumulator("n") is counter


def test_one_name_one_type():
    """The error names both types."""
    mine = context()
    mine.get_int_counter("n")
    with pytest.raises(UsageError, match=r"'n' of operator 'my operator' is of type IntCounter, .* as LongCounter"):
        mine.get_long_counter("n")


@pytest.mark.parametrize(("name", "accumulator"), [("", IntCounter()), (5, IntCounter()), ("n", IntCounter), ("n", 5)])
def test_what_cannot_be_registered(name, accumulator):
    """A name is a text, an accumulator an object of such a class."""
    with pytest.raises(ConfigurationTypeError, match="operator 'my operator'"):
        context().add_accumulator(name, accumulator)


def test_errors_of_a_counter_name_it():
    """A counter knows the name it was registered under."""
    with pytest.raises(OverflowError, match=r"accumulator 'n' \(IntCounter\)"):
        context().get_int_counter("n").add(2**31)


def test_what_was_added_is_handed_over_in_parts():
    """A part holds what was added since the last reset, and the user's objects stay the same."""
    mine = context()
    counter = mine.get_int_counter("n")
    counter.add(2)
    first = mine.accumulators.parts()
    mine.accumulators.reset()
    counter.add(3)
    second = mine.accumulators.parts()
    assert [part["n"].get_local_value() for part in (first, second)] == [2, 3]
    assert mine.get_accumulator("n") is counter
