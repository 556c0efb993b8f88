"""What an evictor is: it removes elements from a window's buffer before or after the window function sees it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Generic, NamedTuple, TypeVar

from windrow.common.limits import NO_TIMESTAMP
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
        """Whether the element has a timestamp."""
        return self.timestamp != NO_TIMESTAMP


class EvictorContext(ABC):
    """What an evictor may ask for (Flink's ``Evictor.EvictorContext``)."""

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
