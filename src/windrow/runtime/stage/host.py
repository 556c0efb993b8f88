"""All of a level that runs in this process, and the same for the sources."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from windrow.connectors.interfaces import SourceBatch, Split
from windrow.graph.job_graph import JobGraph
from windrow.runtime.stage.chunk import ChunkRow, ProcessingTime, no_timestamps
from windrow.runtime.stage.task import StageTask
from windrow.state.paged import PageStore

#: A source's chain takes so many elements at a time and hands on what it has made of them. They are visited by one
#: operator after the other: measured, 8,192 stay in the processor's cache, and 131,072 took three times as long each.
ELEMENTS_PER_CHUNK = 1 << 13

CountersByOperator = dict[str, Counter[str]]


class LevelHost:
    """The chains of one level, each opened once per subtask."""

    def __init__(self, job: JobGraph, level: int) -> None:
        self._job = job
        self._entries = job.levels[level]
        self._tasks: dict[tuple[int, int], StageTask] = {}

    def run(
        self, subtask: int, rows: Iterable[ChunkRow], store: PageStore, now: int, *, tick: bool = False
    ) -> Iterator[ChunkRow]:
        """What ``rows``, sorted by ``ChunkRow.order``, make of this subtask of the level's operators.

        ``tick``: processing time has moved for all operators, those without rows included.
        """
        ran = set()
        for entry, of_entry in groupby(rows, key=lambda row: row.entry):
            ran.add(entry)
            yield from self._task(entry, subtask).run(of_entry, store, now)
        if tick:
            for number, silent in enumerate(self._entries):
                if number not in ran and subtask < silent.subtasks:
                    yield from self._task(number, subtask).run((), store, now)

    def _task(self, entry: int, subtask: int) -> StageTask:
        task = self._tasks.get((entry, subtask))
        if task is None:
            task = self._tasks[entry, subtask] = StageTask(self._entries[entry], self._job, subtask)
        return task

    def take_counters(self) -> CountersByOperator:
        """What was counted since the last call, by operator name."""
        return take_counters(self._tasks.values())

    def close(self) -> None:
        for task in self._tasks.values():
            task.close()


class SourceHost:
    """The chains behind the sources, one per channel."""

    def __init__(self, job: JobGraph) -> None:
        self._job = job
        self._entries = {channel: entry for entry in job.levels[0] for channel in entry.source_channels}
        self._tasks: dict[int, StageTask] = {}

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
        task = self._tasks.get(number)
        if task is None:
            task = self._tasks[number] = StageTask(entry, self._job, channel)
        task.attach(store)
        if tick:
            task.advance_processing_time(now)
        else:
            task.set_processing_time(now)
        sequence = read = 0
        for split in splits:
            for batch in split.read():
                for part in _parts(batch):
                    _feed(task, part)
                    read += len(part.values)
                    if read >= ELEMENTS_PER_CHUNK:
                        yield from task.finish(now, sequence=sequence, channel=channel)
                        sequence, read = sequence + 1, 0
        if end:
            task.end_of_input()
        task.detach(store)
        yield from task.finish(now, sequence=sequence, channel=channel)

    def take_counters(self) -> CountersByOperator:
        """What was counted since the last call, by operator name."""
        return take_counters(self._tasks.values())

    def close(self) -> None:
        for task in self._tasks.values():
            task.close()


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
    task.step(0, None, values, timestamps, batch.watermark)
    if batch.processing_time is not None:
        task.step(0, None, (), (), ProcessingTime(batch.processing_time))


def take_counters(tasks: Iterable[StageTask]) -> CountersByOperator:
    """Counters of the tasks' operators, set back to nothing."""
    taken: CountersByOperator = {}
    for task in tasks:
        for name, counter in task.chain.counters.items():
            if counter:
                taken.setdefault(name, Counter()).update(counter)
                counter.clear()
    return taken
