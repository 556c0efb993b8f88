"""Staggering: moving the windows of parallel operators apart, so that not all of them fire at once."""

from __future__ import annotations

import zlib
from enum import Enum


class WindowStagger(Enum):
    """How far tumbling windows are shifted, besides their offset (Flink's ``WindowStagger``).

    The shift is taken once, at the first element. Flink draws the random one from a thread's generator; here
    it is computed from the processing time and the subtask, so that input that is replayed gets the same windows.
    """

    #: No shift: all windows of a size end together.
    ALIGNED = "ALIGNED"
    #: Somewhere between 0 and the window size, spread evenly over the subtasks.
    RANDOM = "RANDOM"
    #: As far as processing time was into its window when the first element came.
    NATURAL = "NATURAL"

    def get_stagger_offset(self, current_processing_time: int, size: int, subtask: int = 0) -> int:
        """The shift in milliseconds, at least 0 and less than ``size``.

        >>> WindowStagger.NATURAL.get_stagger_offset(5500, 5000)
        500
        """
        if self is WindowStagger.ALIGNED:
            return 0
        if self is WindowStagger.NATURAL:
            return current_processing_time % size
        return zlib.crc32(f"{current_processing_time}/{subtask}".encode()) * size >> 32
