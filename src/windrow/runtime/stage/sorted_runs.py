"""Sorted runs, and how several become one: by timestamp, then input; of equal elements those of an earlier run first.

A run is read a block at a time, so of each there is one in memory, however long it is. What is read of runs of columns
of one input stays columns: arrays are cut, put together and sorted, and no element is looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from windrow.elements.batch import Batch, Gathered
from windrow.operators.column_folds.radix import stable_order
from windrow.runtime.stage.chunk import COLUMN_ELEMENTS_PER_CHUNK, ELEMENTS_PER_CHUNK
from windrow.state.storable import check_storable


class Part(NamedTuple):
    """Elements of one input, in their order."""

    input: int
    batch: Batch


class Block(NamedTuple):
    """Elements that are read and written together, each with its input."""

    inputs: NDArray[np.int8]
    batch: Batch

    def part(self, start: int, stop: int) -> Block:
        """The elements from ``start`` to below ``stop``."""
        return Block(self.inputs[start:stop], self.batch.slice(start, stop))


def of_input(which_input: int, batches: Iterable[Batch]) -> Iterator[Block]:
    """Batches with the input that they are of."""
    for batch in batches:
        yield Block(np.full(len(batch), which_input, np.int8), batch)


def in_order(batch: Batch, count: int | None = None) -> Iterator[Batch]:
    """The elements of one input sorted by their timestamps, ``count`` at a time; None: as many as make a chunk."""
    count = count or (ELEMENTS_PER_CHUNK if batch.columns is None else COLUMN_ELEMENTS_PER_CHUNK)
    times = batch.timestamp_array()
    order = None if (times[1:] >= times[:-1]).all() else stable_order(times)
    for start in range(0, times.size, count):
        stop = start + count
        yield batch.slice(start, stop) if order is None else batch.take(order[start:stop])


def together(blocks: Sequence[Block]) -> Iterator[Block]:
    """Elements in order, whatever order they are in, at most a chunk at a time; equal ones stay as they are."""
    gathered = Gathered()
    for block in blocks:
        gathered.extend(block.batch)
    inputs, batch = np.concatenate([block.inputs for block in blocks]), gathered.all()
    if (inputs == inputs[0]).all():
        yield from of_input(int(inputs[0]), in_order(batch))
        return
    order = np.lexsort((inputs, batch.timestamp_array()))
    for start in range(0, len(order), ELEMENTS_PER_CHUNK):
        places = order[start : start + ELEMENTS_PER_CHUNK]
        yield Block(inputs[places], batch.take(places))


def merged(runs: Sequence[Iterator[Block]]) -> Iterator[Block]:
    """All elements of the runs in order, at most a chunk at a time.

    What is certain to come before all that is not yet read goes out, as soon as it is a chunk.
    """
    readers = [_Reader(run) for run in runs]
    certain: list[Block] = []
    count, enough = 0, COLUMN_ELEMENTS_PER_CHUNK
    while reading := [reader for reader in readers if reader.read()]:
        # Of equal elements those of an earlier run come first, wherever their blocks end.
        least = min(range(len(reading)), key=lambda number: reading[number].last)
        bound = reading[least].last
        for number, reader in enumerate(reading):
            block = reader.take(bound, inclusive=number <= least)
            if block is not None:
                certain.append(block)
                count += len(block.inputs)
                enough = enough if block.batch.columns is not None else ELEMENTS_PER_CHUNK
        if count >= enough:
            yield from certain if len(certain) == 1 else together(certain)
            certain, count, enough = [], 0, COLUMN_ELEMENTS_PER_CHUNK
    if certain:
        yield from together(certain)


def parts(blocks: Iterable[Block]) -> Iterator[Part]:
    """The elements of each input that come one behind the other; where inputs take turns, as rows."""
    for inputs, batch in blocks:
        cuts = [0, *(np.flatnonzero(inputs[1:] != inputs[:-1]) + 1).tolist(), len(inputs)]
        if len(cuts) == 2:
            yield Part(int(inputs[0]), batch)
            continue
        # Arrays of a few elements each would take longer than their rows.
        values, keys, timestamps = list(batch.elements), list(batch.keys or ()), batch.timestamp_array()
        for start, end in pairwise(cuts):
            yield Part(int(inputs[start]), Batch(values[start:end], timestamps[start:end], keys[start:end]))


@contextmanager
def elements_named(batch: Batch) -> Iterator[None]:
    """Say of which element it is that elements cannot be written."""
    try:
        yield
    except Exception:  # whatever the __reduce__ of a user's class raises
        for value in batch.elements:
            check_storable("its input, which waits to be sorted,", value)
        raise


class _Reader:
    """A run of which one block is in memory."""

    def __init__(self, blocks: Iterator[Block]) -> None:
        self._blocks = blocks
        self._block: Block | None = None
        #: How many of the block's elements were taken, and how many there are.
        self._start = self._stop = 0
        #: The timestamp and the input of the block's last element.
        self.last = (0, 0)

    def read(self) -> bool:
        """Have elements, if there are any left."""
        while self._start == self._stop:
            block = self._block = next(self._blocks, None)
            if block is None:
                return False
            self._start, self._stop = 0, len(block.inputs)
            self._times = block.batch.timestamp_array()
            if self._stop:
                self.last = int(self._times[-1]), int(block.inputs[-1])
        return True

    def take(self, bound: tuple[int, int], *, inclusive: bool) -> Block | None:
        """Take out what comes before an element with this timestamp and input, or with it as well; None: nothing."""
        assert self._block is not None
        inputs, (time, which_input) = self._block.inputs, bound
        first, last = (int(np.searchsorted(self._times, time, side)) for side in ("left", "right"))
        stop = first + int(np.searchsorted(inputs[first:last], which_input, "right" if inclusive else "left"))
        start, self._start = self._start, stop
        if start == stop:
            return None
        return self._block if stop - start == len(inputs) else self._block.part(start, stop)
