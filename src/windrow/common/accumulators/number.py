"""The base of accumulators of one number: a range that they stay in, and a value they begin with."""

from __future__ import annotations

import copy
import operator
from typing import Any, ClassVar, Generic, Self, TypeVar

from windrow.common.accumulators.accumulator import SimpleAccumulator, check_same_class
from windrow.errors import ConfigurationTypeError, shorten

N = TypeVar("N", int, float)


class NumberAccumulator(SimpleAccumulator[N], Generic[N]):
    """Base of counters, minima and maxima.

    Flink's whole numbers wrap around at the ends of Java's ``int`` and ``long``; here leaving the range is an error.

    Raises:
        ConfigurationTypeError: a value is not a number, or not a whole one where a whole one is due.
        OverflowError: the result would leave the range; the message names the accumulator.
    """

    #: What there is before anything was added.
    _initial: ClassVar[Any]
    #: The name it is registered under, for error messages.
    name: str | None = None

    def __init__(self, value: N | None = None) -> None:
        self._value: N = self._initial if value is None else self._in_range(self._number(value))

    def get_local_value(self) -> N:
        return self._value

    def reset_local(self) -> None:
        self._value = self._initial

    def merge(self, other: Any) -> None:
        check_same_class(self, other)
        self.add(other.get_local_value())

    def clone(self) -> Self:
        return copy.copy(self)

    def _number(self, value: Any) -> N:
        """The value as a Python number."""
        raise NotImplementedError

    def _in_range(self, value: N) -> N:
        """The value, if the accumulator can hold it."""
        return value

    def _refused(self, value: object) -> str:
        name = type(self).__name__ if self.name is None else f"accumulator {self.name!r} ({type(self).__name__})"
        return f"{name} cannot take {shorten(value)} ({type(value).__name__})"


class WholeNumber(NumberAccumulator[int]):
    """A whole number of so many bits, one of them for the sign."""

    _bits: ClassVar[int]

    def _number(self, value: Any) -> int:
        try:
            return operator.index(value)
        except TypeError as error:
            msg = f"{self._refused(value)}: it takes whole numbers; use the accumulator for doubles"
            raise ConfigurationTypeError(msg) from error

    def _in_range(self, value: int) -> int:
        if not -1 << (self._bits - 1) <= value < 1 << (self._bits - 1):
            wider = "the accumulator for longs" if self._bits < 64 else "the one for doubles"
            msg = f"{self._refused(value)}: it holds whole numbers of {self._bits} bits; use {wider}"
            raise OverflowError(msg)
        return value


class DoubleNumber(NumberAccumulator[float]):
    """A floating-point number."""

    def _number(self, value: Any) -> float:
        # Not whatever float() takes: a text is not a number.
        if not (hasattr(value, "__float__") or hasattr(value, "__index__")):
            msg = f"{self._refused(value)}: it takes numbers"
            raise ConfigurationTypeError(msg)
        return float(value)
