"""Integer operations on columns: what Python's integers give, or :class:`NotExact`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from windrow.tracing import ranges
from windrow.tracing.outcome import NotExact
from windrow.tracing.ranges import Range
from windrow.tracing.values import Ints


def _exact_bounds(rule: Callable[..., Range], *operands: Ints) -> Range:
    """The bounds of a result.

    Raises:
        NotExact: it may leave 64 bits.
    """
    found = rule(*[operand.bounds for operand in operands])
    if not found.fits:
        found = rule(*[operand.tight_bounds() for operand in operands])
        if not found.fits:
            msg = "an integer may leave 64 bits"
            raise NotExact(msg)
    return found


def add(a: Ints, b: Ints) -> Ints:
    bounds = _exact_bounds(ranges.total, a, b)
    return Ints(np.add(a.data, b.data), bounds)


def subtract(a: Ints, b: Ints) -> Ints:
    bounds = _exact_bounds(ranges.difference, a, b)
    return Ints(np.subtract(a.data, b.data), bounds)


def multiply(a: Ints, b: Ints) -> Ints:
    bounds = _exact_bounds(ranges.product, a, b)
    return Ints(np.multiply(a.data, b.data), bounds)


def negative(a: Ints) -> Ints:
    bounds = _exact_bounds(ranges.negation, a)
    return Ints(np.negative(a.data), bounds)


def absolute(a: Ints) -> Ints:
    bounds = _exact_bounds(ranges.magnitude, a)
    return a if a.bounds.least >= 0 else Ints(np.abs(a.data), bounds)


def floor_divide(a: Ints, b: Ints) -> Ints:
    _check_divisor(b)
    bounds = _exact_bounds(ranges.quotient, a, b)
    divisor = b.data
    if isinstance(divisor, int) and divisor > 0 and not divisor & (divisor - 1):
        return Ints(np.right_shift(a.data, divisor.bit_length() - 1), bounds)
    return Ints(np.floor_divide(a.data, divisor), bounds)


def modulo(a: Ints, b: Ints) -> Ints:
    _check_divisor(b)
    bounds = ranges.remainder(a.bounds, b.bounds)
    divisor = b.data
    if not isinstance(divisor, int) or divisor < 0:
        return Ints(np.remainder(a.data, divisor), bounds)
    if a.bounds.least >= 0 and a.bounds.greatest < divisor:
        return a
    if not divisor & (divisor - 1):
        return Ints(np.bitwise_and(a.data, divisor - 1), bounds)
    # NumPy divides by one number with a multiplication; its remainder divides.
    if a.bounds.least >= 0 and a.bounds.greatest < 2**32:
        short = a.data.astype(np.uint32)
        rest = np.floor_divide(short, np.uint32(divisor))
        np.multiply(rest, np.uint32(divisor), out=rest)
        return Ints(np.subtract(short, rest, dtype=np.uint32).astype(np.int64), bounds)
    # Without a sign nothing has to be rounded down by hand.
    numbers = a.data.view(np.uint64) if a.bounds.least >= 0 else a.data
    by = numbers.dtype.type(divisor)
    rest = np.floor_divide(numbers, by)
    np.multiply(rest, by, out=rest)
    return Ints(np.subtract(numbers, rest, out=rest).view(np.int64), bounds)


def shift_left(a: Ints, by: Ints) -> Ints:
    _check_count(by)
    bounds = _exact_bounds(ranges.shifted_left, a, by)
    if by.bounds.greatest > 62:
        msg = "an integer is shifted by 63 bits or more"
        raise NotExact(msg)
    return Ints(np.left_shift(a.data, by.data), bounds)


def shift_right(a: Ints, by: Ints) -> Ints:
    _check_count(by)
    count = by.data if by.bounds.greatest < 64 else np.minimum(by.data, 63)
    return Ints(np.right_shift(a.data, count), ranges.shifted_right(a.bounds, by.bounds))


def bit_and(a: Ints, b: Ints) -> Ints:
    return Ints(np.bitwise_and(a.data, b.data), ranges.common_bits(a.bounds, b.bounds))


def bit_or(a: Ints, b: Ints) -> Ints:
    return Ints(np.bitwise_or(a.data, b.data), ranges.bits(a.bounds, b.bounds))


def bit_xor(a: Ints, b: Ints) -> Ints:
    return Ints(np.bitwise_xor(a.data, b.data), ranges.bits(a.bounds, b.bounds))


def invert(a: Ints) -> Ints:
    return Ints(np.invert(a.data), Range(~a.bounds.greatest, ~a.bounds.least))


def int_of_bool(a: Any) -> Ints:
    return Ints(a.astype(np.int64), Range(0, 1))


def _check_divisor(b: Ints) -> None:
    if b.bounds.least <= 0 <= b.bounds.greatest and (not isinstance(b.data, np.ndarray) or (b.data == 0).any()):
        msg = "something is divided by zero"
        raise NotExact(msg)


def _check_count(by: Ints) -> None:
    if by.bounds.least < 0 and by.tight_bounds().least < 0:
        msg = "an integer is shifted by a negative number of bits"
        raise NotExact(msg)
