"""The results of windows that end together, gathered window by window in arrays that are made once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from windrow.operators.column_folds.choosing import NEVER
from windrow.operators.column_folds.field_fold import Array, Longs
from windrow.operators.window.panes.kept_panes import Held
from windrow.operators.window.panes.partials import Row

#: The results of a window of no more keys come in the order in which the first elements of these came: to sort those of
#: many costs more than all else that is done for them.
MOST_SORTED = 1 << 12


class Due(NamedTuple):
    """The results so far of the keys of windows that end, one window behind the other."""

    slots: Longs
    #: What was folded, for each fold; None for one that is the key.
    fields: Sequence[Array | None]
    ends: Longs

    def part(self, begin: int, end: int) -> Due:
        """Some of them."""
        fields = [None if field is None else field[begin:end] for field in self.fields]
        return Due(self.slots[begin:end], fields, self.ends[begin:end])

    def each(self) -> Iterator[Due]:
        """One window after the other."""
        bounds = [0, *(np.flatnonzero(self.ends[1:] != self.ends[:-1]) + 1).tolist(), self.ends.size]
        for begin, end in pairwise(bounds):
            yield self.part(begin, end)


class DueWindows:
    """Gathers them.

    Args:
        held: What windows hold.
        expected: How many results there may be.
        by_arrival: Whether all come in the order of arrival.
    """

    def __init__(self, held: Held, expected: int, *, by_arrival: bool) -> None:
        self._held = held
        self._most_sorted = held.keys.count if by_arrival else MOST_SORTED
        self._slots = np.empty(expected, np.int64)
        self._ends = np.empty(expected, np.int64)
        self._fields: list[Any] = [
            None if fold.kind == "key" else np.empty(expected, fold.dtype) for fold in held.plan.folds
        ]
        self._every: Longs | None = None
        #: How many results were gathered.
        self.count = 0

    def add(self, end: int, row: Row) -> None:
        """Take what is in a window that ends at ``end``."""
        first = row.first[: self._held.keys.count]
        is_there = first != NEVER
        count = int(np.count_nonzero(is_there))
        if not count:
            return
        begin, stop = self.count, self.count + count
        if stop > self._slots.size:
            self._grow(stop)
        self.count = stop
        self._ends[begin:stop] = end
        if count == first.size > self._most_sorted:
            if self._every is None:
                self._every = np.arange(count)
            self._slots[begin:stop] = self._every
            for field, values in zip(self._fields, row.fields, strict=True):
                if field is not None:
                    field[begin:stop] = values[:count]
            return
        in_order = count <= self._most_sorted
        slots = self._held.panes.in_order(row, first.size) if in_order else np.flatnonzero(is_there)
        self._slots[begin:stop] = slots
        for field, values in zip(self._fields, row.fields, strict=True):
            if field is not None:
                # Slots are those of the row: nothing is clipped, and without looking NumPy writes where it is to be.
                np.take(values, slots, out=field[begin:stop], mode="clip")

    def taken(self) -> Due:
        """Give what was gathered."""
        due = Due(self._slots, self._fields, self._ends).part(0, self.count)
        return due if 2 * self.count >= self._slots.size else _copied(due)

    def _grow(self, least: int) -> None:
        size = max(least, 2 * self._slots.size)
        self._slots, self._ends = self._grown(self._slots, size), self._grown(self._ends, size)
        self._fields = [None if field is None else self._grown(field, size) for field in self._fields]

    def _grown(self, array: Array, size: int) -> Array:
        return np.concatenate((array[: self.count], np.empty(size - self.count, array.dtype)))


def _copied(due: Due) -> Due:
    """The same in arrays of their own, where most of what they are in is not used."""
    return Due(due.slots.copy(), [None if field is None else field.copy() for field in due.fields], due.ends.copy())
