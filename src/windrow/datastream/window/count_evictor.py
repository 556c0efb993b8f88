"""The evictor that keeps the newest elements, up to a number."""

from __future__ import annotations

from typing import Any

from windrow.datastream.window.arguments import whole_number
from windrow.datastream.window.either_side_evictor import EitherSideEvictor
from windrow.datastream.window.evictor import TimestampedValue


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
