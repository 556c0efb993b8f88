"""The evictor that keeps the elements of the most recent time."""

from __future__ import annotations

from typing import Any

from windrow.common.time import to_millis
from windrow.datastream.window.arguments import whole_number
from windrow.datastream.window.either_side_evictor import EitherSideEvictor
from windrow.datastream.window.evictor import TimestampedValue
from windrow.datastream.window.time_span import TimeSpan


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
