"""Makes a checkpoint of a savepoint for a job that has another parallelism than the one that has left it.

Keyed state is dealt out by key groups, in the first batch, by Spark's workers (``pages.py``). Here is made what is not
keyed and small: what tasks know of time, which splits readers have, what enumerators have decided, what sources give.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, NamedTuple

from windrow.connectors.iterator_source import IteratorSource
from windrow.connectors.source import Source as SplitSource
from windrow.elements.stored import dumps, dumps_with_code, loads
from windrow.errors import CheckpointError
from windrow.graph.job_graph import Entry, JobGraph
from windrow.runtime.checkpoint_files import ENDED_CHANNELS, FINISHED, LAYOUT, PLAN, reading, totals_name
from windrow.runtime.sources.coordinator_log import FileLog, LogEntry
from windrow.runtime.sources.reader_task import ReaderState
from windrow.runtime.sources.redealing import Redealt, redealt
from windrow.runtime.spark.layout import check_begun, layout_of, rescales
from windrow.runtime.spark.placement import grouping_key
from windrow.runtime.spark.rescaling.record import Columns, Pages, Rescaled, RescaledPages
from windrow.runtime.spark.rescaling.stored import stored_level
from windrow.runtime.spark.savepoint import copy_as_its_own
from windrow.runtime.spark.source_plan import DECIDED, ChannelPlan, Offset, SourcePlan, log_name, ticked_subtasks
from windrow.runtime.spark.spark_half import SparkHalf
from windrow.runtime.spark.stored_pages import operator_of
from windrow.runtime.stage.redealing import (
    Before,
    Channel,
    Input,
    Producers,
    ended_task,
    reader_tasks,
    redealt_tasks,
)
from windrow.runtime.stage.task import TaskState
from windrow.storage.folder import Folder


class Dealt(NamedTuple):
    """What was made of a chain's tasks."""

    tasks: dict[int, TaskState]
    #: Its channels towards later levels.
    channels: list[Channel]
    #: Whether what it gives was idle, and is not any more.
    wakes: bool = False
    #: Of a source whose splits an enumerator deals.
    readers: Redealt | None = None


def arrive_from(spark: Any, job: JobGraph, partitions: int, savepoint: Folder, target: Folder) -> None:
    """Make a checkpoint of a savepoint: a copy, or, for a job with another parallelism, a new one.

    Args:
        spark: A session.
        job: The job.
        partitions: How many partitions its query has.
        savepoint: What the job begins with.
        target: The checkpoint's folder, which is empty.

    Raises:
        CheckpointError: what is in the savepoint cannot be dealt out anew, or cannot be read.
    """
    layout = layout_of(job, partitions)
    with reading(savepoint.place(LAYOUT), LAYOUT):
        stored: dict[str, Any] = json.loads(savepoint.read(LAYOUT))
        is_other = rescales(stored, layout)
    if not is_other:
        copy_as_its_own(savepoint, target)
        return
    check_begun(stored, savepoint.location)
    if SparkHalf(savepoint.below("spark")).last_committed() >= 0:
        _Start(spark, savepoint, target, job, partitions, stored).make()
    kept = {name: stored[name] for name in ("state_format", "begun")}
    target.write(LAYOUT, json.dumps({**layout, **kept}, indent=1).encode())


