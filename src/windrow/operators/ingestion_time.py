"""Ingestion time: an element's timestamp is the processing time at which it came in."""

from __future__ import annotations

from typing import Any

import numpy as np

from windrow.common.limits import MAX_WATERMARK, MIN_WATERMARK
from windrow.elements.batch import Batch
from windrow.operators.base import Operator
from windrow.operators.redistribution import Redistribution


class IngestionTimeOperator(Operator):
    """Stands behind a source: stamps elements with processing time and emits watermarks that follow it.

    The watermark before elements stamped ``t`` is ``t - 1``: no element with an earlier timestamp can come any more.

    Args:
        emit_progressive: False in batch execution: the maximum is the only watermark.
    """

    forwards_time = False
    redistribution = Redistribution.SPLITS

    def __init__(self, *, emit_progressive: bool = True) -> None:
        self._emit_progressive = emit_progressive
        self._watermark = MIN_WATERMARK

    def process_batch(self, batch: Batch) -> None:
        self.advance_processing_time(self.context.time.processing_time)
        stamps = np.full(len(batch), self.context.time.processing_time, dtype=np.int64)
        self.context.output.emit_batch(Batch(batch.elements, stamps))

    def process_watermark(self, timestamp: int) -> None:
        if timestamp == MAX_WATERMARK:
            self.context.output.emit_watermark(MAX_WATERMARK)

    def advance_processing_time(self, now: int) -> None:
        if self._emit_progressive and now - 1 > self._watermark:
            self._watermark = now - 1
            self.context.output.emit_watermark(self._watermark)

    def snapshot(self) -> Any:
        return self._watermark

    def restore(self, snapshot: Any) -> None:
        self._watermark = snapshot
