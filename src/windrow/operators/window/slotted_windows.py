"""Accumulators of open windows in lists, by the slots of keys, for functions that are called for elements of columns.

A dictionary is asked twice for each element, and each time waits for memory where keys are many. The slots of a whole
column of keys are found by NumPy, and what is in a list is there at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from windrow.common.exponential_backoff import ExponentialBackoff
from windrow.elements.batch import ROWS_AT_A_TIME, one_by_one
from windrow.elements.columns import Columns
from windrow.elements.fields import take
from windrow.errors import WindrowError, user_function_error
from windrow.operators.column_folds.field_fold import Longs
from windrow.operators.column_folds.key_index import KeyIndex, key_column, key_index
from windrow.operators.window.aligned_windows import Times
from windrow.operators.window.buckets import Bucket
from windrow.operators.window.incremental import Incremental, itself

#: So many elements for each window of a batch, on average, are worth what NumPy is called for.
FEWEST = 256
#: And so many between two neighbours that are in different windows.
_LENGTH_OF_RUNS = 16
#: After so many failures in a row one batch in 2^8 is tried.
_MOST_FAILURES = 8


class SlottedWindow:
    """The accumulators of one window.

    Args:
        keys: The slots of keys.
    """

    def __init__(self, keys: KeyIndex) -> None:
        self.keys = keys
        #: What is in each slot; None: nothing yet.
        self.accumulators: list[Any] = []
        #: Slots in the order in which the first elements of their keys came, batch by batch.
        self._order: list[Longs] = []

    def place(self, column: Any) -> tuple[Longs, Longs, Longs]:
        """The slots of a column of keys; the new ones among them in the order of arrival, and where they came first."""
        known = self.keys.count
        slots = self.keys.slots_of(column)
        added = self.keys.count - known
        if not added:
            return slots, slots[:0], slots[:0]
        came = np.flatnonzero(slots >= known)[::-1]
        first = np.empty(added, np.int64)
        first[slots[came] - known] = came  # of several for one slot the first one stays, because it is written last
        order = np.argsort(first)
        self._order.append(order + known)
        self.accumulators += [None] * added
        return slots, order + known, first[order]

    def in_order(self) -> list[Any]:
        """The accumulators that are not None, in the order in which the first elements of their keys came."""
        accumulators, slots = self.accumulators, np.concatenate(self._order).tolist()
        return [accumulator for slot in slots if (accumulator := accumulators[slot]) is not None]

    def by_key(self) -> Bucket:
        """The accumulators by key, in the same order."""
        slots = np.concatenate(self._order)
        accumulators = self.accumulators
        return dict(zip(self.keys.listed(slots), [accumulators[slot] for slot in slots.tolist()], strict=True))


class NewSlot(NamedTuple):
    """A key that a window has not had."""

    #: Where its first element is in the batch.
    place: int
    key: Any
    end: int
    slot: int


class Placed:
    """The places of the accumulators of a batch's elements.

    Args:
        windows: The windows, by their ends.
        ends: The end of each element's window.
        slots: The slot of each element's key in it.
        heads: The places of elements that are in another window than those before them.
        new: For each window the slots that its new keys have got, and where their first elements are.
    """

    def __init__(
        self,
        windows: dict[int, SlottedWindow],
        ends: Times,
        slots: Longs,
        heads: Longs,
        new: dict[int, tuple[Longs, Longs]],
    ) -> None:
        self._windows = windows
        self._ends = ends
        self._slots = slots
        self._heads = heads
        self._new = new

    @property
    def ends(self) -> list[int]:
        """The ends of the windows."""
        return list(self._new)

    def add(self, values: Sequence[Any], incremental: Incremental, operator: str) -> None:
        """Combine the elements with their accumulators.

        Args:
            values: The elements.
            incremental: The function that combines them.
            operator: The operator's name, for the error.

        Raises:
            UserFunctionError: The function raised; it names operator and element.
        """
        start, add = incremental.start, incremental.add
        starts_as_it_is = start is itself
        value = None
        try:
            rows = one_by_one(values)
            for accumulators, slots in self._runs():
                # The slots are asked first, so no row is taken where they are at their end.
                if starts_as_it_is:
                    for slot, value in zip(slots, rows, strict=False):
                        accumulator = accumulators[slot]
                        accumulators[slot] = value if accumulator is None else add(accumulator, value)
                    continue
                for slot, value in zip(slots, rows, strict=False):
                    accumulator = accumulators[slot]
                    accumulators[slot] = start(value) if accumulator is None else add(accumulator, value)
        except WindrowError:
            raise
        except BaseException as error:
            raise user_function_error(operator, value, error) from error

    def _runs(self) -> Iterator[tuple[list[Any], list[int]]]:
        """A window's accumulators, and the slots of elements behind each other that belong to them, in order."""
        cuts = {*range(0, self._ends.size, ROWS_AT_A_TIME), *self._heads.tolist(), self._ends.size}
        for start, stop in pairwise(sorted(cuts)):
            yield self._windows[int(self._ends[start])].accumulators, self._slots[start:stop].tolist()

    def new(self, end: int | None = None) -> list[NewSlot]:
        """The keys that a window, or any window, has not had, in the order of arrival."""
        found = []
        for each in self._new if end is None else [end]:
            slots, places = self._new[each]
            keys = self._windows[each].keys.listed(slots)
            given = zip(places.tolist(), keys, slots.tolist(), strict=True)
            found += [NewSlot(place, key, each, slot) for place, key, slot in given]
        return sorted(found, key=lambda new: new.place) if end is None else found


