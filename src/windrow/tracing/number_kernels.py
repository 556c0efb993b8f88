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
    for bounds in (a.known_bounds, a.tight_bounds):
        found = bounds() if callable(bounds) else bounds
        if found is not None and found.least >= -_EXACT and found.greatest <= _EXACT:
            return float_of_int(a)
    msg = "an integer is larger than what a float holds exactly"
    raise NotExact(msg)


def int_of_float(a: Any) -> Ints:
    if isinstance(a, float):
        a = np.array(a)
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


def comparison(
    function: Callable[[Any, Any], Any], decided: Callable[[Range, Range], bool | None]
) -> Callable[[Any, Any], Any]:
    """A comparison; of integers whose bounds are known it is perhaps decided for all rows at once."""

    def compare(a: Any, b: Any) -> Any:
        if not isinstance(a, Ints):
            return function(a, b)
        if a.known_bounds is not None and b.known_bounds is not None:
            known = decided(a.known_bounds, b.known_bounds)
            if known is not None:
                return known
        return function(a.data, b.data)

    return compare


def select(condition: Any, positive: Any, negative: Any) -> Any:
    if isinstance(condition, bool):
        return positive if condition else negative
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


def is_less(a: Range, b: Range) -> bool | None:
    if a.greatest < b.least:
        return True
    return False if a.least >= b.greatest else None


def is_less_or_equal(a: Range, b: Range) -> bool | None:
    if a.greatest <= b.least:
        return True
    return False if a.least > b.greatest else None


def is_equal(a: Range, b: Range) -> bool | None:
    return False if a.greatest < b.least or a.least > b.greatest else None


def is_not_equal(a: Range, b: Range) -> bool | None:
    return True if a.greatest < b.least or a.least > b.greatest else None
