"""Minima and maxima."""

import math

import pytest

from windrow.common.accumulators import (
    DoubleMaximum,
    DoubleMinimum,
    IntMaximum,
    IntMinimum,
    LongMaximum,
    LongMinimum,
)

#: Each with what it gives before anything was added: the end of Java's range.
MAXIMA = [(IntMaximum, -(2**31)), (LongMaximum, -(2**63)), (DoubleMaximum, -math.inf)]
MINIMA = [(IntMinimum, 2**31 - 1), (LongMinimum, 2**63 - 1), (DoubleMinimum, math.inf)]


@pytest.mark.parametrize(("kind", "initial"), MAXIMA)
def test_a_maximum_keeps_the_greatest(kind, initial):
    """Of what was added and of what is merged."""
    one, other = kind(), kind(4)
    assert one.get_local_value() == initial
    for value in (-5, 3, 2):
        one.add(value)
    assert one.get_local_value() == 3
    one.merge(other)
    assert one.get_local_value() == 4


@pytest.mark.parametrize(("kind", "initial"), MINIMA)
def test_a_minimum_keeps_the_least(kind, initial):
    """Of what was added and of what is merged."""
    one, other = kind(), kind(-6)
    assert one.get_local_value() == initial
    for value in (3, -5, 2):
        one.add(value)
    assert one.get_local_value() == -5
    one.merge(other)
    assert one.get_local_value() == -6


@pytest.mark.parametrize("kind", [DoubleMaximum, DoubleMinimum])
@pytest.mark.parametrize("values", [(math.nan, 1.0), (1.0, math.nan)])
def test_not_a_number_stays(kind, values):
    """As Java's Math.max and Math.min have it, in whichever order they come."""
    accumulator = kind()
    for value in values:
        accumulator.add(value)
    assert math.isnan(accumulator.get_local_value())
