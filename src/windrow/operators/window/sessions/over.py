"""Sessions that are over as soon as the elements are there that have waited for a watermark: they are never held.

Where a watermark comes every few thousand elements most sessions are short beside the time between two of them. Then a
sort and a reduction by runs make results of elements; nothing is put into rows that are empty again a moment later.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from windrow.operators.column_folds.field_fold import COMBINES, Array, FieldFold, Longs
from windrow.operators.column_folds.radix import stable_order
from windrow.operators.window.panes.placing import Mask
from windrow.operators.window.sessions.folding import Arrived
from windrow.operators.window.sessions.grouping import Items, apart, grouped
from windrow.operators.window.sessions.table import SessionTable


class Over(NamedTuple):
    """Sessions that are over, by slot and start."""

    slots: Longs
    starts: Longs
    ends: Longs
    #: The held session that each of them goes on with, as it was before; -1: none.
    rows: Longs
    #: What was folded, by field; an empty array for a field that is the key.
    fields: Sequence[Array]
    #: The elements that were looked at, and which of them are in these sessions, session by session.
    looked_at: Arrived
    order: Longs

    @property
    def held(self) -> Longs:
        """The held sessions that they go on with."""
        return self.rows[self.rows >= 0]

    def elements(self) -> Arrived:
        """The elements in them, in the order in which they came."""
        return self.looked_at.take(np.sort(self.order))

    def orders(self, table: SessionTable) -> Longs:
        """Their turns among sessions that end together."""
        goes_on = np.flatnonzero(self.rows >= 0)
        rows = self.rows[goes_on]
        elements = self.elements()
        items = Items.of(
            elements.slots,
            (elements.starts, elements.ends),
            (table.slots[rows], table.starts[rows], table.ends[rows]),
        )
        wants_turns = not elements.reach
        groups = grouped(items, elements.length, wants_founder=False, wants_single=False, wants_turns=wants_turns)
        assert groups is not None, "what could be sorted with more elements can be sorted"
        orders = np.zeros(self.slots.size, np.int64)
        orders[goes_on] = table.orders[rows]
        changed = np.flatnonzero(groups.changed >= 0)
        orders[changed] = elements.came(groups.changed[changed] - rows.size)
        return orders


def sessions_over(table: SessionTable, elements: Arrived, watermark: int) -> tuple[Over, Longs] | None:
    """The sessions of some elements that are over at a watermark, and the indexes of the elements that are in others.

    None, if there are few of them, or if slots and times are too far apart.

    Args:
        table: What is held; it stays as it is.
        elements: All elements of some slots, of which none is late.
        watermark: It is the next one; no session waits for late elements.
    """
    count = elements.slots.size
    if 2 * np.count_nonzero(elements.ends <= watermark + 1) < count:
        return None
    numbers = apart(elements.slots, elements.starts, elements.ends)
    if numbers is None:
        return None
    order = stable_order(numbers)
    times = numbers.take(order)
    begins = np.ones(count, np.bool_)
    gap = elements.length
    reaches: Longs | None = None
    if gap is None:
        reaches = np.maximum.accumulate(times + (elements.ends - elements.starts).take(order))
        np.greater(times[1:], reaches[:-1], out=begins[1:])
    else:
        np.greater(times[1:] - times[:-1], gap, out=begins[1:])
    first = np.flatnonzero(begins)
    sizes = np.diff(first, append=count)
    firsts, lasts = order[first], first + sizes - 1
    slots, starts = elements.slots[firsts], elements.starts[firsts]
    ends: Longs = elements.ends[order[lasts]] if reaches is None else starts + (reaches[lasts] - times[first])
    rows, chosen = _goes_on_with(table, slots, starts, ends)
    chosen &= ends <= watermark + 1
    kinds = {fold.kind for fold in table.folds}
    founders = firsts
    if "first" in kinds:
        # Elements in front of the oldest one that touch it have begun no session; others may have.
        founders = np.minimum.reduceat(order, first)
        chosen &= (rows >= 0) | (numbers[founders] - times[first] <= (0 if gap is None else gap))
    if any(fold.ordered for fold in table.folds):
        # Sessions that have merged are summed in another order than that of their elements.
        falls = np.zeros(count, np.bool_)
        falls[1:] = (order[1:] < order[:-1]) & ~begins[1:]
        chosen &= ~np.logical_or.reduceat(falls, first)
    left = order[:0]
    if not chosen.all():
        is_chosen = np.repeat(chosen, sizes)
        is_left = np.zeros(count, np.bool_)
        is_left[order[~is_chosen]] = True
        left = np.flatnonzero(is_left)
        order, sizes, founders = order[is_chosen], sizes[chosen], founders[chosen]
        slots, starts, ends, rows = slots[chosen], starts[chosen], ends[chosen], rows[chosen]
        first = np.cumsum(sizes) - sizes
        if not slots.size:
            return None
    runs = _Runs(order, first, sizes, founders, rows)
    fields = [
        runs.folded(fold, values, added)
        for fold, values, added in zip(table.folds, table.fields, elements.inputs, strict=True)
    ]
    goes_on = np.flatnonzero(rows >= 0)
    starts[goes_on] = table.starts[rows[goes_on]]
    if goes_on.size and apart(slots, starts, ends) is None:  # who asks for their turns sorts what is held, too
        return None
    return Over(slots, starts, ends, rows, fields, elements, order), left


def _goes_on_with(table: SessionTable, slots: Longs, starts: Longs, ends: Longs) -> tuple[Longs, Mask]:
    """The held session that each goes on with, or -1; and whether it touches no other one.

    Args:
        table: What is held.
        slots: The slots of sessions of elements alone, by slot and start.
        starts: Where these start.
        ends: Where they end.
    """
    rows = table.newest(slots)
    chosen = np.ones(rows.size, np.bool_)
    held = np.flatnonzero(rows >= 0)
    if held.size:
        of_held = rows[held]
        near = starts[held] <= table.ends[of_held]
        # Others, and those that the held one reaches beyond, may be one with it or with an older one.
        blocked = held[near & ((starts[held] < table.starts[of_held]) | (ends[held] < table.ends[of_held]))]
        if blocked.size:
            chosen = ~np.isin(slots, slots[blocked])
        rows[held[~near]] = -1
    return rows, chosen


class _Runs(NamedTuple):
    """Elements session by session."""

    #: Their indexes.
    order: Longs
    #: Where sessions begin in this order, and how many elements they have.
    first: Longs
    sizes: Longs
    #: The element whose first value is that of the session, where none is held.
    founders: Longs
    #: The held session that each goes on with; -1: none.
    rows: Longs

    def folded(self, fold: FieldFold, values: Array, added: Array | None) -> Array:
        """Fold a field session by session: what elements have, behind what is held."""
        if fold.kind == "key":
            return values
        goes_on = np.flatnonzero(self.rows >= 0)
        held = values[self.rows[goes_on]]
        if fold.kind == "count" and added is None:
            counts = self.sizes.copy()
            counts[goes_on] += held
            return counts
        assert added is not None, "what is neither the key nor counted is a value"
        if fold.kind == "last":  # the one that came last
            return added[np.maximum.reduceat(self.order, self.first)]
        if fold.kind == "first":
            begun = added[self.founders]
            begun[goes_on] = held
            return begun
        of_elements = added[self.order]
        if fold.ordered:
            sums = np.full(self.first.size, fold.identity, fold.dtype)
            sums[goes_on] = held
            fold.add(sums, np.repeat(np.arange(self.first.size), self.sizes), of_elements)
            return sums
        combine = COMBINES[fold.kind]
        combined: Array = combine.reduceat(of_elements, self.first)
        if fold.kind == "sum" and fold.dtype.kind == "f":
            combined += fold.identity  # it begins with that: of zeros it has the sign
        combined[goes_on] = combine(combined[goes_on], held)
        return combined
