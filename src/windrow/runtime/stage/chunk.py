"""A chunk: many elements of one channel for one subtask, with the watermarks that stand between them.

This is what moves between levels: a Spark row or a Python object per chunk, not per element.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from windrow.common.limits import NO_TIMESTAMP
from windrow.elements.batch import EMPTY, Batch
from windrow.elements.wire import decode, encode


@dataclass(frozen=True)
class ProcessingTime:
    """Processing time comes to ``now``, in milliseconds: in jobs whose source sets it, which are tests."""

    now: int


#: A source's chain hands on what it has made when it has had so many elements. Rows are visited by one operator after
#: the other: measured, 8,192 stay in the processor's cache, and 131,072 took three times as long each.
ELEMENTS_PER_CHUNK = 1 << 13
#: Where only columns are handed on, so many make a chunk: what a chunk costs, however many it holds, is spread.
COLUMN_ELEMENTS_PER_CHUNK = 1 << 16

#: An epoch is what stands between two control events of a channel. A chunk's number says in which it begins: its
#: producer counts the control events before it, and all producers have the same ones, so none has to know where another
#: cuts. Behind that stands which part of the epoch it is. Where all of them cut, at one event, numbers may be left out.
PARTS_PER_EPOCH = 1 << 16
EPOCHS_PER_SEQUENCE = 1 << 17

#: What stands between elements: a watermark, a change of the channel's status, the end of the input, or the time.
Control = int | Literal["idle", "active", "end"] | ProcessingTime
#: A NumPy int64 array where a sequence of integers is expected; NumPy's types do not say that it is one.
Timestamps = Any


@dataclass
class Chunk:
    """Elements in order, and control events between them.

    ``cuts[i]`` is how many elements stand before control event i; None means that all of them stand before the first.
    All subtasks of a level see the same control events: the first one's chunk carries them, the others' chunks only
    elements, and how many of them stand before each.
    """

    batch: Batch = EMPTY
    cuts: list[int] | None = None
    controls: list[Control] = field(default_factory=list)

    def encode(self, *, with_code: bool = False) -> bytes:
        """The chunk as bytes; ``with_code`` for what the program's own process sends to workers."""
        batch = self.batch
        columns = None
        if batch.columns is not None:
            from windrow.elements.packed import packed

            columns = packed(batch)
        content = (batch.elements, batch.timestamps, batch.keys) if columns is None else tuple(columns)
        return encode((columns is None, content, self.cuts, self.controls), with_code=with_code)

    @staticmethod
    def decode(data: bytes) -> Chunk:
        are_rows, content, cuts, controls = decode(data)
        if are_rows:
            return Chunk(Batch(*content), cuts, controls)
        from windrow.elements.packed import Packed

        return Chunk(Packed(*content).batch(), cuts, controls)


@dataclass
class ChunkRow:
    """A chunk on its way: to which subtask of which level, over which edge, from whom."""

    level: int
    #: Which of the level's entries the edge leads to.
    entry: int
    subtask: int
    #: Chunks of a channel are taken in the order of their sequence numbers, by epoch and part.
    sequence: int
    edge: int
    #: Among the channels of the edge.
    channel: int
    #: The subtask that made it; 0 from a source.
    producer: int
    #: Processing time of the batch, in milliseconds.
    now: int
    chunk: Chunk

    @property
    def first_epoch(self) -> int:
        """In which epoch of its channel it begins."""
        return self.sequence // PARTS_PER_EPOCH

    def order(self) -> tuple[int, ...]:
        """Give what rows are sorted by before a level takes them."""
        return (self.level, self.entry, self.subtask, self.sequence, self.edge, self.channel, self.producer)


def no_timestamps(count: int) -> Timestamps:
    """Timestamps of elements that have none."""
    return np.full(count, NO_TIMESTAMP, dtype=np.int64)


def as_array(timestamps: Sequence[int]) -> Timestamps:
    """Timestamps as a NumPy array."""
    return np.asarray(timestamps, dtype=np.int64)
