"""Watermarks."""

import pickle

import numpy as np
import pytest

from windrow.common.limits import LONG_MAX, LONG_MIN
from windrow.common.watermark import Watermark


def test_watermarks_are_values() -> None:
    """Watermarks of the same time are equal, hash alike and survive pickling."""
    assert Watermark(5) == Watermark(5) != Watermark(6)
    assert len({Watermark(5), Watermark(5)}) == 1
    assert pickle.loads(pickle.dumps(Watermark(5))) == Watermark(5)


@pytest.mark.parametrize("timestamp", [LONG_MIN, LONG_MAX])
def test_the_bounds_of_64_bits_are_watermarks(timestamp: int) -> None:
    """-2^63 and 2^63-1 are allowed."""
    assert Watermark(timestamp).timestamp == timestamp


@pytest.mark.parametrize("timestamp", [LONG_MIN - 1, LONG_MAX + 1])
def test_a_watermark_beyond_64_bits_is_refused(timestamp: int) -> None:
    """One further is not."""
    with pytest.raises(OverflowError, match=str(timestamp)):
        Watermark(timestamp)


@pytest.mark.parametrize("timestamp", [1.5, None, "7"])
def test_a_watermark_is_an_integer(timestamp: object) -> None:
    """Anything but an integer is refused, naming what came."""
    with pytest.raises(TypeError, match=type(timestamp).__name__):
        Watermark(timestamp)  # type: ignore[arg-type]


def test_a_numpy_integer_becomes_a_python_integer() -> None:
    """Arithmetic on a watermark's timestamp never wraps around."""
    assert type(Watermark(np.int64(7)).timestamp) is int  # type: ignore[arg-type]
