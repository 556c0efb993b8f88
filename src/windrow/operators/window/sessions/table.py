"""Sessions that are held, in arrays: a row for each, and for each key a chain of its rows from the newest on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from windrow.operators.column_folds.field_fold import Array, FieldFold, Longs, magnitude
from windrow.operators.column_folds.radix import stable_order
from windrow.operators.window.panes.placing import Mask

#: Later than all times that are held: the end of a row that is free.
NO_END = 2**62
#: A key with more sessions than this that elements of one batch might touch is left to the operator over rows.
MOST_STEPS = 1000


class SessionTable:
    """Sessions of all keys; those of one key neither overlap nor touch.

    Args:
        folds: What becomes of each field of their contents.

    Attributes:
        slots: The slot of each row's key.
        starts: Where its session starts.
        ends: Where it ends.
        orders: Of sessions that end together the one with the lower number fires first.
        pending: Whether it fires when the watermark passes its end; else it has fired, and is kept for late elements.
        fields: What was folded, by field; an empty array for a field that is the key.
    """

    def __init__(self, folds: Sequence[FieldFold]) -> None:
        self.folds = folds
        self.slots = self.starts = self.orders = np.zeros(0, np.int64)
        self.ends = np.zeros(0, np.int64)
        self.pending = np.zeros(0, np.bool_)
        self._older = self._newer = np.zeros(0, np.int64)
        self.fields: list[Array] = [np.zeros(0, fold.dtype) for fold in folds]
        self._free: Longs = np.zeros(0, np.int64)
        self._free_count = 0
        #: By slot, when the first element of its key came.
        self._came = np.zeros(0, np.int64)
        #: By slot the newest session, and where the walk of this batch ended; -1: there is none.
        self._newest = self._rest = np.full(0, -1, np.int64)
        self._is_other = np.zeros(0, np.bool_)
        #: By slot, whether its sessions are others than when state was stored.
        self.changed = np.zeros(0, np.bool_)
        #: No session fires before this end.
        self._next_end = NO_END
        #: Whether a session ends then, and not only none before.
        self._is_exact = True
        self._sums = [index for index, fold in enumerate(folds) if fold.kind == "sum" and fold.dtype.kind == "i"]
        self._bounds = dict.fromkeys(self._sums, 0)

    @property
    def width(self) -> int:
        """The number of slots that there is room for."""
        return self._newest.size

    @property
    def count(self) -> int:
        """The number of sessions that are held."""
        return self.ends.size - self._free_count

    @property
    def nbytes(self) -> int:
        """The size of the arrays of rows in bytes; an object is counted as a pointer."""
        arrays = (self.slots, self.starts, self.ends, self.orders, self._older, self._newer, self._free, *self.fields)
        return sum(array.nbytes for array in arrays)

    def put(
        self,
        slots: tuple[Longs, int],
        windows: tuple[Longs, Longs],
        orders: Longs,
        pending: Mask,
        fields: Sequence[Array],
    ) -> None:
        """Hold what was stored, where nothing is held yet.

        Args:
            slots: The slot of each session, and how many slots there are.
            windows: Where sessions start and end.
            orders: Their turns.
            pending: Whether they fire.
            fields: What was folded, of each fold that is not the key.
        """
        of_rows, count = slots
        self.widen(count)
        self._came[:count] = np.arange(count)
        rows = self.take_rows(of_rows.size)
        kept = iter(fields)
        for fold, values in zip(self.folds, self.fields, strict=True):
            if fold.kind != "key":
                values[rows] = next(kept)
        self.place(rows, windows, orders, pending=pending)
        by_slot = np.lexsort((windows[0], of_rows))
        self.chain(of_rows[by_slot], rows[by_slot])
        self.changed[:] = False
        # The next elements look at what is held.
        self._bounds = dict.fromkeys(self._sums, 2**63)

    def rows(self) -> Longs:
        """The rows of all sessions: keys in the order in which they came, then by start."""
        rows = np.flatnonzero(self.ends != NO_END)
        return rows[np.lexsort((self.starts[rows], self._came[self.slots[rows]]))]

    def note(self, slots: Longs, came: Longs) -> None:
        """Say of slots that are new when elements of their keys came; of several for one slot the first one counts."""
        self._came[slots[::-1]] = came[::-1]

    def has(self) -> Array:
        """Tell of each slot whether it has a session."""
        return self._newest >= 0

    def came_since(self, place: int) -> Longs:
        """The slots whose keys have come at a place in the order of arrival or later, in this order."""
        slots = np.flatnonzero(self._came >= place)
        return slots[np.argsort(self._came[slots])]

    def widen(self, width: int) -> None:
        """Make room for so many slots."""
        self._newest = _longer(self._newest, width, -1)
        self._came = _longer(self._came, width, 0)
        self._rest = np.full(width, -1, np.int64)
        self._is_other = np.zeros(width, np.bool_)
        self.changed = _longer(self.changed, width, value=False)

    def keep(self, slots: Longs, width: int) -> None:
        """Let ``slots`` become 0, 1, and so on; no other slot has a session."""
        places = np.zeros(self.width, np.int64)
        places[slots] = np.arange(slots.size)
        rows = np.flatnonzero(self.ends != NO_END)
        self.slots[rows] = places[self.slots[rows]]
        self._newest, self._came, self.changed = self._newest[slots], self._came[slots], self.changed[slots]
        self.widen(width)

    def has_room(self, inputs: Sequence[Array | None]) -> bool:
        """Tell whether no sum can leave 64 bits, whatever sessions these elements join or merge; if so, count them."""
        for field in self._sums:
            added = inputs[field]
            assert added is not None, "a sum is of values"
            if not added.size:
                continue
            bound = magnitude(added) * added.size
            if self._bounds[field] + bound >= 2**63:
                held = np.abs(self.fields[field][self.ends != NO_END].astype(np.float64)).sum()
                self._bounds[field] = int(held * (1 + 2**-20)) + 1
                if self._bounds[field] + bound >= 2**63:
                    return False
            self._bounds[field] += bound
        return True

    def walk(self, slots: Longs, since: int) -> Longs | None:
        """The sessions of these slots that end at ``since`` or later; None if they are too many."""
        slots = self._distinct(slots)
        row = self._newest[slots]
        self._rest[slots] = row
        found: list[Longs] = []
        for _ in range(MOST_STEPS):
            there = np.flatnonzero(row >= 0)
            there = there[self.ends[row[there]] >= since]
            if not there.size:
                return np.concatenate(found) if found else there
            slots, row = slots[there], row[there]
            found.append(row)
            row = self._older[row]
            self._rest[slots] = row
        return None

    def take_rows(self, count: int) -> Longs:
        """Rows for new sessions, in which nothing is yet."""
        if self._free_count < count:
            self._grow(count)
        self._free_count -= count
        return self._free[self._free_count : self._free_count + count].copy()

    def give_back(self, rows: Longs) -> None:
        """Empty rows, of which no chain knows any more."""
        self.changed[self.slots[rows]] = True
        self.ends[rows] = NO_END
        self.pending[rows] = False
        for fold, values in zip(self.folds, self.fields, strict=True):
            if values.size and (fold.kind not in ("first", "last") or fold.dtype.hasobject):
                values[rows] = fold.identity
        self._free[self._free_count : self._free_count + rows.size] = rows
        self._free_count += rows.size

    def place(self, rows: Longs, windows: tuple[Longs, Longs], orders: Longs, *, pending: Any) -> None:
        """Say what rows are: their windows, and whether they fire, and when."""
        starts, ends = windows
        self.starts[rows], self.ends[rows], self.orders[rows], self.pending[rows] = starts, ends, orders, pending
        firing = ends if pending is True else ends[pending]
        if firing.size:
            self._next_end = min(self._next_end, int(firing.min()))

    def newest(self, slots: Longs) -> Longs:
        """The rows of the newest sessions of slots; -1: there is none."""
        rows: Longs = self._newest[slots]
        return rows

    def open_at(self, rows: Longs, starts: Longs) -> Longs:
        """Find the indexes of the sessions, -1 for none, that are open at these times."""
        held = np.flatnonzero(rows >= 0)
        if not held.size:
            return held
        is_all = held.size == rows.size
        rows, starts = (rows, starts) if is_all else (rows[held], starts[held])
        is_open = (self.starts[rows] <= starts) & (starts <= self.ends[rows])
        return np.flatnonzero(is_open) if is_all else held[is_open]

    def apart(self, slots: Longs, chosen: Longs) -> Longs:
        """Of some indexes of slots those whose slots are at no other index."""
        others = np.ones(slots.size, np.bool_)
        others[chosen] = False
        of_others = slots[others]
        self._is_other[of_others] = True
        alone = chosen[~self._is_other[slots[chosen]]]
        self._is_other[of_others] = False
        return alone

    def extend(self, rows: Longs, ends: Longs, orders: Longs) -> None:
        """Let sessions end later: of several ends of one row the latest one counts, and where it came first."""
        np.maximum.at(self.ends, rows, ends)
        last = np.flatnonzero(self.ends[rows] == ends)[::-1]
        self.orders[rows[last]] = orders[last]
        self.pending[rows] = True
        self._next_end = min(self._next_end, int(ends.min()))
        self._is_exact = False

    def chain(self, slots: Longs, rows: Longs) -> None:
        """Put rows, by slot and start, in front of those at which the last walk has ended."""
        self.slots[rows] = slots
        self.changed[slots] = True
        if not rows.size:
            return
        changes = np.flatnonzero(slots[1:] != slots[:-1]) + 1
        begins = np.concatenate([[0], changes])
        ends = np.append(changes, slots.size) - 1
        older, newer = np.empty(rows.size, np.int64), np.empty(rows.size, np.int64)
        older[1:], newer[:-1] = rows[:-1], rows[1:]
        rest = self._rest[slots[begins]]
        older[begins], newer[ends] = rest, -1
        self._older[rows], self._newer[rows] = older, newer
        self._newest[slots[ends]] = rows[ends]
        has_rest = rest >= 0
        self._newer[rest[has_rest]] = rows[begins[has_rest]]

    def next_end(self) -> int | None:
        """The end of the first session that has not fired; None: there is none."""
        if not self._is_exact:  # it has been made longer since
            self._settle()
        return self._next_end if self._next_end < NO_END else None

    def next_session(self) -> tuple[int, int] | None:
        """Start and end of the first session that has not fired; None: there is none."""
        rows = np.flatnonzero(self.pending)
        if not rows.size:
            return None
        first = rows[self.ends[rows].argmin()]
        return int(self.starts[first]), int(self.ends[first])

    def due(self, watermark: int, but: Longs | None = None) -> Longs:
        """The sessions that fire at a watermark, in the order in which they do.

        ``but``: those that are none of them.
        """
        limit = min(watermark, NO_END - 2) + 1
        if self._next_end > limit:
            return np.zeros(0, np.int64)
        is_due = (self.ends <= limit) & self.pending
        if but is not None:
            is_due[but] = False
        rows = np.flatnonzero(is_due)
        rows = rows.take(stable_order(self.orders.take(rows)))
        return rows.take(stable_order(self.ends.take(rows)))

    def fired(self, rows: Longs) -> None:
        """The sessions that were due have fired."""
        self.changed[self.slots[rows]] = True
        self.pending[rows] = False
        self._settle()

    def _settle(self) -> None:
        """Find when the next session ends."""
        waiting = self.ends[self.pending]
        self._next_end = int(waiting.min()) if waiting.size else NO_END
        self._is_exact = True

    def drop(self, limit: int) -> None:
        """Forget the sessions that end no later than ``limit``: of each key these are its oldest."""
        rows = np.flatnonzero(self.ends <= min(limit, NO_END - 1))
        if not rows.size:
            return
        newer = self._newer[rows]
        is_newest = newer < 0
        self._newest[self.slots[rows[is_newest]]] = -1
        self._older[newer[~is_newest]] = -1
        self.give_back(rows)

    def _distinct(self, slots: Longs) -> Longs:
        """Each of the slots once."""
        numbers = np.arange(slots.size)
        self._rest[slots] = numbers
        distinct: Longs = slots[self._rest[slots] == numbers]
        return distinct

    def _grow(self, count: int) -> None:
        before = self.ends.size
        size = max(1024, 2 * before, before + count)
        self.slots, self.starts, self.orders = (_longer(a, size, 0) for a in (self.slots, self.starts, self.orders))
        self._older, self._newer = _longer(self._older, size, -1), _longer(self._newer, size, -1)
        self.ends = _longer(self.ends, size, NO_END)
        self.pending = _longer(self.pending, size, value=False)
        self.fields = [
            values if fold.kind == "key" else _longer(values, size, fold.identity)
            for fold, values in zip(self.folds, self.fields, strict=True)
        ]
        free = self._free[: self._free_count]
        # The lowest ones are taken first: what is looked through stays short.
        self._free = np.empty(size, np.int64)
        added = np.arange(size - 1, before - 1, -1)
        self._free[: added.size] = added
        self._free[added.size : added.size + free.size] = free
        self._free_count = added.size + free.size


def _longer(values: Array, size: int, value: Any) -> Array:
    made = np.full(size, value, values.dtype)
    made[: values.size] = values
    return made
