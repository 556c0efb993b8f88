"""The windows of a stream of columns: elements go to panes, and windows are merged from panes when they fire.

A pane is as long as the greatest common divisor of a window's size and slide, so that each window is some panes that
follow each other. Where windows do not overlap a pane is a window. What the row path held before columns came, by
window, and sums that depend on the order of their elements are kept by window beside the panes.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from math import gcd
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from windrow.operators.column_folds.choosing import NEVER
from windrow.operators.column_folds.field_fold import Array, FieldFold, Longs, magnitude
from windrow.operators.window.aligned_windows import AlignedWindows, Times
from windrow.operators.window.early_firing import EarlyFiring
from windrow.operators.window.panes.fire_times import FireTimes
from windrow.operators.window.panes.loose_panes import FEW, MOST_PARTS, LoosePanes, Part
from windrow.operators.window.panes.packed import Packing, taken
from windrow.operators.window.panes.partials import Partials, Row, in_order_of_arrival
from windrow.operators.window.panes.running_window import RunningWindow
from windrow.operators.window.panes.stacks import Stacks

#: The tables that windows are kept in: panes by their numbers, by their ends what windows held before they were panes,
#: and sums by window.
PANE, BASE, TOTAL = "pane", "window", "total"
#: And, by the ends of windows, when they fire before.
EARLY = "early"
#: A table and a number in it.
Name: TypeAlias = tuple[str, int]
#: Arrays of more entries than this are given up if fewer than one in so many of them is used.
_CELLS, _SPARSE = 1 << 22, 32
#: So many times at which windows fire early are given up likewise: each window that fires costs some calls of NumPy.
_TIMES = 1 << 18
#: More panes than this between the first and the last one of a batch are not looked up in a table.
_TABLE = 1 << 14


class Grid(NamedTuple):
    """The division of time into panes."""

    windows: AlignedWindows
    #: The length of a pane in milliseconds; pane 0 begins at the windows' offset.
    pane: int
    #: How many panes a window has, and by how many panes the next one begins later.
    panes: int
    step: int

    @staticmethod
    def of(windows: AlignedWindows) -> Grid:
        """The panes of these windows.

        >>> Grid.of(AlignedWindows(60, 25, 0))[1:]
        (5, 12, 5)
        """
        if windows.slide >= windows.size:
            return Grid(windows, windows.slide, 1, 1)
        pane = gcd(windows.size, windows.slide)
        return Grid(windows, pane, windows.size // pane, windows.slide // pane)

    def panes_of(self, times: Times) -> Longs:
        """The pane of each time."""
        relative = times - self.windows.offset if self.windows.offset else times
        panes: Longs = relative // self.pane
        return panes

    def ends_of(self, pane: int) -> range:
        """The ends of the windows that a pane is in."""
        begin = pane - self.panes + 1
        first = -(-begin // self.step) * self.step
        size, offset = self.windows.size, self.windows.offset
        return range(first * self.pane + offset + size, pane * self.pane + offset + size + 1, self.windows.slide)

    def first_pane(self, end: int) -> int:
        """The first pane of the window that ends at ``end``."""
        return (end - self.windows.size - self.windows.offset) // self.pane


class PaneWindows:
    """Partial results by pane, and windows out of them.

    Args:
        windows: Which windows there are.
        folds: What becomes of each field.
        next_place: The first place in the order of arrival.
        early: When windows fire before their end; None: they do not.
    """

    def __init__(
        self,
        windows: AlignedWindows,
        folds: Sequence[FieldFold],
        next_place: int = 0,
        early: EarlyFiring | None = None,
    ) -> None:
        self.grid = grid = Grid.of(windows)
        self.folds = folds
        self._overlap = grid.panes > 1
        ordered = [index for index, fold in enumerate(folds) if fold.ordered] if grid.panes > 1 else []
        # What depends on the order of elements is no sum of what panes have.
        of_panes = [replace(fold, kind="key") if index in ordered else fold for index, fold in enumerate(folds)]
        needs_last = self._overlap and any(fold.kind == "last" for fold in folds)
        self._partials = Partials(of_panes, needs_last=needs_last)
        self._rows: dict[int, int] = {}
        self._stacks = Stacks(self._partials, self._row_of)
        packing = Packing.of(of_panes, needs_last=needs_last) if self._overlap else None
        #: Panes that are in no row yet; None: all of them are in rows.
        self._loose: LoosePanes | None = None
        self._running: RunningWindow | None = None
        if packing is not None:
            self._loose = LoosePanes(packing)
            self._running = RunningWindow(packing, self._partials.empty, self._parts_of)
        self._packing = packing
        #: Whether windows are merged by the slots that panes have something in.
        self._has_few = False
        #: Rows of windows by their ends: what they held before they were panes.
        self._bases: dict[int, int] = {}
        self._ordered = ordered
        self._totals = Partials([folds[index] for index in ordered], needs_last=False) if ordered else None
        self._total_rows: dict[int, int] = {}
        self._sums = [index for index, fold in enumerate(of_panes) if fold.kind == "sum" and fold.dtype.kind == "i"]
        self._bounds = dict.fromkeys(self._sums, 0)
        #: What of them elements may add that were asked for, and have not been added yet.
        self._announced = dict.fromkeys(self._sums, 0)
        self.next_place = next_place
        self.fire_times = None if early is None else FireTimes(early, grid, self._partials.width)
        #: Tables that are others than when they were last kept.
        self._changed: set[Name] = set()

    @property
    def width(self) -> int:
        """The number of slots that there is room for."""
        return self._partials.width

    def __bool__(self) -> bool:
        return bool(self._panes() or self._bases)

    @property
    def entries(self) -> int:
        """In how many panes and windows keys have something, over all keys."""
        parts = (self._partials, self._loose, self._totals, self.fire_times)
        return sum(held.entries for held in parts if held is not None)

    @property
    def nbytes(self) -> int:
        """The size of the arrays in bytes."""
        return sum(held.nbytes for held in (self._partials, self._totals, self.fire_times) if held is not None)

    def ends(self, first: int, last: int) -> list[int]:
        """The ends between these two, both included, of all windows of which something is held, in their order."""
        ends: list[int] = []
        slide = self.grid.windows.slide
        for pane in sorted(self._panes()):
            of_pane = self.grid.ends_of(pane)
            begin = max(of_pane.start, first + (of_pane.start - first) % slide)
            if ends:  # those of the panes before it are there
                begin = max(begin, ends[-1] + slide)
            ends += range(begin, min(of_pane[-1], last) + 1, slide)
        bases = [end for end in self._bases if first <= end <= last]
        return sorted({*ends, *bases}) if bases else ends

    def next_end(self, first: int) -> int | None:
        """The first of :meth:`ends` from ``first`` on; None if there is none."""
        ends = [end for end in self._bases if first <= end]
        for pane in self._panes():
            of_pane = self.grid.ends_of(pane)
            begin = max(of_pane.start, first + (of_pane.start - first) % of_pane.step)
            if begin <= of_pane[-1]:
                ends.append(begin)
        return min(ends, default=None)

    def at(self, end: int, slot: int) -> list[Any] | None:
        """The values of one key in a window; None if it has none."""
        self._settle()
        begin = self.grid.first_pane(end)
        rows = [row for pane in range(begin, begin + self.grid.panes) if (row := self._rows.get(pane)) is not None]
        if end in self._bases:
            rows.insert(0, self._bases[end])  # what was there before
        values = self._partials.at(rows, slot)
        if values is not None and self._totals is not None:
            totals = self._totals.row(self._total_rows[end])
            for place, index in enumerate(self._ordered):
                values[index] = totals.fields[place][slot].item()
        return values

    def has_room(self, inputs: Sequence[Array | None]) -> bool:
        """Tell whether no sum can leave 64 bits, whatever windows these elements are added to; if so, count them in."""
        for field in self._sums:
            added = inputs[field]
            assert added is not None, "a sum is of values"
            if not added.size:
                continue
            bound = magnitude(added) * added.size
            if self._bounds[field] + bound >= NEVER:
                self._settle()
                self._bounds[field] = self._partials.greatest(field) + self._announced[field]
                if self._bounds[field] + bound >= NEVER:
                    return False
            self._bounds[field] += bound
            self._announced[field] += bound
        return True

    def is_sparse(self, panes: Longs, keys: int) -> bool:
        """Tell whether arrays for elements of these panes and for so many keys would be large and hold next to nothing.

        That is so for many windows which are open at once, with other keys each.
        """
        most = self._cells(min(int(panes.max()) - int(panes.min()) + 1, panes.size), keys)
        if self.fire_times is not None and self._has_sparse_times(panes, keys):
            return True
        # Windows of a millisecond, as SQL has them behind others, are far apart: they are counted only if need be.
        return self._is_sparse(most, panes.size) and self._is_sparse(
            self._cells(np.unique(panes).size, keys), panes.size
        )

    def _cells(self, more_panes: int, keys: int) -> int:
        return (len(self._panes()) + more_panes) * max(self.width, keys)

    def _is_sparse(self, cells: int, more_entries: int) -> bool:
        return cells > _CELLS and cells > _SPARSE * self.grid.panes * (self._pane_entries + more_entries)

    def _has_sparse_times(self, panes: Longs, keys: int) -> bool:
        """Tell the same of the times at which windows fire early, of which each window has an array."""
        grid = self.grid
        assert self.fire_times is not None, "windows fire early"
        more_windows = np.unique(panes // grid.step).size + grid.panes // grid.step
        cells = (len(self.fire_times.ends()) + more_windows) * max(self.width, keys)
        of_each = -(-grid.panes // grid.step)
        return cells > _TIMES and cells > _SPARSE * of_each * (self._pane_entries + panes.size)

    def sequence(self, count: int) -> Longs:
        """The next places in the order of arrival."""
        first = self.next_place
        self.next_place += count
        return np.arange(first, first + count)

    def add(self, panes: Longs, slots: Longs, sequence: Longs, inputs: Sequence[Array | None]) -> None:
        """Add elements to their panes.

        Args:
            panes: the elements' panes, in the order of arrival.
            slots: their keys' slots.
            sequence: their places in the order of arrival.
            inputs: a column for each fold.
        """
        self._announced = dict.fromkeys(self._sums, 0)
        if not panes.size:
            return
        least, greatest = int(panes.min()), int(panes.max())
        if least < self._merged_to:
            self.rewind()
        width = self._partials.width
        span = greatest - least + 1
        if self._loose is not None and span < _TABLE and panes.size * FEW < span * width:
            for pane in self._loose.add(panes, slots, sequence, inputs):
                self._changed.add((PANE, pane))
                if len(self._loose.panes[pane]) > MOST_PARTS:
                    self._settle_pane(pane)
            return
        if least == greatest:
            places = slots + self._row_for(PANE, least) * width
        elif greatest - least < _TABLE:
            relative = panes - least
            present = np.flatnonzero(np.bincount(relative))
            rows = np.zeros(greatest - least + 1, np.int64)
            rows[present] = [self._row_for(PANE, least + each) for each in present.tolist()]
            places = rows[relative] * width + slots
        else:
            present, relative = np.unique(panes, return_inverse=True)
            rows = np.array([self._row_for(PANE, pane) for pane in present.tolist()])
            places = rows[relative] * width + slots
        self._partials.add(places, sequence, inputs)

    def add_in_order(
        self, panes: Longs, slots: Longs, sequence: Longs, inputs: Sequence[Array | None], first: int, beyond: int
    ) -> None:
        """Add elements to what depends on their order, in each of their windows from one end to below another."""
        totals, grid = self._totals, self.grid
        if totals is None or not panes.size:
            return
        most = -(-grid.panes // grid.step)
        present, relative = np.unique(panes, return_inverse=True)
        table = np.full((present.size, most), -1, np.int64)
        for place, pane in enumerate(present.tolist()):
            ends = [end for end in grid.ends_of(pane) if first <= end < beyond]
            table[place, : len(ends)] = [self._row_for(TOTAL, end) for end in ends]
        rows = table[relative]
        there = rows.reshape(-1) >= 0
        places = (rows * totals.width + slots[:, np.newaxis]).reshape(-1)[there]
        each = np.repeat(np.arange(panes.size), most)[there]
        columns = [inputs[index] for index in self._ordered]
        totals.add(places, sequence[each], [None if column is None else column[each] for column in columns])

    def add_base(self, end: int, slots: Longs, sequence: Longs, inputs: Sequence[Array | None]) -> None:
        """Add what keys had in a window before; each slot is there once, and nothing newer has come for it."""
        row = self._row_for(BASE, end) if self._overlap else self._row_for(PANE, self.grid.first_pane(end))
        self._partials.add(slots + row * self.width, sequence, inputs)
        if self._totals is not None:
            row = self._row_for(TOTAL, end)
            self._totals.add(slots + row * self.width, sequence, [inputs[index] for index in self._ordered])

    def window(self, end: int) -> Row | None:
        """All that is in a window, to look at until panes change; None if nothing is.

        Ask for windows in the order of their ends, once each, unless :meth:`rewind` comes between.
        """
        begin = self.grid.first_pane(end)
        if not self._overlap:
            return self._row_of(begin)
        merged = self._merged(begin, begin + self.grid.panes)
        base = self._bases.get(end)
        if base is not None:
            held = self._partials.row(base)
            merged = held if merged is None else self._partials.merged(held, merged)
        if merged is not None and self._totals is not None:
            if end not in self._total_rows:
                return None  # it was asked for though none of its keys holds anything any more
            totals = self._totals.row(self._total_rows[end])
            fields = list(merged.fields)
            for place, index in enumerate(self._ordered):
                fields[index] = totals.fields[place]
            merged = merged._replace(fields=fields)
        return merged

    def _merged(self, begin: int, end: int) -> Row | None:
        running, stacks = self._running, self._stacks
        if running is not None and running.begins_anew(begin) and stacks.begins_anew(begin):
            self.rewind()
            self._has_few = self._pane_entries * FEW < len(self._panes()) * self.width
        if running is not None and self._has_few:
            return running.merged(begin, end)
        return stacks.merged(begin, end, self.grid.step)

    @property
    def _merged_to(self) -> int:
        """The first pane that may change without :meth:`rewind`."""
        return self._stacks.end if self._running is None else max(self._stacks.end, self._running.end)

    def in_order(self, row: Row, keys: int) -> Longs:
        """The slots of keys that have something in a window, of so many keys, in the order of arrival."""
        return in_order_of_arrival(row.first[:keys], self.next_place)

    def rewind(self) -> None:
        """From now on ask for windows from the first one again."""
        self._stacks.clear()
        if self._running is not None:
            self._running.clear()

    def release(self, first_kept: int) -> None:
        """Forget windows that end before ``first_kept``, the end of the first window that is still needed."""
        for pane in [pane for pane in self._rows if self.grid.ends_of(pane)[-1] < first_kept]:
            self._partials.release(self._rows.pop(pane))
        if self._loose is not None:
            for pane in [pane for pane in self._loose.panes if self.grid.ends_of(pane)[-1] < first_kept]:
                self._loose.pop(pane)
        for end in [end for end in self._bases if end < first_kept]:
            self._partials.release(self._bases.pop(end))
        if self._totals is not None:
            for end in [end for end in self._total_rows if end < first_kept]:
                self._totals.release(self._total_rows.pop(end))
        if self.fire_times is not None:
            self.fire_times.release(first_kept)

    def purge(self, end: int, slots: Longs) -> None:
        """Empty a window for some keys. Windows must not overlap."""
        self._partials.forget(self._row_for(PANE, self.grid.first_pane(end)), slots)

    def names(self) -> set[Name]:
        """The tables that there are: a pane each, or a window."""
        self._settle()
        early = () if self.fire_times is None else self.fire_times.ends()
        named = ((PANE, self._rows), (BASE, self._bases), (TOTAL, self._total_rows), (EARLY, early))
        return {(section, number) for section, numbers in named for number in numbers}

    def changed(self) -> set[Name]:
        """The tables that have changed since this was last asked."""
        changed, self._changed = self._changed & self.names(), set()
        if self.fire_times is not None:
            changed |= {(EARLY, end) for end in self.fire_times.changed()}
        return changed

    def table(self, name: Name, order: Longs) -> tuple[Longs, list[Array]]:
        """The slots that a table has something of, in an order in which all slots are given, and its columns."""
        if name[0] == EARLY:
            assert self.fire_times is not None, "windows fire early"
            slots, times = self.fire_times.known(name[1], order)
            return slots, [times]
        partials, rows = self._table(name[0])
        row = rows[name[1]]
        slots = order[partials.row(row).first[order] != NEVER]
        return slots, partials.columns(row, slots)

    def put_table(self, name: Name, slots: Longs, columns: Sequence[Array]) -> None:
        """Have what :meth:`table` has given, in slots of which the table has nothing yet."""
        if name[0] == EARLY:
            assert self.fire_times is not None, "windows fire early"
            self.fire_times.put(name[1], slots, columns[0])
            self.fire_times.note_unchanged(name[1])
            return
        partials, _ = self._table(name[0])
        row = self._row_for(*name)
        self._changed.discard(name)
        partials.put(row, slots, columns)
        for field in self._sums:
            self._bounds[field] = NEVER  # it is looked for when it is needed

    def present(self) -> Array:
        """Tell of each slot whether it has something in any window."""
        self._settle()
        present = self._partials.present()
        return present if self.fire_times is None else present | self.fire_times.is_known()

    def widen(self, width: int) -> None:
        """Make room for more slots."""
        self.rewind()
        self._partials.widen(width)
        if self._totals is not None:
            self._totals.widen(width)
        if self.fire_times is not None:
            self.fire_times.widen(width)

    def keep(self, slots: Longs, width: int) -> None:
        """Keep what is in ``slots`` only, which become 0, 1, and so on."""
        self._settle()
        self.rewind()
        self._partials.keep(slots, width)
        if self._totals is not None:
            self._totals.keep(slots, width)
        if self.fire_times is not None:
            self.fire_times.keep(slots, width)

    @property
    def _pane_entries(self) -> int:
        """In how many panes keys have something, over all keys; in several parts of a pane they may count twice."""
        return self._partials.entries + (0 if self._loose is None else self._loose.entries)

    def _panes(self) -> Collection[int]:
        """The panes that have something."""
        loose = None if self._loose is None else self._loose.panes
        return self._rows.keys() | loose.keys() if loose else self._rows.keys()

    def _row_of(self, pane: int) -> Row | None:
        self._settle_pane(pane)
        row = self._rows.get(pane)
        return None if row is None else self._partials.row(row)

    def _parts_of(self, pane: int) -> list[Part]:
        parts = [] if self._loose is None else self._loose.panes.get(pane, [])
        number = self._rows.get(pane)
        if number is None:
            return parts
        row = self._partials.row(number)
        slots = np.flatnonzero(row.first != NEVER)
        assert self._packing is not None, "parts are packed"
        return [Part(slots, taken(self._packing.lines(row), slots)), *parts]

    def _settle(self) -> None:
        """Put all panes into rows."""
        if self._loose is not None:
            for pane in list(self._loose.panes):
                self._settle_pane(pane)

    def _settle_pane(self, pane: int) -> None:
        if self._loose is not None and self._packing is not None and pane in self._loose.panes:
            lines = self._packing.lines(self._partials.row(self._row_for(PANE, pane)))
            for slots, added in self._loose.pop(pane):
                self._partials.entries += int(np.count_nonzero(lines[0].take(slots) == NEVER))
                self._packing.merge_at(lines, slots, added)

    def _row_for(self, section: str, number: int) -> int:
        """The row that something is put into."""
        self._changed.add((section, number))
        partials, rows = self._table(section)
        row = rows.get(number)
        if row is None:
            row = rows[number] = partials.new_row()
        return row

    def _table(self, section: str) -> tuple[Partials, dict[int, int]]:
        if section == TOTAL:
            assert self._totals is not None, "there are no totals"
            return self._totals, self._total_rows
        return self._partials, self._rows if section == PANE else self._bases
