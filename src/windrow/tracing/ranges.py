"""Between which bounds the results of integer operations lie: Python's integers have no end, a column's have 64 bits.

Bounds are Python's integers, so they are right also where a result does not fit a column.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

#: The ends of what a column of integers holds.
MIN, MAX = -(2**63), 2**63 - 1


class Range(NamedTuple):
    """The least and the greatest value that may occur.

    Example:
        >>> product(Range(-2, 3), Range(4, 5))
        Range(least=-10, greatest=15)
    """

    least: int
    greatest: int

    @property
    def fits(self) -> bool:
        """True if a column of integers holds all of it."""
        return self.least >= MIN and self.greatest <= MAX


#: The bounds of the columns of a program's batches are few.
_remembered = lru_cache(4096)


def enclosing(least: int, greatest: int) -> Range:
    """Powers of two around two values, or 0.

    Example:
        >>> enclosing(3, 100), enclosing(-3, -2)
        (Range(least=0, greatest=127), Range(least=-4, greatest=0))
    """
    low = -(1 << (~least).bit_length()) if least < 0 else 0
    return Range(low, (1 << greatest.bit_length()) - 1 if greatest > 0 else 0)


@_remembered
def total(a: Range, b: Range) -> Range:
    return Range(a.least + b.least, a.greatest + b.greatest)


@_remembered
def difference(a: Range, b: Range) -> Range:
    return Range(a.least - b.greatest, a.greatest - b.least)


@_remembered
def product(a: Range, b: Range) -> Range:
    corners = (a.least * b.least, a.least * b.greatest, a.greatest * b.least, a.greatest * b.greatest)
    return Range(min(corners), max(corners))


@_remembered
def negation(a: Range) -> Range:
    return Range(-a.greatest, -a.least)


@_remembered
def magnitude(a: Range) -> Range:
    ends = abs(a.least), abs(a.greatest)
    return Range(0 if a.least <= 0 <= a.greatest else min(ends), max(ends))


@_remembered
def quotient(a: Range, b: Range) -> Range:
    """Bounds of ``a // b`` for divisors of ``b`` other than 0."""
    divisors = {end for end in (b.least, -1, 1, b.greatest) if end and b.least <= end <= b.greatest}
    corners = [end // divisor for end in a for divisor in divisors]
    return Range(min(corners), max(corners))


@_remembered
def remainder(a: Range, b: Range) -> Range:
    """Bounds of ``a % b`` for divisors of ``b`` other than 0; the sign is the divisor's."""
    greatest = max(0, b.greatest - 1)
    if a.least >= 0:
        greatest = min(greatest, a.greatest) if b.least > 0 else greatest
    return Range(min(0, b.least + 1), greatest)


@_remembered
def shifted_left(a: Range, by: Range) -> Range:
    """Bounds of ``a << b`` for counts of ``b`` that are not negative."""
    corners = [end << max(0, min(count, 128)) for end in a for count in by]
    return Range(min(corners), max(corners))


@_remembered
def shifted_right(a: Range, by: Range) -> Range:
    """Bounds of ``a >> b`` for counts of ``b`` that are not negative."""
    corners = [end >> max(0, min(count, 64)) for end in a for count in by]
    return Range(min(corners), max(corners))


@_remembered
def bits(a: Range, b: Range) -> Range:
    """Bounds of any operation bit by bit: as many bits as the longer operand has."""
    length = max(end.bit_length() for end in (*a, *b))
    return Range(0 if min(a.least, b.least) >= 0 else -(1 << length), (1 << length) - 1)


@_remembered
def common_bits(a: Range, b: Range) -> Range:
    """Bounds of ``a & b``."""
    ends = [each.greatest for each in (a, b) if each.least >= 0]
    return Range(0, min(ends)) if ends else bits(a, b)


@_remembered
def union(a: Range, b: Range) -> Range:
    return Range(min(a.least, b.least), max(a.greatest, b.greatest))
