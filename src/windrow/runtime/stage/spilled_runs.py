"""Sorted runs in a temporary file, in the form in which elements travel: what was columns comes back as columns.

The file is gone when it is closed, and nobody else sees it: what is in it is read by the process that has written it.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator

from windrow.elements.batch import Batch
from windrow.runtime.stage.chunk import COLUMN_ELEMENTS_PER_CHUNK, Chunk
from windrow.runtime.stage.sorted_runs import Block, elements_named, in_order, of_input
from windrow.runtime.stage.stored_runs import ELEMENTS_PER_BLOCK

#: Columns that are written and read together; of each run as many are in memory while runs are merged.
BYTES_PER_BLOCK = 1 << 18


class SpilledRuns:
    """Runs, each of one input."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile(prefix="windrow-sort-")  # noqa: SIM115
        #: Of each run its input, and where its blocks begin and how long they are.
        self._runs: list[tuple[int, list[tuple[int, int]]]] = []

    def write(self, which_input: int, batch: Batch) -> None:
        """Append elements of an input to the file as a run, in order."""
        places = []
        for part in in_order(batch, _elements_per_block(batch)):
            with elements_named(part):
                data = Chunk(part).encode()
            places.append((self._file.seek(0, 2), len(data)))
            self._file.write(data)
        self._runs.append((which_input, places))

    def read(self) -> list[Iterator[Block]]:
        """Give the blocks of each run, in the order in which runs were written."""
        return [of_input(which_input, self._batches(places)) for which_input, places in self._runs]

    def _batches(self, places: list[tuple[int, int]]) -> Iterator[Batch]:
        for start, length in places:
            self._file.seek(start)
            yield Chunk.decode(self._file.read(length)).batch

    def close(self) -> None:
        """Give up the file."""
        self._file.close()


def _elements_per_block(batch: Batch) -> int:
    arrays = batch.arrays()
    if arrays is None:
        return ELEMENTS_PER_BLOCK
    size = sum(array.nbytes for array in arrays[0])
    fitting = max(BYTES_PER_BLOCK * len(batch) // size, 1)
    return min(1 << fitting.bit_length() - 1, COLUMN_ELEMENTS_PER_CHUNK)  # some of them fill a chunk
