"""A chunk: many elements of one channel for one subtask, with the watermarks that stand between them.

This is what moves between levels: a Spark row or a Python object per chunk, not per element.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from windrow.common.limits import NO_TIMESTAMP
from windrow.elements.batch import EMPTY, Batch
from windrow.elements.wire import decode, encode


@dataclass(frozen=True)
class ProcessingTime:
    """Processing time comes to ``now``, in milliseconds: in jobs whose source sets it, which are tests."""

    now: int


#: A source's chain takes so many elements at a time and hands on what it has made of them. They are visited by one
#: operator after the other: measured, 8,192 stay in the processor's cache, and 131,072 took three times as long each.
ELEMENTS_PER_CHUNK = 1 << 13
#: Where only columns are handed on, so many make a chunk: what a chunk costs, however many it holds, is spread.
COLUMN_ELEMENTS_PER_CHUNK = 1 << 16

#: What stands between elements: a watermark, a change of the channel's status, the end of the input, or the time.
Control = int | Literal["idle", "active", "end"] | ProcessingTime
#: A NumPy int64 array where a sequence of integers is expected; NumPy's types do not say that it is one.
Timestamps = Any


@dataclass
class Chunk:
    """Elements in order, and control events between them.

    ``epochs[i]`` is how many control events stand before element i; None means none before any. All subtasks of a
    level see the same control events: the first one's chunk carries them, the others' chunks only elements.
    """

    batch: Batch = EMPTY
    epochs: NDArray[np.int32] | None = None
    controls: list[Control] = field(default_factory=list)

    def encode(self, *, with_code: bool = False) -> bytes:
        """The chunk as bytes; ``with_code`` for what the program's own process sends to workers."""
        batch = self.batch
        return encode((batch.elements, batch.timestamps, batch.keys, self.epochs, self.controls), with_code=with_code)

    @staticmethod
    def decode(data: bytes) -> Chunk:
        elements, timestamps, keys, epochs, controls = decode(data)
        return Chunk(Batch(elements, timestamps, keys), epochs, controls)


@dataclass
class ChunkRow:
    """A chunk on its way: to which subtask of which level, over which edge, from whom."""

    level: int
    #: Which of the level's entries the edge leads to.
    entry: int
    subtask: int
    #: Chunks of a channel are taken in the order of their sequence numbers.
    sequence: int
    edge: int
    #: Among the channels of the edge.
    channel: int
    #: The subtask that made it; 0 from a source.
    producer: int
    #: Processing time of the batch, in milliseconds.
    now: int
    chunk: Chunk

    def order(self) -> tuple[int, ...]:
        """Give what rows are sorted by before a level takes them."""
        return (self.level, self.entry, self.subtask, self.sequence, self.edge, self.channel, self.producer)


def no_timestamps(count: int) -> Timestamps:
    """Timestamps of elements that have none."""
    return np.full(count, NO_TIMESTAMP, dtype=np.int64)


def as_array(timestamps: Sequence[int]) -> Timestamps:
    """Timestamps as a NumPy array."""
    return np.asarray(timestamps, dtype=np.int64)
