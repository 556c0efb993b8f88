"""Tumbling windows: each element is in exactly one window of a fixed size, in step with other subtasks or staggered."""

from __future__ import annotations

import zlib
from enum import Enum
from typing import Any, Self

from windrow.common.limits import LONG_MAX, LONG_MIN, NO_TIMESTAMP
from windrow.common.time import to_millis
from windrow.datastream.window.arguments import TimeSpan, part
from windrow.datastream.window.assigner import WindowAssigner, WindowAssignerContext
from windrow.datastream.window.serializers import TimeWindowSerializer
from windrow.datastream.window.time_triggers import EventTimeTrigger, ProcessingTimeTrigger
from windrow.datastream.window.trigger import Trigger
from windrow.datastream.window.windows import TimeWindow
from windrow.errors import ConfigurationError, MissingTimestampError


class WindowStagger(Enum):
    """Shifts tumbling windows, besides their offset (Flink's ``WindowStagger``).

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


class _TumblingWindows(WindowAssigner[Any, TimeWindow]):
    def __init__(
        self,
        size: TimeSpan,
        offset: TimeSpan = 0,
        window_stagger: WindowStagger = WindowStagger.ALIGNED,
    ) -> None:
        self.size = to_millis(size, "size")
        self.offset = to_millis(offset, "offset")
        self.window_stagger: WindowStagger = part(window_stagger, WindowStagger, "window_stagger", type(self).__name__)
        #: The stagger's part of the offset in milliseconds; None until the first element unless ALIGNED.
        self.stagger_offset: int | None = 0 if window_stagger is WindowStagger.ALIGNED else None
        if abs(self.offset) >= self.size:
            msg = (
                f"{type(self).__name__} needs abs(offset) < size, "
                f"but got offset {self.offset} ms and size {self.size} ms"
            )
            raise ConfigurationError(msg)

    @classmethod
    def of(
        cls,
        size: TimeSpan,
        offset: TimeSpan | None = None,
        window_stagger: WindowStagger = WindowStagger.ALIGNED,
    ) -> Self:
        """Windows of ``size`` that begin at the epoch plus multiples of ``size`` plus ``offset``.

        Args:
            size: how long a window is: a ``Time``, ``Duration``, ``timedelta`` or a number of milliseconds.
            offset: how far windows are shifted, for example ``Time.hours(-8)`` for days of UTC+8.
            window_stagger: whether and how windows are shifted further when the first element comes.

        Raises:
            ConfigurationError: unless ``abs(offset) < size``.
        """
        return cls(size, 0 if offset is None else offset, window_stagger)

    def get_window_serializer(self) -> TimeWindowSerializer:
        return TimeWindowSerializer()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.size}, {self.offset}, {self.window_stagger.name})"

    def _window_at(self, timestamp: int, context: WindowAssignerContext) -> TimeWindow:
        stagger = self.stagger_offset
        if stagger is None:
            stagger = self.stagger_offset = self._draw_stagger(context)
        size = self.size
        start = timestamp - (timestamp - self.offset - stagger) % size
        end = start + size
        if start < LONG_MIN or end > LONG_MAX:
            return TimeWindow(max(start, LONG_MIN), min(end, LONG_MAX))
        return TimeWindow(start, end)

    def _draw_stagger(self, context: WindowAssignerContext) -> int:
        subtask = 0
        if self.window_stagger is WindowStagger.RANDOM:
            subtask = context.get_runtime_context().get_index_of_this_subtask()
        return self.window_stagger.get_stagger_offset(context.get_current_processing_time(), self.size, subtask)


class TumblingEventTimeWindows(_TumblingWindows):
    """Windows of a fixed size that do not overlap, by element timestamp (Flink's ``TumblingEventTimeWindows``).

    >>> from windrow.common.time import Time
    >>> TumblingEventTimeWindows.of(Time.days(1), Time.hours(-8))
    TumblingEventTimeWindows(86400000, -28800000, ALIGNED)
    """

    def assign_windows(self, element: Any, timestamp: int, context: WindowAssignerContext) -> list[TimeWindow]:
        if timestamp == NO_TIMESTAMP:
            raise MissingTimestampError(type(self).__name__, element)
        return [self._window_at(timestamp, context)]

    def get_default_trigger(self, env: Any = None) -> Trigger[Any, TimeWindow]:
        return EventTimeTrigger.create()

    def is_event_time(self) -> bool:
        return True


class TumblingProcessingTimeWindows(_TumblingWindows):
    """Windows of a fixed size that do not overlap, by processing time (Flink's ``TumblingProcessingTimeWindows``).

    >>> from windrow.common.time import Time
    >>> TumblingProcessingTimeWindows.of(Time.minutes(1), window_stagger=WindowStagger.NATURAL)
    TumblingProcessingTimeWindows(60000, 0, NATURAL)
    """

    def assign_windows(self, element: Any, timestamp: int, context: WindowAssignerContext) -> list[TimeWindow]:
        return [self._window_at(context.get_current_processing_time(), context)]

    def get_default_trigger(self, env: Any = None) -> Trigger[Any, TimeWindow]:
        return ProcessingTimeTrigger.create()

    def is_event_time(self) -> bool:
        return False
