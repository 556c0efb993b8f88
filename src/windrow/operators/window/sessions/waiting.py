"""Elements of sessions that wait, since they touch no session that fires, and watermarks that are put off meanwhile."""

from __future__ import annotations

from windrow.common.limits import LONG_MAX, LONG_MIN
from windrow.elements.batch import Batch, Gathered
from windrow.operators.window.sessions.parts import all_parts, are_local_parts, are_parts

#: A watermark is put off while more than this part of the time of elements that wait is behind it.
_EARLY = 4


class WaitingElements:
    """Batches of columns that wait to be added together.

    Example:
        >>> from windrow.elements.columns import Columns
        >>> from windrow.elements.shape import LONG
        >>> import numpy as np
        >>> numbers = Columns.of(LONG, [np.array([7, 8])])
        >>> waiting = WaitingElements()
        >>> waiting.extend(Batch(numbers, [10, 30], numbers), 5)
        >>> len(waiting), waiting.are_touched_by(8), waiting.are_touched_by(9)
        (2, False, True)
        >>> len(waiting.take()), len(waiting)
        (2, 0)
    """

    def __init__(self) -> None:
        self._batches = Gathered()
        #: The earliest and the latest of their times.
        self._earliest, self._latest = LONG_MAX, LONG_MIN
        #: Whether they, or the last that have come, may stand for several elements.
        self._has_parts = False
        #: Whether they are what elements of an aggregate function have come to.
        self._are_local = False
        #: The watermark when the last of them came that has seen all that came before.
        self.came_at = LONG_MIN
        #: Watermarks that have come and not gone out, since which they wait.
        self.put_off: list[int] = []

    def __len__(self) -> int:
        return len(self._batches)

    def goes_with(self, batch: Batch) -> bool:
        """Tell whether a batch and those that wait are all elements, or all what elements have come to."""
        return not len(batch) or not len(self) or are_local_parts(batch) == self._are_local

    def in_one_shape(self, batch: Batch) -> Batch:
        """A batch whose columns have one shape with those that wait, if there are any."""
        if are_parts(batch) == self._has_parts:
            return batch
        if self._has_parts and len(self._batches):
            return all_parts(batch)
        waiting, self._batches, self._has_parts = self._batches, Gathered(), are_parts(batch)
        self._batches.extend(all_parts(waiting.all()))
        return batch

    def extend(self, batch: Batch, watermark: int) -> None:
        """Take a batch of columns, which has come at this watermark; it is not empty."""
        times = batch.timestamp_array()
        self._batches.extend(batch)
        self._are_local = are_local_parts(batch)
        self._earliest, self._latest = min(self._earliest, int(times.min())), max(self._latest, int(times.max()))
        if not self.put_off:
            self.came_at = watermark

    def take(self) -> Batch:
        """Let go of them all."""
        waiting, self._batches = self._batches, Gathered()
        self._earliest, self._latest = LONG_MAX, LONG_MIN
        return waiting.all()

    def are_touched_by(self, watermark: int) -> bool:
        """Tell whether one of them may touch a session that is over at a watermark."""
        return self._earliest <= watermark + 1

    def are_mostly_behind(self, watermark: int) -> bool:
        """Tell whether much of what waits would be held at a watermark, as where one input is ahead of another."""
        return _EARLY * (self._latest - watermark) > self._latest - self._earliest
