"""All of the sources that runs in this process."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack

from windrow.connectors.iterator_source import SplitPart
from windrow.graph.job_graph import JobGraph
from windrow.runtime.sources.dealt_task import DealtReaderTask
from windrow.runtime.sources.messages import MessagesBySource, ToReader
from windrow.runtime.sources.read_record import ReadRecords
from windrow.runtime.sources.reader_task import ReaderTask, Wake
from windrow.runtime.sources.reading import ReadSettings
from windrow.runtime.stage.chunk import ChunkRow
from windrow.runtime.stage.host import StageHost
from windrow.runtime.stage.task import has_ended
from windrow.state.page_store import PageStore


class SourceHost(StageHost[int]):
    """The readers of the sources and the chains behind them, one of each per channel.

    Args:
        job: The job.
        settings: How much a reader reads in a batch.
        records: Where is written down what a batch has read; None: no batch is ever run again.
        wake: Called by a reader that had nothing, with its ticket, when it has something again, in any thread.
    """

    def __init__(
        self,
        job: JobGraph,
        settings: ReadSettings | None = None,
        records: ReadRecords | None = None,
        wake: Wake | None = None,
    ) -> None:
        super().__init__(job)
        self._entries = {channel: entry for entry in job.levels[0] for channel in entry.source_channels}
        self._readers: dict[int, ReaderTask] = {}
        self._dealt: dict[int, DealtReaderTask] = {}
        self._settings = settings or ReadSettings()
        self._records = records
        self._wake = wake

    def run(
        self,
        number: int,
        parts: Iterable[SplitPart],
        store: PageStore,
        now: int,
        *,
        end: bool = False,
        tick: bool = False,
    ) -> Iterator[ChunkRow]:
        """Let the reader of channel ``number`` read ``parts``; ``end`` says that no more will come.

        Watermarks follow elements, wherever a batch is cut; only a ``tick`` makes them follow processing time too.
        """
        entry = self._entries[number]
        reader = self._dealt.get(number)
        if reader is None or reader.task.closed:
            if has_ended(entry, store):
                return
            reader = DealtReaderTask(entry, self._job, number - entry.first_channel)
            self._dealt[number], self._tasks[number] = reader, reader.task
        yield from reader.run(parts, store, now, end=end, tick=tick)

    def run_reader(
        self, number: int, messages: Iterable[ToReader], store: PageStore, now: int, *, end: bool = False
    ) -> Iterator[ChunkRow]:
        """Let the reader of channel ``number`` read a batch, behind what the enumerator has sent to it."""
        entry = self._entries[number]
        reader = self._readers.get(number)
        if reader is None or reader.task.closed:
            if has_ended(entry, store):
                return
            reader = ReaderTask(
                entry, self._job, number - entry.first_channel, self._settings, self._records, self._wake
            )
            self._readers[number], self._tasks[number] = reader, reader.task
        yield from reader.run(messages, store, now, end=end)

    def take_sent(self) -> MessagesBySource:
        """Take what readers have sent to their enumerators since the last call, by the source's tag and its channel."""
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
            for dealt in self._dealt.values():
                closing.callback(dealt.close)
