"""Sums (Flink's ``IntCounter``, ``LongCounter``, ``DoubleCounter``)."""

from __future__ import annotations

from windrow.common.accumulators.number import DoubleNumber, WholeNumber


class _WholeCounter(WholeNumber):
    _initial = 0

    def add(self, value: int) -> None:
        """Add ``value``, which may be negative."""
        self._value = self._in_range(self._value + self._number(value))


class IntCounter(_WholeCounter):
    """A sum of whole numbers from -2^31 to 2^31-1.

    Args:
        value: what it begins with, in each subtask.

    Example:
        >>> lines = IntCounter()
        >>> lines.add(2), lines.add(3)
        (None, None)
        >>> lines.get_local_value()
        5
        >>> lines.add(2**31)
        Traceback (most recent call last):
        OverflowError: IntCounter cannot take 2147483653 (int): it holds whole numbers of 32 bits; use the \
accumulator for longs
    """

    _bits = 32


class LongCounter(_WholeCounter):
    """A sum of whole numbers from -2^63 to 2^63-1.

    Args:
        value: what it begins with, in each subtask.

    Example:
        >>> total = LongCounter(2**40)
        >>> total.add(1)
        >>> total
        LongCounter(1099511627777)
    """

    _bits = 64


class DoubleCounter(DoubleNumber):
    """A sum of floating-point numbers.

    Args:
        value: what it begins with, in each subtask.

    Example:
        >>> weight = DoubleCounter()
        >>> weight.add(0.5), weight.add(2)
        (None, None)
        >>> weight
        DoubleCounter(2.5)
    """

    _initial = 0.0

    def add(self, value: float) -> None:
        """Add ``value``, which may be negative."""
        self._value += self._number(value)
