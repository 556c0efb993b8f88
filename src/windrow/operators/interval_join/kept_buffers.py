"""The buffers of an interval join as columns of state: each element once, in chunks of arrival, to which batches add.

A chunk holds what came on a side between two places in the order of arrival. A batch writes the elements that it has
brought; where the chunks of before are no larger they become one with it, so that a side has a few of them, and an
element is written again only when as many others have come. A chunk is removed when all of its elements are over. What
is over in the others is left where it is: a time up to which all is over says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa

from windrow.elements.columns import Columns
from windrow.elements.shape import Shape
from windrow.operators.column_folds.described import described_shape, read_shape
from windrow.operators.column_folds.key_index import IntKeyIndex, KeyIndex, TextKeyIndex
from windrow.operators.column_folds.slot_groups import SlotGroups, key_array, slots_of_array
from windrow.operators.interval_join.column_buffers import ColumnBuffers, ReadSide
from windrow.operators.interval_join.growing import Longs, are_numbers
from windrow.operators.interval_join.side_columns import SideColumns
from windrow.state.column_page import Array, Table
from windrow.state.kept_columns import Groups, KeptColumns, Name

if TYPE_CHECKING:  # which makes entries of columns itself, by the functions here
    from windrow.operators.interval_join.operator import Buffers

#: The first thing in a description: what kind of things the tables hold, and its version.
KIND, VERSION = "interval join", 1
#: The sections of tables.
_SECTIONS = ("left", "right")
#: Chunks of fewer elements become one with what comes next.
_FEW = 512


class _Chunk(NamedTuple):
    """What is stored of a side from one place in the order of arrival on.

    Attributes:
        first: The place of its first element, which is the table's number.
        size: How many elements it had when it was written.
        latest: The latest of their times.
    """

    first: int
    size: int
    latest: int


class KeptBuffers:
    """Knows how buffers are cut into tables, between the batches of an operator."""

    def __init__(self) -> None:
        self._groups = SlotGroups()
        self._generation = 0
        self._sides = [_KeptSide(), _KeptSide()]
        #: Up to which times all was over when something was last written.
        self._expired: list[int | None] = [None, None]

    def forget(self) -> None:
        """What is stored is not what is in memory any more: all is written anew."""
        self._groups.forget()
        for side in self._sides:
            side.forget()

    def keep(self, buffers: ColumnBuffers, columns: KeptColumns) -> bool:
        """Write what has come since; False if it cannot be kept as columns."""
        shapes = [None if side is None else _described(side.shape) for side in buffers.sides]
        if any(side is not None and shape is None for side, shape in zip(buffers.sides, shapes, strict=True)):
            return False
        if buffers.generation != self._generation:
            self._generation = buffers.generation
            self._groups.forget()
        of_slots, _ = self._groups.of(buffers.keys, columns)
        changed: list[tuple[Name, Table, Groups]] = []
        present: set[Name] = set()
        for section, kept, side in zip(_SECTIONS, self._sides, buffers.sides, strict=True):
            if side is None or not side.count_present():
                kept.forget()
                continue
            if side.is_ragged:
                buffers.settle(side)
                kept.forget()
            first = kept.next_chunk(side)
            if first is not None:
                changed.append(((section, first), *_table(side, buffers.keys, of_slots, side.since(first))))
            present |= {(section, chunk.first) for chunk in kept.chunks}
        gone = [name for name in columns.names if name not in present]
        expired = [None if side is None else side.expired_to for side in buffers.sides]
        if not present:
            if columns.are_stored():
                columns.clear()
        elif changed or gone or expired != self._expired:
            self._expired = expired
            of_keys = isinstance(buffers.keys, TextKeyIndex)
            columns.write((KIND, VERSION, of_keys, expired, *shapes), changed, gone)
        return True

    def read(self, columns: KeptColumns) -> tuple[KeyIndex, list[ReadSide | None]]:
        """Read all that is stored, to go on with it."""
        self.forget()
        keys, sides = read_buffers(columns)
        for name in columns.names:
            side = sides[_SECTIONS.index(name[0])]
            assert side is not None, "a side with a table has been read"
            self._sides[_SECTIONS.index(name[0])].put(name[1])
        for kept, side in zip(self._sides, sides, strict=True):
            if side is None or not side.times.size:
                kept.forget()
            else:
                kept.measure(side)
        return keys, sides


class _KeptSide:
    """The chunks of a side, in the order of arrival."""

    def __init__(self) -> None:
        self.chunks: list[_Chunk] = []
        #: All elements before this place are in chunks.
        self._stored_to = 0

    def forget(self) -> None:
        self.chunks, self._stored_to = [], 0

    def put(self, first: int) -> None:
        """Have a chunk that was stored."""
        self.chunks.append(_Chunk(first, 0, 0))

    def measure(self, side: ReadSide) -> None:
        """Find out what is in the chunks that were stored: as far as it is not over."""
        firsts = sorted(chunk.first for chunk in self.chunks)
        begins = np.searchsorted(side.arrivals, firsts).tolist()
        ends = [*begins[1:], side.arrivals.size]
        # One of which all is over is removed with the next batch.
        self.chunks = [
            _Chunk(first, end - begin, int(side.times[begin:end].max()) if begin < end else side.expired_to or 0)
            for first, begin, end in zip(firsts, begins, ends, strict=True)
        ]
        self._stored_to = side.next_arrival

    def next_chunk(self, side: SideColumns) -> int | None:
        """Make a chunk of what has come since, and forget those that are over; its first place, if there is one."""
        if side.expired_to is not None:
            limit = side.expired_to
            self.chunks = [chunk for chunk in self.chunks if chunk.latest > limit]
        places = side.since(self._stored_to)
        first, count = self._stored_to, places.size
        self._stored_to = side.next_arrival
        if not count:
            return None
        while self.chunks and self.chunks[-1].size <= max(count, _FEW):
            before = self.chunks.pop()
            first, count = before.first, count + before.size
        places = side.since(first)
        self.chunks.append(_Chunk(first, places.size, int(side.times(places).max())))
        return first


def are_buffers(columns: KeptColumns) -> bool:
    """Tell whether it is a join's buffers that are stored."""
    return {section for section, _ in columns.names} <= set(_SECTIONS)