class SlottedWindows:
    """The open windows of an operator whose accumulators are in lists."""

    def __init__(self) -> None:
        self._open: dict[int, SlottedWindow] = {}
        self._backoff = ExponentialBackoff(_MOST_FAILURES)

    def ends(self) -> list[int]:
        """The ends of the windows, in the order of their first elements."""
        return list(self._open)

    def take_over(self, new: NewSlot, bucket: Bucket) -> None:
        """Move what a bucket has of a key; the key stays in its place there."""
        self._open[new.end].accumulators[new.slot] = bucket.get(new.key)
        bucket[new.key] = None

    def place(self, keys: Columns, ends: Times) -> Placed | None:
        """Find the places of elements; None: they are too few, or of keys that have no slots.

        Args:
            keys: Their keys.
            ends: The ends of their windows.
        """
        index = key_index(keys.shape)
        column = None if index is None else key_column(keys, index)
        if column is None or any(type(window.keys) is not type(index) for window in self._open.values()):
            return None
        if ends.size < FEWEST or not self._backoff.is_due():
            return None
        heads = np.flatnonzero(ends[1:] != ends[:-1]) + 1
        if heads.size * _LENGTH_OF_RUNS > ends.size:
            return None
        distinct = list(dict.fromkeys(ends[np.append(0, heads)].tolist()))
        if len(distinct) * FEWEST > ends.size:
            return None
        slots = np.empty(ends.size, np.int64)
        new = {}
        for end in distinct:
            window = self._open.get(end)
            if window is None:
                made = key_index(keys.shape)
                assert made is not None, "keys of this shape have slots"
                window = self._open[end] = SlottedWindow(made)
            mine = None if len(distinct) == 1 else np.flatnonzero(ends == end)
            found, added, first = window.place(column if mine is None else take(column, mine))
            if mine is None:
                slots = found
            else:
                slots[mine], first = found, mine[first]
            new[end] = added, first
        return Placed(self._open, ends, slots, heads, new)

    def take(self, end: int) -> Bucket:
        """Hand over the accumulators of a window, by key."""
        return self._taken(end).by_key()

    def take_in_order(self, end: int) -> list[Any]:
        """The same without keys, and without what is None."""
        return self._taken(end).in_order()

    def _taken(self, end: int) -> SlottedWindow:
        self._backoff.note(success=True)
        return self._open.pop(end)

    def take_all(self, *, failed: bool) -> dict[int, Bucket]:
        """Hand over the accumulators of all windows, by end and key; ``failed``: because elements need them so."""
        if self._open and failed:
            self._backoff.note(success=False)
        taken = {end: window.by_key() for end, window in self._open.items()}
        self._open.clear()
        return taken
