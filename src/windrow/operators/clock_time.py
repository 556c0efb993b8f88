"""The time of an operator that works by processing time as others do by event time."""

from __future__ import annotations

from windrow.common.limits import MIN_WATERMARK
from windrow.operators.base import Time


class ClockTime(Time):
    """Time whose watermark is the clock's: all windows up to it have fired."""

    __slots__ = ("_stream",)

    def __init__(self, stream: Time) -> None:
        self._stream = stream
        self.watermark = MIN_WATERMARK

    @property
    def processing_time(self) -> int:  # type: ignore[override]
        return self._stream.processing_time

    @property
    def stream_watermark(self) -> int:
        return self._stream.watermark
