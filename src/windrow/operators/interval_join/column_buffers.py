"""The buffers of both sides of an interval join as columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from windrow.elements.columns import Columns
from windrow.operators.column_folds.key_index import KeyIndex
from windrow.operators.interval_join.growing import Longs
from windrow.operators.interval_join.moments import MOST_SLOTS, Moments, order_of
from windrow.operators.interval_join.side_columns import SideColumns

#: Keys that have no elements any more are forgotten when there are twice as many, and so many more.
_FEW_KEYS = 1 << 16


class ReadSide(NamedTuple):
    """The elements of a side, in the order of arrival.

    Attributes:
        slots: The slots of their keys.
        times: Their timestamps.
        arrivals: Their places in the order of arrival.
        elements: The elements.
        next_arrival: The first place that is behind all that were stored.
        expired_to: Up to which time all that were stored are over; None: none is.
    """

    slots: Longs
    times: Longs
    arrivals: Longs
    elements: Columns
    next_arrival: int
    expired_to: int | None


class ColumnBuffers:
    """The elements of both sides, by the slots of keys.

    Args:
        keys: Knows the slots of keys.
    """

    def __init__(self, keys: KeyIndex) -> None:
        self.keys = keys
        #: The left side and the right one; None until it has had an element.
        self.sides: list[SideColumns | None] = [None, None]
        self._moments = Moments(0)
        self._most_keys = _FEW_KEYS
        #: Another number when slots are other keys'.
        self.generation = 0
        #: By side and slot, whether all that the key has there is held, though other elements have been let go.
        self._complete = [np.zeros(0, np.bool_), np.zeros(0, np.bool_)]

    @property
    def nbytes(self) -> int:
        """About how many bytes of memory they take."""
        return sum(side.nbytes for side in self.sides if side is not None)

    @property
    def count(self) -> int:
        """The number of elements held, some of those that are over among them."""
        return sum(len(side) for side in self.sides if side is not None)

    def settle(self, side: SideColumns) -> None:
        """Take out what is over on a side."""
        side.settle(self._moments)

    def has_room(self, times: Longs) -> bool:
        """Make slots and times, with these among them, into numbers; False if they do not fit into 64 bits."""
        if self.keys.count > MOST_SLOTS:
            return False
        earliest, latest = int(times.min()), int(times.max())
        if self._moments.cover(earliest, latest):
            return True
        sides = self._dropped()
        spans = [span for span in (side.span() for side in sides) if span is not None]
        moments = Moments.around(min([earliest, *(a for a, _ in spans)]), max([latest, *(b for _, b in spans)]))
        if moments is None:
            return False
        self._moments = moments
        for side in sides:
            side.renumber(moments)
        return True

    def ordered(self, slots: Longs, times: Longs) -> tuple[Longs, Longs]:
        """Elements as numbers, and the order of key, time and arrival."""
        numbers = self._moments.of(slots, times)
        return numbers, order_of(numbers)

    def add(self, which: int, elements: Columns, times: Longs, numbers: Longs, order: Longs) -> None:
        """Put elements into the buffer of a side."""
        side = self.sides[which]
        if side is None:
            side = self.sides[which] = SideColumns(elements.shape)
        side.add(self._moments, numbers, order, elements, times)

    def put(self, sides: Sequence[ReadSide | None]) -> bool:
        """Have what was stored, and nothing else; False, and nothing is done, if it does not fit."""
        read = [(which, side) for which, side in enumerate(sides) if side is not None]
        times = np.concatenate([np.zeros(0, np.int64), *(side.times for _, side in read)])
        if times.size and not self.has_room(times):
            return False
        for which, stored in read:
            side = self.sides[which] = SideColumns(stored.elements.shape)
            if stored.times.size:
                self.add(which, stored.elements, stored.times, *self.ordered(stored.slots, stored.times))
            side.set_arrivals(stored.arrivals, stored.next_arrival, stored.expired_to)
        return True

    def incomplete(self, which: int, slots: Longs) -> Longs:
        """Those of some slots of which it is not known that all that their keys have on a side is held."""
        known = self._complete[which]
        if known.size < self.keys.count:
            self._complete[which] = known = np.concatenate((known, np.zeros(self.keys.count - known.size, np.bool_)))
        return np.unique(slots[~known[slots]])

    def complete(self, which: int, slots: Longs, read: ReadSide | None) -> bool:
        """Have all that some keys have on a side that was let go; False, and nothing is done, if it does not fit."""
        if read is not None and read.times.size:
            side = self.sides[which]
            assert side is not None, "it has let elements go"
            if not self.has_room(read.times):
                return False
            numbers, order = self.ordered(read.slots, read.times)
            side.load(self._moments, numbers, order, read.elements, read.times, read.arrivals)
        self._complete[which][slots] = True
        return True

    def let_go(self, arrivals: Sequence[int]) -> None:
        """Hold what came on each side from a place in the order of arrival on, and nothing else."""
        for side, arrival in zip(self.sides, arrivals, strict=True):
            if side is not None:
                side.let_go(self._moments, arrival)
        self._complete = [np.zeros(0, np.bool_), np.zeros(0, np.bool_)]
        self._forget_keys()

    def met(self, which: int, numbers: Longs, order: Longs, lower: int, upper: int) -> tuple[Longs, Longs]:
        """For each element, in the order of arrival, the first that it meets on a side, and how many it meets."""
        side = self.sides[which]
        if side is None or not len(side):
            return np.zeros(numbers.size, np.int64), np.zeros(numbers.size, np.int64)
        found = side.between(self._moments, numbers[order], lower, upper)
        starts, counts = np.empty_like(numbers), np.empty_like(numbers)
        starts[order], counts[order] = found
        return starts, counts

    def expire(self, limits: tuple[int, int]) -> None:
        """Forget the left and the right elements up to these times, and keys that have none, if they are many."""
        for side, limit in zip(self.sides, limits, strict=True):
            if side is not None:
                side.expire(self._moments, limit)
        if self.keys.count > self._most_keys:
            self._forget_keys()

    def _forget_keys(self) -> None:
        """Forget the keys that have no elements, if they are many."""
        sides = self._dropped()
        live = np.unique(np.concatenate([np.zeros(0, np.int64), *(side.slots() for side in sides)]))
        self._most_keys = 2 * live.size + _FEW_KEYS
        if 2 * live.size < self.keys.count:
            slots = np.zeros(self.keys.count, np.int64)
            slots[live] = np.arange(live.size)
            self._complete = [known[live[live < known.size]] for known in self._complete]
            self.keys.keep(live)
            self.generation += 1
            for side in sides:
                side.renumber(self._moments, slots)

    def held(self) -> list[SideColumns | None]:
        """Both sides, without what was forgotten."""
        self._dropped()
        return self.sides

    def _dropped(self) -> list[SideColumns]:
        sides = [side for side in self.sides if side is not None]
        for side in sides:
            side.drop(self._moments)
        return sides
