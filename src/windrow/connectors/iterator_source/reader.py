"""Reads splits by iterating over their parts."""

from __future__ import annotations

from abc import abstractmethod
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from dataclasses import replace
from itertools import islice
from typing import Any

from windrow.common.watermark import Watermark
from windrow.connectors.iterator_source.split import IteratorSourceSplit, SourceBatch
from windrow.connectors.source.future_notifier import FutureNotifier
from windrow.connectors.source.reader import InputStatus, ReaderOutput, SourceOutput, SourceReader, available
from windrow.datastream.output_tag import OutputTag
from windrow.errors import UsageError

#: A poll goes on until it has given so many elements, and no batch that it gives is longer.
ELEMENTS_PER_POLL = 1 << 15


class ScriptedTimeOutput(ReaderOutput[Any]):
    """The output of a job whose source says what time it is."""

    @abstractmethod
    def advance_processing_time(self, now: int) -> None:
        """Processing time is ``now`` behind all that was emitted, in milliseconds."""


class IteratorSourceReader(SourceReader[Any, IteratorSourceSplit]):
    """Reads splits, several of them in turn (Flink's ``IteratorSourceReader``)."""

    def __init__(self) -> None:
        self._splits: deque[_SplitReading] = deque()
        self._no_more_splits = False
        self._arrival = FutureNotifier()

    def start(self) -> None:
        """Splits come unasked."""

    def poll_next(self, output: ReaderOutput[Any]) -> InputStatus:
        if self._splits:
            split = self._splits.popleft()
            if _read(split, output):
                self._splits.append(split)
            else:
                output.release_output_for_split(split.split_id)
        if self._splits:
            return InputStatus.MORE_AVAILABLE
        return InputStatus.END_OF_INPUT if self._no_more_splits else InputStatus.NOTHING_AVAILABLE

    def snapshot_state(self, checkpoint_id: int) -> list[IteratorSourceSplit]:
        return [split.position() for split in self._splits]

    def is_available(self) -> Future[None]:
        return available() if self._splits or self._no_more_splits else self._arrival.future()

    def add_splits(self, splits: Sequence[IteratorSourceSplit]) -> None:
        self._splits.extend(map(_SplitReading, splits))
        self._arrival.notify_complete()

    def notify_no_more_splits(self) -> None:
        self._no_more_splits = True
        self._arrival.notify_complete()

    def close(self) -> None:
        self._splits.clear()


class _SplitReading:
    """Reads one split from its position on."""

    def __init__(self, split: IteratorSourceSplit) -> None:
        self.split_id = split.split_id()
        self._split = split
        self._parts = deque(split.splits)
        self._batches_read = split.batches_read
        self._elements_read = split.elements_read
        self._batches: Iterator[SourceBatch] | None = None
        #: The batch that is being given out.
        self._batch: SourceBatch | None = None

    def position(self) -> IteratorSourceSplit:
        return replace(
            self._split,
            splits=tuple(self._parts),
            batches_read=self._batches_read,
            elements_read=self._elements_read,
        )

    def next(self) -> SourceBatch | None:
        """The next elements; None at the end of the split."""
        batch = self._next_batch()
        if batch is None:
            return None
        start, stop, count = self._elements_read, self._elements_read + ELEMENTS_PER_POLL, len(batch.values)
        if stop < count:
            self._elements_read = stop
            return _cut(batch, start, stop)._replace(watermark=None, processing_time=None)
        self._batch = None
        self._batches_read, self._elements_read = self._batches_read + 1, 0
        return _cut(batch, start, count) if start else batch

    def _next_batch(self) -> SourceBatch | None:
        while self._batch is None and self._parts:
            if self._batches is None:
                self._batches = islice(self._parts[0].read(), self._batches_read, None)
            self._batch = next(self._batches, None)
            if self._batch is None:
                self._parts.popleft()
                self._batches, self._batches_read, self._elements_read = None, 0, 0
        return self._batch


def _cut(batch: SourceBatch, start: int, stop: int) -> SourceBatch:
    timestamps = None if batch.timestamps is None else batch.timestamps[start:stop]
    return batch._replace(values=batch.values[start:stop], timestamps=timestamps)


def _read(split: _SplitReading, output: ReaderOutput[Any]) -> bool:
    """Give the next elements; False at the end of the split."""
    of_split = output.create_output_for_split(split.split_id)
    given = 0
    while given < ELEMENTS_PER_POLL:
        batch = split.next()
        if batch is None:
            return False
        _emit(batch, output, of_split)
        given += len(batch.values) or 1
    return True


def _emit(batch: SourceBatch, output: ReaderOutput[Any], of_split: SourceOutput[Any]) -> None:
    if batch.side is not None:
        tag = OutputTag(batch.side)
        for value in batch.values:
            of_split.collect_side(tag, value)
    else:
        of_split.collect_batch(batch.values, batch.timestamps)
    if batch.watermark is not None:
        of_split.emit_watermark(Watermark(batch.watermark))
    if batch.processing_time is not None:
        if not isinstance(output, ScriptedTimeOutput):
            msg = "a source that sets processing time can be no part of another source; give it to from_source"
            raise UsageError(msg)
        output.advance_processing_time(batch.processing_time)
