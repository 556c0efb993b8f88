"""A mean (Flink's ``AverageAccumulator``)."""

from __future__ import annotations

from typing import Any

from windrow.common.accumulators.accumulator import SimpleAccumulator, check_same_class


class AverageAccumulator(SimpleAccumulator[float]):
    """The mean of numbers; 0.0 if there was none.

    Example:
        >>> speed = AverageAccumulator()
        >>> speed.add(50), speed.add(61)
        (None, None)
        >>> speed
        AverageAccumulator(55.5)
    """

    def __init__(self) -> None:
        self._count = 0
        self._sum = 0.0

    def add(self, value: float) -> None:
        """Take one number."""
        self._sum += value
        self._count += 1

    def get_local_value(self) -> float:
        return self._sum / self._count if self._count else 0.0

    def reset_local(self) -> None:
        self._count, self._sum = 0, 0.0

    def merge(self, other: Any) -> None:
        check_same_class(self, other)
        self._count += other._count
        self._sum += other._sum
