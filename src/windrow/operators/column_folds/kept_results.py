"""Each key's results so far, written and read as columns: a row for each key.

Results that are in memory are in tables by key group, of which a batch writes those that it has changed. Where they
become too many all of them leave memory as a sorted run (``sorted_runs.py``), from which the results of keys come back
as elements come for them. A result in the tables, or in an entry of its key, is newer than one in a run.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from typing import Any, NamedTuple

import numpy as np

from windrow.operators.column_folds import sorted_runs
from windrow.operators.column_folds.field_fold import Array, Longs
from windrow.operators.column_folds.key_index import KeyIndex, TextKeyIndex
from windrow.operators.column_folds.result_form import ResultForm, read_form
from windrow.operators.column_folds.slot_groups import SlotGroups, key_array, slots_of_array
from windrow.operators.column_folds.tables_by_group import TablesByGroup
from windrow.state.column_page import Table
from windrow.state.kept_columns import KeptColumns

#: The version of descriptions, and of those that have sorted runs.
VERSION = 1
WITH_RUNS = 2
#: The section of the tables.
SECTION = "result"
#: Results of more than so many keys leave memory together.
MOST_KEYS = 1 << 18
#: Where keys or results have text, more than so many are kept by key: a batch would read and write too much for the few
#: that it touches.
MOST_TEXTS = 1 << 16
#: So many characters they have at most.
MOST_CHARACTERS = 1 << 22
#: Of what memory keeps between batches so much may be filled by runs, which can be read again page by page.
RUNS_SHARE = 0.75


class Results(NamedTuple):
    """The results of keys as arrays, by the slots of keys."""

    form: ResultForm
    keys: KeyIndex
    #: For each array of the form what is in each slot; an empty array for one that is the key.
    fields: Sequence[Array]

    @property
    def has_text(self) -> bool:
        """True if keys or results are objects, which are pickled one by one."""
        return isinstance(self.keys, TextKeyIndex) or any(values.dtype.hasobject for values in self.fields)

    def rows(self, slots: Longs) -> list[Any]:
        """The results of some slots, at least one, as rows keep them."""
        dtypes = zip(self.form.dtypes, self.fields, strict=True)
        return self.form.rows([self.keys.column(slots) if dtype is None else values[slots] for dtype, values in dtypes])

    def listed(self) -> tuple[list[Any], list[Any]]:
        """All keys, and their results."""
        slots = np.arange(self.keys.count)
        return (self.keys.listed(slots), self.rows(slots)) if slots.size else ([], [])


class Stored(Enum):
    """The place of results behind a batch."""

    IN_TABLES = 1
    #: They have left memory.
    IN_RUNS = 2
    #: They are to be stored by key.
    BY_KEY = 3


class KeptResults:
    """Knows how results are stored, between the batches of an operator."""

    def __init__(self) -> None:
        self._groups = SlotGroups()
        self._tables = TablesByGroup(SECTION)
        self.runs = sorted_runs.SortedRuns()

    def forget(self) -> None:
        """Slots are other keys' now."""
        self._groups.forget()
        self._tables.span = 0

    def store(self, results: Results, changed: Longs, columns: KeptColumns, by_key: int) -> Stored:
        """Write what has changed, where that is to be.

        Args:
            results: All that is to be stored, beside runs.
            changed: The slots that have another result than what is stored.
            columns: Where to.
            by_key: How many keys are stored by key.
        """
        described = results.form.described(results.keys)
        count = results.keys.count
        if described is None or (results.has_text and self._is_too_long(results, by_key)):
            return Stored.BY_KEY
        if not count:
            self.keep_runs(columns)
            return Stored.IN_TABLES
        if count > MOST_KEYS and not results.has_text:
            self._put_away(results, described, columns)
            return Stored.IN_RUNS
        self._keep(results, described, changed, columns)
        return Stored.IN_TABLES

    @staticmethod
    def _is_too_long(results: Results, by_key: int) -> bool:
        """Tell whether there is too much text for tables, of which a batch writes nearly all."""
        count = results.keys.count
        if count + by_key > MOST_TEXTS:
            return True
        texts = [values[:count].tolist() for values in results.fields if values.dtype.hasobject]
        if isinstance(results.keys, TextKeyIndex):
            texts.append(results.keys.listed(np.arange(count)))
        return sum(len(text) for column in texts for text in column if isinstance(text, str)) > MOST_CHARACTERS

    def _keep(self, results: Results, described: tuple[Any, ...], changed: Longs, columns: KeptColumns) -> None:
        """Write the tables that have changed."""
        of_slots, order = self._groups.of(results.keys, columns)

        def table_of(rows: slice) -> Table:
            slots = order[rows]
            fields = zip(results.form.dtypes, results.fields, strict=True)
            return Table(
                key_array(results.keys, slots), [values[slots] for dtype, values in fields if dtype is not None]
            )

        description = (WITH_RUNS, described, self.runs.described()) if self.runs else (VERSION, *described)
        self._tables.write(columns, description, of_slots[order], of_slots[changed], table_of)

    def _put_away(self, results: Results, described: tuple[Any, ...], columns: KeptColumns) -> None:
        """Write all results as a sorted run: they are to leave memory."""
        of_slots, order = self._groups.of(results.keys, columns)
        keys = results.keys.column(order)
        order = order[np.lexsort((keys, of_slots[order]))]
        fields = [
            values if dtype is None else values[order]
            for dtype, values in zip(results.form.dtypes, results.fields, strict=True)
        ]
        before = self.runs.names()
        newest = self.runs.add(described, of_slots[order], results.keys.column(order), fields, columns)
        gone = [*self._tables.names(columns), *(name for name in before if name not in self.runs.names())]
        if self.runs:
            made = [] if newest is None else [newest.table()]
            columns.write((WITH_RUNS, None, self.runs.described(), 0), made, gone, sorted_runs.PAGE_KEYS)
        elif columns.are_stored():
            columns.clear()
        self.forget()

    def keep_runs(self, columns: KeptColumns) -> None:
        """Store nothing but the runs; nothing at all if there are none."""
        gone = self._tables.names(columns)
        if not self.runs:
            if columns.are_stored():
                columns.clear()
        elif gone:
            columns.write((WITH_RUNS, None, self.runs.described(), 0), [], gone)
        self.forget()

    def keep_within_bounds(self, columns: KeptColumns, size: int) -> bool:
        """Have no more in memory than may stay until the next batch; False if the tables have to leave it, too.

        ``size``: The bytes of what is in the tables.
        """
        self.runs.keep_within(columns.room(RUNS_SHARE) - size)
        return columns.may_stay(size + self.runs.nbytes)

    def read(self, columns: KeptColumns) -> Results | None:
        """Read what is stored, to go on with it: the runs that there are, and all other results. None: there are none.

        Raises:
            ValueError: it is of another version.
        """
        self.forget()
        if not columns.are_stored():
            self.runs.take_up(())
            return None
        described, runs, span = _description(columns)
        self.runs.take_up(runs)
        if described is None:
            return None
        self._tables.span = span
        return _read(described, columns)


