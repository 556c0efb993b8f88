"""Serves a source reader under test: an output and a context that keep everything."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from windrow.common.configuration import Configuration
from windrow.common.limits import NO_TIMESTAMP
from windrow.common.watermark import Watermark
from windrow.connectors.source import ReaderOutput, SourceEvent, SourceOutput, SourceReaderContext
from windrow.datastream.output_tag import OutputTag
from windrow.metrics import MetricGroup
from windrow.testing.outputs import Record, StatusOut, WatermarkOut


class SourceRecord(NamedTuple):
    """An element that a reader has emitted.

    ``timestamp`` is in milliseconds, ``NO_TIMESTAMP`` if the source gave none; ``split_id`` is None for one that was
    emitted to the output of the whole reader.
    """

    value: Any
    timestamp: int
    split_id: str | None


class SourceMark(NamedTuple):
    """A watermark or status of the source's own; ``split_id`` is None for one of the whole reader."""

    mark: WatermarkOut | StatusOut
    split_id: str | None


class SplitRelease(NamedTuple):
    """A split was read to its end."""

    split_id: str


SourceItem = SourceRecord | SourceMark | SplitRelease


class RecordingReaderOutput(ReaderOutput[Any]):
    """A reader's output, or that of one of its splits: all of them write into one list."""

    def __init__(self, whole: RecordingReaderOutput | None = None, split_id: str | None = None) -> None:
        self.items: list[SourceItem] = [] if whole is None else whole.items
        self.sides: dict[str, list[Record]] = {} if whole is None else whole.sides
        self._split_id = split_id
        self._of_splits: dict[str, RecordingReaderOutput] = {}

    def create_output_for_split(self, split_id: str) -> SourceOutput[Any]:
        return self._of_splits.setdefault(split_id, RecordingReaderOutput(self, split_id))

    def release_output_for_split(self, split_id: str) -> None:
        self._of_splits.pop(split_id, None)
        self.items.append(SplitRelease(split_id))

    def collect(self, record: Any, timestamp: int = NO_TIMESTAMP) -> None:
        self.items.append(SourceRecord(record, timestamp, self._split_id))

    def collect_batch(self, records: Sequence[Any], timestamps: Sequence[int] | None = None) -> None:
        times = [NO_TIMESTAMP] * len(records) if timestamps is None else timestamps
        self.items += [
            SourceRecord(record, int(time), self._split_id) for record, time in zip(records, times, strict=True)
        ]

    def collect_side(self, tag: OutputTag, value: Any, timestamp: int = NO_TIMESTAMP) -> None:
        self.sides.setdefault(tag.tag_id, []).append(Record(value, timestamp))

    def emit_watermark(self, watermark: Watermark) -> None:
        self.items.append(SourceMark(WatermarkOut(watermark.timestamp), self._split_id))

    def mark_idle(self) -> None:
        self.items.append(SourceMark(StatusOut(idle=True), self._split_id))

    def mark_active(self) -> None:
        self.items.append(SourceMark(StatusOut(idle=False), self._split_id))


class RecordingReaderContext(SourceReaderContext):
    """Counts a reader's split requests and keeps its events."""

    def __init__(self, subtask: int, parallelism: int, configuration: Configuration | None) -> None:
        self.split_requests = 0
        self.sent_events: list[SourceEvent] = []
        self._subtask = subtask
        self._parallelism = parallelism
        self._configuration = configuration or Configuration()
        self._metrics = MetricGroup()

    def get_index_of_subtask(self) -> int:
        return self._subtask

    def current_parallelism(self) -> int:
        return self._parallelism

    def get_local_host_name(self) -> str:
        return "localhost"

    def get_configuration(self) -> Configuration:
        return self._configuration

    def metric_group(self) -> MetricGroup:
        return self._metrics

    def send_split_request(self) -> None:
        self.split_requests += 1

    def send_source_event_to_coordinator(self, source_event: SourceEvent) -> None:
        self.sent_events.append(source_event)
