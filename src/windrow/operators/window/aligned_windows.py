"""Tumbling and sliding event-time windows by arithmetic: which windows elements belong to, for many at a time."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias, TypeGuard

import numpy as np
import numpy.typing as npt

from windrow.common.limits import LONG_MAX, LONG_MIN
from windrow.datastream.window import (
    SlidingEventTimeWindows,
    TimeWindow,
    TumblingEventTimeWindows,
    WindowStagger,
)
from windrow.operators.waiting import Waiting

AlignedAssigner: TypeAlias = TumblingEventTimeWindows | SlidingEventTimeWindows
Times: TypeAlias = npt.NDArray[np.int64]

#: Window arithmetic on timestamps within these bounds stays within 64 bits, if sizes are less too.
SAFE = 2**60


def is_aligned(assigner: object) -> TypeGuard[AlignedAssigner]:
    """Tell whether the windows of ``assigner`` are known without asking it for each element.

    >>> is_aligned(TumblingEventTimeWindows(1000, 0))
    True
    """
    if type(assigner) is TumblingEventTimeWindows:
        return assigner.window_stagger is WindowStagger.ALIGNED and assigner.size < SAFE
    return type(assigner) is SlidingEventTimeWindows and max(assigner.size, assigner.slide) < SAFE


class AlignedWindows(NamedTuple):
    """The windows of an assigner that :func:`is_aligned` accepts; all in milliseconds.

    A window is known by its end here: the ends of the windows of one element are ``slide`` apart.
    """

    size: int
    slide: int
    offset: int

    @staticmethod
    def of(assigner: AlignedAssigner) -> AlignedWindows:
        """The windows of ``assigner``.

        >>> AlignedWindows.of(TumblingEventTimeWindows(10))
        AlignedWindows(size=10, slide=10, offset=0)
        """
        slide = assigner.slide if isinstance(assigner, SlidingEventTimeWindows) else assigner.size
        return AlignedWindows(assigner.size, slide, assigner.offset)

    def are_safe(self, times: Times) -> bool:
        """Tell whether no end of a window of ``times``, which are not empty, leaves 64 bits."""
        return int(times.min()) >= -SAFE and int(times.max()) <= SAFE

    def are_open(self, times: Times, watermark: int) -> bool:
        """Tell whether each of ``times``, which are not empty, is in windows, none of which has ended.

        >>> windows = AlignedWindows(10, 5, 0)
        >>> windows.are_open(np.array([10, 30]), 13), windows.are_open(np.array([9, 30]), 13)
        (True, False)
        """
        if self.slide > self.size or not self.are_safe(times):
            return False
        return int(times.min()) >= self.first_end_after(watermark) - self.slide

    def ends(self, times: Times) -> tuple[Times, Times]:
        """The first and the last end of the windows of each of ``times``; the first is behind the last in a gap.

        The two are one array where there is one window for each time.

        >>> AlignedWindows(10, 5, 0).ends(np.array([3, 12]))
        (array([ 5, 15]), array([10, 20]))
        """
        last = times - (times - self.offset) % self.slide + self.size
        if self.slide == self.size:
            return last, last
        return last - (last - times - 1) // self.slide * self.slide, last

    def first_end_after(self, time: int) -> int:
        """The end of the first window whose last millisecond is behind ``time``, within 64 bits.

        >>> AlignedWindows(10, 5, 0).first_end_after(14), AlignedWindows(10, 5, 0).first_end_after(13)
        (20, 15)
        """
        beyond = time + 2
        return max(min(beyond + (self.offset + self.size - beyond) % self.slide, LONG_MAX), LONG_MIN)

    def window(self, end: int) -> TimeWindow:
        """The window that ends at ``end``."""
        return TimeWindow(end - self.size, end)

    def waiting(self, due: int | None, *, fires: bool) -> Waiting | None:
        """Say what the watermark does next; None: nothing.

        Args:
            due: When that is: the end of a window is behind it, or it is that of a timer.
            fires: Whether a window that ends then has not fired yet.

        >>> AlignedWindows(10, 5, 0).waiting(14, fires=True), AlignedWindows(10, 5, 0).waiting(14, fires=False)
        (Waiting(watermark=14, start=5, end=15), Waiting(watermark=14, start=None, end=None))
        """
        if due is None or not fires or (due + 1 - self.size - self.offset) % self.slide:
            return Waiting.at(due)
        return Waiting(due, due + 1 - self.size, due + 1)
