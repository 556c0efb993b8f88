"""Finds the windows that fire up to a time, and their keys: at their ends, and before."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from windrow.operators.column_folds.field_fold import Longs
from windrow.operators.window.panes.fire_times import FireTimes
from windrow.operators.window.panes.kept_panes import Held


class Firings(NamedTuple):
    """Windows and keys that fire, each once, and in which order they do so, some of them several times.

    Attributes:
        fields: What was folded, for each fold.
        slots: The keys' slots.
        ends: The windows' ends.
        order: The places of those that fire, one behind the other.
    """

    fields: list[Any]
    slots: Longs
    ends: Longs
    order: Longs

    def firsts(self) -> Longs:
        """The order of those that fire, each once."""
        _, places = np.unique(self.order, return_index=True)
        firsts: Longs = self.order.take(np.sort(places))
        return firsts


def firings(held: Held, fire_times: FireTimes, ending: Collection[int], limit: int, *, is_last: bool) -> Firings | None:
    """Find what fires in windows that end, and before the end of others up to ``limit``; None: nothing.

    Args:
        held: What windows hold.
        fire_times: When they fire before their end.
        ending: The ends of those that end.
        limit: Up to when windows fire.
        is_last: Whether each fires once before its end, and never again.

    Of what fires at one time that comes first whose window ends first, then whose key came first.
    """
    windows, ends, places, times = [], [], [], []
    count, all_of = 0, set(ending)
    held.panes.rewind()
    for end in sorted({*all_of, *fire_times.take_due(limit)}):
        row = held.panes.window(end)
        found = held.in_order(row)
        if found is None:
            continue
        early, when = fire_times.firings(end, found.slots, limit, is_last=is_last)
        if end not in all_of:
            fires = np.zeros(found.slots.size, bool)
            fires[early] = True
            if not fires.all():
                found = found.take(np.flatnonzero(fires))
                early = (np.cumsum(fires) - 1).take(early)
        places.append(early + count)
        times.append(when)
        if end in all_of:
            places.append(np.arange(count, count + found.slots.size))
            times.append(np.full(found.slots.size, end - 1))
        windows.append(found)
        ends.append(np.full(found.slots.size, end))
        count += found.slots.size
    held.panes.rewind()
    if not windows:
        return None
    fields, slots = held.together(windows)
    order = np.concatenate(places).take(np.argsort(np.concatenate(times), kind="stable"))
    return Firings(fields, slots, np.concatenate(ends), order)


def by_end(slots: Longs, ends: Longs) -> Iterator[tuple[int, Longs]]:
    """The slots for each of the ends, which stand beside them.

    >>> [(end, slots.tolist()) for end, slots in by_end(np.array([4, 5, 6]), np.array([20, 10, 20]))]
    [(10, [5]), (20, [4, 6])]
    """
    order = np.argsort(ends, kind="stable")
    slots, ends = slots.take(order), ends.take(order)
    bounds = [*np.flatnonzero(np.diff(ends, prepend=ends[:1] - 1)).tolist(), ends.size]
    for start, stop in pairwise(bounds):
        yield int(ends[start]), slots[start:stop]
