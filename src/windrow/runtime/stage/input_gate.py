"""Puts the chunks of all channels of an operator into the one order in which it sees them.

The rule, the same in every runtime and every subtask: next is always the active channel with the lowest watermark
(ties: the lower channel; idle channels last), and of it the elements up to and including its next control event.
The order follows from control events only, which all subtasks receive alike: so all of them agree on it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from heapq import merge
from itertools import chain

from windrow.common.limits import MAX_WATERMARK
from windrow.elements.batch import EMPTY, Batch
from windrow.runtime.stage.chunk import PARTS_PER_EPOCH, ChunkRow, Control

#: An epoch behind all others.
_NEVER = 1 << 62


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
    arriving = _Arriving(rows)
    of_channels = [_channel_steps(channel, arriving) for channel in range(len(statuses))]
    ranks = [_rank(channel, status) for channel, status in enumerate(statuses)]
    while True:
        for _, _, channel in sorted(ranks):
            step = next(of_channels[channel], None)
            if step is not None:
                break
        else:
            return
        status = statuses[channel]
        _note(status, step.control)
        ranks[channel] = _rank(channel, status)
        yield step


def _rank(channel: int, status: ChannelStatus) -> tuple[bool, int, int]:
    return status.idle, status.watermark, channel


class _Arriving:
    """The rows of all channels, read from the input when a channel needs one."""

    def __init__(self, rows: Iterable[tuple[int, ChunkRow]]) -> None:
        self._rows = iter(rows)
        self._following = next(self._rows, None)
        self._waiting: dict[int, deque[ChunkRow]] = {}

    def begins(self, channel: int) -> int:
        """The channel's next row begins in no earlier epoch."""
        if waiting := self._waiting.get(channel):
            return waiting[0].first_epoch
        return _NEVER if self._following is None else self._following[1].first_epoch

    def next(self, channel: int, until: int = _NEVER) -> ChunkRow | None:
        """The channel's next row; None: it has no more that begins in an epoch up to ``until``."""
        while not self._waiting.get(channel) and self.begins(channel) <= until and self._following is not None:
            of_channel, row = self._following
            self._waiting.setdefault(of_channel, deque()).append(row)
            self._following = next(self._rows, None)
        waiting = self._waiting.get(channel)
        return waiting.popleft() if waiting and waiting[0].first_epoch <= until else None


def _note(status: ChannelStatus, control: Control | None) -> None:
    if isinstance(control, int):
        status.watermark = control
    elif control == "end":
        status.watermark = MAX_WATERMARK
    elif isinstance(control, str):
        status.idle = control == "idle"


def _channel_steps(channel: int, arriving: _Arriving) -> Iterator[Step]:
    """The steps of one channel, epoch after epoch: what the producers have sent for it, then its control event."""
    under_way: list[_UnderWay] = []
    epoch = 0
    while True:
        last = max((row.last for row in under_way), default=-1)
        until = max(epoch, min(last + 1, arriving.begins(channel)))
        yield from _epochs_where_none_begins(channel, epoch, until, under_way)
        under_way, epoch = [row for row in under_way if row.last >= until], until
        first = arriving.next(channel, epoch if under_way else _NEVER)
        if first is not None:
            epoch = first.first_epoch
            arrived = (_UnderWay(row) for row in chain((first,), iter(partial(arriving.next, channel, epoch), None)))
            first, going_on = None, under_way
            under_way = []
            yield from _epoch(channel, epoch, _in_order(going_on, arrived, epoch), under_way)
            epoch += 1
        elif not under_way:
            return


def _epochs_where_none_begins(channel: int, epoch: int, until: int, rows: list[_UnderWay]) -> Iterator[Step]:
    elected = next((row for row in rows if row.controls), None)
    for each in range(epoch, until):
        batch = EMPTY
        for row in rows:
            taken = row.take(each)
            if len(taken):
                if len(batch):
                    yield Step(channel, batch, None)
                batch = taken
        control = None if elected is None else elected.control(each)
        if len(batch) or control is not None:
            yield Step(channel, batch, control)


def _epoch(channel: int, epoch: int, rows: Iterable[_UnderWay], going_on: list[_UnderWay]) -> Iterator[Step]:
    """An epoch in which rows begin, each read when those before it are taken; ``going_on`` gets those that go on."""
    batch, control = EMPTY, None
    for row in rows:
        taken = row.take(epoch)
        if len(taken):
            if len(batch):
                yield Step(channel, batch, None)
            batch = taken
        control = row.control(epoch) if control is None else control
        if row.last > epoch:
            going_on.append(row)
    going_on.sort(key=lambda row: row.producer)
    if len(batch) or control is not None:
        yield Step(channel, batch, control)


def _in_order(going_on: list[_UnderWay], arrived: Iterator[_UnderWay], epoch: int) -> Iterator[_UnderWay]:
    """The rows of an epoch in the order of their producers, wherever these have cut; further parts behind them."""
    if not going_on:
        return arrived
    return merge(going_on, arrived, key=lambda row: (row.part if row.first == epoch else 0, row.producer))


class _UnderWay:
    """A row of which elements are taken epoch by epoch."""

    def __init__(self, row: ChunkRow) -> None:
        self.first, self.part = divmod(row.sequence, PARTS_PER_EPOCH)
        self.producer = row.producer
        self.controls = row.chunk.controls
        self._batch = row.chunk.batch
        self._count = len(self._batch)
        self._cuts = row.chunk.cuts or ()
        self._taken = 0
        #: The last epoch of which it has anything.
        self.last = self.first + max(len(self.controls) - 1, bisect_left(self._cuts, self._count))

    def take(self, epoch: int) -> Batch:
        """Its elements of the epoch."""
        start, count, number = self._taken, self._count, epoch - self.first
        if start == count:
            return EMPTY
        self._taken = end = self._cuts[number] if number < len(self._cuts) else count
        if end - start == count:
            return self._batch
        return self._batch.slice(start, end) if end > start else EMPTY

    def control(self, epoch: int) -> Control | None:
        """The control event behind the epoch, if it is in this row."""
        number = epoch - self.first
        return self.controls[number] if number < len(self.controls) else None
