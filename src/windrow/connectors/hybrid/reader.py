"""Runs the readers of a hybrid source's sources, one after the other."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from windrow.connectors.hybrid.messages import (
    HybridSourceSplit,
    NoMoreSplitsEvent,
    SourceReaderFinishedEvent,
    SwitchSourceEvent,
    UnderlyingEvent,
)
from windrow.connectors.hybrid.reader_context import UnderlyingReaderContext
from windrow.connectors.hybrid.source_list import SourceListEntry
from windrow.connectors.hybrid.underlying_output import UnderlyingOutput
from windrow.connectors.source import (
    InputStatus,
    ReaderOutput,
    Source,
    SourceEvent,
    SourceReader,
    SourceReaderContext,
    available,
)
from windrow.connectors.source.future_notifier import FutureNotifier
from windrow.errors import UsageError


@dataclass
class _Current:
    """The source that is being read."""

    index: int
    source: Source[Any, Any, Any]
    #: The same, if a factory has made it.
    made: Source[Any, Any, Any] | None
    reader: SourceReader[Any, Any]
    output: UnderlyingOutput
    final: bool
    no_more_splits: bool = False
    #: Whether it is read to its end, and another one follows.
    finished: bool = False


class HybridSourceReader(SourceReader[Any, HybridSourceSplit]):
    """Reads the source that it was told to read last (Flink's class of the same name)."""

    def __init__(self, sources: Sequence[SourceListEntry], context: SourceReaderContext) -> None:
        self._sources = sources
        self._context = context
        self._current: _Current | None = None
        self._started = False
        self._asked = False
        #: Whether the last source has no more splits for this reader.
        self._no_more_splits = False
        self._switched = FutureNotifier()

    def start(self) -> None:
        self._started = True
        current = self._current
        if current is None:
            return
        current.reader.start()
        if current.no_more_splits:
            current.reader.notify_no_more_splits()
        elif not current.final:
            self._ask(current.index - 1)  # it may have been said that there are no more splits

    def poll_next(self, output: ReaderOutput[Any]) -> InputStatus:
        current = self._current
        if current is None:
            if self._no_more_splits:
                return InputStatus.END_OF_INPUT
            if not self._asked:
                self._ask(-1)
            return InputStatus.NOTHING_AVAILABLE
        if current.final:
            return current.reader.poll_next(output)
        if current.finished:
            return InputStatus.NOTHING_AVAILABLE
        current.output.output = output
        status = current.reader.poll_next(current.output)
        if status is not InputStatus.END_OF_INPUT:
            return status
        current.finished = True
        current.output.release_all()
        self._context.send_source_event_to_coordinator(SourceReaderFinishedEvent(current.index))
        return InputStatus.NOTHING_AVAILABLE

    def snapshot_state(self, checkpoint_id: int) -> list[HybridSourceSplit]:
        current = self._current
        if current is None or current.finished:
            return []
        serializer = current.source.get_split_serializer()
        version = serializer.get_version()
        return [
            HybridSourceSplit(
                split.split_id(),
                current.index,
                current.made,
                serializer.serialize(split),
                version,
                current.no_more_splits,
            )
            for split in current.reader.snapshot_state(checkpoint_id)
        ]

    def is_available(self) -> Future[None]:
        current = self._current
        if current is None:
            return available() if self._no_more_splits else self._switched.future()
        return self._switched.future() if current.finished else current.reader.is_available()

    def add_splits(self, splits: Sequence[HybridSourceSplit]) -> None:
        if not splits:
            return
        first = splits[0]
        current = self._at(first.source_index, first.source)
        serializer = current.source.get_split_serializer()
        current.no_more_splits |= first.no_more_splits
        current.output.add_splits(split.split_id() for split in splits)
        current.reader.add_splits(
            [serializer.deserialize(split.serializer_version, split.wrapped_split) for split in splits]
        )

    def notify_no_more_splits(self) -> None:
        self._no_more_splits = True
        if self._current is not None and self._current.final:
            self._current.reader.notify_no_more_splits()
        self._switched.notify_complete()

    def handle_source_events(self, source_event: SourceEvent) -> None:
        if not isinstance(source_event, SwitchSourceEvent):
            msg = f"a hybrid source's reader got {source_event!r}, which its enumerator does not send"
            raise UsageError(msg)
        if self._current is not None and source_event.source_index < self._current.index:
            return  # said again to a reader that was made anew, and has gone on since
        current = self._at(source_event.source_index, source_event.source)
        if isinstance(source_event, NoMoreSplitsEvent) and not current.no_more_splits:
            current.no_more_splits = True
            current.reader.notify_no_more_splits()
        elif isinstance(source_event, UnderlyingEvent):
            current.reader.handle_source_events(source_event.event)

    def notify_checkpoint_complete(self, checkpoint_id: int) -> None:
        if self._current is not None:
            self._current.reader.notify_checkpoint_complete(checkpoint_id)

    def pause_or_resume_splits(self, splits_to_pause: Collection[str], splits_to_resume: Collection[str]) -> None:
        if self._current is not None:
            self._current.reader.pause_or_resume_splits(splits_to_pause, splits_to_resume)

    def pending_records(self) -> Mapping[str, int]:
        return {} if self._current is None or self._current.finished else self._current.reader.pending_records()

    def close(self) -> None:
        if self._current is not None:
            self._current.reader.close()

    def _at(self, index: int, made: Source[Any, Any, Any] | None) -> _Current:
        """The current source, after going on to the source ``index`` if it is another one."""
        current = self._current
        if current is not None and current.index == index:
            return current
        if current is not None:
            # It has given all it has, even where that is not known here: a batch that is run again is polled for its
            # records only, and that their end was reported was recorded with them.
            current.reader.close()
        source = self._sources[index].source() if made is None else made
        reader, output = source.create_reader(UnderlyingReaderContext(self._context, index)), UnderlyingOutput(index)
        self._current = current = _Current(index, source, made, reader, output, index == len(self._sources) - 1)
        if self._started:
            reader.start()
        self._switched.notify_complete()
        return current

    def _ask(self, index: int) -> None:
        """Have the enumerator say again what comes after the source ``index``."""
        self._asked = True
        self._context.send_source_event_to_coordinator(SourceReaderFinishedEvent(index))