def are_results(columns: KeptColumns) -> bool:
    """Tell whether what is stored as columns are results."""
    return {section for section, _ in columns.names} <= {SECTION, sorted_runs.SECTION}


def stored_results(columns: KeptColumns) -> Iterator[tuple[ResultForm, list[Any], list[Any]]]:
    """Read all keys that are stored and their results, to give them to somebody else, part by part.

    A key may come again, with a result that is older.

    Raises:
        ValueError: it is of another version.
    """
    described, described_runs, _span = _description(columns)
    if described is not None:
        results = _read(described, columns)
        yield results.form, *results.listed()
    runs = sorted_runs.SortedRuns()
    runs.take_up(described_runs)
    yield from runs.parts(columns)


def _description(columns: KeptColumns) -> tuple[Any, Sequence[Any], int]:
    """The form of results beside runs, if there are any, what is said of runs, and the span of tables."""
    version, *others = columns.description()
    if version == WITH_RUNS:
        described, runs, span = others
        return described, runs, span
    if version != VERSION:
        msg = f"results of columns have version {version}, and this program reads {VERSION} and {WITH_RUNS}"
        raise ValueError(msg)
    *described, span = others
    return described, (), span


def _read(described: Sequence[Any], columns: KeptColumns) -> Results:
    form, keys = read_form(described)
    tables = [table for _, table in columns.read([name for name in columns.names if name[0] == SECTION])]
    slots = slots_of_array(keys, np.concatenate([table.keys for table in tables]))
    fields = []
    stored = iter(zip(*(table.columns for table in tables), strict=True))
    for dtype in form.dtypes:
        values = np.zeros(0 if dtype is None else slots.size, dtype)
        if dtype is not None:
            values[slots] = np.concatenate(next(stored))
        fields.append(values)
    return Results(form, keys, fields)
