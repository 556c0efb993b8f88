"""Reads regions of files, one after the other, in a source that monitors its paths."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Sequence
from concurrent.futures import Future
from dataclasses import replace
from typing import Any

from windrow.connectors.files.file_format import FileBatch, FileFormat, elements, in_slices
from windrow.connectors.files.split import FileSourceSplit
from windrow.connectors.source.future_notifier import FutureNotifier
from windrow.connectors.source.reader import InputStatus, ReaderOutput, SourceReader, SourceReaderContext, available
from windrow.datastream.output_tag import OutputTag

#: A poll gives so many elements at most.
ELEMENTS_PER_POLL = 1 << 15


class FileSourceReader(SourceReader[Any, FileSourceSplit]):
    """Asks for regions when it begins the last one it has, so that the next come while it reads.

    Each region has a watermark of its own until it is read.

    Args:
        context: Where it asks.
        file_format: How files become elements.
    """

    def __init__(self, context: SourceReaderContext, file_format: FileFormat) -> None:
        self._context = context
        self._format = file_format
        self._waiting: deque[FileSourceSplit] = deque()
        self._current: _RegionReader | None = None
        self._paused: set[str] = set()
        self._no_more_splits = False
        self._arrival = FutureNotifier()

    def start(self) -> None:
        if not self._waiting:
            self._context.send_split_request()

    def poll_next(self, output: ReaderOutput[Any]) -> InputStatus:
        reader = self._current or self._begin()
        if reader is None:
            return InputStatus.END_OF_INPUT if self._no_more_splits else InputStatus.NOTHING_AVAILABLE
        split_id = reader.split.split_id()
        if split_id in self._paused:
            return InputStatus.NOTHING_AVAILABLE
        batch = reader.next()
        if batch is not None:
            _emit(batch, split_id, output)
        if reader.finished:
            output.release_output_for_split(split_id)
            self._current = None
            self._paused.discard(split_id)
        return self._status()

    def _status(self) -> InputStatus:
        if self._current or self._waiting:
            return InputStatus.MORE_AVAILABLE
        return InputStatus.END_OF_INPUT if self._no_more_splits else InputStatus.NOTHING_AVAILABLE

    def _begin(self) -> _RegionReader | None:
        if not self._waiting:
            return None
        self._current = _RegionReader(self._format, self._waiting.popleft())
        if not self._waiting and not self._no_more_splits:
            self._context.send_split_request()
        return self._current

    def snapshot_state(self, checkpoint_id: int) -> list[FileSourceSplit]:
        reading = [] if self._current is None else [self._current.split]
        return [*reading, *self._waiting]

    def is_available(self) -> Future[None]:
        paused = self._current is not None and self._current.split.split_id() in self._paused
        ready = self._no_more_splits or self._current or self._waiting
        return available() if ready and not paused else self._arrival.future()

    def add_splits(self, splits: Sequence[FileSourceSplit]) -> None:
        self._waiting.extend(splits)
        self._arrival.notify_complete()

    def notify_no_more_splits(self) -> None:
        self._no_more_splits = True
        self._arrival.notify_complete()

    def pause_or_resume_splits(self, splits_to_pause: Collection[str], splits_to_resume: Collection[str]) -> None:
        self._paused = (self._paused | set(splits_to_pause)) - set(splits_to_resume)
        self._arrival.notify_complete()

    def close(self) -> None:
        if self._current is not None:
            self._current.close()


def _emit(batch: FileBatch, split_id: str, output: ReaderOutput[Any]) -> None:
    if batch.side is None:
        output.create_output_for_split(split_id).collect_batch(batch.values)
        return
    tag = OutputTag(batch.side)
    for value in batch.values:
        output.collect_side(tag, value)


class _RegionReader:
    """Reads a region, and knows how far."""

    def __init__(self, file_format: FileFormat, split: FileSourceSplit) -> None:
        #: What is left of the region, unless it is finished.
        self.split = split
        self._batches = in_slices(elements(file_format, split), ELEMENTS_PER_POLL)
        self._following = next(self._batches, None)

    @property
    def finished(self) -> bool:
        """True once all was read."""
        return self._following is None

    def next(self) -> FileBatch | None:
        """The next elements; None at the region's end."""
        if self._following is None:
            return None
        (_, batch), self._following = self._following, next(self._batches, None)
        if self._following is not None:
            limit = None if self.split.limit is None else self.split.limit - len(batch.values)
            self.split = replace(self.split, position=self._following[0], limit=limit)
        return batch

    def close(self) -> None:
        """Close the file."""
        self._batches.close()
