"""Putting the elements of a batch into the sessions that are held."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from windrow.operators.column_folds.field_fold import Array, Longs
from windrow.operators.window.panes.placing import Mask
from windrow.operators.window.sessions.grouping import Groups
from windrow.operators.window.sessions.table import SessionTable


class Arrived(NamedTuple):
    """Elements of a batch, as sessions take them."""

    slots: Longs
    #: Where their own windows start and end.
    starts: Longs
    ends: Longs
    #: Which elements of the batch these are.
    indexes: Longs
    #: The place of the batch's first element in the order of arrival; each element takes two of them: the one before
    #: its own is that of what its key had before.
    sequence: int
    #: A column for each fold.
    inputs: Sequence[Array | None]
    #: The length that their windows all have; None: they differ.
    length: int | None
    #: Whether some reach beyond their own gap, since they stand for others.
    reach: bool = False

    def take(self, chosen: Longs) -> Arrived:
        """Some of the elements."""
        inputs = [None if column is None else column[chosen] for column in self.inputs]
        slots, starts, ends, indexes = (column[chosen] for column in self[:4])
        return Arrived(slots, starts, ends, indexes, self.sequence, inputs, self.length, self.reach)

    def came(self, chosen: Longs) -> Longs:
        """The places of some of them in the order of arrival."""
        places: Longs = self.sequence + 1 + 2 * self.indexes[chosen]
        return places


class Grouped(NamedTuple):
    """Elements and the sessions that they may touch, by group."""

    elements: Arrived
    groups: Groups
    #: The rows of the held sessions.
    rows: Longs
    #: The group of each held session, and of each element.
    of_held: Longs
    of_element: Longs

    @staticmethod
    def of(elements: Arrived, groups: Groups, rows: Longs) -> Grouped:
        """Say for each item in which group it is."""
        of_item = np.empty(groups.order.size, np.int64)
        of_item[groups.order] = groups.of
        return Grouped(elements, groups, rows, of_item[: rows.size], of_item[rows.size :])


def fold(table: SessionTable, batch: Grouped, chosen: Mask | None) -> Longs:
    """Put elements and the sessions that they touch into one row for each group, and give these rows.

    Args:
        table: What is held.
        batch: The elements; each held session with which another one has merged is given back.
        chosen: The groups this is done for, others have row -1; None: all.
    """
    groups, held = batch.groups, batch.rows.size
    rows = np.full(groups.first.size, -1, np.int64)
    is_new = groups.first_held < 0
    if held:
        known = np.flatnonzero(~is_new)
        rows[known] = batch.rows[groups.first_held[known]]
    if chosen is not None:
        rows[~chosen] = -1
        is_new &= chosen
    new = np.flatnonzero(is_new)
    rows[new] = table.take_rows(new.size)
    merged = _merge(table, batch, rows) if held else rows[:0]
    places = rows[batch.of_element]
    elements: Mask | slice = slice(None)
    founded = groups.founder >= 0
    if chosen is not None:
        elements = places >= 0
        places = places[elements]
        founded &= chosen
    founders = groups.founder[founded] - held
    for folded, values, added in zip(table.folds, table.fields, batch.elements.inputs, strict=True):
        if folded.kind == "first":
            assert added is not None, "a first value is a value"
            values[rows[founded]] = added[founders]
        elif folded.kind != "key":
            folded.add(values, places, None if added is None else added[elements])
    has_changed = groups.changed >= 0
    if chosen is not None:
        has_changed &= chosen
    came = batch.elements.came(groups.changed[has_changed] - held)
    windows = groups.starts[has_changed], groups.ends[has_changed]
    table.place(rows[has_changed], windows, came, pending=True)
    table.give_back(merged)
    return rows


def grow(table: SessionTable, rows: Longs, elements: Arrived) -> None:
    """Put elements into sessions that they touch, of keys of which no element touches anything else.

    Args:
        table: What is held.
        rows: For each element the row of its session, the newest one of its key; the element starts no earlier.
        elements: The elements.
    """
    table.changed[elements.slots] = True
    for folded, values, added in zip(table.folds, table.fields, elements.inputs, strict=True):
        if folded.kind not in ("first", "key"):
            folded.add(values, rows, added)
    beyond = np.flatnonzero(elements.ends > table.ends[rows])
    if beyond.size:
        table.extend(rows[beyond], elements.ends[beyond], elements.came(beyond))


def _merge(table: SessionTable, batch: Grouped, rows: Longs) -> Longs:
    """Put held sessions that are one now into the first one; gives the rows of the others."""
    into = rows[batch.of_held]
    others = np.flatnonzero((into != batch.rows) & (into >= 0))
    if not others.size:
        return others
    targets, sources = into[others], batch.rows[others]
    for folded, values in zip(table.folds, table.fields, strict=True):
        # The first value is that of the first session; the last one that of an element which comes.
        if folded.kind not in ("first", "last", "key"):
            folded.add(values, targets, values[sources])
    return sources
