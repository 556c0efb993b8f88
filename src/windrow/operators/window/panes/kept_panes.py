"""Windows of columns, written and read: a table for each pane, with what says how to read it.

The description is plain data: how time is cut, which keys there are, the form of an accumulator, and what becomes of
its fields. So who has another function, or no columns at all, can make accumulators of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from windrow.elements.shape import Shape
from windrow.operators.column_folds.described import described, read_described
from windrow.operators.column_folds.field_fold import Array, Longs
from windrow.operators.column_folds.fold_plan import FoldPlan
from windrow.operators.column_folds.key_index import KeyIndex
from windrow.operators.column_folds.slot_groups import SlotGroups, key_array, slots_of_array
from windrow.operators.window.aligned_windows import AlignedWindows
from windrow.operators.window.early_firing import EarlyFiring
from windrow.operators.window.panes.pane_windows import PANE, Grid, Name, PaneWindows
from windrow.operators.window.panes.partials import Row
from windrow.state.column_page import Table
from windrow.state.kept_columns import Groups, KeptColumns

#: The version of descriptions, and that of those which say when windows fire before their end.
VERSION, EARLY_VERSION = 1, 2
#: All panes of a window are in so many tables at most, and in that many more those that wait for late elements.
_TABLES = 32
#: Of these so many are counted: windows that wait for ever are not put into one table.
_MOST_LATE = 1 << 12


class InOrder(NamedTuple):
    """The results so far of the keys of a window, by the order of arrival.

    Attributes:
        slots: The keys' slots, of which there is at least one.
        fields: What was folded, for each fold; None for one that is the key.
    """

    slots: Longs
    fields: list[Array | None]

    def take(self, places: Longs) -> InOrder:
        """Give the results of some of the keys, by their places here."""
        return InOrder(
            self.slots.take(places), [None if field is None else field.take(places) for field in self.fields]
        )


class Held(NamedTuple):
    """The contents of windows as columns, with the plan and the keys that they are read by."""

    plan: FoldPlan
    keys: KeyIndex
    panes: PaneWindows

    def in_order(self, row: Row | None) -> InOrder | None:
        """Give a window's results so far in the order in which the first elements of keys came; None: it has none."""
        slots = None if row is None else self.panes.in_order(row, self.keys.count)
        if row is None or slots is None or not slots.size:
            return None
        folds = zip(self.plan.folds, row.fields, strict=True)
        return InOrder(slots, [None if fold.kind == "key" else values.take(slots) for fold, values in folds])

    def together(self, windows: Sequence[InOrder]) -> tuple[list[Any], Longs]:
        """Join what was folded in some windows, one behind the other: the fields, and the slots."""
        slots = _joined([window.slots for window in windows])
        fields = [
            self.keys.column(slots) if fold.kind == "key" else _joined(parts)
            for fold, *parts in zip(self.plan.folds, *[window.fields for window in windows], strict=True)
        ]
        return fields, slots

    def accumulators(self, ends: Sequence[int]) -> list[tuple[int, dict[Any, Any]]]:
        """Give what windows of these ends hold by key: the window whose first element came first is the first."""
        self.panes.rewind()
        windows: list[tuple[int, int, dict[Any, Any]]] = []
        for end in ends:
            row = self.panes.window(end)
            found = self.in_order(row)
            if row is not None and found is not None:
                fields, slots = self.together([found])
                accumulators = dict(zip(self.keys.listed(slots), self.plan.accumulators(fields), strict=True))
                windows.append((int(row.first[slots[0]]), end, accumulators))
        return [(end, accumulators) for _, end, accumulators in sorted(windows, key=lambda window: window[:2])]


def _joined(arrays: Sequence[Array]) -> Array:
    return arrays[0] if len(arrays) == 1 else np.concatenate(arrays)


