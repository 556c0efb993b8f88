"""Runs the reader of one channel whose parts a runtime deals, batch after batch, with the operators behind it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from windrow.common.limits import NO_TIMESTAMP
from windrow.connectors.iterator_source import IteratorSource, IteratorSourceSplit, ScriptedTimeOutput, SplitPart
from windrow.connectors.source import InputStatus, SourceReader
from windrow.elements.batch import EMPTY, Batch
from windrow.errors import MalformedInputError
from windrow.graph.job_graph import Entry, JobGraph
from windrow.operators.user_function import NamingErrors
from windrow.runtime.sources.buffered_reader_output import BufferedReaderOutput, Item, Records, Side, length
from windrow.runtime.sources.reader_context import TaskReaderContext
from windrow.runtime.sources.reading import poll
from windrow.runtime.stage.chunk import ChunkRow, ProcessingTime, no_timestamps
from windrow.runtime.stage.task import StageTask
from windrow.state.page_store import PageStore


class DealtReaderTask:
    """One reader of an :class:`IteratorSource`.

    What is dealt to it in a batch it reads to the end, so a batch that is run again reads the same, and nothing has to
    be kept of the reader. Its channel's watermarks are made by operators.

    Args:
        entry: The source's.
        job: The job.
        channel: Which of the source's channels.
    """

    def __init__(self, entry: Entry, job: JobGraph, channel: int) -> None:
        assert isinstance(entry.source, IteratorSource)
        self._source: IteratorSource = entry.source
        self._name = entry.node.name
        self._channel = channel
        self._scripted_time = job.scripted_time
        self._context = TaskReaderContext(channel, entry.subtasks, job.configuration, self._name)
        self._output = _DealtOutput()
        self._reader: SourceReader[Any, Any] | None = None
        self.task = StageTask(entry, job, channel)

    def run(
        self, parts: Iterable[SplitPart], store: PageStore, now: int, *, end: bool = False, tick: bool = False
    ) -> Iterator[ChunkRow]:
        """Read ``parts``, the channel's next ones; ``end`` says that no more will come.

        Watermarks follow elements, wherever a batch is cut; only a ``tick`` makes them follow processing time too.

        Raises:
            MalformedInputError: a line cannot be parsed.
            UserFunctionError: a format or a source of the user's own raised.
        """
        task = self.task
        if self._scripted_time:
            now = 0
        task.attach(store)
        if tick:
            task.advance_processing_time(now)
        else:
            task.set_processing_time(now)
        sequence = read = 0
        for item in self._read(parts, end=end):
            self._feed(item)
            read += length(item)
            if read >= task.elements_per_chunk:
                yield from task.finish(now, sequence=sequence, channel=self._channel)
                sequence, read = sequence + 1, 0
        if end:
            task.end_of_input()
        task.end_of_batch()
        task.detach(store)
        yield from task.finish(now, sequence=sequence, channel=self._channel)
        task.close_at_end()

    def close(self) -> None:
        """Close the reader and the functions behind it."""
        reader, self._reader = self._reader, None
        try:
            if reader is not None:
                with NamingErrors(self._name, "close of its reader"):
                    reader.close()
        finally:
            self.task.close()

    def _read(self, parts: Iterable[SplitPart], *, end: bool) -> Iterator[Item]:
        with NamingErrors(self._name, "its reader"):
            reader = self._ready()
        for part in parts:
            with NamingErrors(self._name, "its reader"):
                reader.add_splits([IteratorSourceSplit(self._channel, (part,))])
            yield from self._drain(reader)
        if end:
            with NamingErrors(self._name, "its reader"):
                reader.notify_no_more_splits()
            yield from self._drain(reader)

    def _drain(self, reader: SourceReader[Any, Any]) -> Iterator[Item]:
        """All that the reader gives of what it has."""
        status = InputStatus.MORE_AVAILABLE
        while status is InputStatus.MORE_AVAILABLE:
            try:
                with self.task.chain.parts.work_of(self.task.entry.node):
                    status = poll(self._name, reader, self._output)
            except MalformedInputError as error:
                raise error.in_source(self._name)  # noqa: B904  (it is the error that was caught)
            for _, item in self._output.take():
                yield item

    def _ready(self) -> SourceReader[Any, Any]:
        if self._reader is None:
            self._reader = self._source.create_reader(self._context)
            self._reader.start()
        return self._reader

    def _feed(self, item: Any) -> None:
        task = self.task
        if isinstance(item, Records):
            values, timestamps = item
            task.step(0, Batch(values, no_timestamps(len(values)) if timestamps is None else timestamps), None)
        elif isinstance(item, Side):
            task.chain.source_output.emit_side(item.tag_id, item.value, NO_TIMESTAMP)
            task.chain.source_output.flush()
        elif item != "release":  # the part was read; its channel goes on
            task.step(0, EMPTY, item)


class _DealtOutput(BufferedReaderOutput, ScriptedTimeOutput):
    """Keeps the time that a source says in its place among the elements."""

    def advance_processing_time(self, now: int) -> None:
        self.add(None, ProcessingTime(now))
