"""Results of keys that have left memory's arrays: sorted runs, as in a log-structured merge tree.

What a run has is never changed, so who has read some of it need not read that again, whoever has run batches since.
A newer run has the newer result of a key. Runs become one while the one before is not much larger than the newest: so
there are few, and a result is written again only a few times, however many there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from numbers import Number
from typing import Any, NamedTuple

import numpy as np

from windrow.common.limits import LONG_MAX, LONG_MIN
from windrow.operators.column_folds.described import goes_on_with, read_described
from windrow.operators.column_folds.field_fold import Array, FieldFold, Longs
from windrow.operators.column_folds.fold_plan import FoldPlan
from windrow.state.column_page import Table, page_bounds
from windrow.state.kept_columns import Groups, KeptColumns, Name

#: The section of the tables.
SECTION = "run"
#: So many keys a page has at most: a batch reads some pages of a run that is not in memory.
PAGE_KEYS = 1 << 12
#: Up to this often as many keys as the newest run the one before has if they become one.
_SIMILAR = 2


class Described(NamedTuple):
    """A run as it stands in the description; arrays as their bytes."""

    number: int
    #: No other run that was ever written has the same one; empty: it is not known whether that is so.
    token: bytes
    #: What it was made with, as :func:`windrow.operators.column_folds.described.described` gives it.
    folds: tuple[Any, ...]
    #: The key groups that it has, how many keys each has, where its pages begin, and the first key of each page.
    groups: bytes
    counts: bytes
    page_starts: bytes
    first_keys: bytes


class SortedRun:
    """Results by key group and key.

    Args:
        described: What is known of it.
    """

    def __init__(self, described: Described) -> None:
        self.described = described
        self.name: Name = (SECTION, described.number)
        self.plan = read_described(*described.folds).plan
        self._groups = np.frombuffer(described.groups, np.int32)
        #: Where each group begins, and where the last one ends.
        self._starts = np.append(0, np.cumsum(np.frombuffer(described.counts, np.int64)))
        self._page_starts = np.append(np.frombuffer(described.page_starts, np.int64), self._starts[-1])
        self._first_keys = np.frombuffer(described.first_keys, np.int64)
        self.forget()

    @staticmethod
    def of(
        number: int, token: bytes, folds: tuple[Any, ...], groups: Groups, keys: Longs, fields: Sequence[Array]
    ) -> SortedRun:
        """Make a run of rows by key group and key.

        Args:
            number: That of its table.
            token: Another one than any run has had.
            folds: What its results were made with.
            groups: The key group of each row.
            keys: Their keys.
            fields: What was folded; an empty array for a field that is the key.
        """
        present, counts = np.unique(groups.astype(np.int32), return_counts=True)
        page_starts = np.array(page_bounds(groups, PAGE_KEYS)[:-1], np.int64)
        described = Described(
            number,
            token,
            folds,
            present.tobytes(),
            counts.astype(np.int64).tobytes(),
            page_starts.tobytes(),
            keys[page_starts].tobytes(),
        )
        run = SortedRun(described)
        run._keys, run._fields = keys, list(fields)
        run._is_read[:] = True
        return run

    def __len__(self) -> int:
        return int(self._starts[-1])

    @property
    def nbytes(self) -> int:
        """How many bytes of memory the rows take that were read."""
        of_pages = np.diff(self._page_starts)[self._is_read].sum()
        return int(of_pages) * sum(array.itemsize for array in (self._keys, *self._fields) if array.size)

    def forget(self) -> None:
        """Have no rows in memory."""
        count = len(self)
        self._keys = np.empty(count, np.int64)
        # Memory that nothing is written to takes none.
        self._fields = [np.empty(0 if fold.kind == "key" else count, fold.dtype) for fold in self.plan.folds]
        self._is_read = np.zeros(self._first_keys.size, np.bool_)

    def find(self, keys: Longs, groups: Groups, columns: KeptColumns) -> Longs:
        """The rows of some keys; -1 for those that it does not have.

        Args:
            keys: Which.
            groups: Their key groups.
            columns: What is stored: pages are read that may have one of them.
        """
        begins, ends = self._rows_of_groups(groups)
        # A group may go on in pages that begin within it: the last one that begins with no greater key.
        first = np.searchsorted(self._page_starts, begins, "right") - 1
        behind = np.maximum(np.searchsorted(self._page_starts[:-1], ends), first + 1)
        pages = _bounds(self._first_keys, first + 1, behind, keys, right=True) - 1
        may_be = begins < ends
        self._read(np.unique(pages[may_be]), columns)
        begins = np.maximum(begins, self._page_starts[np.minimum(pages, self._first_keys.size - 1)])
        ends = np.where(
            may_be, np.minimum(ends, self._page_starts[np.minimum(pages + 1, self._first_keys.size)]), begins
        )
        rows = _bounds(self._keys, begins, ends, keys)
        found = rows < ends
        found[found] = self._keys[rows[found]] == keys[found]
        rows[~found] = -1
        return rows

    def fields(self, plan: FoldPlan, rows: Longs) -> list[Array | None] | None:
        """What was folded in some rows, as a plan goes on with it: None for a field that is the key, or for all.

        It is None where the plan cannot go on with it.
        """
        if not goes_on_with(plan, self.plan):
            return None
        keys = self._keys[rows]
        return [
            None if fold.kind == "key" else values[rows] if values.size else keys.astype(fold.dtype)
            for fold, values in zip(plan.folds, self._fields, strict=True)
        ]

    def accumulators(self, rows: Longs) -> list[Any]:
        """The results in some rows, at least one, as the operator over rows keeps them."""
        keys = self._keys[rows]
        folded = zip(self.plan.folds, self._fields, strict=True)
        return self.plan.accumulators([keys if fold.kind == "key" else values[rows] for fold, values in folded])

    def parts(self, columns: KeptColumns) -> Iterator[tuple[list[Any], list[Any]]]:
        """All keys and their results, page by page; nothing of it stays in memory."""
        for table in columns.read_pages(self.name, range(self._first_keys.size)):
            stored = iter(table.columns)
            fields = [table.keys if fold.kind == "key" else next(stored) for fold in self.plan.folds]
            yield table.keys.tolist(), self.plan.accumulators(fields)

    def table(self) -> tuple[Name, Table, Groups]:
        """What is to be stored; all of it is in memory."""
        return self.name, Table(self._keys, [values for values in self._fields if values.size]), self._group_of_row()

    def merged(self, newer: SortedRun, number: int, token: bytes, columns: KeptColumns) -> SortedRun:
        """This run and a newer one, of results that were made alike, as one; both are read."""
        for run in (self, newer):
            run._read(np.arange(run._first_keys.size), columns)
        groups, keys = newer._group_of_row(), newer._keys
        rows = _bounds(self._keys, *self._rows_of_groups(groups), keys)
        _, ends = self._rows_of_groups(groups)
        again = rows < ends
        again[again] = self._keys[rows[again]] == keys[again]
        new = ~again
        at = rows[new]
        fields: list[Array] = []
        for mine, theirs in zip(self._fields, newer._fields, strict=True):
            both = mine.copy()
            if mine.size:
                both[rows[again]] = theirs[again]
                both = np.insert(both, at, theirs[new])
            fields.append(both)
        return SortedRun.of(
            number,
            token,
            self.described.folds,
            np.insert(self._group_of_row(), at, groups[new]),
            np.insert(self._keys, at, keys[new]),
            fields,
        )

    def _rows_of_groups(self, groups: Groups) -> tuple[Longs, Longs]:
        """Where the rows of groups begin and end; of one that it does not have, where they would."""
        at = np.searchsorted(self._groups, groups)
        known = np.minimum(at, self._groups.size - 1)
        begins = self._starts[at]
        return begins, np.where(self._groups[known] == groups, self._starts[known + 1], begins)

    def _group_of_row(self) -> Groups:
        return np.repeat(self._groups, np.diff(self._starts))

    def _read(self, pages: Longs, columns: KeptColumns) -> None:
        unread = pages[~self._is_read[pages]].tolist()
        if not unread:
            return  # who was just made is not stored yet
        arrays = [self._keys, *(values for values in self._fields if values.size)]
        for page, table in zip(unread, columns.read_pages(self.name, unread), strict=True):
            rows = slice(int(self._page_starts[page]), int(self._page_starts[page + 1]))
            for array, values in zip(arrays, (table.keys, *table.columns), strict=True):
                array[rows] = values
            self._is_read[page] = True


class SortedRuns:
    """The runs of an operator, in the order in which they were made."""

    def __init__(self) -> None:
        self._runs: list[SortedRun] = []

    def __len__(self) -> int:
        return len(self._runs)

    @property
    def nbytes(self) -> int:
        """How many bytes of memory the rows take that were read."""
        return sum(run.nbytes for run in self._runs)

    def names(self) -> list[Name]:
        """The names of their tables."""
        return [run.name for run in self._runs]

    def described(self) -> list[tuple[Any, ...]]:
        """The runs as they stand in the description."""
        return [tuple(run.described) for run in self._runs]

    def take_up(self, described: Iterable[tuple[Any, ...]]) -> None:
        """Have these runs; what is in memory of any of them counts."""
        known = {run.described.token: run for run in self._runs if run.described.token}
        self._runs = [known.get(each.token) or SortedRun(each) for each in [Described(*fields) for fields in described]]

    def keep_within(self, size: int) -> None:
        """Have no more bytes of rows in memory than these: the rows of the largest runs go first."""
        for run in sorted(self._runs, key=len, reverse=True):
            if self.nbytes > size:
                run.forget()

    def add(
        self, folds: tuple[Any, ...], groups: Groups, keys: Longs, fields: Sequence[Array], columns: KeptColumns
    ) -> SortedRun:
        """Have results that are newer than all others; gives the run that is to be stored.

        Args:
            folds: What they were made with.
            groups: The key group of each row; rows are by key group and key.
            keys: Their keys.
            fields: What was folded; an empty array for a field that is the key.
            columns: What is stored.
        """
        number = 1 + max((run.described.number for run in self._runs), default=-1)
        newest = SortedRun.of(number, columns.new_token(), folds, groups, keys, fields)
        while self._runs and self._may_be_one(self._runs[-1], newest):
            newest = self._runs.pop().merged(newest, number, columns.new_token(), columns)
        self._runs.append(newest)
        return newest

    def find(self, keys: Longs, groups: Groups, columns: KeptColumns) -> Iterator[tuple[SortedRun, Longs, Longs]]:
        """Which run has the newest result of some keys, places among these, and the rows there."""
        places = np.arange(keys.size)
        for run in reversed(self._runs):
            if not places.size:
                return
            rows = run.find(keys[places], groups[places], columns)
            found = rows >= 0
            if found.any():
                yield run, places[found], rows[found]
                places = places[~found]

    def fields_of(
        self, plan: FoldPlan, keys: Longs, columns: KeptColumns
    ) -> list[tuple[Longs, list[Array | None]]] | None:
        """Places among some keys, and the fields of their results as a plan goes on with them; None if it cannot."""
        given = []
        for run, places, rows in self.find(keys, columns.groups_of(keys), columns):
            fields = run.fields(plan, rows)
            if fields is None:
                return None
            given.append((places, fields))
        return given

    def folds_for(self, plan: FoldPlan) -> Sequence[FieldFold] | None:
        """What became of the fields of the newest results, if a plan can go on with it."""
        return self._runs[-1].plan.folds if self._runs and goes_on_with(plan, self._runs[-1].plan) else None

    def results_of(self, keys: Sequence[Any], columns: KeptColumns) -> list[Any]:
        """The results of some keys as the operator over rows keeps them; None for those that have none here."""
        results: list[Any] = [None] * len(keys)
        numbers = [(place, number) for place, key in enumerate(keys) if (number := _number(key)) is not None]
        if numbers and self._runs:
            asked = np.array([number for _, number in numbers], np.int64)
            for run, places, rows in self.find(asked, columns.groups_of(asked), columns):
                for place, result in zip(places.tolist(), run.accumulators(rows), strict=True):
                    results[numbers[place][0]] = result
        return results

    def parts(self, columns: KeptColumns) -> Iterator[tuple[list[Any], list[Any]]]:
        """All keys and their results, the newest of a key first; nothing of it stays in memory."""
        for run in reversed(self._runs):
            yield from run.parts(columns)

    @staticmethod
    def _may_be_one(older: SortedRun, newer: SortedRun) -> bool:
        return older.described.folds == newer.described.folds and len(older) < _SIMILAR * len(newer)


def _number(key: Any) -> int | None:
    """The integer that a key equals; None: it can be none of a run's."""
    if not isinstance(key, Number):
        return None
    whole: Any = key.real if isinstance(key, complex) else key
    try:
        number = int(whole)
    except (ValueError, OverflowError):  # NaN, infinity
        return None
    equal: Any = key
    return number if number == equal and LONG_MIN <= number <= LONG_MAX else None


def _bounds(values: Array, begins: Longs, ends: Longs, wanted: Longs, *, right: bool = False) -> Longs:
    """For each range of sorted values the first place with one that is no less than what is wanted.

    ``right``: Or that is greater.
    """
    low, high = begins.astype(np.int64), ends.astype(np.int64)
    last = values.size - 1
    for _ in range(int((high - low).max(initial=0)).bit_length()):
        middle = (low + high) >> 1
        at = values[np.minimum(middle, last)]
        goes_up = (middle < high) & ((at <= wanted) if right else (at < wanted))
        low = np.where(goes_up, middle + 1, low)
        high = np.where(goes_up, high, middle)
    return low
