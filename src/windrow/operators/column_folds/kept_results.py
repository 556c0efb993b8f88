"""What each key's elements were folded to, written and read as columns: a row for each key.

Results that are in memory are in tables by key group, of which a batch writes those that it has changed. Where they
become too many all of them leave memory as a sorted run (``sorted_runs.py``), from which the results of keys come back
as elements come for them. A result in the tables, or in an entry of its key, is newer than one in a run.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from windrow.elements.shape import Shape
from windrow.operators.column_folds import sorted_runs
from windrow.operators.column_folds.described import described, read_described
from windrow.operators.column_folds.field_fold import Array, Longs
from windrow.operators.column_folds.fold_plan import FoldPlan
from windrow.operators.column_folds.key_index import KeyIndex, TextKeyIndex
from windrow.operators.column_folds.slot_groups import SlotGroups, key_array, slots_of_array
from windrow.operators.column_folds.tables_by_group import TablesByGroup
from windrow.state.column_page import Table
from windrow.state.kept_columns import KeptColumns

#: The version of descriptions, and of those that have sorted runs.
VERSION = 1
WITH_RUNS = 2
#: The section of the tables.
SECTION = "result"
#: Of what memory keeps between batches so much may be filled by runs, which can be read again page by page.
RUNS_SHARE = 0.75


class Results(NamedTuple):
    """What was folded, by the slots of keys: each slot has a result."""

    elements: Shape
    plan: FoldPlan
    keys: KeyIndex
    #: For each field what is in each slot; an empty array for one that is the key.
    fields: Sequence[Array]

    @property
    def has_text(self) -> bool:
        """Whether keys or what was folded are objects, which are pickled one by one."""
        return isinstance(self.keys, TextKeyIndex) or any(values.dtype.hasobject for values in self.fields)

    def accumulators(self, slots: Longs) -> list[Any]:
        """The results of some slots, at least one, as rows keep them."""
        columns = [
            self.keys.column(slots) if fold.kind == "key" else values[slots]
            for fold, values in zip(self.plan.folds, self.fields, strict=True)
        ]
        return self.plan.accumulators(columns)

    def listed(self) -> tuple[list[Any], list[Any]]:
        """All keys, and their results."""
        slots = np.arange(self.keys.count)
        return (self.keys.listed(slots), self.accumulators(slots)) if slots.size else ([], [])


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

    def keep(self, results: Results, changed: Longs, columns: KeptColumns) -> bool:
        """Write what has changed; False if it cannot be kept as columns.

        Args:
            results: All that is to be stored, beside runs.
            changed: The slots that have another result than what is stored.
            columns: Where to.
        """
        of_folds = described(results.elements, results.plan, results.keys)
        if of_folds is None:
            return False
        if not results.keys.count:
            self.keep_runs(columns)
            return True
        of_slots, order = self._groups.of(results.keys, columns)

        def table_of(rows: slice) -> Table:
            slots = order[rows]
            fields = [
                values[slots] for fold, values in zip(plan.folds, results.fields, strict=True) if fold.kind != "key"
            ]
            return Table(key_array(results.keys, slots), fields)

        plan = results.plan
        description = (WITH_RUNS, of_folds, self.runs.described()) if self.runs else (VERSION, *of_folds)
        self._tables.write(columns, description, of_slots[order], of_slots[changed], table_of)
        return True

    def put_away(self, results: Results, columns: KeptColumns) -> bool:
        """Write all results as a sorted run: they are to leave memory. False if they cannot be one.

        Args:
            results: All that is to be stored, beside runs.
            columns: Where to.
        """
        of_folds = described(results.elements, results.plan, results.keys)
        if of_folds is None or results.has_text:
            return False
        of_slots, order = self._groups.of(results.keys, columns)
        keys = results.keys.column(order)
        order = order[np.lexsort((keys, of_slots[order]))]
        fields = [
            values if fold.kind == "key" else values[order]
            for fold, values in zip(results.plan.folds, results.fields, strict=True)
        ]
        before = self.runs.names()
        newest = self.runs.add(of_folds, of_slots[order], results.keys.column(order), fields, columns)
        gone = [*self._tables.names(columns), *(name for name in before if name not in self.runs.names())]
        columns.write((WITH_RUNS, None, self.runs.described(), 0), [newest.table()], gone, sorted_runs.PAGE_KEYS)
        self.forget()
        return True

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
        of_folds, runs, span = _description(columns)
        self.runs.take_up(runs)
        if of_folds is None:
            return None
        self._tables.span = span
        return _read(of_folds, columns)


def are_results(columns: KeptColumns) -> bool:
    """Tell whether what is stored as columns are results."""
    return {section for section, _ in columns.names} <= {SECTION, sorted_runs.SECTION}


def stored_results(columns: KeptColumns) -> Iterator[tuple[list[Any], list[Any]]]:
    """Read all keys that are stored and their results, to give them to somebody else, part by part.

    A key may come again, with a result that is older.

    Raises:
        ValueError: it is of another version.
    """
    of_folds, described_runs, _span = _description(columns)
    if of_folds is not None:
        yield _read(of_folds, columns).listed()
    runs = sorted_runs.SortedRuns()
    runs.take_up(described_runs)
    yield from runs.parts(columns)


def _description(columns: KeptColumns) -> tuple[Any, Sequence[Any], int]:
    """What results beside runs were made with, if there are any, what is said of runs, and the span of tables."""
    version, *others = columns.description()
    if version == WITH_RUNS:
        of_folds, runs, span = others
        return of_folds, runs, span
    if version != VERSION:
        msg = f"results of columns have version {version}, and this program reads {VERSION} and {WITH_RUNS}"
        raise ValueError(msg)
    *of_folds, span = others
    return of_folds, (), span


def _read(of_folds: Sequence[Any], columns: KeptColumns) -> Results:
    elements, plan, keys = read_described(*of_folds)
    tables = [table for _, table in columns.read([name for name in columns.names if name[0] == SECTION])]
    slots = slots_of_array(keys, np.concatenate([table.keys for table in tables]))
    fields = []
    stored = iter(zip(*(table.columns for table in tables), strict=True))
    for fold in plan.folds:
        values = np.zeros(0 if fold.kind == "key" else slots.size, fold.dtype)
        if fold.kind != "key":
            values[slots] = np.concatenate(next(stored))
        fields.append(values)
    return Results(elements, plan, keys, fields)
