"""Evictors remove elements from a window's buffer before or after the window function sees it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Generic, NamedTuple, TypeVar

from windrow.common.limits import NO_TIMESTAMP
from windrow.common.time import to_millis
from windrow.datastream.window.arguments import TimeSpan, whole_number
from windrow.datastream.window.windows import Window

T = TypeVar("T")
"""Type of the elements."""
W = TypeVar("W", bound=Window)
"""Type of the windows."""


class TimestampedValue(NamedTuple, Generic[T]):
    """A buffered element with its timestamp in milliseconds (Flink's ``TimestampedValue``).

    >>> TimestampedValue("click", 1000).has_timestamp()
    True
    """

    value: T
    #: ``NO_TIMESTAMP`` if the element has none.
    timestamp: int = NO_TIMESTAMP

    def has_timestamp(self) -> bool:
        """Tell whether the element has a timestamp."""
        return self.timestamp != NO_TIMESTAMP


class EvictorContext(ABC):
    """Serves an evictor (Flink's ``Evictor.EvictorContext``)."""

    @abstractmethod
    def get_current_processing_time(self) -> int:
        """The current processing time in milliseconds."""

    @abstractmethod
    def get_metric_group(self) -> Any:
        """The metric group of the window operator."""

    @abstractmethod
    def get_current_watermark(self) -> int:
        """The current watermark in milliseconds; -2^63 before the first one."""


class Evictor(ABC, Generic[T, W]):
    """Removes elements from the buffer of a firing window (Flink's ``Evictor``).

    Both methods get the whole buffer as a list, in the order of insertion, and remove by editing this list in place
    (``del elements[:n]``, ``elements[:] = [...]``). What is left is written back: it is what later firings start from.

    >>> class DropNegative(Evictor[int, Window]):
    ...     def evict_before(self, elements, size, window, evictor_context):
    ...         elements[:] = [element for element in elements if element.value >= 0]
    ...
    ...     def evict_after(self, elements, size, window, evictor_context):
    ...         pass
    """

    @abstractmethod
    def evict_before(
        self, elements: list[TimestampedValue[T]], size: int, window: W, evictor_context: EvictorContext
    ) -> None:
        """Remove elements before the window function is called; ``size`` is ``len(elements)``."""

    @abstractmethod
    def evict_after(
        self, elements: list[TimestampedValue[T]], size: int, window: W, evictor_context: EvictorContext
    ) -> None:
        """Remove elements after the window function was called; ``size`` is ``len(elements)``."""


class EitherSideEvictor(Evictor[Any, Window]):
    """Applies :meth:`evict` after the window function if ``do_evict_after``, else before it."""

    def __init__(self, do_evict_after: bool) -> None:
        self.do_evict_after = do_evict_after

    @abstractmethod
    def evict(self, elements: list[TimestampedValue[Any]]) -> None:
        """Remove elements from the list."""

    def evict_before(
        self, elements: list[TimestampedValue[Any]], size: int, window: Window, evictor_context: EvictorContext
    ) -> None:
        if not self.do_evict_after:
            self.evict(elements)

    def evict_after(
        self, elements: list[TimestampedValue[Any]], size: int, window: Window, evictor_context: EvictorContext
    ) -> None:
        if self.do_evict_after:
            self.evict(elements)


class CountEvictor(EitherSideEvictor):
    """Keeps ``max_count`` elements and drops the ones that were inserted first (Flink's ``CountEvictor``).

    >>> CountEvictor.of(2)
    CountEvictor(2)
    """

    def __init__(self, max_count: int, do_evict_after: bool = False) -> None:
        super().__init__(do_evict_after)
        self.max_count = whole_number(max_count, 0, "max_count", "CountEvictor")

    @staticmethod
    def of(max_count: int, do_evict_after: bool = False) -> CountEvictor:
        """Keep ``max_count`` elements.

        Args:
            max_count: how many elements are kept.
            do_evict_after: whether to evict after the window function instead of before it.

        Raises:
            ConfigurationError: if ``max_count`` is negative.
            ConfigurationTypeError: if it is not a whole number.
        """
        return CountEvictor(max_count, do_evict_after)

    def evict(self, elements: list[TimestampedValue[Any]]) -> None:
        surplus = len(elements) - self.max_count
        if surplus > 0:
            del elements[:surplus]

    def __repr__(self) -> str:
        return f"CountEvictor({self.max_count})"


class TimeEvictor(EitherSideEvictor):
    """Keeps elements whose timestamp is within a span of the newest timestamp in the buffer (Flink's ``TimeEvictor``).

    The newest timestamp counts, not the watermark; an element exactly ``window_size`` older is removed. Nothing is
    removed if the first element has no timestamp.

    >>> from windrow.common.time import Time
    >>> TimeEvictor.of(Time.seconds(2))
    TimeEvictor(2000)
    """

    def __init__(self, window_size: TimeSpan, do_evict_after: bool = False) -> None:
        super().__init__(do_evict_after)
        self.window_size = whole_number(to_millis(window_size, "window_size"), 0, "window_size", "TimeEvictor")

    @staticmethod
    def of(window_size: TimeSpan, do_evict_after: bool = False) -> TimeEvictor:
        """Keep the elements of the last ``window_size``.

        Args:
            window_size: a ``Time``, ``Duration``, ``timedelta`` or a number of milliseconds.
            do_evict_after: whether to evict after the window function instead of before it.
        """
        return TimeEvictor(window_size, do_evict_after)

    def evict(self, elements: list[TimestampedValue[Any]]) -> None:
        if not elements or not elements[0].has_timestamp():
            return
        cut_off = max(element.timestamp for element in elements) - self.window_size
        elements[:] = [element for element in elements if element.timestamp > cut_off]

    def __repr__(self) -> str:
        return f"TimeEvictor({self.window_size})"
