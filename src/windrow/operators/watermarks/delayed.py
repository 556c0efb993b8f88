"""Holds watermarks back behind an operator whose results are older than the elements that made them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from windrow.common.limits import MAX_WATERMARK, MIN_WATERMARK
from windrow.elements.batch import Batch
from windrow.operators.base import Operator
from windrow.operators.forecast import Forecast

if TYPE_CHECKING:
    from windrow.elements.shape import Shape


class DelayedWatermarksOperator(Operator):
    """The elements as they are; each watermark as if it had come so much earlier.

    Flink's ``KeyedCoProcessOperatorWithWatermarkDelay`` is one operator with what makes the results.

    Args:
        delay: In milliseconds.
    """

    forwards_time = False

    def __init__(self, delay: int) -> None:
        self._delay = delay

    def forecast(self, shape: Shape | None) -> Forecast:
        return super().forecast(None) if shape is None else Forecast(True, shape=shape)

    def process_batch(self, batch: Batch) -> None:
        if len(batch):
            self.context.output.emit_batch(batch)

    def process_watermark(self, timestamp: int) -> None:
        if timestamp < MAX_WATERMARK:
            timestamp = max(timestamp - self._delay, MIN_WATERMARK)
        self.context.output.emit_watermark(timestamp)

    def process_status(self, *, idle: bool) -> None:
        self.context.output.emit_status(idle=idle)
