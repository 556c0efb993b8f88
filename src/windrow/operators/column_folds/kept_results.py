"""What each key's elements were folded to, written and read as columns: a row for each key."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from windrow.elements.shape import Shape
from windrow.operators.column_folds.described import described, read_described
from windrow.operators.column_folds.field_fold import Array, Longs
from windrow.operators.column_folds.fold_plan import FoldPlan
from windrow.operators.column_folds.key_index import KeyIndex, TextKeyIndex
from windrow.operators.column_folds.slot_groups import SlotGroups, key_array, slots_of_array
from windrow.operators.column_folds.tables_by_group import TablesByGroup
from windrow.state.column_page import Table
from windrow.state.kept_columns import KeptColumns

#: The version of descriptions.
VERSION = 1
#: The section of the tables.
SECTION = "result"


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
    """Knows how results are cut into tables, between the batches of an operator."""

    def __init__(self) -> None:
        self._groups = SlotGroups()
        self._tables = TablesByGroup(SECTION)

    def forget(self) -> None:
        """Slots are other keys' now."""
        self._groups.forget()
        self._tables.span = 0

    def keep(self, results: Results, changed: Longs, columns: KeptColumns) -> bool:
        """Write what has changed; False if it cannot be kept as columns.

        Args:
            results: All that is to be stored.
            changed: The slots that have another result than what is stored.
            columns: Where to.
        """
        of_folds = described(results.elements, results.plan, results.keys)
        if of_folds is None:
            return False
        of_slots, order = self._groups.of(results.keys, columns)

        def table_of(rows: slice) -> Table:
            slots = order[rows]
            fields = [
                values[slots] for fold, values in zip(plan.folds, results.fields, strict=True) if fold.kind != "key"
            ]
            return Table(key_array(results.keys, slots), fields)

        plan = results.plan
        self._tables.write(columns, (VERSION, *of_folds), of_slots[order], of_slots[changed], table_of)
        return True

    def read(self, columns: KeptColumns) -> Results:
        """Read all that is stored, to go on with it.

        Raises:
            ValueError: it is of another version.
        """
        self.forget()
        results, self._tables.span = _read(columns)
        return results


def read_results(columns: KeptColumns) -> Results:
    """Read all that is stored, to give it to somebody else.

    Raises:
        ValueError: it is of another version.
    """
    return _read(columns)[0]


def _read(columns: KeptColumns) -> tuple[Results, int]:
    version, *of_folds, span = columns.description()
    if version != VERSION:
        msg = f"results of columns have version {version}, and this program reads {VERSION}"
        raise ValueError(msg)
    elements, plan, keys = read_described(*of_folds)
    tables = [table for _, table in columns.read()]
    slots = slots_of_array(keys, np.concatenate([table.keys for table in tables]))
    fields = []
    stored = iter(zip(*(table.columns for table in tables), strict=True))
    for fold in plan.folds:
        values = np.zeros(0 if fold.kind == "key" else slots.size, fold.dtype)
        if fold.kind != "key":
            values[slots] = np.concatenate(next(stored))
        fields.append(values)
    return Results(elements, plan, keys, fields), span
