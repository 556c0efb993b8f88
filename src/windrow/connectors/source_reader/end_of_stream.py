"""The output of a split that one of its elements may end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from windrow.common.limits import NO_TIMESTAMP
from windrow.common.watermark import Watermark
from windrow.connectors.source.reader import SourceOutput
from windrow.connectors.source_reader.record_emitter import RecordEvaluator
from windrow.datastream.output_tag import OutputTag

T = TypeVar("T")


class EndOfStreamOutput(SourceOutput[T]):
    """Passes everything on, until an element says that the split ends; that one and all later ones are dropped."""

    def __init__(self, output: SourceOutput[T], evaluator: RecordEvaluator[T]) -> None:
        self.ended = False
        self._output = output
        self._is_end = evaluator.is_end_of_stream

    def collect(self, record: T, timestamp: int = NO_TIMESTAMP) -> None:
        self.ended = self.ended or bool(self._is_end(record))
        if not self.ended:
            self._output.collect(record, timestamp)

    def collect_batch(self, records: Sequence[T], timestamps: Sequence[int] | None = None) -> None:
        if self.ended:
            return
        end = next((place for place, record in enumerate(records) if self._is_end(record)), None)
        if end is not None:
            self.ended = True
            records, timestamps = records[:end], None if timestamps is None else timestamps[:end]
        self._output.collect_batch(records, timestamps)

    def collect_side(self, tag: OutputTag, value: Any, timestamp: int = NO_TIMESTAMP) -> None:
        if not self.ended:
            self._output.collect_side(tag, value, timestamp)

    def emit_watermark(self, watermark: Watermark) -> None:
        if not self.ended:
            self._output.emit_watermark(watermark)

    def mark_idle(self) -> None:
        self._output.mark_idle()

    def mark_active(self) -> None:
        self._output.mark_active()
