"""Session windows: a window grows as long as elements keep coming, with a gap for all or one for each element."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import Any, Self

from windrow.common.limits import LONG_MAX, NO_TIMESTAMP
from windrow.common.time import to_millis
from windrow.datastream.window.arguments import TimeSpan
from windrow.datastream.window.assigner import MergeCallback, MergingWindowAssigner, WindowAssignerContext
from windrow.datastream.window.serializers import TimeWindowSerializer
from windrow.datastream.window.time_triggers import EventTimeTrigger, ProcessingTimeTrigger
from windrow.datastream.window.trigger import Trigger
from windrow.datastream.window.windows import TimeWindow
from windrow.errors import ConfigurationError, ConfigurationTypeError, MissingTimestampError, shorten


class SessionWindowTimeGapExtractor(ABC):
    """Tells the session gap of an element (Flink's ``SessionWindowTimeGapExtractor``)."""

    @abstractmethod
    def extract(self, element: Any) -> int:
        """The gap after ``element``, in milliseconds; more than 0."""


class _DynamicSessionWindows(MergingWindowAssigner[Any, TimeWindow]):
    def __init__(self, session_window_time_gap_extractor: SessionWindowTimeGapExtractor | Callable[[Any], int]) -> None:
        extractor = session_window_time_gap_extractor
        is_class = isinstance(extractor, type) and issubclass(extractor, SessionWindowTimeGapExtractor)
        if is_class or not (isinstance(extractor, SessionWindowTimeGapExtractor) or callable(extractor)):
            hint = ": make an object of the class" if is_class else ""
            msg = (
                f"{type(self).__name__} takes a SessionWindowTimeGapExtractor or a function from an element to "
                f"milliseconds; got {extractor!r} ({type(extractor).__name__}){hint}"
            )
            raise ConfigurationTypeError(msg)
        self.gap_extractor = extractor
        self._extract = extractor.extract if isinstance(extractor, SessionWindowTimeGapExtractor) else extractor

    @classmethod
    def with_dynamic_gap(cls, extractor: SessionWindowTimeGapExtractor | Callable[[Any], int]) -> Self:
        """Sessions whose gap each element decides.

        Args:
            extractor: gives an element's gap in milliseconds, which must be positive: an object
                with ``extract(element)``, or a function of the element.
        """
        return cls(extractor)

    def merge_windows(self, windows: Iterable[TimeWindow], callback: MergeCallback[TimeWindow]) -> None:
        TimeWindow.merge_windows(windows, callback)

    def get_window_serializer(self) -> TimeWindowSerializer:
        return TimeWindowSerializer()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.gap_extractor!r})"

    def gap_after(self, element: Any) -> int:
        """The gap that the extractor gives for an element, in milliseconds.

        Raises:
            ConfigurationError: unless it is positive.
        """
        gap = self._extract(element)
        if type(gap) is not int:
            gap = to_millis(gap, "the session gap")
        if gap <= 0:
            msg = f"{type(self).__name__} needs 0 < gap, but the extractor gave {gap} ms for {shorten(element)}"
            raise ConfigurationError(msg)
        return gap

    def _window_at(self, timestamp: int, element: Any) -> TimeWindow:
        end = timestamp + self.gap_after(element)
        return TimeWindow(timestamp, end if end <= LONG_MAX else LONG_MAX)


class DynamicEventTimeSessionWindows(_DynamicSessionWindows):
    """Sessions by element timestamp, with each element's own gap (Flink's ``DynamicEventTimeSessionWindows``).

    >>> sessions = DynamicEventTimeSessionWindows.with_dynamic_gap(lambda click: click["patience"])
    """

    def assign_windows(self, element: Any, timestamp: int, context: WindowAssignerContext) -> list[TimeWindow]:
        if timestamp == NO_TIMESTAMP:
            raise MissingTimestampError(type(self).__name__, element)
        return [self._window_at(timestamp, element)]

    def get_default_trigger(self, env: Any = None) -> Trigger[Any, TimeWindow]:
        return EventTimeTrigger.create()

    def is_event_time(self) -> bool:
        return True


