"""Makes the states with which tasks go on from others: from more or fewer of them, or from another program's.

All subtasks of a level have seen the same control events, so what they know of time is the same, and each new one has
it from any of them. Operators are known by their tags, wherever they stood. What changes is which channels there are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

from windrow.common.limits import MAX_WATERMARK, MIN_WATERMARK
from windrow.graph.job_graph import Edge, Entry, Node, walk
from windrow.operators.redistribution import Redistribution
from windrow.runtime.stage.input_gate import ChannelStatus
from windrow.runtime.stage.task import OperatorState, TaskState

#: A writer whose channel's watermark may be behind what receivers know.
_BEHIND = (Redistribution.LOTS.value, ~0)
#: A valve's snapshot of a channel: its watermark, whether it is active, whether it counts.
_ValveChannel = tuple[int, bool, bool]


class Channel(NamedTuple):
    """A channel as there is one now."""

    #: Which of its edge's it was; None: it is a new one.
    before: int | None
    #: Whether nothing comes from it any more.
    ended: bool
    #: Whether it is idle, and has said so to others than a receiver that is new.
    idle: bool = False


class EdgeBefore(NamedTuple):
    """An edge to a chain, as another parallelism or another program has left it."""

    input: int
    #: The head of the chain that it began in.
    head: str
    channels: int


class Before(NamedTuple):
    """A chain, as another parallelism or another program has left it."""

    subtasks: int
    edges: Sequence[EdgeBefore]
    #: The tags of its operators, in order.
    operators: Sequence[str]
    #: By subtask; one that has seen nothing has none.
    tasks: Mapping[int, TaskState]

    @property
    def channels(self) -> int:
        return sum(edge.channels for edge in self.edges)

    def edge_channels(self) -> list[slice]:
        """Find the slice of the chain's channels that comes over each edge."""
        bounds = accumulate((edge.channels for edge in self.edges), initial=0)
        return [slice(begin, end) for begin, end in pairwise(bounds)]

    def states(self, tasks: Sequence[TaskState]) -> dict[str, OperatorState]:
        """The states of the chain's operators by their tags, those of several tasks put together."""
        together = [_together(states) for states in zip(*(task.operators for task in tasks), strict=True)]
        return dict(zip(self.operators, together, strict=True)) if together else {}


class Input(NamedTuple):
    """The channels that come over an edge."""

    #: Which of the edges of before it is; None: a new one.
    edge: int | None
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


def operators_of(entry: Entry) -> list[str]:
    """The tags of a chain's operators, in order; a source is none."""
    return [node.tag for node in walk(entry.node) if node.factory is not None]


def redealt_tasks(
    entry: Entry, before: Before | None, inputs: Sequence[Input], operators: Mapping[str, OperatorState]
) -> tuple[dict[int, TaskState], bool]:
    """The states of a chain's tasks behind exchanges, and whether what they give was idle and is not any more.

    Args:
        entry: The chain.
        before: The one with the same head, as it was; None: there was none.
        inputs: What comes over each of its edges.
        operators: The states of all operators by their tags, wherever they stood.
    """
    ended = sum(channel.ended for each in inputs for channel in each.channels)
    known = {tag: operators[tag] for tag in operators_of(entry) if tag in operators}
    tasks = [] if before is None else [before.tasks[subtask] for subtask in sorted(before.tasks)]
    if not tasks:
        if not ended and not known:
            return {}, False
        tasks = [_unseen(before, known.get(entry.node.tag))]
    statuses, valve, wakes = _channels([] if before is None else before.edge_channels(), tasks[0], inputs)
    states = _chain(entry, known, valve[1])
    behind = _positions(entry)
    made = {
        subtask: TaskState(statuses, valve, ended, states, {**behind, **tasks[subtask % len(tasks)].positions})
        for subtask in range(entry.subtasks)
    }
    return made, wakes


def channel_task(entry: Entry, before: Before, channel: int, operators: Mapping[str, OperatorState]) -> TaskState:
    """The state of the task behind a channel that goes on as it was."""
    task = before.tasks[channel]
    states = {**operators, **before.states([task])}
    chain = [] if task.ended else _chain(entry, states, task.valve[1])
    return task._replace(operators=chain, positions={**_positions(entry), **task.positions})


