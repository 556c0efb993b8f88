"""Sliding windows: windows of a fixed size that begin at a fixed distance from each other."""

from __future__ import annotations

from typing import Any, Self

from windrow.common.limits import LONG_MAX, LONG_MIN, NO_TIMESTAMP
from windrow.common.time import to_millis
from windrow.datastream.window.arguments import TimeSpan
from windrow.datastream.window.assigner import WindowAssigner, WindowAssignerContext
from windrow.datastream.window.serializers import TimeWindowSerializer
from windrow.datastream.window.time_triggers import EventTimeTrigger, ProcessingTimeTrigger
from windrow.datastream.window.trigger import Trigger
from windrow.datastream.window.windows import TimeWindow
from windrow.errors import ConfigurationError, MissingTimestampError


class _SlidingWindows(WindowAssigner[Any, TimeWindow]):
    def __init__(self, size: TimeSpan, slide: TimeSpan, offset: TimeSpan = 0) -> None:
        self.size = to_millis(size, "size")
        self.slide = to_millis(slide, "slide")
        self.offset = to_millis(offset, "offset")
        if abs(self.offset) >= self.slide or self.size <= 0:
            msg = (
                f"{type(self).__name__} needs abs(offset) < slide and size > 0, "
                f"but got offset {self.offset} ms, slide {self.slide} ms and size {self.size} ms"
            )
            raise ConfigurationError(msg)

    @classmethod
    def of(cls, size: TimeSpan, slide: TimeSpan, offset: TimeSpan | None = None) -> Self:
        """Windows of ``size``, of which one begins every ``slide``, shifted by ``offset``.

        Elements between two windows, when ``slide`` is larger than ``size``, are in no window.

        Args:
            size: how long a window is: a ``Time``, ``Duration``, ``timedelta`` or a number of milliseconds.
            slide: the distance between the starts of two windows.
            offset: how far windows are shifted.

        Raises:
            ConfigurationError: unless ``abs(offset) < slide`` and ``size > 0``.
        """
        return cls(size, slide, 0 if offset is None else offset)

    def get_window_serializer(self) -> TimeWindowSerializer:
        return TimeWindowSerializer()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.size}, {self.slide}, {self.offset})"

    def _windows_at(self, timestamp: int) -> list[TimeWindow]:
        """The windows around ``timestamp``, the latest first, as in Flink."""
        size, slide = self.size, self.slide
        last = timestamp - (timestamp - self.offset) % slide
        starts = range(last, timestamp - size, -slide)
        if timestamp - size < LONG_MIN or last + size > LONG_MAX:
            return [TimeWindow(max(start, LONG_MIN), min(start + size, LONG_MAX)) for start in starts]
        return [TimeWindow(start, start + size) for start in starts]


class SlidingEventTimeWindows(_SlidingWindows):
    """Overlapping windows of a fixed size, by element timestamp (Flink's ``SlidingEventTimeWindows``).

    >>> from windrow.common.time import Time
    >>> SlidingEventTimeWindows.of(Time.minutes(1), Time.seconds(10))
    SlidingEventTimeWindows(60000, 10000, 0)
    """

    def assign_windows(self, element: Any, timestamp: int, context: WindowAssignerContext) -> list[TimeWindow]:
        if timestamp == NO_TIMESTAMP:
            raise MissingTimestampError(type(self).__name__, element)
        return self._windows_at(timestamp)

    def get_default_trigger(self, env: Any = None) -> Trigger[Any, TimeWindow]:
        return EventTimeTrigger.create()

    def is_event_time(self) -> bool:
        return True


class SlidingProcessingTimeWindows(_SlidingWindows):
    """Overlapping windows of a fixed size, by processing time (Flink's ``SlidingProcessingTimeWindows``).

    >>> from windrow.common.time import Time
    >>> SlidingProcessingTimeWindows.of(Time.minutes(1), Time.seconds(10), Time.seconds(-5))
    SlidingProcessingTimeWindows(60000, 10000, -5000)
    """

    def assign_windows(self, element: Any, timestamp: int, context: WindowAssignerContext) -> list[TimeWindow]:
        return self._windows_at(context.get_current_processing_time())

    def get_default_trigger(self, env: Any = None) -> Trigger[Any, TimeWindow]:
        return ProcessingTimeTrigger.create()

    def is_event_time(self) -> bool:
        return False
