"""All of a level that runs in this process, and the same for the sources."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from windrow.connectors.interfaces import SourceBatch, Split
from windrow.graph.job_graph import Entry, JobGraph
from windrow.runtime.stage.chunk import ChunkRow, ProcessingTime, no_timestamps
from windrow.runtime.stage.task import StageTask
from windrow.state.key_groups import operator_index
from windrow.state.paged import PageStore

#: A source's chain hands on what it has made whenever it has read this many elements: it bounds memory.
ELEMENTS_PER_CHUNK = 1 << 17

CountersByOperator = dict[str, Counter[str]]


class LevelHost:
    """The chains of one level, each opened once per subtask."""

    def __init__(self, job: JobGraph, level: int) -> None:
        self._job = job
        self._level = level
        self._entries = job.levels[level]
        self._entry_of_edge = {edge.id: entry for entry in self._entries for edge in entry.edges}
        self._tasks: dict[tuple[str, int], StageTask] = {}

    def run(
        self, group: int, rows: Iterable[ChunkRow], store: PageStore, now: int, *, tick: bool = False
    ) -> Iterator[ChunkRow]:
        """What ``rows`` make of key group ``group``; rows of later levels pass through.

        ``tick``: processing time has moved for all operators of the group, those without rows included.
        """
        by_entry: dict[Entry, list[ChunkRow]] = {}
        if tick:
            by_entry = {entry: [] for entry in self._entries if group in entry.groups}
        for row in rows:
            if row.level != self._level:
                yield row
            else:
                by_entry.setdefault(self._entry_of_edge[row.edge], []).append(row)
        for entry in self._entries:
            if entry in by_entry:
                yield from self._task(entry, group).run(group, by_entry[entry], store, now)

    def _task(self, entry: Entry, group: int) -> StageTask:
        parallelism = min(entry.node.parallelism, self._job.max_parallelism)
        subtask = operator_index(group, parallelism, self._job.max_parallelism)
        key = (entry.node.tag, subtask)
        task = self._tasks.get(key)
        if task is None:
            task = self._tasks[key] = StageTask(entry, self._job, group)
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
        self._entries = {group: entry for entry in job.levels[0] for group in entry.groups}
        self._tasks: dict[int, StageTask] = {}

    def run(
        self, group: int, splits: Iterable[Split], store: PageStore, now: int, *, end: bool = False, tick: bool = False
    ) -> Iterator[ChunkRow]:
        """Read ``splits``, the next ones of channel ``group``; ``end`` says that no more will come.

        Watermarks follow elements, wherever a batch is cut; only a ``tick`` makes them follow processing time too.
        """
        entry = self._entries[group]
        if self._job.scripted_time:
            now = 0
        task = self._tasks.get(group)
        if task is None:
            task = self._tasks[group] = StageTask(entry, self._job, group - entry.first_channel)
        channel = group - entry.first_channel
        task.attach(store)
        if tick:
            task.advance_processing_time(now)
        else:
            task.set_processing_time(now)
        sequence = read = 0
        for split in splits:
            for batch in split.read():
                _feed(task, batch)
                read += len(batch.values)
                if read >= ELEMENTS_PER_CHUNK:
                    yield from task.finish(entry.groups[0], now, channel=channel, sequence=sequence)
                    sequence += 1
                    read = 0
        if end:
            task.end_of_input()
        task.detach(store)
        yield from task.finish(entry.groups[0], now, channel=channel, sequence=sequence)

    def take_counters(self) -> CountersByOperator:
        """What was counted since the last call, by operator name."""
        return take_counters(self._tasks.values())

    def close(self) -> None:
        for task in self._tasks.values():
            task.close()


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
