"""Sums."""

import pytest

from windrow.common.accumulators import DoubleCounter, IntCounter, LongCounter


@pytest.mark.parametrize("kind", [IntCounter, LongCounter, DoubleCounter])
def test_counters_add_up(kind):
    """What was added, and what is merged, from what they begin with."""
    one, other = kind(10), kind()
    one.add(5)
    one.add(-2)
    other.add(7)
    one.merge(other)
    assert (one.get_local_value(), other.get_local_value()) == (20, 7)
    one.reset_local()
    assert one.get_local_value() == 0


def test_a_double_counter_takes_fractions():
    """And its value is a float from the start."""
    counter = DoubleCounter()
    assert isinstance(counter.get_local_value(), float)
    counter.add(0.25)
    counter.add(1)
    assert counter.get_local_value() == 1.25
