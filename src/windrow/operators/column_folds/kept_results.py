"""What each key's elements were folded to, written and read as columns: a table for some neighbouring key groups.

A batch writes the tables of the keys that it has touched. There are as many as keys ask for: few keys are in one table,
and where there are many a batch that touches few of them does not write all.
"""

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
from windrow.state.column_page import Table
from windrow.state.kept_columns import Groups, KeptColumns, Name

#: The version of descriptions.
VERSION = 1
#: So many keys a table has, or up to twice as many.
_TABLE_KEYS = 1 << 12
_SECTION = "result"


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
        #: So many key groups that follow each other are in a table.
        self._span = 0

    def forget(self) -> None:
        """Slots are other keys' now."""
        self._groups.forget()
        self._span = 0

    def keep(self, results: Results, changed: Array, columns: KeptColumns) -> bool:
        """Write what has changed; False if it cannot be kept as columns.

        Args:
            results: All that is to be stored.
            changed: Which slots have another result than what is stored.
            columns: Where to.
        """
        of_folds = described(results.elements, results.plan, results.keys)
        if of_folds is None:
            return False
        of_slots, order = self._groups.of(results.keys, columns)
        groups = of_slots[order]
        span = _span(groups)
        touched = np.unique(groups if span != self._span else of_slots[changed])
        self._span = span
        present = {(_SECTION, number) for number in np.unique(groups // span).tolist()}
        gone = [name for name in columns.names if name not in present]
        numbers = np.unique(touched // span).tolist()
        if numbers or gone:
            tables = [_table(results, number, span, order, groups) for number in numbers]
            columns.write((VERSION, span, *of_folds), tables, gone)
        return True

    def read(self, columns: KeptColumns) -> Results:
        """Read all that is stored, to go on with it.

        Raises:
            ValueError: it is of another version.
        """
        self.forget()
        results, self._span = _read(columns)
        return results


def read_results(columns: KeptColumns) -> Results:
    """Read all that is stored, to give it to somebody else.

    Raises:
        ValueError: it is of another version.
    """
    return _read(columns)[0]


def _read(columns: KeptColumns) -> tuple[Results, int]:
    version, span, *of_folds = columns.description()
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


def _span(groups: Groups) -> int:
    """How many key groups a table has: a power of two, so that it is another one seldom."""
    count = groups.size
    if not count:
        return 1
    distinct = 1 + int(np.count_nonzero(groups[1:] != groups[:-1]))
    return 1 << max(0, (distinct * _TABLE_KEYS // count).bit_length())


def _table(results: Results, number: int, span: int, order: Longs, groups: Groups) -> tuple[Name, Table, Groups]:
    begin, end = np.searchsorted(groups, [number * span, (number + 1) * span]).tolist()
    slots = order[begin:end]
    columns = [
        values[slots] for fold, values in zip(results.plan.folds, results.fields, strict=True) if fold.kind != "key"
    ]
    return (_SECTION, number), Table(key_array(results.keys, slots), columns), groups[begin:end]
