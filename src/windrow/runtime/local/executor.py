"""Runs a job in this process: breakpoints stop in user functions, nothing is copied, no JVM starts."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from threading import Lock
from types import TracebackType
from typing import Any, Self

from windrow.connectors.interfaces import WriterContext
from windrow.connectors.iterator_source import IteratorSource
from windrow.connectors.source import Source as SplitSource
from windrow.errors import UsageError, WindrowError
from windrow.graph.job_graph import SINK_LEVEL, JobGraph
from windrow.runtime.local.channels import Channel, DealtChannel, ReaderChannel
from windrow.runtime.monitor.monitor import FinishedBatch, JobMonitor, wall_clock
from windrow.runtime.sources.alignment_groups import AlignmentGroups
from windrow.runtime.sources.coordinator_log import MemoryLog
from windrow.runtime.sources.coordinators import Coordinators
from windrow.runtime.sources.host import SourceHost
from windrow.runtime.sources.messages import ReaderFinished
from windrow.runtime.sources.reading import ReadSettings
from windrow.runtime.stage.chunk import ChunkRow
from windrow.runtime.stage.closing import close_after
from windrow.runtime.stage.garbage import rarely_collected
from windrow.runtime.stage.host import LevelHost
from windrow.runtime.stage.sinks import PartitionWriters, SinkRouter
from windrow.runtime.stage.totals import Totals
from windrow.state.page_store import MemoryPageStore, NoPages, PageStore

#: How often it is tried to copy what a function is changing at the moment, as a dictionary in a user's accumulator.
_READ_ATTEMPTS = 100
#: No time at all, in milliseconds.
_LONG = 1 << 40


class LocalExecutor:
    """One run of a job graph.

    Args:
        job: What to run; Spark's DataFrames are no sources for it.
        batch_size: Elements of each channel in a batch; None reads all in one batch.
        clock: Processing time, read once per batch.
        monitor: Told of each batch.
    """

    def __init__(
        self,
        job: JobGraph,
        batch_size: int | None = None,
        clock: Callable[[], int] = wall_clock,
        monitor: JobMonitor | None = None,
    ) -> None:
        self._job = job
        self._monitor = monitor
        self._batch_size = batch_size
        self._clock = clock
        self._router = SinkRouter(job)
        self._stores: dict[tuple[int, int], PageStore] = {}
        self._batch = 0
        #: What enumerators have decided, by their sources' tags.
        self._logs: dict[str, MemoryLog] = {}
        self._coordinators = Coordinators()
        self._aligned = AlignmentGroups.of(job)
        self._channels = self._open_channels()
        self._is_one_batch = batch_size is None and not self._logs
        #: What was counted in all batches so far.
        self.totals = Totals()
        self._counting = Lock()
        self._start_hosts()

    def run(self) -> Totals:
        """Run to the end of the input; what was counted."""
        with self:
            while self.run_batch():
                pass
        return self.totals

    def run_batch(self) -> bool:
        """Run one batch; False when it was the last one."""
        with rarely_collected():
            return self._run_batch()

    def _run_batch(self) -> bool:
        now = self._clock()
        started = wall_clock()
        rows: list[ChunkRow] = []
        for number, channel in self._channels.items():
            if not channel.ended:  # the end of a channel is said once
                rows += channel.run(self._sources, number, self._batch_size, self._store(0, number), now)
        for level, host in enumerate(self._hosts, start=1):
            rows = self._run_level(level, host, rows, now)
        self._deliver(rows)
        with self._counting:
            for each in self._all_hosts():
                self.totals = self.totals.merged(each.take_totals())
        if self._monitor is not None:
            self._monitor.batch(FinishedBatch(self._batch, started, wall_clock(), self.totals))
        self._tell_enumerators()
        self._batch += 1
        return not all(channel.ended for channel in self._channels.values())

    def restart(self) -> None:
        """Throw all operators away and build new ones from their stored state, as after a failure."""
        self.close()
        self._start_hosts()

    def read_totals(self, *, live: bool = False) -> Totals:
        """Give what was counted so far; another thread may ask in the middle of a batch.

        ``live``: with what was measured in the middle of a batch, too.
        """
        for attempt in range(_READ_ATTEMPTS):
            try:
                with self._counting:
                    read = self.totals
                    for host in self._all_hosts():
                        read = read.merged(host.read_totals(live=live))
                    return read
            except WindrowError:
                raise
            except RuntimeError:
                if attempt == _READ_ATTEMPTS - 1:
                    raise
        return self.totals

    def progress(self) -> dict[str, Any]:
        """Give what the sources' enumerators report of themselves: names and numbers, to be shown as they are."""
        return {**self._coordinators.progress()}

    def close(self) -> None:
        """Close the functions that are still open."""
        self.__exit__(None, None, None)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        closing = ExitStack()
        closing.callback(self._coordinators.close)
        for host in reversed(self._all_hosts()):
            closing.push(host)
        closing.__exit__(kind, error, traceback)

    def _all_hosts(self) -> list[SourceHost | LevelHost]:
        return [self._sources, *self._hosts]

    def _start_hosts(self) -> None:
        self._coordinators = Coordinators()
        try:
            self._coordinators.start(self._job, lambda entry: self._logs[entry.node.tag])
            self._sources = SourceHost(self._job, self._read_settings())
            self._hosts = [LevelHost(self._job, level) for level in range(1, len(self._job.levels))]
        except BaseException as error:
            close_after(error, self._coordinators.close)
            raise

    def _read_settings(self) -> ReadSettings:
        settings = ReadSettings.of(self._job.configuration)
        # With a size of batches that is asked for, batches are to be of it, however long they take.
        return (
            settings
            if self._batch_size is None
            else replace(settings, records=self._batch_size, duration=_LONG, adapts=False)
        )

    def _tell_enumerators(self) -> None:
        sent = self._sources.take_sent()
        limits = self._aligned.limits(sent)
        for tag, coordinator in self._coordinators.items():
            messages = sent.get(tag, {})
            coordinator.handle(self._batch, messages, limits.get(tag))
            readers = [each for each in self._channels.values() if isinstance(each, ReaderChannel) and each.tag == tag]
            for reader in readers:
                reader.ended = reader.ended or ReaderFinished() in messages.get(reader.subtask, ())
            self._logs[tag].prune(min(reader.taken for reader in readers))

    def _run_level(self, level: int, host: LevelHost, rows: list[ChunkRow], now: int) -> list[ChunkRow]:
        arrived: dict[int, list[ChunkRow]] = {}
        passed = []
        for row in rows:
            if row.level == level:
                arrived.setdefault(row.subtask, []).append(row)
            else:
                passed.append(row)
        for stored_level, subtask in self._stores:  # subtasks without rows may have timers that are due
            if stored_level == level:
                arrived.setdefault(subtask, [])
        for subtask in sorted(arrived):
            ordered = sorted(arrived[subtask], key=ChunkRow.order)
            passed += host.run(subtask, ordered, self._store(level, subtask), now, tick=True)
        return passed

    def _deliver(self, rows: list[ChunkRow]) -> None:
        writers = PartitionWriters(self._job.sinks, WriterContext(self._batch, 0))
        try:
            remaining = [row for row in rows if row.level == SINK_LEVEL and not writers.write(row)]
            committables = writers.prepare_commit()
        except BaseException:
            writers.abort()
            raise
        self._router.commit(self._batch, committables)
        self._router.deliver(remaining)

    def _store(self, level: int, subtask: int) -> PageStore:
        key = (level, subtask)
        if key not in self._stores:
            self._stores[key] = NoPages() if self._is_one_batch else MemoryPageStore()
        return self._stores[key]

    def _open_channels(self) -> dict[int, Channel]:
        channels: dict[int, Channel] = {}
        for entry, source in self._job.sources():
            if isinstance(source, IteratorSource):
                numbered = zip(entry.source_channels, source.plan(entry.subtasks), strict=True)
                channels.update({number: DealtChannel(parts, entry.node.name) for number, parts in numbered})
            elif isinstance(source, SplitSource):
                log = self._logs[entry.node.tag] = MemoryLog()
                for subtask, number in enumerate(entry.source_channels):
                    channels[number] = ReaderChannel(entry.node.tag, subtask, log)
            else:
                msg = (
                    f"source {entry.node.name!r} ({type(source).__name__}) needs Spark; run the job on the Spark "
                    "runtime, or give the local runtime a collection, a number sequence or files"
                )
                raise UsageError(msg)
        return channels
