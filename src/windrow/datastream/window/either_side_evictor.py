"""What the built-in evictors share: one rule, applied before or after the window function."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from windrow.datastream.window.evictor import Evictor, EvictorContext, TimestampedValue
from windrow.datastream.window.windows import Window


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
