"""What is not keyed, and small, dealt out anew: what tasks know of time, and which splits readers have."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from windrow.connectors.iterator_source import IteratorSource
from windrow.connectors.source import Source as SplitSource
from windrow.elements.stored import dumps, loads
from windrow.errors import CheckpointError
from windrow.graph.job_graph import Entry, JobGraph
from windrow.runtime.sources.coordinator_log import LogEntry
from windrow.runtime.sources.reader_task import ReaderState
from windrow.runtime.sources.redealing import Redealt, redealt
from windrow.runtime.spark.placement import grouping_key
from windrow.runtime.spark.rescaling.record import Columns, Pages, RescaledPages
from windrow.runtime.spark.rescaling.stored import StoredLevel
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


class Decided(NamedTuple):
    """What a source's enumerator has decided."""

    #: What readers have not heard of yet.
    unheard: list[LogEntry]
    last: LogEntry


class JobBefore(NamedTuple):
    """A job as it was when a savepoint was made, and its state but for that of keys."""

    #: Of each level: the chains by their heads' tags, as a checkpoint's layout has them.
    levels: Sequence[dict[str, Any]]
    partitions: int
    stored: Sequence[StoredLevel]
    #: Gives what was decided for the source with this first channel.
    decided: Callable[[int], Decided]

    def chain(self, level: int, entry: Entry) -> Before:
        """A chain as it was."""
        tag = entry.node.tag
        before, first = self.levels[level][tag], self.first_channel(tag) if level == 0 else 0
        places = [grouping_key(first + subtask, self.partitions) for subtask in range(before["subtasks"])]
        found = [self.stored[level].task(tag, place) for place in places]
        tasks = {subtask: task for subtask, task in enumerate(found) if task is not None}
        counts = [channels for _, channels in before["channels"]]
        return Before(before["subtasks"], counts, len(before["chain"]) + (entry.source is None), tasks)

    def readers(self, entry: Entry, source: SplitSource[Any, Any, Any]) -> Redealt:
        """The readers of a source, dealt out to those that there are now."""
        tag = entry.node.tag
        first, count = self.first_channel(tag), self.levels[0][tag]["subtasks"]
        decided = self.decided(first)
        states, unheard = [], []
        for reader in range(count):
            state = self.stored[0].reader(tag, grouping_key(first + reader, self.partitions))
            states.append(state or ReaderState())
            sent = [loads(each.messages[reader]) for each in decided.unheard if reader in each.messages]
            unheard.append([message for messages in sent for message in messages])
        return redealt(source, entry.node.name, states, unheard, decided.last, entry.subtasks)

    def first_channel(self, tag: str) -> int:
        """The number that a source's first channel had."""
        sources = list(self.levels[0])
        return sum(self.levels[0][before]["subtasks"] for before in sources[: sources.index(tag)])

    def columns(self, level: int) -> Iterable[tuple[int, str, int]]:
        """The operators, in their subtasks, that have tables of columns, and their watermarks."""
        for place, owner in self.stored[level].with_columns:
            tag, _, index = owner.rpartition(".")
            head = next(head for head, before in self.levels[level].items() if tag in (head, *before["chain"]))
            task = self.stored[level].task(head, place)
            assert task is not None, "who has written columns has written the task's state"
            yield place, owner, task.operators[int(index)].watermark


class Dealt(NamedTuple):
    """What was made of a chain's tasks."""

    tasks: dict[int, TaskState]
    #: Its channels towards later levels.
    channels: list[Channel]
    #: Whether what it gives was idle, and is not any more.
    wakes: bool = False
    #: Of a source whose splits an enumerator deals.
    readers: Redealt | None = None


def deal_out(job: JobGraph, partitions: int, before: JobBefore) -> tuple[dict[str, Dealt], RescaledPages]:
    """Deal out what is not keyed; by the chains' tags, and as pages.

    Args:
        job: The job as it is now.
        partitions: How many partitions its query has.
        before: The job as it was.

    Raises:
        CheckpointError: something cannot be dealt out.
    """
    dealt: dict[str, Dealt] = {}
    made: Pages = {}
    columns: Columns = {}
    for level, entries in enumerate(job.levels):
        producers = Producers([entry for above in job.levels[:level] for entry in above])
        made[level], columns[level] = [], list(before.columns(level))
        for entry in entries:
            if level == 0:
                of_entry = _source(entry, before)
            else:
                of_entry = _chain(entry, before.chain(level, entry), producers, dealt)
            dealt[entry.node.tag] = of_entry
            made[level] += _pages(entry, of_entry, partitions)
    return dealt, RescaledPages(made, columns)


def _source(entry: Entry, before: JobBefore) -> Dealt:
    chain = before.chain(0, entry)
    if isinstance(entry.source, IteratorSource):
        return _dealt_by_the_runtime(entry, chain)
    if not isinstance(entry.source, SplitSource):
        msg = (
            f"source {entry.node.name!r} is a DataFrame: how far it was read is known to Spark alone, which tells it "
            "to no other query; keep the parallelism that the savepoint has"
        )
        raise CheckpointError(msg)
    readers = before.readers(entry, entry.source)
    tasks = reader_tasks(entry, chain, finished=readers.finished)
    return Dealt(tasks, [Channel(None, readers.finished)] * entry.subtasks, readers=readers)


def _dealt_by_the_runtime(entry: Entry, before: Before) -> Dealt:
    """The channels of a source whose parts were dealt out when the job began: they stay as they are."""
    if entry.subtasks < before.subtasks:
        msg = (
            f"source {entry.node.name!r} was dealt out to {before.subtasks} channels when the job began, which are "
            f"read to their ends; it cannot have {entry.subtasks}: set_parallelism({before.subtasks}) on the source, "
            "and the operators behind it may have any"
        )
        raise CheckpointError(msg)
    has_ended = [number in before.tasks and before.tasks[number].ended > 0 for number in range(before.subtasks)]
    channels = [Channel(number, ended) for number, ended in enumerate(has_ended)]
    more = range(before.subtasks, entry.subtasks)
    tasks = {**before.tasks, **{number: ended_task() for number in more}}
    return Dealt(tasks, channels + [Channel(None, True) for _ in more])


def _chain(entry: Entry, before: Before, producers: Producers, dealt: dict[str, Dealt]) -> Dealt:
    if any(task.runs for task in before.tasks.values()):
        msg = (
            f"operator {entry.node.name!r} gathers its input until it has ended, and has gathered some with "
            f"parallelism {before.subtasks}: let it end with that"
        )
        raise CheckpointError(msg)
    inputs = []
    for edge in entry.edges:
        producer, makes_time = producers.of(edge)
        of_producer = dealt[producer.node.tag]
        inputs.append(Input(of_producer.channels, of_producer.wakes and not makes_time))
    tasks, wakes = redealt_tasks(entry, before, inputs)
    return Dealt(tasks, [Channel(0, before.has_ended)], wakes)


def _pages(entry: Entry, dealt: Dealt, partitions: int) -> Iterable[tuple[int, str, bytes]]:
    tag, first = entry.node.tag, entry.first_channel
    for subtask, task in dealt.tasks.items():
        yield grouping_key(first + subtask, partitions), f"{tag}/task", dumps(task)
    if dealt.readers is not None:
        for reader, state in enumerate(dealt.readers.readers):
            yield grouping_key(first + reader, partitions), f"{tag}/reader", dumps(state)
