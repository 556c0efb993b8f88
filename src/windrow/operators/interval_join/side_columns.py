"""The elements of one side of an interval join, of all keys, as columns, found by key and time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from windrow.common.limits import LONG_MAX
from windrow.elements.columns import Columns
from windrow.elements.shape import Shape
from windrow.operators.interval_join.growing import Growing, Longs, Numbers, Others, growing
from windrow.operators.interval_join.moments import Moments

#: Elements that are no longer needed are dropped when there are as many of them as of others, and so many more.
_FEW = 8192


class SideColumns:
    """Elements in the order of arrival, and an index of them in the order of key, time and arrival.

    Args:
        shape: What an element is made of.
    """

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self._fields: list[Growing] = [growing(kind) for kind in shape.types]
        self._times = Numbers(np.dtype(np.int64))
        self._slots = Numbers(np.dtype(np.int64))
        self._arrivals = Numbers(np.dtype(np.int64))
        #: The place in the order of arrival that the next element gets.
        self.next_arrival = 0
        #: All that had come before it was set, and is no later, is over; None: it was not set.
        self.expired_to: int | None = None
        #: Whether something has come since that is no later.
        self.is_ragged = False
        #: Slot and time of each element, in order, and where the element is.
        self._moments: Longs = np.zeros(0, np.int64)
        self._places: Longs = np.zeros(0, np.int64)
        #: Elements up to this time are no longer there, though they have not been dropped.
        self._expired_to: int | None = None
        self._most = _FEW
        #: Whether there are some that had been let go: they came before all others, and are behind them.
        self._has_loaded = False

    def __len__(self) -> int:
        return int(self._places.size)

    def add(self, moments: Moments, numbers: Longs, order: Longs, elements: Columns, times: Longs) -> None:
        """Put elements behind all that are there.

        Args:
            moments: What numbers of slots and times mean.
            numbers: The slots and times of the elements.
            order: Their order.
            elements: The elements.
            times: Their timestamps.
        """
        if self.expired_to is not None and int(times.min()) <= self.expired_to:
            self.is_ragged = True
        arrivals = np.arange(self.next_arrival, self.next_arrival + times.size)
        self.next_arrival += times.size
        first = self._append(moments, numbers, elements, times, arrivals)
        self._moments, self._places = _merged(self._moments, self._places, numbers[order], order + first)

    def load(
        self, moments: Moments, numbers: Longs, order: Longs, elements: Columns, times: Longs, arrivals: Longs
    ) -> None:
        """Put elements before all that are there: they had come earlier, and were let go."""
        self._has_loaded = True
        first = self._append(moments, numbers, elements, times, arrivals)
        self._moments, self._places = _merged(
            self._moments, self._places, numbers[order], order + first, are_before=True
        )

    def _append(self, moments: Moments, numbers: Longs, elements: Columns, times: Longs, arrivals: Longs) -> int:
        """Have the fields of elements, and where the first of them is."""
        if self._expired_to is not None and int(times.min()) <= self._expired_to:
            self.drop(moments)  # an element may come that is as early as those
        first = int(self._times.values.size)
        self._arrivals.append(arrivals)
        self._times.append(times)
        self._slots.append(moments.slots(numbers))
        for number, (kind, column) in enumerate(zip(self.shape.types, elements.batch.columns, strict=True)):
            field = self._fields[number]
            if isinstance(field, Numbers) and column.null_count:
                field = self._fields[number] = Others(kind, [pa.array(field.values, kind)])
            field.append(column.to_numpy() if isinstance(field, Numbers) else column.cast(kind))
        return first

    def between(self, moments: Moments, numbers: Longs, lower: int, upper: int) -> tuple[Longs, Longs]:
        """For sorted slots and times, the first of the elements from ``lower`` to ``upper``, and how many they are."""
        least, greatest = moments.bounds(numbers, lower, upper, self._expired_to)
        starts = np.searchsorted(self._moments, least, side="left")
        ends = np.searchsorted(self._moments, greatest, side="right")
        return starts, np.maximum(ends - starts, 0)

    def expire(self, moments: Moments, limit: int) -> None:
        """Forget the elements up to a time."""
        if not self._places.size:
            return
        self._expired_to = limit if self._expired_to is None else max(self._expired_to, limit)
        self.expired_to = limit if self.expired_to is None else max(self.expired_to, limit)
        if limit == LONG_MAX or self._places.size > self._most:
            self.drop(moments)

    def drop(self, moments: Moments) -> None:
        """Make room: take out the elements that have been forgotten."""
        if self._expired_to is None:
            return
        kept = moments.later(self._moments, self._expired_to)
        self._expired_to = None
        self._keep(kept)
        self._most = 2 * kept.size + _FEW

    def let_go(self, moments: Moments, arrival: int) -> None:
        """Take out all that came before a place in the order of arrival."""
        self.drop(moments)
        self._keep(np.flatnonzero(self._arrivals.take(self._places) >= arrival))
        self._has_loaded = False

    def _keep(self, kept: Longs) -> None:
        """Take out all but those of these indexes in the order of key and time."""
        if kept.size < self._places.size:
            self._moments, self._places = self._moments[kept], self._places[kept]
            is_kept = np.zeros(self._times.values.size, np.bool_)
            is_kept[self._places] = True
            self._places = (np.cumsum(is_kept) - 1)[self._places]
            held = np.flatnonzero(is_kept)
            for column in (self._times, self._slots, self._arrivals, *self._fields):
                column.keep(held)

    def settle(self, moments: Moments) -> None:
        """Take out what is over; nothing of what is there is said to be, then."""
        self.drop(moments)
        self.expired_to, self.is_ragged = None, False

    def set_arrivals(self, arrivals: Longs, next_arrival: int, expired_to: int | None) -> None:
        """Have the places in the order of arrival that elements had in another process."""
        self._arrivals.values[:] = arrivals
        self.next_arrival, self.expired_to = next_arrival, expired_to

    def since(self, arrival: int) -> Longs:
        """Give the places of the elements that are not over, from a place in the order of arrival on."""
        if self._has_loaded:
            places = np.flatnonzero(self._arrivals.values >= arrival)
        else:
            places = np.arange(int(np.searchsorted(self._arrivals.values, arrival)), self._arrivals.values.size)
        return places if self._expired_to is None else places[self._times.values[places] > self._expired_to]

    def count_present(self) -> int:
        """Count the elements that are not over."""
        if self._expired_to is None:
            return len(self)
        return int(np.count_nonzero(self._times.values > self._expired_to))

    def slots_at(self, places: Longs) -> Longs:
        """The slots of the elements at some places."""
        return self._slots.take(places)

    def arrivals_at(self, places: Longs) -> Longs:
        """Their places in the order of arrival."""
        return self._arrivals.take(places)

    @property
    def nbytes(self) -> int:
        """About how many bytes of memory they take."""
        return sum(column.nbytes for column in (self._times, self._slots, self._arrivals, *self._fields))

    def renumber(self, moments: Moments, slots: Longs | None = None) -> None:
        """Number slots and times anew.

        Args:
            moments: What numbers mean from now on.
            slots: By slot, which one it has become; in the same order. None: they are as they were.
        """
        if slots is not None:
            self._slots.values[:] = slots[self._slots.values]
        self._moments = moments.of(self._slots.take(self._places), self._times.take(self._places))

    def span(self) -> tuple[int, int] | None:
        """The earliest and the latest time; None if there is no element."""
        times = self._times.values
        return (int(times.min()), int(times.max())) if times.size else None

    def slots(self) -> Longs:
        """The slots that have elements, in order."""
        return np.unique(self._slots.values)

    def places(self, indexes: Longs) -> Longs:
        """Give the places of the elements with these indexes in the order of key and time."""
        return self._places[indexes]

    def field(self, number: int, places: Longs) -> Any:
        """The values of a field of the elements at some places."""
        return self._fields[number].take(places)

    def times(self, places: Longs) -> Longs:
        """The timestamps of the elements at some places."""
        return self._times.take(places)

    def rows(self, places: Longs) -> list[Any]:
        """The elements at some places, as Python objects."""
        return Columns.of(self.shape, [field.take(places) for field in self._fields]).rows()

    def by_slot(self) -> tuple[Longs, Sequence[int], list[Any]]:
        """Slots, timestamps and elements of all that is there, in the order of key, time and arrival."""
        return self._slots.take(self._places), self.times(self._places).tolist(), self.rows(self._places)


def _merged(
    numbers: Longs, places: Longs, added: Longs, added_places: Longs, *, are_before: bool = False
) -> tuple[Longs, Longs]:
    """Numbers in order, with others that are in order put behind those that are equal, or before, and all places."""
    if numbers.size < 4 * added.size:
        # The sort finds two sequences in order, and merges them in less time than it takes to search and insert.
        parts = (added, numbers) if are_before else (numbers, added)
        both = np.concatenate(parts)
        order = np.argsort(both, kind="stable")
        of_places = (added_places, places) if are_before else (places, added_places)
        return both[order], np.concatenate(of_places)[order]
    at = np.searchsorted(numbers, added, side="left" if are_before else "right")
    return np.insert(numbers, at, added), np.insert(places, at, added_places)