def reader_tasks(
    entry: Entry, before: Before, operators: Mapping[str, OperatorState], *, finished: bool
) -> dict[int, TaskState]:
    """The states of the tasks behind readers whose splits were dealt out anew; ``finished``: all of them have ended."""
    tasks = [task for task in before.tasks.values() if not task.ended]
    if finished:
        return {reader: ended_task() for reader in range(entry.subtasks)}
    if not tasks:
        return {}
    watermark = min(task.valve[1] for task in tasks)
    states = [
        state._replace(snapshot=None) if state.redistribution == Redistribution.SPLITS.value else state
        for state in _chain(entry, {**operators, **before.states(tasks)}, watermark)
    ]
    valve = [(watermark, True, True)], watermark, True
    return {
        reader: TaskState([ChannelStatus(watermark)], valve, 0, states, _positions(entry))
        for reader in range(entry.subtasks)
    }


def _positions(entry: Entry) -> dict[str, tuple[str, int]]:
    """The positions of writers that begin anew."""
    return {taker.key: _BEHIND for node in walk(entry.node) for _, taker in node.takers if isinstance(taker, Edge)}


def ended_task() -> TaskState:
    """The state of a source's task to which nothing will come."""
    return TaskState([ChannelStatus(MAX_WATERMARK)], ([(MAX_WATERMARK, True, True)], MAX_WATERMARK, True), 1, [], {})


def _unseen(before: Before | None, head: OperatorState | None) -> TaskState:
    """A task that has seen nothing, but for what its head has where it stood."""
    count = 0 if before is None else before.channels
    watermark = MIN_WATERMARK if head is None else head.watermark
    valve = [(watermark, True, True)] * count, watermark, True
    return TaskState([ChannelStatus(watermark) for _ in range(count)], valve, 0, [], {})


def _together(states: Sequence[OperatorState]) -> OperatorState:
    return OperatorState(
        min(each.watermark for each in states),
        max(each.processing_time for each in states),
        states[0].snapshot,
        states[0].redistribution,
    )


def _chain(entry: Entry, known: Mapping[str, OperatorState], watermark: int) -> list[OperatorState]:
    """The states of a chain's operators; a new one begins at the time of what is in front of it."""
    made: list[OperatorState] = []
    fresh = OperatorState(watermark, 0, None, Redistribution.BROADCAST.value)
    for tag in operators_of(entry):
        state = known.get(tag)
        made.append(fresh if state is None else state)
        fresh = made[-1]._replace(snapshot=None, redistribution=Redistribution.BROADCAST.value)
    return made


def _channels(
    of_edges: Sequence[slice], task: TaskState, inputs: Sequence[Input]
) -> tuple[list[ChannelStatus], Any, bool]:
    """Statuses and valve for the channels that there are now, and whether the valve was idle and is not any more."""
    of_valve, last_output, was_active = task.valve
    statuses: list[ChannelStatus] = []
    valve: list[_ValveChannel] = []
    for each in inputs:
        before = slice(0) if each.edge is None else of_edges[each.edge]
        old_statuses, old_valve = task.statuses[before], of_valve[before]
        least = _least_watermark(old_valve, last_output)
        # As a channel that has ended counts. One that never was anything counts for nothing.
        at_end = any(watermark == MAX_WATERMARK and active for watermark, active, _ in old_valve)
        for channel in each.channels:
            at = MAX_WATERMARK if channel.ended and at_end else least
            idle = not at_end if channel.ended else channel.idle and not each.wakes
            status, in_valve = ChannelStatus(at, idle), (at, not idle, not idle)
            if channel.before is not None and old_statuses:
                status, in_valve = old_statuses[channel.before], old_valve[channel.before]
                if each.wakes and status.idle:
                    status = ChannelStatus(status.watermark)
                    in_valve = in_valve[0], True, in_valve[0] >= last_output
            statuses.append(status)
            valve.append(in_valve)
    is_active = any(active for _, active, _ in valve)
    return statuses, (valve, last_output, is_active), is_active and not was_active


def _least_watermark(channels: Sequence[_ValveChannel], last_output: int) -> int:
    """The watermark at which new channels of an edge begin: the least of those that had not ended and were not idle."""
    active = [watermark for watermark, is_active, _ in channels if is_active and watermark < MAX_WATERMARK]
    return max(min(active, default=last_output), last_output)
