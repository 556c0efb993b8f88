"""The row of an aggregate of no rows at all, as SQL has it in batch mode."""

from __future__ import annotations

from typing import Any

from windrow.common.limits import MAX_WATERMARK, NO_TIMESTAMP
from windrow.elements.batch import Batch
from windrow.operators.base import Operator
from windrow.operators.redistribution import Redistribution


class DefaultRowOperator(Operator):
    """The elements as they are, or one of its own, at the end, if there was none.

    Args:
        row: That element.
    """

    redistribution = Redistribution.BROADCAST

    def __init__(self, row: Any) -> None:
        self._row = row
        self._is_empty = True

    def process_batch(self, batch: Batch) -> None:
        if len(batch):
            self._is_empty = False
            self.context.output.emit_batch(batch)

    def process_watermark(self, timestamp: int) -> None:
        if timestamp == MAX_WATERMARK and self._is_empty:
            self._is_empty = False
            self.context.output.emit(self._row, NO_TIMESTAMP)

    def snapshot(self) -> Any:
        return self._is_empty

    def restore(self, snapshot: Any) -> None:
        self._is_empty = snapshot
