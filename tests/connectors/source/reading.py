"""Driving enumerators and readers by hand."""

from collections.abc import Mapping, Sequence
from typing import Any

from windrow.common import Configuration
from windrow.connectors.source import InputStatus, ReaderInfo, SourceEvent, SourceReader, SplitEnumeratorContext
from windrow.runtime.sources.buffered_reader_output import BufferedReaderOutput, Records
from windrow.runtime.sources.reader_context import TaskReaderContext


def reader_context(subtask: int = 0, parallelism: int = 1) -> TaskReaderContext:
    """What a reader is made with."""
    return TaskReaderContext(subtask, parallelism, Configuration())


class ScriptedEnumeratorContext(SplitEnumeratorContext[Any]):
    """Keeps what the enumerator sends, by reader, and runs nothing by itself."""

    def __init__(self, parallelism: int = 1) -> None:
        self._parallelism = parallelism
        self.sent: dict[int, list[Any]] = {subtask: [] for subtask in range(parallelism)}
        self.asynchronous: list[Any] = []

    def current_parallelism(self) -> int:
        return self._parallelism

    def registered_readers(self) -> Mapping[int, ReaderInfo]:
        return {subtask: ReaderInfo(subtask) for subtask in range(self._parallelism)}

    def assign_splits(self, assignments: Mapping[int, Sequence[Any]]) -> None:
        for subtask, splits in assignments.items():
            assert "no more" not in self.sent[subtask]
            self.sent[subtask].append(list(splits))

    def signal_no_more_splits(self, subtask: int) -> None:
        self.sent[subtask].append("no more")

    def send_event_to_source_reader(self, subtask: int, event: SourceEvent) -> None:
        self.sent[subtask].append(event)

    def call_async(self, callable: Any, handler: Any, initial_delay: int = 0, period: int = 0) -> None:  # noqa: A002
        self.asynchronous.append((callable, handler))

    def run_in_coordinator_thread(self, runnable: Any) -> None:
        runnable()

    def take(self, subtask: int) -> list[Any]:
        """What was sent to a reader since the last call."""
        sent, self.sent[subtask] = self.sent[subtask], []
        return sent


def deliver(messages: list[Any], reader: SourceReader[Any, Any]) -> None:
    """Hand to a reader what an enumerator has sent."""
    for message in messages:
        if message == "no more":
            reader.notify_no_more_splits()
        elif isinstance(message, SourceEvent):
            reader.handle_source_events(message)
        else:
            reader.add_splits(message)


def polled(reader: SourceReader[Any, Any], output: BufferedReaderOutput, polls: int = 10_000) -> InputStatus:
    """Poll until there is nothing more now, or so many times; the last status."""
    status = InputStatus.MORE_AVAILABLE
    while polls and status is InputStatus.MORE_AVAILABLE:
        status, polls = reader.poll_next(output), polls - 1
    return status


def values(output: BufferedReaderOutput) -> list[Any]:
    """The records that have come since the last call, in order."""
    return [value for _, item in output.take() if isinstance(item, Records) for value in item.values]
