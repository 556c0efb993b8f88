"""Serves the enumerator of one of a hybrid source's sources."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from windrow.connectors.hybrid.messages import (
    HybridSourceSplit,
    NoMoreSplitsEvent,
    SwitchSourceEvent,
    UnderlyingEvent,
)
from windrow.connectors.source import ReaderInfo, Source, SourceEvent, SplitEnumeratorContext


class UnderlyingEnumeratorContext(SplitEnumeratorContext[Any]):
    """Wraps what the enumerator of one source sends, until another source takes its place.

    Args:
        context: The hybrid source's own.
        source: The source.
        source_index: Its place.
        made: The source, if a factory has made it: its splits and events carry it then.
        final: Whether it is the last one.
    """

    def __init__(
        self,
        context: SplitEnumeratorContext[HybridSourceSplit],
        source: Source[Any, Any, Any],
        source_index: int,
        made: Source[Any, Any, Any] | None,
        *,
        final: bool,
    ) -> None:
        self._context = context
        self._serializer = source.get_split_serializer()
        self._index = source_index
        self._made = made
        self._final = final
        #: Whether the hybrid source has gone on to the next source.
        self.retired = False

    def switch_reader(self, subtask: int) -> None:
        """Tell a reader that this source is read now."""
        self._context.send_event_to_source_reader(subtask, SwitchSourceEvent(self._index, self._made))

    def unwrap(self, split: HybridSourceSplit) -> Any:
        """The source's own split."""
        return self._serializer.deserialize(split.serializer_version, split.wrapped_split)

    def current_parallelism(self) -> int:
        return self._context.current_parallelism()

    def registered_readers(self) -> Mapping[int, ReaderInfo]:
        return self._context.registered_readers()

    def assign_splits(self, assignments: Mapping[int, Sequence[Any]]) -> None:
        version = self._serializer.get_version()
        wrapped = {
            subtask: [
                HybridSourceSplit(split.split_id(), self._index, self._made, self._serializer.serialize(split), version)
                for split in splits
            ]
            for subtask, splits in assignments.items()
        }
        self._context.assign_splits(wrapped)

    def signal_no_more_splits(self, subtask: int) -> None:
        if self._final:
            self._context.signal_no_more_splits(subtask)
        else:
            self._context.send_event_to_source_reader(subtask, NoMoreSplitsEvent(self._index, self._made))

    def send_event_to_source_reader(self, subtask: int, event: SourceEvent) -> None:
        self._context.send_event_to_source_reader(subtask, UnderlyingEvent(self._index, self._made, event))

    def call_async(
        self,
        callable: Callable[[], Any],  # noqa: A002  (Flink's name)
        handler: Callable[[Any, BaseException | None], None],
        initial_delay: int = 0,
        period: int = 0,
    ) -> None:
        def call() -> Any:
            return None if self.retired else callable()

        def handle(result: Any, error: BaseException | None) -> None:
            if not self.retired:
                handler(result, error)

        self._context.call_async(call, handle, initial_delay, period)

    def run_in_coordinator_thread(self, runnable: Callable[[], None]) -> None:
        def run() -> None:
            if not self.retired:
                runnable()

        self._context.run_in_coordinator_thread(run)