class KeptPanes(NamedTuple):
    """The windows that were read, or are to be written.

    Args:
        held: What windows hold.
        elements: What an element is made of.
        lateness: For how long windows are kept.
        fired: The ends of windows that have fired, besides those that the watermark has passed.
    """

    held: Held
    elements: Shape
    lateness: int
    fired: frozenset[int]

    @property
    def windows(self) -> AlignedWindows:
        """The windows by which time is cut."""
        return self.held.panes.grid.windows

    def description(self) -> tuple[Any, ...] | None:
        """Describe how the tables are to be read; None if they cannot be kept."""
        plan, keys, panes = self.held
        of_folds = described(self.elements, plan, keys)
        if of_folds is None:
            return None
        of_time = (*self.windows, self.lateness, sorted(self.fired))
        if panes.fire_times is None:
            return VERSION, of_time, panes.next_place, *of_folds
        return EARLY_VERSION, of_time, panes.next_place, tuple(panes.fire_times.early), *of_folds


class _Blocks(NamedTuple):
    """The division of panes and windows into tables: some that follow each other in one, where there are many."""

    grid: Grid
    panes: int

    def of(self, name: Name) -> int:
        """The number of a table."""
        section, number = name
        return (number if section == PANE else self.grid.first_pane(number)) // self.panes


def _blocks(kept: KeptPanes) -> _Blocks:
    grid = kept.held.panes.grid
    late = min(kept.lateness // grid.pane, _MOST_LATE)
    return _Blocks(grid, max(1, (grid.panes + late) // _TABLES))


def keep(kept: KeptPanes, columns: KeptColumns, groups: SlotGroups) -> bool:
    """Write what has changed; False if it cannot be kept as columns."""
    _, keys, panes = kept.held
    description = kept.description()
    if description is None:
        return False
    blocks = _blocks(kept)
    changed = {(name[0], blocks.of(name)) for name in panes.changed()}
    present: dict[Name, list[Name]] = {}
    for name in sorted(panes.names()):
        present.setdefault((name[0], blocks.of(name)), []).append(name)
    gone = [name for name in columns.names if name not in present]
    if not present:
        if columns.are_stored():
            columns.clear()
    elif changed or gone:
        of_slots, order = groups.of(keys, columns)
        tables = [(name, *_table(kept.held, present[name], of_slots, order)) for name in sorted(changed)]
        columns.write(description, tables, gone)
    return True


def read(columns: KeptColumns) -> KeptPanes:
    """Read all that is stored.

    Raises:
        ValueError: it is of another version.
    """
    version, of_time, next_place, *of_folds = columns.description()
    early = None
    if version == EARLY_VERSION:
        of_early, *of_folds = of_folds
        early = EarlyFiring(*of_early)
    elif version != VERSION:
        msg = f"windows of columns have version {version}, and this program reads {VERSION} and {EARLY_VERSION}"
        raise ValueError(msg)
    *windows, lateness, fired = of_time
    elements, plan, index = read_described(*of_folds)
    panes = PaneWindows(AlignedWindows(*windows), plan.folds, next_place, early)
    tables = []
    for (section, _), table in columns.read():
        slots = slots_of_array(index, table.keys)
        numbers, *values = table.columns
        for number in np.unique(numbers).tolist():
            rows = np.flatnonzero(numbers == number)
            tables.append(((section, number), slots[rows], [column[rows] for column in values]))
    if index.count > panes.width:
        panes.widen(index.count + index.count // 4)
    for name, slots, values in tables:
        panes.put_table(name, slots, values)
    return KeptPanes(Held(plan, index, panes), elements, lateness, frozenset(fired))


def _table(held: Held, names: Sequence[Name], of_slots: Groups, order: Longs) -> tuple[Table, Groups]:
    """Panes or windows as one table, by key groups: their numbers, and what is in them; and the rows' key groups."""
    parts = [held.panes.table(name, order) for name in names]
    slots = np.concatenate([slots for slots, _ in parts])
    numbers = np.repeat([number for _, number in names], [slots.size for slots, _ in parts])
    columns = [numbers, *(np.concatenate(column) for column in zip(*(values for _, values in parts), strict=True))]
    groups = of_slots[slots]
    if len(parts) > 1:
        by_group = np.argsort(groups, kind="stable")
        slots, groups, columns = slots[by_group], groups[by_group], [column[by_group] for column in columns]
    return Table(key_array(held.keys, slots), columns), groups
