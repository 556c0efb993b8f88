"""Sessions written and read as columns: a row for each, with its window, its turn, and what was folded in it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from windrow.common.limits import LONG_MAX
from windrow.datastream.window import TimeWindow
from windrow.elements.shape import Shape
from windrow.operators.column_folds.described import described, read_described
from windrow.operators.column_folds.slot_groups import SlotGroups, key_array, slots_of_array
from windrow.operators.column_folds.tables_by_group import TablesByGroup
from windrow.operators.window.contents import CONTENTS
from windrow.operators.window.merging_window_set import MERGING_WINDOWS
from windrow.operators.window.sessions.one_by_one import FIRST_PLACE, Held
from windrow.operators.window.sessions.table import SessionTable
from windrow.state.column_page import Table
from windrow.state.kept_columns import KeptColumns
from windrow.state.keyed import KeyedState

#: What descriptions begin with: those of other windows begin with their version.
_KIND = "sessions"
#: The version of descriptions.
VERSION = 1


class Stored(NamedTuple):
    """The sessions that were read, and how they were kept."""

    elements: Shape
    held: Held
    #: For how long sessions were kept after their ends.
    lateness: int
    #: The first place in the order of arrival that is behind all of them.
    next_place: int


class KeptSessions:
    """Knows how sessions are cut into tables, between the batches of an operator."""

    def __init__(self) -> None:
        self._groups = SlotGroups()
        self._tables = TablesByGroup("session")

    def forget(self) -> None:
        """Slots are other keys' now."""
        self._groups.forget()
        self._tables.span = 0

    def keep(self, held: Held, elements: Shape, lateness: int, columns: KeptColumns) -> bool:
        """Write what has changed; False if it cannot be kept as columns."""
        table, keys, folds = held.table, held.keys, held.plan.folds
        of_folds = described(elements, held.plan, keys)
        if of_folds is None:
            return False
        of_slots, _ = self._groups.of(keys, columns)
        rows = table.rows()
        groups = of_slots[table.slots[rows]]
        order = np.argsort(groups.astype(np.uint16), kind="stable")
        rows, groups = rows[order], groups[order]

        def table_of(chosen: slice) -> Table:
            some = rows[chosen]
            windows = [column[some] for column in (table.starts, table.ends, table.orders, table.pending)]
            fields = [values[some] for fold, values in zip(folds, table.fields, strict=True) if fold.kind != "key"]
            return Table(key_array(keys, table.slots[some]), [*windows, *fields])

        touched = of_slots[np.flatnonzero(table.changed[: keys.count])]
        self._tables.write(columns, (_KIND, VERSION, lateness, *of_folds), groups, touched, table_of)
        table.changed[:] = False
        return True

    def read(self, columns: KeptColumns, stored_to: int) -> Stored:
        """Read all that is stored, to go on with it; ``stored_to`` as in :class:`Held`.

        Raises:
            ValueError: it is of another version.
        """
        self.forget()
        stored, self._tables.span = _read(columns, stored_to)
        return stored


def are_sessions(columns: KeptColumns) -> bool:
    """Tell whether what is stored are sessions, not windows of other kinds."""
    return bool(columns.description()[0] == _KIND)


def sessions_to_entries(state: KeyedState) -> None:
    """Make entries and timers, as the operators over rows keep them, of sessions that are stored as columns."""
    columns = state.columns
    if columns is None or not columns.are_stored():
        return
    (_, held, lateness, _), _ = _read(columns, 0)
    table, register = held.table, state.event_timers.register
    rows = table.rows()
    times = zip(table.starts[rows].tolist(), table.ends[rows].tolist(), strict=True)
    windows = [TimeWindow(start, end) for start, end in times]
    keys = held.keys.listed(table.slots[rows])
    contents = held.plan.accumulators(held.fields_of(rows))
    for key, window, content in zip(keys, windows, contents, strict=True):
        entry = state.entry_of(key)
        entry.setdefault((MERGING_WINDOWS, None), {})[window] = window
        entry[(CONTENTS, window)] = content
    pending = table.pending[rows].tolist()
    for number in np.argsort(table.orders[rows]).tolist():
        window = windows[number]
        fires, over = window.end - 1, min(window.end - 1 + lateness, LONG_MAX)
        if pending[number]:
            register(fires, keys[number], window)
        if over < LONG_MAX:
            register(over, keys[number], window)
    columns.clear()


def _read(columns: KeptColumns, stored_to: int) -> tuple[Stored, int]:
    _, version, lateness, *of_folds, span = columns.description()
    if version != VERSION:
        msg = f"sessions of columns have version {version}, and this program reads {VERSION}"
        raise ValueError(msg)
    elements, plan, keys = read_described(*of_folds)
    tables = [part for _, part in columns.read()]
    slots = slots_of_array(keys, np.concatenate([part.keys for part in tables]))
    starts, ends, orders, pending, *fields = (
        np.concatenate(column) for column in zip(*(part.columns for part in tables), strict=True)
    )
    # The turns of one key group are those of the process that wrote it: behind each other they begin anew.
    turns = np.empty(slots.size, np.int64)
    turns[np.argsort(orders, kind="stable")] = FIRST_PLACE + 2 * np.arange(slots.size)
    table = SessionTable(plan.folds)
    table.put((slots, keys.count), (starts, ends), turns, pending, fields)
    next_place = FIRST_PLACE + 2 * slots.size + 2
    return Stored(elements, Held(plan, keys, table, stored_to), lateness, next_place), span
