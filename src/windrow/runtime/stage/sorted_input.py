"""The whole input of a subtask in the order of its timestamps, for operators that see it when it has ended.

In BATCH the inputs of keyed operators are sorted, as in Flink, by key and then timestamp. Here a subtask's elements are
sorted by timestamp alone: each key's elements come in the same order, and results in the order of time over all keys.
Elements of one timestamp, and those without (which come first), keep the order in which they arrived; of two inputs
those of the first one come first. Columns of one input and one shape stay columns from beginning to end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from windrow.elements.batch import Batch, Gathered
from windrow.runtime.stage.sorted_runs import Block, Part, merged, of_input, parts, together
from windrow.runtime.stage.spilled_runs import SpilledRuns
from windrow.runtime.stage.stored_runs import StoredRuns
from windrow.state.page_store import NoPages, PageStore

if TYPE_CHECKING:
    from windrow.elements.arrays import Layout

#: So many rows are sorted in memory. What is more is written down as a sorted run, and runs are merged.
ELEMENTS_PER_RUN = 1 << 19
#: So are columns of so many bytes.
MOST_BYTES = 1 << 27
#: What a batch of columns takes besides its columns: many small ones are more than their elements.
_BYTES_OF_BATCH = 1 << 10
#: More parts than a subtask can gather.
MOST_PARTS = 1 << 28


class SortedInput:
    """Gathers elements until the input has ended, then gives them in order.

    What is in memory when a batch ends is written into the subtask's store. In a job of one batch there is none: what
    does not fit is in a temporary file.

    Args:
        name: What its pages are called in the store.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._stored: StoredRuns | None = None
        self._spilled: SpilledRuns | None = None
        #: What is in memory, by input.
        self._waiting: dict[int, _Waiting] = {}

    def attach(self, store: PageStore, runs: Sequence[int] = ()) -> None:
        """Show what ``store`` holds: the ``runs`` that were there when it was last written."""
        self.close()
        self._stored = None if isinstance(store, NoPages) else StoredRuns(store, self._name, runs)
        self._waiting = {}

    @property
    def runs(self) -> list[int]:
        """The number of blocks that each run has in the store, to be kept with the task's state."""
        return [] if self._stored is None else self._stored.runs

    def add(self, which_input: int, batch: Batch) -> None:
        """Take elements of an input, with their keys."""
        if not len(batch):
            return
        waiting = self._waiting.get(which_input)
        if waiting is not None and waiting.would_be_rows(batch) and self._rows + len(waiting) > ELEMENTS_PER_RUN:
            self.write()  # as columns, of which more fit than of rows
            waiting = None
        if waiting is None:
            waiting = self._waiting[which_input] = _Waiting()
        waiting.extend(batch)
        if self._rows >= ELEMENTS_PER_RUN or sum(each.size for each in self._waiting.values()) > MOST_BYTES:
            self.write()

    @property
    def _rows(self) -> int:
        return sum(len(each) for each in self._waiting.values() if each.are_rows)

    def write(self) -> None:
        """Write what is in memory as runs."""
        waiting, self._waiting = self._waiting, {}
        if not waiting:
            return
        if self._stored is not None:
            self._stored.write(merged(_runs(waiting)))
            return
        if self._spilled is None:
            self._spilled = SpilledRuns()
        for which_input, each in waiting.items():
            self._spilled.write(which_input, each.take())

    def parts(self) -> Iterator[Part]:
        """All elements in order; they are forgotten here."""
        waiting, self._waiting = self._waiting, {}
        written = self._stored or self._spilled
        runs = [] if written is None else written.read()
        yield from parts(merged([*runs, *_runs(waiting)]))
        if self._stored is not None:
            self._stored.remove()
        self.close()

    def close(self) -> None:
        """Give up the temporary file."""
        if self._spilled is not None:
            self._spilled.close()
            self._spilled = None


class _Waiting:
    """Elements of one input in memory: columns of one layout, or what will be rows."""

    def __init__(self) -> None:
        self._gathered = Gathered()
        self._layout: Layout | None = None
        self.are_rows = False
        #: Of columns, in bytes.
        self.size = 0

    def __len__(self) -> int:
        return len(self._gathered)

    def would_be_rows(self, batch: Batch) -> bool:
        """Tell whether these are columns, and would be rows if ``batch`` were added."""
        return not self.are_rows and self._layout is not None and not self._is_like(batch)

    def extend(self, batch: Batch) -> None:
        """Take elements."""
        self.are_rows = self.are_rows or not self._is_like(batch)
        arrays = batch.arrays()
        if arrays is not None:
            self._layout = self._layout or arrays[1]
            self.size += sum(array.nbytes for array in arrays[0]) + _BYTES_OF_BATCH
        self._gathered.extend(batch)

    def take(self) -> Batch:
        """Take all of them, as they have come."""
        gathered, self._gathered = self._gathered, Gathered()
        return gathered.all()

    def _is_like(self, batch: Batch) -> bool:
        arrays = batch.arrays()
        if arrays is None or arrays[1].key_shape is None:
            return False
        return self._layout is None or self._layout.is_like(arrays[1])


def _runs(waiting: dict[int, _Waiting]) -> list[Iterator[Block]]:
    """Runs of what is in memory, one for the columns of each input, and one for all rows."""
    columns = [(which_input, each) for which_input, each in waiting.items() if not each.are_rows]
    rows = [(which_input, each) for which_input, each in waiting.items() if each.are_rows]
    runs = [_run([each]) for each in columns]
    return [*runs, _run(rows)] if rows else runs


def _run(waiting: list[tuple[int, _Waiting]]) -> Iterator[Block]:
    yield from together([block for which_input, each in waiting for block in of_input(which_input, [each.take()])])
