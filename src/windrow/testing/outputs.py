"""The items that an operator under test has emitted."""

from __future__ import annotations

from typing import Any, NamedTuple

from windrow.elements.batch import Batch


class Record(NamedTuple):
    """An element that was emitted; ``timestamp`` is in milliseconds, ``NO_TIMESTAMP`` if it has none."""

    value: Any
    timestamp: int


class WatermarkOut(NamedTuple):
    """A watermark that went on to the next operator."""

    watermark: int


class StatusOut(NamedTuple):
    """The stream became idle, or active again."""

    idle: bool


OutputItem = Record | WatermarkOut | StatusOut


class RecordingOutput:
    """An operator's output that keeps everything, in order."""

    def __init__(self) -> None:
        self.items: list[OutputItem] = []
        self.sides: dict[str, list[Record]] = {}

    def emit(self, value: Any, timestamp: int) -> None:
        self.items.append(Record(value, timestamp))

    def emit_batch(self, batch: Batch) -> None:
        self.items.extend(map(Record, batch.elements, batch.timestamp_list()))

    def emit_side(self, tag_id: str, value: Any, timestamp: int) -> None:
        self.sides.setdefault(tag_id, []).append(Record(value, timestamp))

    def emit_watermark(self, timestamp: int) -> None:
        self.items.append(WatermarkOut(timestamp))

    def emit_status(self, *, idle: bool) -> None:
        self.items.append(StatusOut(idle))
