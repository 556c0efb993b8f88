"""Minima and maxima (Flink's ``IntMaximum`` and the like). One that was given nothing has the end of its range."""

from __future__ import annotations

import math

from windrow.common.accumulators.number import DoubleNumber, WholeNumber


class _WholeMaximum(WholeNumber):
    def add(self, value: int) -> None:
        """Take ``value`` if it is greater than all before."""
        self._value = max(self._value, self._in_range(self._number(value)))


class _WholeMinimum(WholeNumber):
    def add(self, value: int) -> None:
        """Take ``value`` if it is less than all before."""
        self._value = min(self._value, self._in_range(self._number(value)))


class IntMaximum(_WholeMaximum):
    """The greatest of whole numbers from -2^31 to 2^31-1; -2^31 if there was none.

    Example:
        >>> widest = IntMaximum()
        >>> widest.add(3), widest.add(2)
        (None, None)
        >>> widest
        IntMaximum(3)
    """

    _bits = 32
    _initial = -(2**31)


class IntMinimum(_WholeMinimum):
    """The least of whole numbers from -2^31 to 2^31-1; 2^31-1 if there was none.

    Example:
        >>> narrowest = IntMinimum(7)
        >>> narrowest.add(8)
        >>> narrowest
        IntMinimum(7)
    """

    _bits = 32
    _initial = 2**31 - 1


class LongMaximum(_WholeMaximum):
    """The greatest of whole numbers from -2^63 to 2^63-1; -2^63 if there was none.

    Example:
        >>> LongMaximum()
        LongMaximum(-9223372036854775808)
    """

    _bits = 64
    _initial = -(2**63)


class LongMinimum(_WholeMinimum):
    """The least of whole numbers from -2^63 to 2^63-1; 2^63-1 if there was none.

    Example:
        >>> LongMinimum()
        LongMinimum(9223372036854775807)
    """

    _bits = 64
    _initial = 2**63 - 1


class DoubleMaximum(DoubleNumber):
    """The greatest of floating-point numbers; minus infinity if there was none, not a number if one was none.

    Example:
        >>> hottest = DoubleMaximum()
        >>> hottest.add(20.5), hottest.add(19)
        (None, None)
        >>> hottest
        DoubleMaximum(20.5)
    """

    _initial = -math.inf

    def add(self, value: float) -> None:
        """Take ``value`` if it is greater than all before."""
        number = self._number(value)
        if number > self._value or math.isnan(number):
            self._value = number


class DoubleMinimum(DoubleNumber):
    """The least of floating-point numbers; infinity if there was none, not a number if one was none.

    Example:
        >>> DoubleMinimum()
        DoubleMinimum(inf)
    """

    _initial = math.inf

    def add(self, value: float) -> None:
        """Take ``value`` if it is less than all before."""
        number = self._number(value)
        if number < self._value or math.isnan(number):
            self._value = number
