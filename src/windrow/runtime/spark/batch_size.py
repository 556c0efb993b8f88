"""Sizes a batch by the number of planned splits that it reads."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

#: Of each channel, in the first batch, and at most.
_FEWEST, _MOST = 4, 128
#: Seconds: behind a batch that took less the next one is twice as large, behind one that took more half as large.
#: Whatever a batch reads, Spark takes some 0.25 seconds for it; and what a batch gives is seen when it is through. With
#: 32 splits at most and half a second a job that gets through 20 million elements a second took 11.5, and takes 14.
#: SQL's joins that keep all rows, whose batches are long in any case, took 598 MiB in a worker, and take 867.
_SHORT, _LONG = 1.0, 2.0


class BatchSize:
    """Says how many splits of each channel the next batch reads.

    Args:
        fixed: As many; 0: few, and more while batches are short.
        clock: Tells the time in seconds.

    Example:
        >>> BatchSize(3).next(), BatchSize(0).next()
        (3, 4)
    """

    def __init__(self, fixed: int, clock: Callable[[], float] = monotonic) -> None:
        self._varies = not fixed
        self._splits = fixed or _FEWEST
        self._clock = clock
        #: When the last batch was planned: it has taken until the next one is.
        self._planned: float | None = None

    def next(self) -> int:
        """The number for a batch that is planned now."""
        now = self._clock()
        if self._varies and self._planned is not None:
            took = now - self._planned
            if took < _SHORT:
                self._splits = min(2 * self._splits, _MOST)
            elif took > _LONG:
                self._splits = max(self._splits // 2, _FEWEST)
        self._planned = now
        return self._splits
