"""The range of accumulators of one number, and what they refuse."""

import numpy as np
import pytest

from windrow.common.accumulators import (
    DoubleCounter,
    DoubleMaximum,
    IntCounter,
    IntMaximum,
    IntMinimum,
    LongCounter,
    LongMaximum,
    LongMinimum,
)
from windrow.errors import ConfigurationTypeError

WHOLE = [(IntCounter, 32), (IntMaximum, 32), (IntMinimum, 32), (LongCounter, 64), (LongMaximum, 64), (LongMinimum, 64)]


@pytest.mark.parametrize(("kind", "bits"), WHOLE)
@pytest.mark.parametrize("sign", [1, -1])
def test_whole_numbers_do_not_leave_their_range(kind, bits, sign):
    """The last number of Java's int or long fits, the next one is an error, and the value stays."""
    last = 2 ** (bits - 1) - 1 if sign > 0 else -(2 ** (bits - 1))
    accumulator = kind(last)
    with pytest.raises(OverflowError, match=rf"{kind.__name__} cannot take .*whole numbers of {bits} bits"):
        accumulator.add(sign if kind in (IntCounter, LongCounter) else last + sign)
    assert accumulator.get_local_value() == last
    with pytest.raises(OverflowError):
        kind(last + sign)


def test_merging_does_not_leave_the_range_either():
    """Two counters that fit may not fit together."""
    one, other = IntCounter(2**31 - 1), IntCounter(1)
    with pytest.raises(OverflowError, match="IntCounter cannot take 2147483648"):
        one.merge(other)


@pytest.mark.parametrize("value", [1.5, "1", None])
def test_whole_numbers_only(value):
    """Anything else is refused with what came."""
    with pytest.raises(ConfigurationTypeError, match=rf"cannot take {value!r} \({type(value).__name__}\)"):
        IntCounter().add(value)


def test_a_text_is_no_double():
    """Though Python's float() would read it."""
    with pytest.raises(ConfigurationTypeError, match=r"DoubleCounter cannot take '1\.5'"):
        DoubleCounter().add("1.5")


def test_numpy_numbers_become_pythons():
    """The result is a plain number."""
    whole, double = LongCounter(), DoubleMaximum()
    whole.add(np.int64(3))
    double.add(np.float32(0.5))
    assert [type(each.get_local_value()) for each in (whole, double)] == [int, float]


def test_the_error_names_the_accumulator():
    """By the name it is registered under."""
    counter = IntCounter()
    counter.name = "lines"
    with pytest.raises(OverflowError, match=r"accumulator 'lines' \(IntCounter\) cannot take"):
        counter.add(2**40)
