"""Numbers that wait for event time, many at once."""

from __future__ import annotations

import numpy as np

from windrow.operators.column_folds.field_fold import Longs

#: So many parts are made one.
_MOST_PARTS = 64


class ByTime:
    """Numbers with times, given back when these are over: of one time in the order in which they came.

    Example:
        >>> waiting = ByTime()
        >>> waiting.add(np.array([30, 10, 20]), np.array([0, 1, 2]))
        >>> waiting.add(np.array([20]), np.array([3]))
        >>> waiting.next_time(), waiting.take(20).tolist(), waiting.next_time()
        (10, [1, 2, 3], 30)
    """

    def __init__(self) -> None:
        #: Times that do not fall, and their numbers.
        self._parts: list[tuple[Longs, Longs]] = []

    @property
    def count(self) -> int:
        """The number of numbers that wait."""
        return sum(times.size for times, _ in self._parts)

    def add(self, times: Longs, numbers: Longs) -> None:
        """Take numbers behind the others."""
        if times.size:
            order = np.argsort(times, kind="stable")
            self._parts.append((times[order], numbers[order]))
        if len(self._parts) > _MOST_PARTS:
            times, numbers = (np.concatenate(each) for each in zip(*self._parts, strict=True))
            self._parts = []
            self.add(times, numbers)

    def next_time(self) -> int | None:
        """The least time of all; None: nothing waits."""
        return min((int(times[0]) for times, _ in self._parts), default=None)

    def take(self, limit: int) -> Longs:
        """Take out what is no later than ``limit``, in the order of its times and then as it came."""
        due: list[tuple[Longs, Longs]] = []
        left: list[tuple[Longs, Longs]] = []
        for times, numbers in self._parts:
            count = int(np.searchsorted(times, limit, "right"))
            if count:
                due.append((times[:count], numbers[:count]))
            if count < times.size:
                left.append((times[count:], numbers[count:]))
        self._parts = left
        if not due:
            return np.zeros(0, np.int64)
        if len(due) == 1:
            return due[0][1]
        times, numbers = (np.concatenate(each) for each in zip(*due, strict=True))
        return numbers[np.argsort(times, kind="stable")]

    def numbers(self) -> Longs:
        """All numbers that wait, as they came."""
        return np.concatenate([np.zeros(0, np.int64), *[numbers for _, numbers in self._parts]])

    def renumber(self, kept: Longs) -> None:
        """Let each number be its place among ``kept``, which rise and are more than these."""
        self._parts = [(times, np.searchsorted(kept, numbers)) for times, numbers in self._parts]
