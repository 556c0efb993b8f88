"""Counts each number by itself (Flink's ``Histogram``)."""

from __future__ import annotations

import operator
from collections import Counter
from typing import Any, Self

from windrow.common.accumulators.accumulator import Accumulator, check_same_class


class Histogram(Accumulator[int, dict[int, int]]):
    """A count for each whole number that was added; its result is a dictionary in the order of the numbers.

    Example:
        >>> lengths = Histogram()
        >>> for word in ["to", "be", "or", "not"]:
        ...     lengths.add(len(word))
        >>> lengths.get_local_value()
        {2: 3, 3: 1}
    """

    def __init__(self) -> None:
        self._counts: Counter[int] = Counter()

    def add(self, value: int) -> None:
        """Count ``value`` once more.

        Raises:
            TypeError: ``value`` is not a whole number.
        """
        self._counts[operator.index(value)] += 1

    def get_local_value(self) -> dict[int, int]:
        return dict(sorted(self._counts.items()))

    def reset_local(self) -> None:
        self._counts.clear()

    def merge(self, other: Any) -> None:
        check_same_class(self, other)
        self._counts.update(other._counts)

    def clone(self) -> Self:
        copied = type(self)()
        copied._counts = self._counts.copy()
        return copied
