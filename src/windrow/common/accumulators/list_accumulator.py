"""Everything that was added (Flink's ``ListAccumulator``)."""

from __future__ import annotations

from typing import Any, Self, TypeVar

from windrow.common.accumulators.accumulator import Accumulator, check_same_class

T = TypeVar("T")


class ListAccumulator(Accumulator[T, list[T]]):
    """A list of what was added, all of it in memory; values of several subtasks come in no particular order.

    Example:
        >>> rejected = ListAccumulator()
        >>> rejected.add("a;b;c")
        >>> rejected.get_local_value()
        ['a;b;c']
    """

    def __init__(self) -> None:
        self._values: list[T] = []

    def add(self, value: T) -> None:
        """Append ``value``."""
        self._values.append(value)

    def get_local_value(self) -> list[T]:
        return list(self._values)

    def reset_local(self) -> None:
        self._values = []

    def merge(self, other: Any) -> None:
        check_same_class(self, other)
        self._values.extend(other._values)

    def clone(self) -> Self:
        copied = type(self)()
        copied._values = list(self._values)
        return copied
