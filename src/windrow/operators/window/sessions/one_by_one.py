"""Elements that change more than the sessions they are in: the operator over rows takes them, one by one."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from windrow.datastream.window import TimeWindow
from windrow.elements.batch import Batch
from windrow.operators.column_folds.field_fold import Array, Longs
from windrow.operators.column_folds.fold_plan import FoldPlan
from windrow.operators.column_folds.key_index import KeyIndex, TextKeyIndex
from windrow.operators.window.panes.placing import Mask
from windrow.operators.window.session import HeldSession, SessionPart
from windrow.operators.window.sessions.folding import Grouped
from windrow.operators.window.sessions.table import SessionTable

if TYPE_CHECKING:  # whose neighbour makes entries of columns, by the modules here
    from windrow.operators.window.session_window_operator import SessionWindowOperator

#: Places in the order of arrival begin here: numbers of timers are lower.
FIRST_PLACE = 2**60


class Held(NamedTuple):
    """The sessions held as columns, with the plan and the keys that they are read by."""

    plan: FoldPlan
    keys: KeyIndex
    table: SessionTable
    #: Timers of state that were registered before anything was held have lower numbers.
    stored_to: int

    @property
    def has_text(self) -> bool:
        """True if keys or what was folded are objects, which are pickled one by one."""
        return isinstance(self.keys, TextKeyIndex) or any(values.dtype.hasobject for values in self.table.fields)

    def fields_of(self, rows: Longs) -> list[Array]:
        """Give what was folded in sessions, a column for each field."""
        slots = self.table.slots[rows]
        return [
            self.keys.column(slots) if fold.kind == "key" else values[rows]
            for fold, values in zip(self.plan.folds, self.table.fields, strict=True)
        ]

    def lend(self, rows: Longs, sequences: list[int], by_row: SessionWindowOperator) -> None:
        """Give sessions, by key, to the operator over rows."""
        if not rows.size:
            return
        table = self.table
        slots = table.slots[rows]
        sessions = zip(
            self.keys.listed(slots),
            [TimeWindow(*ends) for ends in zip(table.starts[rows].tolist(), table.ends[rows].tolist(), strict=True)],
            sequences,
            table.pending[rows].tolist(),
            self.plan.accumulators(self.fields_of(rows)),
            strict=True,
        )
        for _, of_key in groupby(zip(slots.tolist(), sessions, strict=True), key=lambda pair: pair[0]):
            ((key, *first), *others) = [session for _, session in of_key]
            by_row.take_over(key, [HeldSession(*first), *[HeldSession(*other[1:]) for other in others]])


class Taken(NamedTuple):
    """Sessions that the operator over rows had."""

    slots: Longs
    windows: tuple[Longs, Longs]
    sequences: Longs
    pending: Mask
    fields: list[Array | None]

    @staticmethod
    def of(by_row: SessionWindowOperator, held: Held) -> Taken | None:
        """Copy the sessions of the operator over rows into columns; None if these are no folds of columns."""
        sessions = list(by_row.held())
        keys = [session.key for session in sessions]
        contents = [session.contents for session in sessions]
        column = held.keys.from_list(keys)
        if column is None or any(each is None for each in contents):
            return None
        fields = held.plan.fields_of(contents, keys)
        if fields is None:
            return None
        windows = (
            np.array([session.start for session in sessions], np.int64),
            np.array([session.end for session in sessions], np.int64),
        )
        sequences = np.array([session.sequence for session in sessions], np.int64)
        pending = np.array([session.is_pending for session in sessions], np.bool_)
        return Taken(held.keys.slots_of(column), windows, sequences, pending, fields)

    def put(self, table: SessionTable) -> Longs:
        """Write them into rows, which are in no chain yet."""
        rows = table.take_rows(self.slots.size)
        for values, added in zip(table.fields, self.fields, strict=True):
            if added is not None and values.size:
                values[rows] = added
        table.place(rows, self.windows, self.sequences, pending=self.pending)
        return rows


def one_by_one(
    by_row: SessionWindowOperator, held: Held, batch: Batch, grouped: Grouped, chosen: tuple[Mask, Mask]
) -> tuple[Longs, Longs]:
    """Process elements in the order of arrival; gives slots and rows of their groups' sessions, by slot and start.

    Args:
        by_row: Takes them, and the sessions that they may touch.
        held: What is held.
        batch: All elements.
        grouped: The groups that they are in.
        chosen: The groups whose elements are processed, and those whose elements are too late for any session.
    """
    groups, skipped = chosen
    rows = grouped.rows[groups[grouped.of_held]]
    rows = rows[np.lexsort((held.table.starts[rows], held.table.slots[rows]))]
    held.lend(rows, held.table.orders[rows].tolist(), by_row)
    held.table.give_back(rows)
    is_skipped = skipped[grouped.of_element]
    chosen_ones: Longs = np.flatnonzero(groups[grouped.of_element] | is_skipped)
    part = batch.take(grouped.elements.indexes[chosen_ones])
    came = grouped.elements.came(chosen_ones).tolist()
    over = is_skipped[chosen_ones].tolist()
    elements = zip(came, over, part.keys or (), part.elements, part.timestamp_list(), strict=True)
    for place, is_over, key, value, time in elements:
        if is_over:
            by_row.skip(value.element if isinstance(value, SessionPart) else value, time)
            continue
        by_row.process_batch(Batch([value], [time], [key]))
        session = by_row.touched_last(key)
        # It has a number of this moment if the element has changed the session.
        if session is not None and held.stored_to <= session.sequence < FIRST_PLACE:
            session.sequence = place
    if not by_row.holds_any():
        return rows[:0], rows[:0]
    taken = Taken.of(by_row, held)
    assert taken is not None, "what was made of columns by a function that folds them can be a column"
    by_row.let_go()
    return taken.slots, taken.put(held.table)
