"""Puts the chunks of all channels of an operator into the one order in which it sees them.

The rule, the same in every runtime and every subtask: next is always the active channel with the lowest watermark
(ties: the lower channel; idle channels last), and of it the elements up to and including its next control event.
The order follows from control events only, which all subtasks receive alike: so all of them agree on it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from windrow.common.limits import MAX_WATERMARK
from windrow.elements.batch import EMPTY, Batch
from windrow.runtime.stage.chunk import ChunkRow, Control


@dataclass
class Step:
    """Elements of one channel between two control events, then the control event (None: the chunk ends here)."""

    channel: int
    batch: Batch
    control: Control | None


@dataclass
class ChannelStatus:
    """The state of a channel; kept between batches."""

    watermark: int
    idle: bool = False


def steps(rows: Iterable[tuple[int, ChunkRow]], statuses: list[ChannelStatus]) -> Iterator[Step]:
    """All that ``rows`` hold, in order; ``statuses`` is brought up to date on the way.

    Args:
        rows: Pairs of (channel, row), sorted by sequence number, channel and producer. They are read as they are
            needed: a channel that is ahead of the others is held back here until those have caught up.
        statuses: The status of each channel.
    """
    arriving = _Rounds(rows)
    under_way: dict[int, Iterator[Step]] = {}
    while True:
        channel = _lowest(arriving, under_way, statuses)
        if channel is None:
            return
        step = next(under_way[channel], None)
        if step is None:
            del under_way[channel]
            continue
        _note(statuses[channel], step.control)
        yield step


class _Rounds:
    """Rounds, the chunks of one channel with one sequence number, read from the input when a channel needs one."""

    def __init__(self, rows: Iterable[tuple[int, ChunkRow]]) -> None:
        self._rounds = groupby(rows, key=lambda pair: (pair[1].sequence, pair[0]))
        self._waiting: dict[int, deque[list[ChunkRow]]] = {}
        self._ended = False

    def next(self, channel: int) -> list[ChunkRow] | None:
        """The channel's next round; None: it has no more."""
        waiting = self._waiting.get(channel)
        while not waiting and not self._ended:
            self._read()
            waiting = self._waiting.get(channel)
        return waiting.popleft() if waiting else None

    def _read(self) -> None:
        following = next(self._rounds, None)
        if following is None:
            self._ended = True
        else:
            (_, channel), pairs = following
            self._waiting.setdefault(channel, deque()).append([row for _, row in pairs])


def _lowest(arriving: _Rounds, under_way: dict[int, Iterator[Step]], statuses: list[ChannelStatus]) -> int | None:
    """The channel to take from next, its round under way; None when everything is taken."""
    by_watermark = sorted(range(len(statuses)), key=lambda c: (statuses[c].idle, statuses[c].watermark, c))
    for channel in by_watermark:
        if channel in under_way:
            return channel
        round_rows = arriving.next(channel)
        if round_rows is not None:
            under_way[channel] = _round_steps(channel, round_rows)
            return channel
    return None


def _note(status: ChannelStatus, control: Control | None) -> None:
    if isinstance(control, int):
        status.watermark = control
    elif control == "end":
        status.watermark = MAX_WATERMARK
    elif isinstance(control, str):
        status.idle = control == "idle"


def _round_steps(channel: int, rows: list[ChunkRow]) -> Iterator[Step]:
    controls = next((row.chunk.controls for row in rows if row.chunk.controls), [])
    with_elements = [row for row in rows if len(row.chunk.batch)]
    if len(with_elements) > 1:
        return _many_producers(channel, with_elements, controls)
    return _one_producer(channel, with_elements, controls)


def _one_producer(channel: int, rows: list[ChunkRow], controls: list[Control]) -> Iterator[Step]:
    if not rows:
        for control in controls:
            yield Step(channel, EMPTY, control)
        return
    batch = rows[0].chunk.batch
    if not controls:
        yield Step(channel, batch, None)
        return
    start = 0
    ends: list[Control | None] = [*controls, None]
    for end_control, end in zip(ends, _cuts(rows[0], len(controls)), strict=True):
        if end > start:
            whole = end - start == len(batch)
            yield Step(channel, batch if whole else batch.slice(start, end), end_control)
        elif end_control is not None:
            yield Step(channel, EMPTY, end_control)
        start = end


def _many_producers(channel: int, rows: list[ChunkRow], controls: list[Control]) -> Iterator[Step]:
    cuts = [_cuts(row, len(controls)) for row in rows]
    starts = [0] * len(rows)
    ends: list[Control | None] = [*controls, None]
    for epoch, control in enumerate(ends):
        for index, row in enumerate(rows):
            start, end = starts[index], cuts[index][epoch]
            if end > start:
                yield Step(channel, row.chunk.batch.slice(start, end), None)
                starts[index] = end
        if control is not None:
            yield Step(channel, EMPTY, control)


def _cuts(row: ChunkRow, controls: int) -> list[int]:
    """For each control event, and last for the end, how many of the chunk's elements stand before it."""
    count = len(row.chunk.batch)
    cuts = row.chunk.cuts
    return [*([count] * controls if cuts is None else cuts), count]