class _Start:
    """A start that is being made."""

    def __init__(
        self, spark: Any, savepoint: Folder, target: Folder, job: JobGraph, partitions: int, stored: dict[str, Any]
    ) -> None:
        self._savepoint = savepoint
        self._target = target
        self._job = job
        self._partitions = partitions
        self._before = stored["levels"]
        self._half = SparkHalf(savepoint.below("spark"))
        self._batch = self._half.last_committed()
        self._offset: Offset = self._half.offset(self._batch)
        old = int(stored["partitions"])
        state_format = int(stored.get("state_format", 1))
        self._stored = [
            stored_level(spark, self._half, old, state_format, operator_of(level, len(job.levels)), self._batch)
            for level in range(len(job.levels))
        ]
        self._old_partitions = old
        self._dealt: dict[str, Dealt] = {}

    def make(self) -> None:
        """Write all but the layout."""
        if self._offset["end"] or self._savepoint.exists(FINISHED):
            self._target.write(FINISHED, b"")
        made: Pages = {}
        columns: Columns = {}
        for level, entries in enumerate(self._job.levels):
            producers = Producers([entry for before in self._job.levels[:level] for entry in before])
            for entry in entries:
                dealt = self._source(entry) if entry.source is not None else self._chain(level, entry, producers)
                self._dealt[entry.node.tag] = dealt
                made.setdefault(level, []).extend(self._pages(entry, dealt))
            columns[level] = list(self._columns(level))
        RescaledPages(made, columns).write(self._target)
        self._write_plan()
        self._write_decisions()
        self._write_ended_channels()
        before = Rescaled.read(self._savepoint)
        first = self._batch + 1 + (0 if before is None else before.first_batch)
        Rescaled(self._savepoint.location, self._batch, self._old_partitions, first).write(self._target)
        self._target.write(totals_name(-1), self._savepoint.read(totals_name(self._batch)))

    def _chain_before(self, level: int, entry: Entry) -> Before:
        stored, before = self._stored[level], self._before[level][entry.node.tag]
        first = self._first_channel(entry) if level == 0 else 0
        tasks = {
            subtask: task
            for subtask in range(before["subtasks"])
            if (task := stored.task(entry.node.tag, grouping_key(first + subtask, self._old_partitions))) is not None
        }
        counts = [channels for _, channels in before["channels"]]
        operators = len(before["chain"]) + (entry.source is None)
        return Before(before["subtasks"], counts, operators, tasks)

    def _first_channel(self, entry: Entry) -> int:
        """The number that a source's first channel had."""
        first = 0
        for tag, before in self._before[0].items():
            if tag == entry.node.tag:
                break
            first += before["subtasks"]
        return first

    def _source(self, entry: Entry) -> Dealt:
        before = self._chain_before(0, entry)
        if isinstance(entry.source, IteratorSource):
            return _dealt_by_the_runtime(entry, before)
        if not isinstance(entry.source, SplitSource):
            msg = (
                f"source {entry.node.name!r} is a DataFrame: how far it was read is known to Spark alone, which "
                "tells it to no other query; keep the parallelism that the savepoint has"
            )
            raise CheckpointError(msg)
        redealt_readers = self._readers(entry, entry.source)
        channels = [Channel(None, redealt_readers.finished)] * entry.subtasks
        tasks = reader_tasks(entry, before, finished=redealt_readers.finished)
        return Dealt(tasks, channels, readers=redealt_readers)

    def _readers(self, entry: Entry, source: SplitSource[Any, Any, Any]) -> Redealt:
        first, count = self._first_channel(entry), self._before[0][entry.node.tag]["subtasks"]
        log = FileLog(self._savepoint, log_name(first))
        heard = self._offset.get(f"{DECIDED} {log_name(first)}", 0)
        entries = log.entries(heard, log.count(heard))
        states, unheard = [], []
        for reader in range(count):
            page = self._stored[0].reader(entry.node.tag, grouping_key(first + reader, self._old_partitions))
            states.append(page or ReaderState())
            sent = [loads(each.messages[reader]) for each in entries if reader in each.messages]
            unheard.append([message for messages in sent for message in messages])
        return redealt(source, entry.node.name, states, unheard, log.last() or LogEntry(), entry.subtasks)

    def _chain(self, level: int, entry: Entry, producers: Producers) -> Dealt:
        before = self._chain_before(level, entry)
        if any(task.runs for task in before.tasks.values()):
            msg = (
                f"operator {entry.node.name!r} gathers its input until it has ended, and has gathered some with "
                f"parallelism {before.subtasks}: let it end with that"
            )
            raise CheckpointError(msg)
        inputs = []
        for edge in entry.edges:
            producer, makes_time = producers.of(edge)
            of_producer = self._dealt[producer.node.tag]
            inputs.append(Input(of_producer.channels, of_producer.wakes and not makes_time))
        tasks, wakes = redealt_tasks(entry, before, inputs)
        return Dealt(tasks, [Channel(0, before.has_ended)], wakes)

    def _pages(self, entry: Entry, dealt: Dealt) -> Iterable[tuple[int, str, bytes]]:
        tag = entry.node.tag
        for subtask, task in dealt.tasks.items():
            yield grouping_key(entry.first_channel + subtask, self._partitions), f"{tag}/task", dumps(task)
        if dealt.readers is not None:
            for reader, state in enumerate(dealt.readers.readers):
                yield grouping_key(entry.first_channel + reader, self._partitions), f"{tag}/reader", dumps(state)

    def _columns(self, level: int) -> Iterable[tuple[int, str, int]]:
        """The operators, in their subtasks, that have tables of columns, and their watermarks."""
        for place, owner in self._stored[level].with_columns:
            tag, _, index = owner.rpartition(".")
            head = next(head for head, before in self._before[level].items() if tag in (head, *before["chain"]))
            task = self._stored[level].task(head, place)
            assert task is not None, "who has written columns has written its task"
            yield place, owner, task.operators[int(index)].watermark

    def _write_plan(self) -> None:
        with reading(self._savepoint.place(PLAN), PLAN):
            plan: SourcePlan = loads(self._savepoint.read(PLAN))
        known = {planned.channel: planned for planned in plan.channels}
        channels = []
        for entry, source in self._job.sources():
            if isinstance(source, IteratorSource):
                first = self._first_channel(entry)
                for number, channel in enumerate(entry.source_channels):
                    place = grouping_key(channel, self._partitions)
                    planned = (
                        known.get(first + number) if number < self._before[0][entry.node.tag]["subtasks"] else None
                    )
                    splits, ends = ([], True) if planned is None else (planned.splits, planned.ends)
                    channels.append(ChannelPlan(channel, place, splits, ends))
        bounded = all(source.bounded for _, source in self._job.sources())
        ticked = ticked_subtasks(self._job, self._partitions, unbounded=not bounded) if plan.tick_interval else []
        made = SourcePlan(
            channels, ticked, plan.splits_per_batch, plan.tick_interval, bounded, start={"split": self._offset["split"]}
        )
        self._target.write(PLAN, dumps_with_code(made))

    def _write_decisions(self) -> None:
        for entry in self._job.levels[0]:
            readers = self._dealt[entry.node.tag].readers
            if readers is not None:
                FileLog(self._target, log_name(entry.first_channel)).append(readers.decided)

    def _write_ended_channels(self) -> None:
        producers = Producers([entry for level in self._job.levels for entry in level])
        ended = []
        for sink in self._job.sinks:
            for edge in sink.edges:
                producer, _ = producers.of(edge)
                of_producer = self._dealt[producer.node.tag].channels
                ended += [(edge.key, number) for number, channel in enumerate(of_producer) if channel.ended]
        self._target.write(ENDED_CHANNELS, json.dumps(sorted(ended)).encode())


def _dealt_by_the_runtime(entry: Entry, before: Before) -> Dealt:
    """The channels of a source whose parts were dealt out when the job began: they stay as they are."""
    if entry.subtasks < before.subtasks:
        msg = (
            f"source {entry.node.name!r} was dealt out to {before.subtasks} channels when the job began, which are "
            f"read to their ends; it cannot have {entry.subtasks}: set_parallelism({before.subtasks}) on the source, "
            "and the operators behind it may have any"
        )
        raise CheckpointError(msg)
    channels = [
        Channel(number, number in before.tasks and before.tasks[number].ended > 0) for number in range(before.subtasks)
    ]
    more = range(before.subtasks, entry.subtasks)
    tasks = {**before.tasks, **{number: ended_task() for number in more}}
    return Dealt(tasks, channels + [Channel(None, True) for _ in more])
