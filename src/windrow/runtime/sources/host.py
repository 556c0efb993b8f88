"""All of the sources that runs in this process."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack

from windrow.connectors.interfaces import SourceBatch, Split
from windrow.elements.batch import EMPTY, Batch
from windrow.errors import MalformedInputError
from windrow.graph.job_graph import JobGraph
from windrow.operators.user_function import NamingErrors
from windrow.runtime.sources.messages import MessagesBySource, ToReader
from windrow.runtime.sources.read_record import ReadRecords
from windrow.runtime.sources.reader_task import ReaderTask
from windrow.runtime.sources.reading import ReadSettings
from windrow.runtime.stage.chunk import ELEMENTS_PER_CHUNK, ChunkRow, ProcessingTime, no_timestamps
from windrow.runtime.stage.host import StageHost
from windrow.runtime.stage.task import StageTask, has_ended
from windrow.state.page_store import PageStore


class SourceHost(StageHost[int]):
    """The chains behind the sources, one per channel, and the readers of those that have some.

    Args:
        job: The job.
        settings: How much a reader reads in a batch.
        records: Where is written down what a batch has read; None: no batch is ever run again.
    """

    def __init__(self, job: JobGraph, settings: ReadSettings | None = None, records: ReadRecords | None = None) -> None:
        super().__init__(job)
        self._entries = {channel: entry for entry in job.levels[0] for channel in entry.source_channels}
        self._readers: dict[int, ReaderTask] = {}
        self._settings = settings or ReadSettings()
        self._records = records

    def run(
        self, number: int, splits: Iterable[Split], store: PageStore, now: int, *, end: bool = False, tick: bool = False
    ) -> Iterator[ChunkRow]:
        """Read ``splits``, the next ones of channel ``number``; ``end`` says that no more will come.

        Watermarks follow elements, wherever a batch is cut; only a ``tick`` makes them follow processing time too.
        """
        entry = self._entries[number]
        channel = number - entry.first_channel
        if self._job.scripted_time:
            now = 0
        task = self._task(number, entry, channel, store)
        if task is None:
            return
        task.attach(store)
        if tick:
            task.advance_processing_time(now)
        else:
            task.set_processing_time(now)
        sequence = read = 0
        for split in splits:
            for batch in batches_of(split, entry.node.name):
                for part in _parts(batch):
                    _feed(task, part)
                    read += len(part.values)
                    if read >= ELEMENTS_PER_CHUNK:
                        yield from task.finish(now, sequence=sequence, channel=channel)
                        sequence, read = sequence + 1, 0
        if end:
            task.end_of_input()
        task.end_of_batch()
        task.detach(store)
        yield from task.finish(now, sequence=sequence, channel=channel)

    def run_reader(
        self, number: int, messages: Iterable[ToReader], store: PageStore, now: int, *, end: bool = False
    ) -> Iterator[ChunkRow]:
        """Let the reader of channel ``number`` read a batch, behind what the enumerator has sent to it."""
        entry = self._entries[number]
        reader = self._readers.get(number)
        if reader is None or reader.task.closed:
            if has_ended(entry, store):
                return
            reader = ReaderTask(entry, self._job, number - entry.first_channel, self._settings, self._records)
            self._readers[number], self._tasks[number] = reader, reader.task
        yield from reader.run(messages, store, now, end=end)

    def take_sent(self) -> MessagesBySource:
        """What readers have sent to their enumerators since the last call."""
        sent: MessagesBySource = {}
        for number, reader in self._readers.items():
            messages = reader.take_sent()
            if messages:
                entry = self._entries[number]
                sent.setdefault(entry.node.tag, {})[number - entry.first_channel] = messages
        return sent

    def close(self) -> None:
        with ExitStack() as closing:
            closing.callback(super().close)
            for reader in self._readers.values():
                closing.callback(reader.close)


def batches_of(split: Split, source: str) -> Iterator[SourceBatch]:
    """What the split reads; an error in reading names the source.

    Raises:
        MalformedInputError: a line cannot be parsed.
        UserFunctionError: a format or a source of the user's own raised.
    """
    naming = NamingErrors(source, "its reader")
    with naming:
        reading = iter(split.read())
    while True:
        try:
            with naming:
                batch = next(reading, None)
        except MalformedInputError as error:
            raise error.in_source(source)  # noqa: B904  (it is the error that was caught)
        if batch is None:
            return
        yield batch


def _parts(batch: SourceBatch) -> Iterator[SourceBatch]:
    """A batch in parts of a chunk's size; what stands behind its elements stands behind the last part."""
    count, size = len(batch.values), ELEMENTS_PER_CHUNK
    for start in range(0, count - size, size):
        yield _slice(batch, start, start + size)._replace(watermark=None, processing_time=None)
    yield _slice(batch, max(0, (count - 1) // size * size), count) if count > size else batch


def _slice(batch: SourceBatch, start: int, end: int) -> SourceBatch:
    timestamps = None if batch.timestamps is None else batch.timestamps[start:end]
    return batch._replace(values=batch.values[start:end], timestamps=timestamps)


def _feed(task: StageTask, batch: SourceBatch) -> None:
    values: Sequence[object] = batch.values
    if batch.side is not None:
        for value in values:
            task.chain.source_output.emit_side(batch.side, value, -(2**63))
        task.chain.source_output.flush()
        return
    timestamps = no_timestamps(len(values)) if batch.timestamps is None else batch.timestamps
    task.step(0, Batch(values, timestamps), batch.watermark)
    if batch.processing_time is not None:
        task.step(0, EMPTY, ProcessingTime(batch.processing_time))
