"""What tasks begin with that go on from others, of which there were more or fewer.

All subtasks of a level have seen the same control events, so what they know of time is the same, and each new one has
it from any of them. What changes is how many channels come from a source.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from windrow.common.limits import MAX_WATERMARK, MIN_WATERMARK
from windrow.graph.job_graph import Edge, Entry, Node, walk
from windrow.operators.redistribution import Redistribution
from windrow.runtime.stage.input_gate import ChannelStatus
from windrow.runtime.stage.task import OperatorState, TaskState

#: A writer behind a reader that begins anew: its channel's watermark may be behind what receivers know.
_BEHIND = ~0
#: A valve's snapshot of a channel: its watermark, whether it is active, whether it counts.
_ValveChannel = tuple[int, bool, bool]


class Channel(NamedTuple):
    """A channel as there is one now."""

    #: Which of its edge's it was; None: it is a new one.
    before: int | None
    #: Whether nothing comes from it any more.
    ended: bool


class Before(NamedTuple):
    """A chain as it was."""

    subtasks: int
    #: How many channels came over each of its edges.
    channels: Sequence[int]
    #: How many operators were in it.
    operators: int
    #: By subtask; one that has seen nothing has none.
    tasks: Mapping[int, TaskState]

    @property
    def has_ended(self) -> bool:
        """Whether its input has ended, in all subtasks."""
        return any(task.ended == (sum(self.channels) or 1) for task in self.tasks.values())


class Input(NamedTuple):
    """What comes over an edge."""

    channels: Sequence[Channel]
    #: Whether it counted as idle, and does not any more.
    wakes: bool


class Producers:
    """Finds where edges begin."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._found: dict[int, tuple[Entry, bool]] = {}
        for entry in entries:
            self._follow(entry, entry.node, makes_time=False)

    def of(self, edge: Edge) -> tuple[Entry, bool]:
        """The chain that an edge begins in, and whether an operator in front of it makes the stream's time."""
        return self._found[edge.id]

    def _follow(self, entry: Entry, node: Node, *, makes_time: bool) -> None:
        makes_time = makes_time or node.makes_watermarks
        for _, taker in node.takers:
            if isinstance(taker, Edge):
                self._found[taker.id] = entry, makes_time
            else:
                self._follow(entry, taker, makes_time=makes_time)


def redealt_tasks(entry: Entry, before: Before, inputs: Sequence[Input]) -> tuple[dict[int, TaskState], bool]:
    """The states of a chain's tasks behind exchanges, and whether what they give was idle and is not any more.

    Args:
        entry: The chain.
        before: The same, as it was.
        inputs: What comes over each of its edges.
    """
    tasks = [before.tasks[subtask] for subtask in sorted(before.tasks)]
    channels = [channel for each in inputs for channel in each.channels]
    ended = sum(channel.ended for channel in channels)
    if not tasks:
        if not ended:
            return {}, False
        tasks = [_unseen(before)]
    statuses, valve, wakes = _channels(before.channels, tasks[0], inputs)
    operators = _operators(tasks)
    made = {
        subtask: TaskState(statuses, valve, ended, operators, tasks[subtask % len(tasks)].positions)
        for subtask in range(entry.subtasks)
    }
    return made, wakes


def reader_tasks(entry: Entry, before: Before, *, finished: bool) -> dict[int, TaskState]:
    """The states of the tasks behind readers whose splits were dealt out anew; ``finished``: all of them have ended."""
    tasks = [task for task in before.tasks.values() if not task.ended] or list(before.tasks.values())
    if finished:
        return {reader: ended_task() for reader in range(entry.subtasks)}
    if not tasks:
        return {}
    watermark = min(task.valve[1] for task in tasks)
    operators = [
        operator._replace(snapshot=None) if operator.redistribution == Redistribution.SPLITS.value else operator
        for operator in _operators(tasks)
    ]
    valve = [(watermark, True, True)], watermark, True
    lots = Redistribution.LOTS.value
    positions = {
        taker.key: (lots, _BEHIND) for node in walk(entry.node) for _, taker in node.takers if isinstance(taker, Edge)
    }
    return {
        reader: TaskState([ChannelStatus(watermark)], valve, 0, operators, positions)
        for reader in range(entry.subtasks)
    }


def ended_task() -> TaskState:
    """The state of a source's task to which nothing will come."""
    return TaskState([ChannelStatus(MAX_WATERMARK)], ([(MAX_WATERMARK, True, True)], MAX_WATERMARK, True), 1, [], {})


def _unseen(before: Before) -> TaskState:
    """A task that has seen nothing."""
    count = sum(before.channels)
    operators = [OperatorState(MIN_WATERMARK, 0, None, Redistribution.BROADCAST.value)] * before.operators
    valve = [(MIN_WATERMARK, True, True)] * count, MIN_WATERMARK, True
    return TaskState([ChannelStatus(MIN_WATERMARK) for _ in range(count)], valve, 0, operators, {})


def _operators(tasks: Sequence[TaskState]) -> list[OperatorState]:
    return [
        OperatorState(
            min(each.watermark for each in states),
            max(each.processing_time for each in states),
            states[0].snapshot,
            states[0].redistribution,
        )
        for states in zip(*(task.operators for task in tasks), strict=True)
    ]


def _channels(counts: Sequence[int], task: TaskState, inputs: Sequence[Input]) -> tuple[list[ChannelStatus], Any, bool]:
    """Statuses and valve for the channels that there are now, and whether the valve was idle and is not any more."""
    of_valve, last_output, was_active = task.valve
    statuses: list[ChannelStatus] = []
    valve: list[_ValveChannel] = []
    begin = 0
    for count, each in zip(counts, inputs, strict=True):
        old_statuses, old_valve = task.statuses[begin : begin + count], of_valve[begin : begin + count]
        begin += count
        level = _level(old_valve, last_output)
        for channel in each.channels:
            status, in_valve = ChannelStatus(level), (level, True, True)
            if channel.before is not None:
                status, in_valve = old_statuses[channel.before], old_valve[channel.before]
                if each.wakes and status.idle:
                    watermark = in_valve[0]
                    status, in_valve = ChannelStatus(status.watermark), (watermark, True, watermark >= last_output)
            elif channel.ended:
                status, in_valve = ChannelStatus(MAX_WATERMARK), (MAX_WATERMARK, True, True)
            statuses.append(status)
            valve.append(in_valve)
    is_active = any(active for _, active, _ in valve)
    return statuses, (valve, last_output, is_active), is_active and not was_active


def _level(channels: Sequence[_ValveChannel], last_output: int) -> int:
    """The watermark at which new channels of an edge begin: the least of those that had not ended and were not idle."""
    active = [watermark for watermark, is_active, _ in channels if is_active and watermark < MAX_WATERMARK]
    return max(min(active, default=last_output), last_output)