def read_buffers(columns: KeptColumns) -> tuple[KeyIndex, list[ReadSide | None]]:
    """Read the keys and both sides; None for a side of which nothing is stored.

    Raises:
        ValueError: it is of another version.
    """
    kind, version, text, expired, *shapes = columns.description()
    if (kind, version) != (KIND, VERSION):
        msg = f"buffers of an interval join have version {version} of {kind!r}, and this program reads {VERSION}"
        raise ValueError(msg)
    keys: KeyIndex = TextKeyIndex() if text else IntKeyIndex()
    parts: dict[str, list[Table]] = {section: [] for section in _SECTIONS}
    for (section, _), table in columns.read():
        parts[section].append(table)
    sides = [
        _read_side(keys, read_shape(shape), parts[section], expired_to) if parts[section] else None
        for section, shape, expired_to in zip(_SECTIONS, shapes, expired, strict=True)
    ]
    return keys, sides


def buffers_by_key(keys: KeyIndex, sides: Sequence[ReadSide | None]) -> list[tuple[Any, Buffers]]:
    """What each key has buffered, as the operator over rows holds it."""
    found: dict[int, Buffers] = {}
    for which, side in enumerate(sides):
        if side is None:
            continue
        order = np.lexsort((side.arrivals, side.times, side.slots))
        rows = side.elements.rows()
        for slot, time, place in zip(
            side.slots[order].tolist(), side.times[order].tolist(), order.tolist(), strict=True
        ):
            of_key = found.setdefault(slot, ([], [], [], []))
            of_key[2 * which].append(time)
            of_key[2 * which + 1].append(rows[place])
    listed = keys.listed(np.fromiter(found, np.int64, len(found)))
    return list(zip(listed, found.values(), strict=True))


def _table(side: SideColumns, keys: KeyIndex, of_slots: Groups, places: Longs) -> tuple[Table, Groups]:
    """Some elements of a side by the key groups of their keys, and these."""
    slots = side.slots_at(places)
    groups = of_slots[slots]
    order = np.argsort(groups.astype(np.uint16), kind="stable")
    places, slots, groups = places[order], slots[order], groups[order]
    fields = [_array(side.field(number, places)) for number in range(len(side.shape.types))]
    return Table(key_array(keys, slots), [side.arrivals_at(places), side.times(places), *fields]), groups


def _read_side(keys: KeyIndex, shape: Shape, tables: Sequence[Table], expired_to: int | None) -> ReadSide:
    slots = slots_of_array(keys, np.concatenate([table.keys for table in tables]))
    arrivals, times, *fields = (np.concatenate(parts) for parts in zip(*(each.columns for each in tables), strict=True))
    kept = np.arange(times.size) if expired_to is None else np.flatnonzero(times > expired_to)
    order = kept[np.argsort(arrivals[kept], kind="stable")]
    columns = [_column(field[order], of) for field, of in zip(fields, shape.types, strict=True)]
    elements = Columns.of(shape, columns)
    return ReadSide(slots[order], times[order], arrivals[order], elements, int(arrivals.max()) + 1, expired_to)


def _described(shape: Shape) -> tuple[Any, ...] | None:
    """A shape as plain data; None if arrays do not give back exactly what its fields are."""
    return described_shape(shape) if all(map(_is_plain, shape.types)) else None


def _is_plain(of: pa.DataType) -> bool:
    is_text = pa.types.is_string(of) or pa.types.is_large_string(of)
    return are_numbers(of) or is_text or pa.types.is_boolean(of) or pa.types.is_temporal(of)


def _array(values: Any) -> Array:
    """As a table has them: of times their ticks, and objects where one is null."""
    if isinstance(values, np.ndarray):
        return values
    if pa.types.is_temporal(values.type):
        ticks = values.view(pa.int32() if values.type.bit_width == 32 else pa.int64()).cast(pa.int64())
        if not ticks.null_count:
            found: Array = ticks.to_numpy()
            return found
        values = ticks
    return np.fromiter(values.to_pylist(), object, len(values))


def _column(stored: Array, of: pa.DataType) -> pa.Array:
    if not pa.types.is_temporal(of):
        return pa.array(stored, of)
    return pa.array(stored, pa.int64()).cast(pa.int32() if of.bit_width == 32 else pa.int64()).view(of)
