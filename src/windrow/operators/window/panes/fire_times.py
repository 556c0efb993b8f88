"""The times at which windows of columns fire before their end: an array for each window, by the slots of keys."""

from __future__ import annotations

from collections.abc import Collection
from heapq import heappop, heappush
from typing import TYPE_CHECKING

import numpy as np

from windrow.operators.column_folds.choosing import NEVER
from windrow.operators.column_folds.field_fold import Longs
from windrow.operators.window.aligned_windows import Times
from windrow.operators.window.early_firing import SPENT, EarlyFiring

if TYPE_CHECKING:  # which has the fire times of its windows
    from windrow.operators.window.panes.pane_windows import Grid


class FireTimes:
    """The next time of each window and key; it stays when the window has ended, and is SPENT behind the last one.

    Args:
        early: At which times windows fire.
        grid: Which windows there are.
        width: The number of slots.
    """

    def __init__(self, early: EarlyFiring, grid: Grid, width: int) -> None:
        self.early = early
        self._grid = grid
        self._width = width
        #: By the ends of windows; NEVER where no key has come.
        self._rows: dict[int, Longs] = {}
        #: When windows fire first of those that do, by their ends; and as a heap, with times that are none any more.
        self._firsts: dict[int, int] = {}
        self._heap: list[tuple[int, int]] = []
        #: The windows that fire now.
        self._due: list[int] = []
        self._changed: set[int] = set()

    @property
    def next(self) -> int:
        """The time when the first window fires, unless that is at its end; NEVER if none does."""
        heap = self._heap
        while heap:
            first, end = heap[0]
            if self._firsts.get(end) == first:
                return first
            heappop(heap)
        return NEVER

    @property
    def entries(self) -> int:
        """In how many windows keys have a time, over all keys."""
        return sum(int(np.count_nonzero(row != NEVER)) for row in self._rows.values())

    @property
    def nbytes(self) -> int:
        """The size of the arrays in bytes."""
        return sum(row.nbytes for row in self._rows.values())

    def ends(self) -> Collection[int]:
        """The ends of windows of which something is known."""
        return self._rows.keys()

    def is_known(self) -> Longs:
        """Of which slots a window knows something, as numbers that are true."""
        known = np.zeros(self._width, bool)
        for row in self._rows.values():
            known |= row != NEVER
        return known

    def note(self, panes: Longs, slots: Longs, times: Times, first_open: int) -> None:
        """Let windows fire to which elements are the first of their keys to come.

        Args:
            panes: The elements' panes, in the order of arrival.
            slots: Their keys' slots.
            times: Their timestamps, or those of the clock.
            first_open: The end of the first window that elements may let fire.
        """
        if not panes.size:
            return
        fires = self.early.after_elements(times)
        least, most = int(panes.min()), int(panes.max())
        if least == most:
            for end in self._grid.ends_of(least):
                if end >= first_open:
                    self._note(end, slots, fires)
            return
        order = np.argsort(panes, kind="stable")
        in_order = panes.take(order)
        present = in_order[np.flatnonzero(np.append(True, in_order[1:] != in_order[:-1]))].tolist()
        for end in sorted({end for pane in present for end in self._grid.ends_of(pane) if end >= first_open}):
            begin = self._grid.first_pane(end)
            left, right = np.searchsorted(in_order, (begin, begin + self._grid.panes))
            of_window = np.sort(order[left:right])
            self._note(end, slots.take(of_window), fires.take(of_window))

    def _note(self, end: int, slots: Longs, fires: Times) -> None:
        row = self._row(end)
        fresh = np.flatnonzero(row.take(slots) == NEVER)
        if fresh.size:
            # Of several elements of a key the first one stays, because it is written last.
            fresh = fresh[::-1]
            self._put(end, slots.take(fresh), np.minimum(fires.take(fresh), self.early.last_time(end)))

    def put(self, end: int, slots: Longs, times: Times) -> None:
        """Have a time in slots that have none."""
        self._row(end)
        self._put(end, slots, times)

    def _put(self, end: int, slots: Longs, times: Times) -> None:
        self._rows[end][slots] = times
        self._changed.add(end)
        first = int(times.min(initial=NEVER))
        if first < self._firsts.get(end, NEVER):
            self._set_first(end, first)

    def _set_first(self, end: int, first: int) -> None:
        if first <= self.early.last_early(end):
            self._firsts[end] = first
            heappush(self._heap, (first, end))
        else:
            self._firsts.pop(end, None)

    def known(self, end: int, order: Longs | None = None) -> tuple[Longs, Times]:
        """The slots of which a window knows something, and when they fire.

        Args:
            end: The window's end.
            order: All slots in an order; None: that of their numbers.
        """
        row = self._rows[end]
        slots = np.flatnonzero(row != NEVER) if order is None else order[row.take(order) != NEVER]
        return slots, row.take(slots)

    def are_due(self, limit: int) -> bool:
        """Tell whether a window fires by ``limit``, and before its end."""
        return self.next <= limit and self.next < NEVER

    def take_due(self, limit: int) -> list[int]:
        """The ends of windows that fire by ``limit``, and before their end: :meth:`fired` is to be told of them."""
        due = set()
        while self.are_due(limit):
            _, end = heappop(self._heap)
            due.add(end)
        self._due = sorted(due)
        return self._due

    def firings(self, end: int, slots: Longs, limit: int, *, is_last: bool = False) -> tuple[Longs, Times]:
        """Find what fires of some slots of a window by ``limit``: their places in ``slots``, and when.

        Args:
            end: The window's end, at which all keys fire besides.
            slots: The keys' slots.
            limit: Up to when.
            is_last: Whether each fires once, at its next time, and never again.

        >>> from windrow.operators.window.aligned_windows import AlignedWindows
        >>> from windrow.operators.window.panes.pane_windows import Grid
        >>> times = FireTimes(EarlyFiring(10, ""), Grid.of(AlignedWindows(100, 100, 0)), 2)
        >>> times.put(100, np.array([0, 1]), np.array([10, 30]))
        >>> [column.tolist() for column in times.firings(100, np.array([1, 0]), 35)]
        [[0, 1, 1, 1], [30, 10, 20, 30]]
        """
        row = self._rows.get(end)
        if row is None:
            return _NONE, _NONE
        first, early = row.take(slots), self.early
        if is_last:
            places = np.flatnonzero(first <= min(limit, early.last_early(end)))
            return places, first.take(places)
        last = min(limit, early.last_regular(end))
        counts = np.where(first <= last, (last - first) // early.interval + 1, 0)
        places = np.repeat(np.arange(slots.size), counts)
        number = np.arange(places.size) - np.repeat(np.cumsum(counts) - counts, counts)
        times = first.take(places) + number * early.interval
        if not early.fires_at_end and limit >= end - 1:  # by the clock, which has come to the end
            ending = np.flatnonzero(first <= end - 1)
            places, times = np.append(places, ending), np.append(times, np.full(ending.size, end - 1))
        return places, times

    def fired(self, limit: int, *, is_last: bool = False) -> None:
        """Go on to the first times behind ``limit``, of the windows that were taken up to it."""
        early = self.early
        for end in self._due:
            row = self._rows[end]
            due = np.flatnonzero(row <= min(limit, early.last_early(end)))
            self._changed.add(end)
            if is_last or (not early.fires_at_end and limit >= end - 1):
                row[due] = SPENT
            else:
                times, last = row.take(due), min(limit, early.last_regular(end))
                times += ((last - times) // early.interval + 1) * early.interval
                row[due] = np.minimum(times, early.last_time(end))
            self._set_first(end, int(row.min()))
        self._due = []

    def release(self, first_kept: int) -> None:
        """Forget windows that end before ``first_kept``."""
        for end in [end for end in self._rows if end < first_kept]:
            del self._rows[end]
            self._firsts.pop(end, None)

    def changed(self) -> set[int]:
        """The windows that have changed since this was last asked."""
        changed, self._changed = self._changed & self._rows.keys(), set()
        return changed

    def note_unchanged(self, end: int) -> None:
        """Note that a window is as it was stored."""
        self._changed.discard(end)

    def widen(self, width: int) -> None:
        """Make room for more slots."""
        self._rows = {end: _widened(row, width) for end, row in self._rows.items()}
        self._width = width

    def keep(self, slots: Longs, width: int) -> None:
        """Keep what is in ``slots`` only, which become 0, 1, and so on."""
        self._rows = {end: _widened(row.take(slots), width) for end, row in self._rows.items()}
        self._width = width

    def _row(self, end: int) -> Longs:
        row = self._rows.get(end)
        if row is None:
            row = self._rows[end] = np.full(self._width, NEVER)
        return row


_NONE = np.zeros(0, np.int64)


def _widened(row: Longs, width: int) -> Longs:
    wider = np.full(width, NEVER)
    wider[: row.size] = row
    return wider
