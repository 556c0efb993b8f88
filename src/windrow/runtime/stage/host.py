"""All of a level that runs in this process."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from itertools import groupby
from threading import Lock
from types import TracebackType
from typing import Generic, Self, TypeVar

from windrow.graph.job_graph import Entry, JobGraph
from windrow.runtime.stage.chunk import ChunkRow
from windrow.runtime.stage.closing import close_after
from windrow.runtime.stage.freed_memory import give_back_freed_memory, keep_freed_memory
from windrow.runtime.stage.task import StageTask, has_ended
from windrow.runtime.stage.totals import Totals
from windrow.state.page_store import PageStore

K = TypeVar("K")
#: A subtask behind an exchange: its level, the number of its chain there, and its own.
Subtask = tuple[int, int, int]


class StageHost(Generic[K]):
    """Tasks by what tells them apart, each made when it is first needed and kept for later batches.

    A host that has failed is closed and not used again.
    """

    def __init__(self, job: JobGraph) -> None:
        keep_freed_memory()
        self._job = job
        self._tasks: dict[K, StageTask] = {}
        #: What was counted in tasks that are not there any more.
        self._ended = Totals()
        self._counting = Lock()

    def _task(self, key: K, entry: Entry, subtask: int, store: PageStore) -> StageTask | None:
        """The subtask's task; None if it has come to its end: nothing can happen in it any more."""
        task = self._tasks.get(key)
        if task is None or task.closed:
            if has_ended(entry, store):
                return None
            task = self._tasks[key] = StageTask(entry, self._job, subtask)
        return task

    def _forget_if_closed(self, key: K) -> None:
        """Let go of a task that has come to its end: a process is used again, and state can be large."""
        if not self._tasks[key].closed:
            return
        with self._counting:
            self._ended.merge(self._tasks.pop(key).take_totals())
        give_back_freed_memory()

    def take_totals(self) -> Totals:
        """Take what was counted in the runs since the last call."""
        with self._counting:
            taken, self._ended = self._ended, Totals()
            for task in self._tasks.values():
                taken.merge(task.take_totals())
        return taken

    def read_totals(self, *, live: bool = False) -> Totals:
        """Give what was counted since then so far; may be called by another thread, in the middle of a run.

        ``live``: with what was measured in the middle of a run, too.
        """
        with self._counting:
            read = self._ended.copy()
            for task in list(self._tasks.values()):
                read.merge(task.read_totals(live=live))
        return read

    def close(self) -> None:
        """Close the functions that are still open: all of them, even if one fails."""
        with ExitStack() as closing:
            for task in reversed(self._tasks.values()):
                closing.callback(task.close)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _: type[BaseException] | None, error: BaseException | None, __: TracebackType | None) -> None:
        if error is None:
            self.close()
        else:
            close_after(error, self.close)


class LevelHost(StageHost[tuple[int, int]]):
    """The chains of one level, each opened once per subtask."""

    def __init__(self, job: JobGraph, level: int) -> None:
        super().__init__(job)
        self._level = level
        self._entries = job.levels[level]
        self._due: dict[Subtask, int | None] = {}

    def run(
        self, subtask: int, rows: Iterable[ChunkRow], store: PageStore, now: int, *, tick: bool = False
    ) -> Iterator[ChunkRow]:
        """Give ``rows``, sorted by ``ChunkRow.order``, to this subtask of the level's operators; yield what these make.

        ``tick``: processing time has moved for all operators, those without rows included.
        """
        ran = set()
        for entry, of_entry in groupby(rows, key=lambda row: row.entry):
            ran.add(entry)
            yield from self._run(entry, subtask, of_entry, store, now)
        if tick:
            for number, silent in enumerate(self._entries):
                if number not in ran and subtask < silent.subtasks:
                    yield from self._run(number, subtask, (), store, now)

    def _run(
        self, number: int, subtask: int, rows: Iterable[ChunkRow], store: PageStore, now: int
    ) -> Iterator[ChunkRow]:
        entry = self._entries[number]
        task = self._task((number, subtask), entry, subtask, store)
        if task is not None:
            yield from task.run(rows, store, now)
            self._forget_if_closed((number, subtask))
        if entry.ticked(self._job.unbounded):
            self._due[self._level, number, subtask] = None if task is None else task.next_processing_time

    def take_due(self) -> dict[Subtask, int | None]:
        """Take when the next timers are due of the subtasks that may have some, and have run since the last call."""
        taken, self._due = self._due, {}
        return taken
