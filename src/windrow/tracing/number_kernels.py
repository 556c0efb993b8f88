"""Operations on floats and truth values, comparisons, and the ways between int and float, as Python does them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from windrow.tracing import ranges
from windrow.tracing.outcome import NotExact
from windrow.tracing.ranges import Range
from windrow.tracing.values import Ints

#: Up to here a float holds every integer.
_EXACT = 2**53


def float_divide(a: Any, b: Any) -> Any:
    _check_divisor(b)
    return np.divide(a, b)


def float_floor_divide(a: Any, b: Any) -> Any:
    _check_divisor(b)
    return np.floor_divide(a, b)


def float_modulo(a: Any, b: Any) -> Any:
    _check_divisor(b)
    return np.remainder(a, b)


def true_divide(a: Ints, b: Ints) -> Any:
    """Python rounds the quotient of two integers once, however large they are."""
    dividend, divisor = exact_float_of_int(a), exact_float_of_int(b)
    _check_divisor(divisor)
    return np.divide(dividend, divisor)


def float_of_int(a: Ints) -> Any:
    return float(a.data) if isinstance(a.data, int) else a.data.astype(np.float64)


def exact_float_of_int(a: Ints) -> Any:
    if not _are_floats(a.bounds) and not _are_floats(a.tight_bounds()):
        msg = "an integer is larger than what a float holds exactly"
        raise NotExact(msg)
    return float_of_int(a)


def _are_floats(bounds: Range) -> bool:
    return bounds.least >= -_EXACT and bounds.greatest <= _EXACT


def int_of_float(a: Any) -> Ints:
    if not (np.abs(a) < 2.0**63).all():
        msg = "a float is no integer of 64 bits"
        raise NotExact(msg)
    return Ints(a.astype(np.int64))


def round_float(a: Any) -> Ints:
    return int_of_float(np.rint(a))


def floor(a: Any) -> Ints:
    return int_of_float(np.floor(a))


def ceil(a: Any) -> Ints:
    return int_of_float(np.ceil(a))


def square_root(a: Any) -> Any:
    if (a < 0).any():
        msg = "a square root of a negative number"
        raise NotExact(msg)
    return np.sqrt(a)


def comparison(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """A comparison of integers, or of floats."""

    def compare(a: Any, b: Any) -> Any:
        return function(a.data, b.data) if isinstance(a, Ints) else function(a, b)

    return compare


def select(condition: Any, positive: Any, negative: Any) -> Any:
    if isinstance(positive, Ints):
        bounds = None
        if positive.known_bounds is not None and negative.known_bounds is not None:
            bounds = ranges.union(positive.known_bounds, negative.known_bounds)
        return Ints(np.where(condition, positive.data, negative.data), bounds)
    return np.where(condition, positive, negative)


def _check_divisor(b: Any) -> None:
    if b == 0.0 if isinstance(b, float) else (b == 0.0).any():
        msg = "something is divided by zero"
        raise NotExact(msg)
