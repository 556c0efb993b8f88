"""Runs a job in this process: breakpoints stop in user functions, nothing is copied, no JVM starts."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import islice
from threading import Lock
from types import TracebackType
from typing import Self

from windrow.connectors.interfaces import PlannedSource, SourceBatch, Split, WriterContext
from windrow.errors import UsageError, WindrowError
from windrow.graph.job_graph import SINK_LEVEL, JobGraph
from windrow.runtime.stage.chunk import ChunkRow
from windrow.runtime.stage.host import LevelHost, SourceHost
from windrow.runtime.stage.sinks import PartitionWriters, SinkRouter
from windrow.runtime.stage.totals import Totals
from windrow.state.paged import MemoryPageStore, NoPages, PageStore

#: How often it is tried to copy what a function is changing at the moment, as a dictionary in a user's accumulator.
_READ_ATTEMPTS = 100


def wall_clock() -> int:
    """Now, in milliseconds since the epoch."""
    return time.time_ns() // 1_000_000


class LocalExecutor:
    """One run of a job graph.

    Args:
        job: What to run; all of its sources must be planned ones.
        batch_size: Elements of each channel in a batch; None reads all in one batch.
        clock: Processing time, read once per batch.
    """

    def __init__(self, job: JobGraph, batch_size: int | None = None, clock: Callable[[], int] = wall_clock) -> None:
        self._job = job
        self._batch_size = batch_size
        self._clock = clock
        self._router = SinkRouter(job)
        self._stores: dict[tuple[int, int], PageStore] = {}
        self._batch = 0
        self._channels = self._open_channels()
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
        now = self._clock()
        rows: list[ChunkRow] = []
        for number, channel in self._channels.items():
            if not channel.ended:  # the end of a channel is said once
                pieces = channel.next(self._batch_size)
                rows += self._sources.run(number, pieces, self._store(0, number), now, end=channel.ended)
        for level, host in enumerate(self._hosts, start=1):
            rows = self._run_level(level, host, rows, now)
        self._deliver(rows)
        with self._counting:
            for each in self._all_hosts():
                self.totals = self.totals.merged(each.take_totals())
        self._batch += 1
        return not all(channel.ended for channel in self._channels.values())

    def restart(self) -> None:
        """Throw all operators away and build new ones from their stored state, as after a failure."""
        self.close()
        self._start_hosts()

    def read_totals(self) -> Totals:
        """What was counted so far; another thread may ask in the middle of a batch."""
        for attempt in range(_READ_ATTEMPTS):
            try:
                with self._counting:
                    read = self.totals
                    for host in self._all_hosts():
                        read = read.merged(host.read_totals())
                    return read
            except WindrowError:
                raise
            except RuntimeError:
                if attempt == _READ_ATTEMPTS - 1:
                    raise
        return self.totals

    def close(self) -> None:
        """Close the functions that are still open."""
        self.__exit__(None, None, None)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        closing = ExitStack()
        for host in reversed(self._all_hosts()):
            closing.push(host)
        closing.__exit__(kind, error, traceback)

    def _all_hosts(self) -> list[SourceHost | LevelHost]:
        return [self._sources, *self._hosts]

    def _start_hosts(self) -> None:
        self._sources = SourceHost(self._job)
        self._hosts = [LevelHost(self._job, level) for level in range(1, len(self._job.levels))]

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
        except BaseException:
            writers.abort()
            raise
        self._router.commit(self._batch, writers.prepare_commit())
        self._router.deliver(remaining)

    def _store(self, level: int, subtask: int) -> PageStore:
        key = (level, subtask)
        if key not in self._stores:
            self._stores[key] = NoPages() if self._batch_size is None else MemoryPageStore()
        return self._stores[key]

    def _open_channels(self) -> dict[int, _Channel]:
        channels: dict[int, _Channel] = {}
        for entry, source in self._job.sources():
            if not isinstance(source, PlannedSource):
                msg = (
                    f"source {entry.node.name!r} ({type(source).__name__}) needs Spark; run the job on the Spark "
                    "runtime, or give the local runtime a collection, a number sequence or files"
                )
                raise UsageError(msg)
            numbered = zip(entry.source_channels, source.plan(entry.subtasks), strict=True)
            channels.update({number: _Channel(splits) for number, splits in numbered})
        return channels


class _Channel:
    """Reads a channel's splits element by element, so that a batch can be cut anywhere."""

    def __init__(self, splits: list[Split]) -> None:
        #: Whether all has been read.
        self.ended = False
        self._whole = splits
        self._batches = (batch for split in splits for batch in split.read())
        self._rest: SourceBatch | None = None

    def next(self, size: int | None) -> list[Split]:
        """The next ``size`` elements (None: all) as splits."""
        if size is None:
            self.ended = True
            return self._whole
        pieces: list[SourceBatch] = []
        while size > 0 and (batch := self._rest or next(self._batches, None)) is not None:
            head, self._rest = _cut(batch, size)
            pieces.append(head)
            size -= max(1, len(head.values))
        if self._rest is None:
            self._rest = next(self._batches, None)
        self.ended = self._rest is None
        return [_Pieces(pieces)]


class _Pieces(Split):
    """Batches that are read already."""

    def __init__(self, batches: list[SourceBatch]) -> None:
        self._batches = batches

    def read(self) -> Iterator[SourceBatch]:
        return iter(self._batches)


def _cut(batch: SourceBatch, size: int) -> tuple[SourceBatch, SourceBatch | None]:
    if len(batch.values) <= size:
        return batch, None
    timestamps = batch.timestamps
    head = batch._replace(
        values=list(islice(batch.values, size)),
        timestamps=None if timestamps is None else timestamps[:size],
        watermark=None,
    )
    tail = batch._replace(values=batch.values[size:], timestamps=None if timestamps is None else timestamps[size:])
    return head, tail
