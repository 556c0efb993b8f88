"""Runs the enumerators of a hybrid source's sources, one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from windrow.connectors.hybrid.enumerator_context import UnderlyingEnumeratorContext
from windrow.connectors.hybrid.messages import (
    HybridSourceSplit,
    SourceReaderFinishedEvent,
    SplitRequestEvent,
    UnderlyingReaderEvent,
)
from windrow.connectors.hybrid.source_list import SourceListEntry, SourceSwitchContext
from windrow.connectors.source import Source, SourceEvent, SplitEnumerator, SplitEnumeratorContext
from windrow.errors import UsageError


@dataclass(frozen=True)
class HybridSourceEnumeratorState:
    """Flink's class of the same name, and what Flink makes anew after a restart: the source that a factory made."""

    source_index: int
    source: Source[Any, Any, Any] | None
    #: The checkpoint of the source's own enumerator, as its serializer has written it.
    wrapped_state: bytes
    serializer_version: int
    #: The readers that have read all of the source.
    finished_readers: frozenset[int]
    #: How many readers there were; 0: as many as there are.
    parallelism: int = 0


class HybridSourceSplitEnumerator(SplitEnumerator[HybridSourceSplit, HybridSourceEnumeratorState]):
    """Goes on to the next source when all readers have read the current one (Flink's class of the same name)."""

    _context: UnderlyingEnumeratorContext
    _enumerator: SplitEnumerator[Any, Any]
    _source: Source[Any, Any, Any]
    #: The source, if a factory has made it.
    _made: Source[Any, Any, Any] | None

    def __init__(
        self,
        hybrid_context: SplitEnumeratorContext[HybridSourceSplit],
        sources: Sequence[SourceListEntry],
        restored: HybridSourceEnumeratorState | None = None,
    ) -> None:
        self._hybrid_context = hybrid_context
        self._sources = sources
        self._restored = restored
        self._index = -1
        self._finished: set[int] = set()

    @property
    def _is_final(self) -> bool:
        return self._index == len(self._sources) - 1

    def start(self) -> None:
        restored, self._restored = self._restored, None
        if restored is None:
            self._begin(0, self._sources[0].make(SourceSwitchContext(None)))
            self._enumerator = self._source.create_enumerator(self._context)
        else:
            # Others have other splits: who has none asks, and finds that nothing is left.
            same = restored.parallelism in (0, self._hybrid_context.current_parallelism())
            self._finished = set(restored.finished_readers) if same else set()
            self._begin(restored.source_index, restored.source or self._sources[restored.source_index].source())
            serializer = self._source.get_enumerator_checkpoint_serializer()
            checkpoint = serializer.deserialize(restored.serializer_version, restored.wrapped_state)
            self._enumerator = self._source.restore_enumerator(self._context, checkpoint)
        self._enumerator.start()

    def handle_split_request(self, subtask_id: int, requester_hostname: str | None) -> None:
        """Readers ask with an event, which says for which source."""
        msg = f"reader {subtask_id} of a hybrid source asked for a split without saying for which source"
        raise UsageError(msg)

    def add_splits_back(self, splits: Sequence[HybridSourceSplit], subtask_id: int) -> None:
        passed = [split.split_id() for split in splits if split.source_index != self._index]
        if passed:
            msg = f"splits {passed} of reader {subtask_id} came back, but all readers had read their source"
            raise UsageError(msg)
        self._finished.discard(subtask_id)
        self._enumerator.add_splits_back([self._context.unwrap(split) for split in splits], subtask_id)

    def add_reader(self, subtask_id: int) -> None:
        if subtask_id not in self._finished:
            self._context.switch_reader(subtask_id)
            self._enumerator.add_reader(subtask_id)

    def snapshot_state(self, checkpoint_id: int) -> HybridSourceEnumeratorState:
        serializer = self._source.get_enumerator_checkpoint_serializer()
        return HybridSourceEnumeratorState(
            self._index,
            self._made,
            serializer.serialize(self._enumerator.snapshot_state(checkpoint_id)),
            serializer.get_version(),
            frozenset(self._finished),
            self._hybrid_context.current_parallelism(),
        )

    def close(self) -> None:
        if self._index >= 0:
            self._context.retired = True
            self._enumerator.close()

    def handle_source_event(self, subtask_id: int, source_event: SourceEvent) -> None:
        match source_event:
            case SplitRequestEvent(index, host):
                if index == self._index and subtask_id not in self._finished:
                    self._enumerator.handle_split_request(subtask_id, host)
            case UnderlyingReaderEvent(index, event):
                if index == self._index:
                    self._enumerator.handle_source_event(subtask_id, event)
            case SourceReaderFinishedEvent(index):
                self._reader_finished(subtask_id, index)
            case _:
                super().handle_source_event(subtask_id, source_event)

    def notify_checkpoint_complete(self, checkpoint_id: int) -> None:
        self._enumerator.notify_checkpoint_complete(checkpoint_id)

    def _reader_finished(self, subtask: int, index: int) -> None:
        if index < self._index:
            self.add_reader(subtask)  # made anew, it has lost what it was told
        elif not self._is_final:
            self._finished.add(subtask)
            if len(self._finished) == self._hybrid_context.current_parallelism():
                self._switch()

    def _switch(self) -> None:
        """Go on to the next source."""
        context, enumerator = self._context, self._enumerator
        self._begin(self._index + 1, self._sources[self._index + 1].make(SourceSwitchContext(enumerator)))
        context.retired = True
        enumerator.close()
        self._finished.clear()
        self._enumerator = self._source.create_enumerator(self._context)
        self._enumerator.start()
        for subtask in self._hybrid_context.registered_readers():
            self.add_reader(subtask)

    def _begin(self, index: int, source: Source[Any, Any, Any]) -> None:
        self._index, self._source = index, source
        self._made = None if self._sources[index].is_given else source
        self._context = UnderlyingEnumeratorContext(
            self._hybrid_context, source, index, self._made, final=self._is_final
        )
