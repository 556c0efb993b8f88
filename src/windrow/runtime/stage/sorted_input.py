"""The whole input of a subtask in the order of its timestamps, for operators that see it when it has ended.

In BATCH the inputs of keyed operators are sorted, as in Flink, by key and then timestamp. Here a subtask's elements are
sorted by timestamp alone: each key's elements come in the same order, and results in the order of time over all keys.
Elements of one timestamp, and those without (which come first), keep the order in which they arrived; of two inputs
those of the first one come first. Columns of one shape stay columns while there is room for them.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from windrow.elements.batch import Batch, Gathered
from windrow.elements.stored import dumps, loads
from windrow.operators.column_folds.radix import stable_order
from windrow.runtime.stage.chunk import COLUMN_ELEMENTS_PER_CHUNK, ELEMENTS_PER_CHUNK, Timestamps
from windrow.state.page_store import NoPages, PageStore
from windrow.state.storable import check_storable

if TYPE_CHECKING:
    from windrow.elements.arrays import Layout

#: So many elements are sorted in memory. What is more is written down as a sorted run, and runs are merged.
ELEMENTS_PER_RUN = 1 << 19
#: Elements that are written and read together; of each run as many are in memory while runs are merged.
ELEMENTS_PER_BLOCK = 1 << 11
#: Columns of so many bytes wait in memory; with more they are rows, which are written down.
MOST_BYTES = 1 << 27
#: More parts than a subtask can gather.
MOST_PARTS = 1 << 40
#: Inputs (an array), keys, values, timestamps.
Block: TypeAlias = tuple[Any, list[Any], list[Any], Timestamps]


class Part(NamedTuple):
    """Elements of one input, in their order."""

    input: int
    batch: Batch


class SortedInput:
    """Gathers elements until the input has ended, then gives them in order.

    What is in memory when a batch ends is written into the subtask's store. In a job of one batch there is none: what
    does not fit is in a temporary file.

    Args:
        name: What its pages are called in the store.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._spilled: _SpillFile | None = None
        #: Elements that are columns; all that there are, if there are any.
        self._columns: _Columns | None = None
        self._store: PageStore = NoPages()
        #: How many blocks each run has.
        self.runs: list[int] = []
        self._forget()

    def attach(self, store: PageStore, runs: Sequence[int] = ()) -> None:
        """Show what ``store`` holds: the ``runs`` that were there when it was last written."""
        self.close()
        self._store = store
        self.runs = list(runs)
        self._forget()

    def add(self, which_input: int, batch: Batch) -> None:
        """Take elements of an input, with their keys."""
        if self._waits_as_columns(which_input, batch):
            return
        self._make_rows()
        self._add_rows(which_input, batch)

    def _waits_as_columns(self, which_input: int, batch: Batch) -> bool:
        """Whether all that is there are columns of one shape and input, these elements among them, and not too many."""
        arrays = None if self._values or self.runs else batch.arrays()
        if arrays is None or arrays[1].key_shape is None:
            return False
        size = sum(array.nbytes for array in arrays[0])
        if self._columns is None:
            self._columns = _Columns(which_input, arrays[1])
        columns = self._columns
        if which_input != columns.input or not columns.layout.is_like(arrays[1]) or columns.size + size > MOST_BYTES:
            return False
        columns.size += size
        columns.gathered.extend(batch)
        return True

    def _make_rows(self) -> None:
        columns, self._columns = self._columns, None
        if columns is not None and len(columns.gathered):
            self._add_rows(columns.input, columns.gathered.all())

    def _add_rows(self, which_input: int, batch: Batch) -> None:
        self._inputs.append(np.full(len(batch), which_input, dtype=np.int8))
        self._keys.extend(batch.keys or ())
        self._values.extend(batch.elements)
        self._timestamps.append(batch.timestamp_array())
        if len(self._values) >= ELEMENTS_PER_RUN:
            self.write()

    def write(self) -> None:
        """Write what is in memory as a run."""
        self._make_rows()
        if not self._values:
            return
        pages, run = self._pages(), len(self.runs)
        blocks = 0
        for elements in self._in_memory(ELEMENTS_PER_BLOCK):
            pages.put(self._page(run, blocks), _dumps(elements))
            blocks += 1
        self.runs.append(blocks)
        self._forget()

    def parts(self) -> Iterator[Part]:
        """All elements in order; they are forgotten here."""
        if self._columns is not None:
            yield from self._columns.parts()
        elif not self.runs:
            for elements in self._in_memory(ELEMENTS_PER_CHUNK):
                yield from _by_input(*elements)
        else:
            self.write()
            yield from self._merged()
            pages = self._pages()
            for run, count in enumerate(self.runs):
                for block in range(count):
                    pages.remove(self._page(run, block))
        self.runs = []
        self._forget()
        self.close()

    def close(self) -> None:
        """Give up the temporary file."""
        if self._spilled is not None:
            self._spilled.close()
            self._spilled = None

    def _forget(self) -> None:
        self._inputs: list[Any] = []
        self._keys: list[Any] = []
        self._values: list[Any] = []
        self._timestamps: list[Timestamps] = []
        self._columns = None

    def _in_memory(self, size: int) -> Iterator[Block]:
        if self._values:
            inputs, timestamps = np.concatenate(self._inputs), np.concatenate(self._timestamps)
            yield from _in_order(inputs, self._keys, self._values, timestamps, size)

    def _merged(self) -> Iterator[Part]:
        """Of each run a block is in memory: what is certain to come before all that is not yet read goes out."""
        runs = [_Run(self._blocks(run, blocks)) for run, blocks in enumerate(self.runs)]
        while reading := [run for run in runs if run.read()]:
            # Of equal elements those of an earlier run come first, wherever their blocks end.
            least = min(range(len(reading)), key=lambda number: reading[number].last())
            bound = reading[least].last()
            taken = [run.take(bound, inclusive=number <= least) for number, run in enumerate(reading)]
            inputs, timestamps = (np.concatenate([part[at] for part in taken]) for at in (0, 3))
            keys, values = ([element for part in taken for element in part[at]] for at in (1, 2))
            for block in _in_order(inputs, keys, values, timestamps, ELEMENTS_PER_CHUNK):
                yield from _by_input(*block)

    def _blocks(self, run: int, blocks: int) -> Iterator[Block]:
        pages = self._pages()
        for block in range(blocks):
            data = pages.get(self._page(run, block))
            assert data is not None, "a run was written before it is read"
            yield loads(data)

    def _pages(self) -> PageStore:
        if not isinstance(self._store, NoPages):
            return self._store
        if self._spilled is None:
            self._spilled = _SpillFile()
        return self._spilled

    def _page(self, run: int, block: int) -> str:
        return f"{self._name}/{run}.{block}"


