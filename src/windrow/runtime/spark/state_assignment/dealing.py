"""Deals out anew what is not keyed, and small: what tasks know of time, and the splits of readers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from windrow.connectors.iterator_source import IteratorSource
from windrow.connectors.source import Source as SplitSource
from windrow.elements.stored import dumps
from windrow.errors import CheckpointError
from windrow.graph.job_graph import Edge, Entry, JobGraph
from windrow.runtime.sources.redealing import Redealt
from windrow.runtime.spark.placement import grouping_key
from windrow.runtime.spark.state_assignment.before import JobBefore
from windrow.runtime.spark.state_assignment.record import Pages
from windrow.runtime.stage.redealing import (
    Before,
    Channel,
    EdgeBefore,
    Input,
    Producers,
    channel_task,
    ended_task,
    reader_tasks,
    redealt_tasks,
)
from windrow.runtime.stage.task import TaskState


class Dealt(NamedTuple):
    """The new states of a chain's tasks, and the channels that go on from them."""

    tasks: dict[int, TaskState]
    #: Its channels towards later levels.
    channels: list[Channel]
    #: Whether what it gives was idle, and is not any more.
    wakes: bool = False
    #: Of a source whose splits an enumerator deals.
    readers: Redealt | None = None


def deal_out(job: JobGraph, partitions: int, before: JobBefore) -> tuple[dict[str, Dealt], Pages]:
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
    producers = Producers([entry for level in job.levels for entry in level])
    for level, entries in enumerate(job.levels):
        made[level] = []
        for entry in entries:
            of_entry = _source(entry, before) if level == 0 else _chain(entry, before, producers, dealt)
            dealt[entry.node.tag] = of_entry
            made[level] += _pages(entry, of_entry, partitions)
    return dealt, made


def _source(entry: Entry, before: JobBefore) -> Dealt:
    tag = entry.node.tag
    if tag not in before.sources():
        return Dealt({}, [Channel(None, False)] * entry.subtasks)
    chain = before.chains[tag]
    if isinstance(entry.source, IteratorSource):
        return _dealt_by_the_runtime(entry, chain, before)
    if not isinstance(entry.source, SplitSource):
        msg = (
            f"source {entry.node.name!r} is a DataFrame: how far it was read is known to Spark alone, which tells it "
            "to no other query; keep the program and the parallelism that the savepoint has"
        )
        raise CheckpointError(msg)
    readers = before.readers(entry, entry.source)
    if entry.subtasks == chain.subtasks:
        channels = _channels(tag, [state.finished for state in readers.readers], before)
        tasks = {number: channel_task(entry, chain, number, before.operators) for number in chain.tasks}
        return Dealt(tasks, channels, readers=readers)
    tasks = reader_tasks(entry, chain, before.operators, finished=readers.finished)
    return Dealt(tasks, [Channel(None, readers.finished)] * entry.subtasks, readers=readers)


def _dealt_by_the_runtime(entry: Entry, chain: Before, before: JobBefore) -> Dealt:
    """The channels of a source whose parts were dealt out when the job began: they stay as they are."""
    if entry.subtasks < chain.subtasks:
        msg = (
            f"source {entry.node.name!r} was dealt out to {chain.subtasks} channels when the job began, which are "
            f"read to their ends; it cannot have {entry.subtasks}: set_parallelism({chain.subtasks}) on the source, "
            "and the operators behind it may have any"
        )
        raise CheckpointError(msg)
    has_ended = [number in chain.tasks and chain.tasks[number].ended > 0 for number in range(chain.subtasks)]
    channels = _channels(entry.node.tag, has_ended, before)
    more = range(chain.subtasks, entry.subtasks)
    tasks = {number: channel_task(entry, chain, number, before.operators) for number in chain.tasks}
    tasks.update({number: ended_task() for number in more})
    return Dealt(tasks, channels + [Channel(None, True) for _ in more])


def _channels(tag: str, ended: Sequence[bool], before: JobBefore) -> list[Channel]:
    """The channels of a chain that there are still."""
    idle = before.idle(tag) or [False] * len(ended)
    return [Channel(number, *each) for number, each in enumerate(zip(ended, idle, strict=True))]


def _chain(entry: Entry, before: JobBefore, producers: Producers, dealt: dict[str, Dealt]) -> Dealt:
    chain = before.chains.get(entry.node.tag)
    if chain is not None and any(task.runs for task in chain.tasks.values()):
        msg = (
            f"operator {entry.node.name!r} gathers its input until it has ended, and has gathered some with "
            f"parallelism {chain.subtasks}: let it end with that"
        )
        raise CheckpointError(msg)
    if chain is not None and not chain.edges:
        chain = None  # it was a source's
    inputs = list(_inputs(entry, chain, producers, dealt))
    tasks, wakes = redealt_tasks(entry, chain, inputs, before.operators)
    ended = all(channel.ended for each in inputs for channel in each.channels)
    if ended and (before.has_state(entry.node.tag) if chain is None else _is_open(chain)):
        msg = (
            f"operator {entry.node.name!r} has not come to the end of its input, and all that is in front of it in "
            "this program has ended before: what it waits with would not come out; keep an input that goes on"
        )
        raise CheckpointError(msg)
    return Dealt(tasks, _channels(entry.node.tag, [ended], before), wakes)


def _is_open(chain: Before) -> bool:
    """Tell whether some input has not ended; all subtasks have heard of the same ends."""
    return bool(chain.tasks) and all(task.ended < chain.channels for task in chain.tasks.values())


def _inputs(entry: Entry, chain: Before | None, producers: Producers, dealt: dict[str, Dealt]) -> Iterable[Input]:
    """Find the channels of each edge; of edges that begin in the same chain the first is the first one of before."""
    left = dict(enumerate([] if chain is None else chain.edges))
    for edge in entry.edges:
        producer, makes_time = producers.of(edge)
        of_producer = dealt[producer.node.tag]
        number = next((number for number, each in left.items() if _is_same(each, edge, producer)), None)
        if number is not None:
            del left[number]
        yield Input(number, of_producer.channels, of_producer.wakes and not makes_time)


def _is_same(before: EdgeBefore, edge: Edge, producer: Entry) -> bool:
    return (before.input, before.head) == (edge.input, producer.node.tag)


def _pages(entry: Entry, dealt: Dealt, partitions: int) -> Iterable[tuple[int, str, bytes]]:
    tag, first = entry.node.tag, entry.first_channel
    before, data = None, b""
    for subtask, task in dealt.tasks.items():
        # Broadcast state may be large, and is the same object in all: then it is the same bytes.
        if before is None or before.operators is not task.operators or before.positions != task.positions:
            before, data = task, dumps(task)
        yield grouping_key(first + subtask, partitions), f"{tag}/task", data
    if dealt.readers is not None:
        for reader, state in enumerate(dealt.readers.readers):
            yield grouping_key(first + reader, partitions), f"{tag}/reader", dumps(state)
