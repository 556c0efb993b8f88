"""Puts the chunks of all channels of an operator into the one order in which it sees them.

The rule, the same in every runtime and every key group: next is always the active channel with the lowest watermark
(ties: the lower channel; idle channels last), and of it the elements up to and including its next control event.
The order follows from control events only, which all key groups receive alike: so all of them agree on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np

from windrow.common.limits import MAX_WATERMARK
from windrow.runtime.stage.chunk import ChunkRow, Control


@dataclass
class Step:
    """Elements of one channel between two control events, then the control event (None: the batch ends here)."""

    channel: int
    keys: Sequence[Any] | None
    values: Sequence[Any]
    timestamps: Sequence[int]
    control: Control | None


@dataclass
class ChannelStatus:
    """Where a channel stands; kept between batches."""

    watermark: int
    idle: bool = False


def steps(rows: Sequence[tuple[int, ChunkRow]], statuses: list[ChannelStatus]) -> Iterator[Step]:
    """All that ``rows``, pairs of (channel, row), hold, in order. ``statuses`` is brought up to date on the way."""
    by_channel: dict[int, list[ChunkRow]] = {}
    for channel, row in rows:
        by_channel.setdefault(channel, []).append(row)
    if len(by_channel) == 1:
        ((channel, channel_rows),) = by_channel.items()
        for step in _channel_steps(channel, channel_rows):
            _note(statuses[channel], step.control)
            yield step
        return
    pending = {channel: _channel_steps(channel, channel_rows) for channel, channel_rows in by_channel.items()}
    while pending:
        channel = min(pending, key=lambda c: (statuses[c].idle, statuses[c].watermark, c))
        following = next(pending[channel], None)
        if following is None:
            del pending[channel]
            continue
        _note(statuses[channel], following.control)
        yield following


def _note(status: ChannelStatus, control: Control | None) -> None:
    if isinstance(control, int):
        status.watermark = control
    elif control == "end":
        status.watermark = MAX_WATERMARK
    elif isinstance(control, str):
        status.idle = control == "idle"


def _channel_steps(channel: int, rows: list[ChunkRow]) -> Iterator[Step]:
    rows.sort(key=lambda row: (row.sequence, row.producer))
    for _, same in groupby(rows, key=lambda row: row.sequence):
        round_rows = list(same)
        controls = next((row.chunk.controls for row in round_rows if row.chunk.controls), [])
        with_elements = [row for row in round_rows if len(row.chunk.values)]
        if len(with_elements) <= 1:
            yield from _one_producer(channel, with_elements, controls)
        else:
            yield from _many_producers(channel, with_elements, controls)


def _one_producer(channel: int, rows: list[ChunkRow], controls: list[Control]) -> Iterator[Step]:
    if not rows:
        for control in controls:
            yield Step(channel, None, (), (), control)
        return
    chunk = rows[0].chunk
    if not controls:
        yield Step(channel, chunk.keys, chunk.values, chunk.timestamps, None)
        return
    start = 0
    ends: list[Control | None] = [*controls, None]
    for end_control, end in zip(ends, _cuts(rows[0], len(controls)), strict=True):
        if end > start:
            keys = None if chunk.keys is None else chunk.keys[start:end]
            yield Step(channel, keys, chunk.values[start:end], chunk.timestamps[start:end], end_control)
        elif end_control is not None:
            yield Step(channel, None, (), (), end_control)
        start = end


def _many_producers(channel: int, rows: list[ChunkRow], controls: list[Control]) -> Iterator[Step]:
    cuts = [_cuts(row, len(controls)) for row in rows]
    starts = [0] * len(rows)
    ends: list[Control | None] = [*controls, None]
    for epoch, control in enumerate(ends):
        for index, row in enumerate(rows):
            start, end = starts[index], cuts[index][epoch]
            if end > start:
                chunk = row.chunk
                keys = None if chunk.keys is None else chunk.keys[start:end]
                yield Step(channel, keys, chunk.values[start:end], chunk.timestamps[start:end], None)
                starts[index] = end
        if control is not None:
            yield Step(channel, None, (), (), control)


def _cuts(row: ChunkRow, controls: int) -> list[int]:
    """For each control event, and last for the end, how many of the chunk's elements stand before it."""
    epochs = row.chunk.epochs
    if epochs is None:
        return [len(row.chunk.values)] * (controls + 1)
    cuts: list[int] = np.searchsorted(epochs, np.arange(1, controls + 1), side="left").tolist()
    return [*cuts, len(row.chunk.values)]