class _Columns:
    """Elements of one input that wait as columns.

    Args:
        which_input: The input.
        layout: What all batches are like.
    """

    def __init__(self, which_input: int, layout: Layout) -> None:
        self.input, self.layout = which_input, layout
        self.gathered = Gathered()
        self.size = 0

    def parts(self) -> Iterator[Part]:
        """All elements in the order of their timestamps."""
        batch = self.gathered.all()
        times = batch.timestamp_array()
        order = None if (times[1:] >= times[:-1]).all() else stable_order(times)
        for start in range(0, times.size, COLUMN_ELEMENTS_PER_CHUNK):
            stop = start + COLUMN_ELEMENTS_PER_CHUNK
            yield Part(self.input, batch.slice(start, stop) if order is None else batch.take(order[start:stop]))


def _dumps(block: Block) -> bytes:
    try:
        return dumps(block)
    except Exception:  # whatever the __reduce__ of a user's class raises
        for value in block[2]:
            check_storable("its input, which waits to be sorted,", value)
        raise


class _Run:
    """A sorted run of which one block is in memory."""

    def __init__(self, blocks: Iterator[Block]) -> None:
        self._blocks = blocks
        self._block: Block | None = None

    def read(self) -> bool:
        """Have a block that is not empty, if there is one."""
        while self._block is None or not len(self._block[3]):
            self._block = next(self._blocks, None)
            if self._block is None:
                return False
        return True

    def last(self) -> tuple[int, int]:
        """The timestamp and the input of the block's last element."""
        assert self._block is not None
        inputs, _, _, timestamps = self._block
        return int(timestamps[-1]), int(inputs[-1])

    def take(self, bound: tuple[int, int], *, inclusive: bool) -> Block:
        """Take out what comes before an element with this timestamp and input, or with it as well."""
        assert self._block is not None
        inputs, keys, values, timestamps = self._block
        start, end = (int(np.searchsorted(timestamps, bound[0], side)) for side in ("left", "right"))
        end = start + int(np.searchsorted(inputs[start:end], bound[1], "right" if inclusive else "left"))
        self._block = inputs[end:], keys[end:], values[end:], timestamps[end:]
        return inputs[:end], keys[:end], values[:end], timestamps[:end]


def _in_order(inputs: Any, keys: list[Any], values: list[Any], timestamps: Timestamps, size: int) -> Iterator[Block]:
    """The elements sorted, so many at a time; equal ones stay as they are."""
    order = np.lexsort((inputs, timestamps))
    for start in range(0, len(order), size):
        part = order[start : start + size]
        indexes = part.tolist()
        yield inputs[part], [keys[i] for i in indexes], [values[i] for i in indexes], timestamps[part]


def _by_input(inputs: Any, keys: list[Any], values: list[Any], timestamps: Timestamps) -> Iterator[Part]:
    cuts = [0, *(np.flatnonzero(inputs[1:] != inputs[:-1]) + 1).tolist(), len(inputs)]
    for start, end in pairwise(cuts):
        yield Part(int(inputs[start]), Batch(values[start:end], timestamps[start:end], keys[start:end]))


class _SpillFile(PageStore):
    """Pages in a temporary file, which nobody else sees and which is gone when it is closed."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile(prefix="windrow-sort-")  # noqa: SIM115
        self._places: dict[str, tuple[int, int]] = {}

    def get(self, page: str) -> bytes | None:
        if page not in self._places:
            return None
        start, length = self._places[page]
        self._file.seek(start)
        return self._file.read(length)

    def put(self, page: str, data: bytes) -> None:
        self._places[page] = self._file.seek(0, 2), len(data)
        self._file.write(data)

    def remove(self, page: str) -> None:
        """The file goes as a whole."""

    def close(self) -> None:
        self._file.close()