class DynamicProcessingTimeSessionWindows(_DynamicSessionWindows):
    """Sessions by processing time, with each element's own gap (Flink's ``DynamicProcessingTimeSessionWindows``).

    >>> sessions = DynamicProcessingTimeSessionWindows.with_dynamic_gap(lambda click: click["patience"])
    """

    def assign_windows(self, element: Any, timestamp: int, context: WindowAssignerContext) -> list[TimeWindow]:
        return [self._window_at(context.get_current_processing_time(), element)]

    def get_default_trigger(self, env: Any = None) -> Trigger[Any, TimeWindow]:
        return ProcessingTimeTrigger.create()

    def is_event_time(self) -> bool:
        return False


class _SessionWindows(MergingWindowAssigner[Any, TimeWindow]):
    def __init__(self, session_gap: TimeSpan) -> None:
        self.session_gap = to_millis(session_gap, "session_gap")
        if self.session_gap <= 0:
            msg = f"{type(self).__name__} needs 0 < size of the session gap, but got {self.session_gap} ms"
            raise ConfigurationError(msg)

    @classmethod
    def with_gap(cls, size: TimeSpan) -> Self:
        """Sessions that end when no element came for ``size``.

        Args:
            size: the gap: a ``Time``, ``Duration``, ``timedelta`` or a number of milliseconds.

        Raises:
            ConfigurationError: unless the gap is positive.
        """
        return cls(size)

    def merge_windows(self, windows: Iterable[TimeWindow], callback: MergeCallback[TimeWindow]) -> None:
        TimeWindow.merge_windows(windows, callback)

    def get_window_serializer(self) -> TimeWindowSerializer:
        return TimeWindowSerializer()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.session_gap})"

    def _window_at(self, timestamp: int) -> TimeWindow:
        end = timestamp + self.session_gap
        return TimeWindow(timestamp, end if end <= LONG_MAX else LONG_MAX)


class EventTimeSessionWindows(_SessionWindows):
    """Sessions by element timestamp (Flink's ``EventTimeSessionWindows``); sessions that only touch are one.

    >>> from windrow.common.time import Time
    >>> EventTimeSessionWindows.with_gap(Time.minutes(30))
    EventTimeSessionWindows(1800000)
    """

    @staticmethod
    def with_dynamic_gap(
        extractor: SessionWindowTimeGapExtractor | Callable[[Any], int],
    ) -> DynamicEventTimeSessionWindows:
        """Sessions whose gap each element decides: see :class:`DynamicEventTimeSessionWindows`."""
        return DynamicEventTimeSessionWindows(extractor)

    def assign_windows(self, element: Any, timestamp: int, context: WindowAssignerContext) -> list[TimeWindow]:
        if timestamp == NO_TIMESTAMP:
            raise MissingTimestampError(type(self).__name__, element)
        return [self._window_at(timestamp)]

    def get_default_trigger(self, env: Any = None) -> Trigger[Any, TimeWindow]:
        return EventTimeTrigger.create()

    def is_event_time(self) -> bool:
        return True


class ProcessingTimeSessionWindows(_SessionWindows):
    """Sessions by processing time (Flink's ``ProcessingTimeSessionWindows``); sessions that only touch are one.

    >>> from windrow.common.time import Time
    >>> ProcessingTimeSessionWindows.with_gap(Time.seconds(5))
    ProcessingTimeSessionWindows(5000)
    """

    @staticmethod
    def with_dynamic_gap(
        extractor: SessionWindowTimeGapExtractor | Callable[[Any], int],
    ) -> DynamicProcessingTimeSessionWindows:
        """Sessions whose gap each element decides: see :class:`DynamicProcessingTimeSessionWindows`."""
        return DynamicProcessingTimeSessionWindows(extractor)

    def assign_windows(self, element: Any, timestamp: int, context: WindowAssignerContext) -> list[TimeWindow]:
        return [self._window_at(context.get_current_processing_time())]

    def get_default_trigger(self, env: Any = None) -> Trigger[Any, TimeWindow]:
        return ProcessingTimeTrigger.create()

    def is_event_time(self) -> bool:
        return False
