"""A harness for one source reader."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import TimeoutError as FutureTimeoutError
from typing import Any, Self

from windrow.common.configuration import Configuration
from windrow.connectors.source import (
    InputStatus,
    PickleSerializer,
    Source,
    SourceEvent,
    SourceReader,
    SourceReaderContext,
    SourceSplit,
)
from windrow.datastream.output_tag import OutputTag
from windrow.elements.codec import dumps, loads
from windrow.errors import ConfigurationTypeError, shorten
from windrow.metrics import MetricGroup
from windrow.testing.outputs import Record
from windrow.testing.recording_reader import (
    RecordingReaderContext,
    RecordingReaderOutput,
    SourceItem,
    SourceRecord,
)


class SourceReaderHarness:
    """Drives a source's reader by hand: give it splits, poll it, look at what it emits and what it would keep.

    The reader is made, given the splits of ``snapshot`` if there is one, and started. Close the harness: the reader may
    have threads. It is a context manager, too.

    Args:
        source: The source, or a function that makes a reader of a ``SourceReaderContext``.
        subtask: The reader's number, from 0.
        parallelism: How many readers the source has.
        configuration: The job's configuration.
        snapshot: What to begin with, from :meth:`snapshot` of another harness.

    Example:
        >>> from windrow.connectors.source import InputStatus, SourceReader, SourceSplit, available
        >>> class Letters(SourceSplit):
        ...     def split_id(self): return "letters"
        >>> class LetterReader(SourceReader):
        ...     def start(self): self.left = []
        ...     def add_splits(self, splits): self.left = list("ab")
        ...     def poll_next(self, output):
        ...         if not self.left: return InputStatus.END_OF_INPUT
        ...         output.collect(self.left.pop(0), timestamp=5)
        ...         return InputStatus.MORE_AVAILABLE
        ...     def snapshot_state(self, checkpoint_id): return []
        ...     def is_available(self): return available()
        ...     def notify_no_more_splits(self): pass
        ...     def close(self): pass
        >>> with SourceReaderHarness(lambda context: LetterReader()) as harness:
        ...     harness.add_splits([Letters()])
        ...     harness.read_to_end()
        [SourceRecord(value='a', timestamp=5, split_id=None), SourceRecord(value='b', timestamp=5, split_id=None)]
    """

    def __init__(
        self,
        source: Source[Any, Any, Any] | Callable[[SourceReaderContext], SourceReader[Any, Any]],
        *,
        subtask: int = 0,
        parallelism: int = 1,
        configuration: Configuration | None = None,
        snapshot: bytes | None = None,
    ) -> None:
        self._context = RecordingReaderContext(subtask, parallelism, configuration)
        self._output = RecordingReaderOutput()
        if isinstance(source, Source):
            self._serializer, self._reader = source.get_split_serializer(), source.create_reader(self._context)
        else:
            self._serializer, self._reader = PickleSerializer(), source(self._context)
        if snapshot is not None:
            version, serialized = loads(snapshot)
            if serialized:
                self._reader.add_splits([self._serializer.deserialize(version, split) for split in serialized])
        self._reader.start()

    # Input

    def add_splits(self, splits: Sequence[SourceSplit]) -> None:
        """Give the reader splits, as the enumerator does."""
        self._reader.add_splits(splits)

    def notify_no_more_splits(self) -> None:
        """Tell the reader that no further splits come."""
        self._reader.notify_no_more_splits()

    def send_event(self, event: SourceEvent) -> None:
        """Send the reader an event, as the enumerator does."""
        self._reader.handle_source_events(event)

    def pause_or_resume_splits(self, to_pause: Collection[str] = (), to_resume: Collection[str] = ()) -> None:
        """Pause and resume splits, as watermark alignment does."""
        self._reader.pause_or_resume_splits(to_pause, to_resume)

    def notify_checkpoint_complete(self, checkpoint_id: int) -> None:
        """Tell the reader that what it has read is committed."""
        self._reader.notify_checkpoint_complete(checkpoint_id)

    # Polling

    def poll(self) -> InputStatus:
        """Poll once.

        Raises:
            ConfigurationTypeError: the reader did not return an InputStatus.
        """
        status = self._reader.poll_next(self._output)
        if not isinstance(status, InputStatus):
            msg = f"poll_next of {type(self._reader).__name__} must return an InputStatus; it returned {status!r}"
            raise ConfigurationTypeError(msg)
        return status

    def read(self, count: int, timeout: int = 10_000) -> list[SourceRecord]:
        """Poll until the reader has emitted ``count`` further elements, waiting while it has none; those it emitted.

        It may emit more, if it emits several at a time.

        Args:
            count: How many elements.
            timeout: Milliseconds to wait at most.

        Raises:
            TimeoutError: it has not emitted so many by then, or is at its end.
        """
        start = len(self._output.items)
        self._poll_until(lambda status: len(self._records_from(start)) >= count, f"{count} elements", timeout)
        return self._records_from(start)

    def read_to_end(self, timeout: int = 10_000) -> list[SourceRecord]:
        """Poll until END_OF_INPUT, waiting while there is nothing; the elements it emitted.

        Args:
            timeout: Milliseconds to wait at most.

        Raises:
            TimeoutError: it is not at its end by then.
        """
        start = len(self._output.items)
        self._poll_until(lambda status: status is InputStatus.END_OF_INPUT, "its end", timeout)
        return self._records_from(start)

    def wait_until_available(self, timeout: int = 10_000) -> None:
        """Wait until ``is_available`` is done.

        Raises:
            TimeoutError: it is not within ``timeout`` milliseconds.
        """
        try:
            self._reader.is_available().result(timeout / 1000)
        except FutureTimeoutError:
            msg = f"{type(self._reader).__name__} has had nothing for {timeout} ms; it has emitted {self._so_far()}"
            raise TimeoutError(msg) from None

    # Output

    @property
    def reader(self) -> SourceReader[Any, Any]:
        """The reader under test."""
        return self._reader

    @property
    def output(self) -> list[SourceItem]:
        """Elements, the source's own watermarks and statuses, and the ends of splits, in the order they came."""
        return self._output.items

    def records(self, split_id: str | None = None) -> list[SourceRecord]:
        """The elements of :attr:`output`; those of one split, if it is named."""
        return [record for record in self._records_from(0) if split_id in (None, record.split_id)]

    def values(self, split_id: str | None = None) -> list[Any]:
        """The values of :meth:`records`."""
        return [record.value for record in self.records(split_id)]

    def side_output(self, tag: OutputTag | str) -> list[Record]:
        """All elements of a side output, by its tag or the tag's id."""
        return self._output.sides.get(tag.tag_id if isinstance(tag, OutputTag) else tag, [])

    @property
    def split_requests(self) -> int:
        """The number of times that the reader has asked for a split."""
        return self._context.split_requests

    @property
    def sent_events(self) -> list[SourceEvent]:
        """The events that the reader has sent to the enumerator."""
        return self._context.sent_events

    @property
    def metrics(self) -> MetricGroup:
        """The group of the reader's metrics."""
        return self._context.metric_group()

    # State

    def splits(self) -> list[Any]:
        """The splits that the reader gives to a checkpoint now."""
        return self._reader.snapshot_state(0)

    def snapshot(self) -> bytes:
        """Those splits as the source's serializer writes them, for a new harness."""
        return dumps((self._serializer.get_version(), [self._serializer.serialize(split) for split in self.splits()]))

    def close(self) -> None:
        """Close the reader."""
        self._reader.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _poll_until(self, done: Callable[[InputStatus], bool], what: str, timeout: int) -> None:
        deadline = time.monotonic() + timeout / 1000
        while not done(status := self.poll()):
            left = int((deadline - time.monotonic()) * 1000)
            if left <= 0 or status is InputStatus.END_OF_INPUT:
                why = f"within {timeout} ms" if left <= 0 else "before its end"
                name = type(self._reader).__name__
                msg = f"{name} has not come to {what} {why}; it has emitted {self._so_far()}"
                raise TimeoutError(msg)
            if status is InputStatus.NOTHING_AVAILABLE:
                self.wait_until_available(left)

    def _records_from(self, start: int) -> list[SourceRecord]:
        return [item for item in self._output.items[start:] if isinstance(item, SourceRecord)]

    def _so_far(self) -> str:
        return shorten(self.values())
