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
from windrow.operators.column_folds.field_fold import Array, Longs
from windrow.operators.column_folds.result_form import ResultForm, read_form
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
    #: The form of its results.
    form: tuple[Any, ...]
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
        self.form, _ = read_form(described.form)
        self._groups = np.frombuffer(described.groups, np.int32)
        #: Where each group begins, and where the last one ends.
        self._starts = np.append(0, np.cumsum(np.frombuffer(described.counts, np.int64)))
        self._page_starts = np.append(np.frombuffer(described.page_starts, np.int64), self._starts[-1])
        self._first_keys = np.frombuffer(described.first_keys, np.int64)
        self.forget()

    @staticmethod
    def of(
        number: int, token: bytes, form: tuple[Any, ...], groups: Groups, keys: Longs, fields: Sequence[Array]
    ) -> SortedRun:
        """Make a run of rows by key group and key.

        Args:
            number: That of its table.
            token: Another one than any run has had.
            form: The form of its results, as it is described.
            groups: The key group of each row.
            keys: Their keys.
            fields: The arrays of their results; an empty one for one that is the key.
        """
        present, counts = np.unique(groups.astype(np.int32), return_counts=True)
        page_starts = np.array(page_bounds(groups, PAGE_KEYS)[:-1], np.int64)
        described = Described(
            number,
            token,
            form,
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
        """The size in bytes of the rows that were read and are in memory."""
        of_pages = np.diff(self._page_starts)[self._is_read].sum()
        return int(of_pages) * sum(array.itemsize for array in (self._keys, *self._fields) if array.size)

    def forget(self) -> None:
        """Have no rows in memory."""
        count = len(self)
        self._keys = np.empty(count, np.int64)
        # Memory that nothing is written to takes none.
        self._fields = [np.empty(0 if dtype is None else count, dtype) for dtype in self.form.dtypes]
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

    def fields(self, form: ResultForm, rows: Longs) -> list[Array | None] | None:
        """The arrays of some rows, as a form has them: None for one that is the key, or for all.

        It is None where arrays of that form cannot be these.
        """
        if not form.goes_on_with(self.form):
            return None
        keys = self._keys[rows]
        return [
            None if dtype is None else values[rows] if values.size else keys.astype(dtype)
            for dtype, values in zip(form.dtypes, self._fields, strict=True)
        ]

    def rows(self, rows: Longs) -> list[Any]:
        """The results in some rows, at least one, as the operator over rows keeps them."""
        keys = self._keys[rows]
        kept = zip(self.form.dtypes, self._fields, strict=True)
        return self.form.rows([keys if dtype is None else values[rows] for dtype, values in kept])

    def parts(self, columns: KeptColumns) -> Iterator[tuple[ResultForm, list[Any], list[Any]]]:
        """All keys and their results, page by page; nothing of it stays in memory."""
        for table in columns.read_pages(self.name, range(self._first_keys.size)):
            stored = iter(table.columns)
            fields = [table.keys if dtype is None else next(stored) for dtype in self.form.dtypes]
            yield self.form, table.keys.tolist(), self.form.rows(fields)

    def table(self) -> tuple[Name, Table, Groups]:
        """Give the name, the table and the key groups of rows to be stored; all of it is in memory."""
        return self.name, Table(self._keys, [values for values in self._fields if values.size]), self._group_of_row()

    def without_dead(self, number: int, token: bytes, columns: KeptColumns) -> SortedRun | None:
        """The same without what says that older results are none: there are no older ones. None: nothing is left."""
        self._read(np.arange(self._first_keys.size), columns)
        alive = self.form.alive(self._fields)
        if alive is None or alive.all():
            return self
        if not alive.any():
            return None
        fields = [values[alive] if values.size else values for values in self._fields]
        return SortedRun.of(number, token, self.described.form, self._group_of_row()[alive], self._keys[alive], fields)

    def merged(self, newer: SortedRun, number: int, token: bytes, columns: KeptColumns) -> SortedRun:
        """This run and a newer one, of results of one form, as one; both are read."""
        for run in (self, newer):
            run._read(np.arange(run._first_keys.size), columns)
        groups, keys = newer._group_of_row(), newer._keys
        begins, ends = self._rows_of_groups(groups)
        rows = _bounds(self._keys, begins, ends, keys)
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
            self.described.form,
            np.insert(self._group_of_row(), at, groups[new]),
            np.insert(self._keys, at, keys[new]),
            fields,
        )

    def _rows_of_groups(self, groups: Groups) -> tuple[Longs, Longs]:
        """Give where the rows of groups begin and end; for a group that it does not have, where they would."""
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
        """The size in bytes of the rows of all runs that were read and are in memory."""
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
        self, form: tuple[Any, ...], groups: Groups, keys: Longs, fields: Sequence[Array], columns: KeptColumns
    ) -> SortedRun | None:
        """Have results that are newer than all others; gives the run that is to be stored, if there is one.

        Args:
            form: Their form, as it is described.
            groups: The key group of each row; rows are by key group and key.
            keys: Their keys.
            fields: The arrays; an empty one for one that is the key.
            columns: What is stored.
        """
        number = 1 + max((run.described.number for run in self._runs), default=-1)
        made: SortedRun | None
        made = newest = SortedRun.of(number, columns.new_token(), form, groups, keys, fields)
        while self._runs and self._may_be_one(self._runs[-1], newest):
            made = newest = self._runs.pop().merged(newest, number, columns.new_token(), columns)
        if not self._runs:
            made = newest.without_dead(number, columns.new_token(), columns)
        if made is not None:
            self._runs.append(made)
        return made

    def find(self, keys: Longs, groups: Groups, columns: KeptColumns) -> Iterator[tuple[SortedRun, Longs, Longs]]:
        """Find the newest results of keys: each run that has some, their places in ``keys``, and their rows there."""
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
        self, form: ResultForm, keys: Longs, columns: KeptColumns
    ) -> list[tuple[Longs, list[Array | None]]] | None:
        """Places among some keys, and the arrays of their results as a form has them; None if it cannot."""
        given = []
        for run, places, rows in self.find(keys, columns.groups_of(keys), columns):
            fields = run.fields(form, rows)
            if fields is None:
                return None
            given.append((places, fields))
        return given

    def forms(self) -> list[ResultForm]:
        """The forms of their results."""
        return [run.form for run in self._runs]

    def newest_form(self) -> ResultForm | None:
        """The form of the newest results."""
        return self._runs[-1].form if self._runs else None

    def results_of(self, keys: Sequence[Any], columns: KeptColumns) -> list[Any]:
        """The results of some keys as the operator over rows keeps them; None for those that have none here."""
        results: list[Any] = [None] * len(keys)
        numbers = [(place, number) for place, key in enumerate(keys) if (number := _number(key)) is not None]
        if numbers and self._runs:
            asked = np.array([number for _, number in numbers], np.int64)
            for run, places, rows in self.find(asked, columns.groups_of(asked), columns):
                for place, result in zip(places.tolist(), run.rows(rows), strict=True):
                    results[numbers[place][0]] = result
        return results

    def parts(self, columns: KeptColumns) -> Iterator[tuple[ResultForm, list[Any], list[Any]]]:
        """All keys and their results, the newest of a key first; nothing of it stays in memory."""
        for run in reversed(self._runs):
            yield from run.parts(columns)

    @staticmethod
    def _may_be_one(older: SortedRun, newer: SortedRun) -> bool:
        return older.described.form == newer.described.form and len(older) < _SIMILAR * len(newer)


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
