"""Sorted runs in the store of a subtask, where a checkpoint has them: pages of rows, whatever the elements were.

Checkpoints of earlier versions have the same pages. An array of the inputs, keys, values and an array of timestamps
are pickled together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from windrow.elements.batch import Batch
from windrow.elements.stored import dumps, loads
from windrow.runtime.stage.sorted_runs import Block, elements_named
from windrow.state.page_store import PageStore

#: Rows that are written and read together; of each run as many are in memory while runs are merged.
ELEMENTS_PER_BLOCK = 1 << 11


class StoredRuns:
    """The runs of an input.

    Args:
        store: Has them.
        name: What their pages are called.
        runs: How many blocks each has of those that are there.
    """

    def __init__(self, store: PageStore, name: str, runs: Sequence[int] = ()) -> None:
        self._store, self._name = store, name
        self.runs = list(runs)

    def write(self, blocks: Iterable[Block]) -> None:
        """Write a run, of which a page of rows is in memory."""
        count = 0
        for block in blocks:
            for start in range(0, len(block.inputs), ELEMENTS_PER_BLOCK):
                part = block.part(start, start + ELEMENTS_PER_BLOCK)
                self._store.put(self._page(len(self.runs), count), _dumps(part))
                count += 1
        self.runs.append(count)

    def read(self) -> list[Iterator[Block]]:
        """Give the blocks of each run, in the order in which runs were written."""
        return [self._blocks(run, count) for run, count in enumerate(self.runs)]

    def remove(self) -> None:
        """They are not needed any more."""
        for run, count in enumerate(self.runs):
            for block in range(count):
                self._store.remove(self._page(run, block))
        self.runs = []

    def _blocks(self, run: int, count: int) -> Iterator[Block]:
        for block in range(count):
            data = self._store.get(self._page(run, block))
            assert data is not None, "a run was written before it is read"
            inputs, keys, values, timestamps = loads(data)
            yield Block(inputs, Batch(values, timestamps, keys))

    def _page(self, run: int, block: int) -> str:
        return f"{self._name}/{run}.{block}"


def _dumps(block: Block) -> bytes:
    batch = block.batch
    with elements_named(batch):
        return dumps((block.inputs, list(batch.keys or ()), list(batch.elements), batch.timestamp_array()))
