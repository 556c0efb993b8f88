"""The buffers of an interval join as columns of state: each element once, in chunks of arrival, to which batches add.

A chunk holds what came on a side between two places in the order of arrival. A batch writes the elements that it has
brought; where the chunks of before are no larger they become one with it, so that a side has a few of them, and an
element is written again only when as many others have come. A chunk is removed when all of its elements are over. What
is over in the others is left where it is: a time up to which all is over says so.

When buffers are too large, the chunks that came first leave memory (``cold_chunks.py``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa

from windrow.elements.columns import Columns
from windrow.operators.column_folds.described import read_shape
from windrow.operators.column_folds.key_index import IntKeyIndex, KeyIndex, TextKeyIndex
from windrow.operators.column_folds.slot_groups import SlotGroups
from windrow.operators.interval_join.chunk_tables import Stored, described, read_side, table_of
from windrow.operators.interval_join.cold_chunks import ColdChunk, ColdSide, section_of_keys
from windrow.operators.interval_join.column_buffers import ColumnBuffers, ReadSide
from windrow.operators.interval_join.growing import Longs
from windrow.operators.interval_join.side_columns import SideColumns
from windrow.state.column_page import Table
from windrow.state.kept_columns import Groups, KeptColumns, Name

if TYPE_CHECKING:  # which makes entries of columns itself, by the functions here
    from windrow.operators.interval_join.operator import Buffers

#: The first thing in a description: what kind of things the tables hold, and its version.
KIND, VERSION = "interval join", 1
#: The version of a description that says, too, which chunks have left memory.
WITH_COLD = 2
#: The sections of tables.
_SECTIONS = ("left", "right")
#: Chunks of fewer elements become one with what comes next.
_FEW = 512
#: No chunk gets more elements than so many: as large ones do chunks leave memory.
_MOST = 1 << 18
#: Of buffers that are too large so large a part stays; their columns have room for as much again.
_STAYS = 3


class _Chunk(NamedTuple):
    """A stored part of a side: what came from one place in the order of arrival on.

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
        self._sides = [_KeptSide(section) for section in _SECTIONS]
        #: What was last written of all tables.
        self._description: Any = None

    @property
    def nbytes(self) -> int:
        """The size in bytes of what is in memory about chunks that have left it: the numbers of their keys."""
        return sum(side.cold.nbytes for side in self._sides)

    def forget(self) -> None:
        """Forget which chunks are stored: they are not what is in memory any more, and all is written anew."""
        self._groups.forget()
        self._sides = [_KeptSide(section) for section in _SECTIONS]
        self._description = None

    def expire(self, limits: tuple[int, int]) -> None:
        """Forget what has left memory and is over: the left and the right elements up to these times."""
        for kept, limit in zip(self._sides, limits, strict=True):
            kept.cold.expire(limit)

    def keep(self, buffers: ColumnBuffers, columns: KeptColumns, most_bytes: int | None = None) -> bool:
        """Write what has come since; False if it cannot be kept as columns.

        Args:
            buffers: What is held; if it is more than may stay, what came first is let go.
            columns: Where it is written.
            most_bytes: How many bytes of memory may stay; None: all.
        """
        shapes = [None if side is None else described(side.shape) for side in buffers.sides]
        if any(side is not None and shape is None for side, shape in zip(buffers.sides, shapes, strict=True)):
            return False
        if buffers.generation != self._generation:
            self._generation = buffers.generation
            self._groups.forget()
        of_slots, _ = self._groups.of(buffers.keys, columns)
        is_too_much = most_bytes is not None and buffers.nbytes > most_bytes
        changed: list[tuple[Name, Table, Groups]] = []
        for kept, side in zip(self._sides, buffers.sides, strict=True):
            if side is None or not side.count_present():
                kept.forget_chunks()
                continue
            if side.is_ragged:
                buffers.settle(side)
                kept.forget_chunks()
            for first, places in kept.next_chunks(side):
                changed.append(((kept.section, first), *table_of(side, buffers.keys, of_slots, places)))
            if is_too_much:
                stay = len(side) * (most_bytes or 0) // (_STAYS * buffers.nbytes)
                changed.extend(kept.let_go(side, buffers.keys, stay))
        present = {name for kept in self._sides for name in kept.names()}
        gone = [name for name in columns.names if name not in present]
        if not present:
            if columns.are_stored():
                columns.clear()
        else:
            expired = [None if side is None else side.expired_to for side in buffers.sides]
            description: tuple[Any, ...] = (KIND, VERSION, isinstance(buffers.keys, TextKeyIndex), expired, *shapes)
            if any(kept.cold.chunks for kept in self._sides):
                cold = [
                    (kept.begin, 0 if side is None else side.next_arrival, kept.cold.described())
                    for kept, side in zip(self._sides, buffers.sides, strict=True)
                ]
                description = (KIND, WITH_COLD, *description[2:], cold)
            if changed or gone or description != self._description:
                self._description = description
                columns.write(description, changed, gone)
        if is_too_much:
            buffers.let_go([kept.begin for kept in self._sides])
        for kept in self._sides:
            kept.cold.keep_within_bounds()
        return True

    def read(self, columns: KeptColumns) -> tuple[KeyIndex, list[ReadSide | None]]:
        """Read what is stored and has not left memory, to go on with it."""
        self.forget()
        stored = _Description.of(columns)
        self._description = columns.description()
        for kept, (begin, _, chunks) in zip(self._sides, stored.cold, strict=True):
            kept.begin, kept.cold.chunks = begin, [ColdChunk(*chunk) for chunk in chunks]
        cold = {name for kept in self._sides for name in kept.cold.names()}
        names = [name for name in columns.names if name not in cold]
        keys, sides = stored.read(columns, names)
        for section, first in names:
            self._sides[_SECTIONS.index(section)].put(first)
        for kept, side in zip(self._sides, sides, strict=True):
            if side is None or not side.times.size:
                kept.forget_chunks()
            else:
                kept.measure(side)
        return keys, sides

    def complete(self, buffers: ColumnBuffers, which: int, slots: Longs, columns: KeptColumns | None) -> bool:
        """Hold all that the keys of some slots have on a side; False if it does not fit."""
        cold, side = self._sides[which].cold, buffers.sides[which]
        if columns is None or side is None or not cold.chunks:
            return True
        slots = buffers.incomplete(which, slots)
        if not slots.size:
            return True
        return buffers.complete(which, slots, cold.elements_of(buffers.keys, slots, side.shape, columns))

    def left(self, buffers: ColumnBuffers, columns: KeptColumns | None) -> list[ReadSide | None]:
        """All that has left memory and is not held: of keys that get slots here, if they have none."""
        found: list[ReadSide | None] = []
        for which, (kept, side) in enumerate(zip(self._sides, buffers.sides, strict=True)):
            if columns is None or side is None or not kept.cold.chunks:
                found.append(None)
                continue
            read = kept.cold.elements(buffers.keys, side.shape, columns)
            at = np.flatnonzero(np.isin(read.slots, buffers.incomplete(which, read.slots)))
            elements = Columns(read.elements.batch.take(pa.array(at)), side.shape)
            found.append(ReadSide(read.slots[at], read.times[at], read.arrivals[at], elements, read.next_arrival, None))
        return found


class _KeptSide:
    """The chunks of a side, in the order of arrival.

    Args:
        section: That of their tables.
    """

    def __init__(self, section: str) -> None:
        self.section = section
        self.chunks: list[_Chunk] = []
        self.cold = ColdSide(section)
        #: All elements before this place are in chunks.
        self._stored_to = 0
        #: All chunks before this place have left memory.
        self.begin = 0

    def forget_chunks(self) -> None:
        """Forget the stored chunks: what is in memory is in none of them."""
        self.chunks, self._stored_to = [], self.begin

    def names(self) -> list[Name]:
        """The names of all tables."""
        return [(self.section, chunk.first) for chunk in self.chunks] + self.cold.names()

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

    def next_chunks(self, side: SideColumns) -> Iterable[tuple[int, Longs]]:
        """Make chunks of what has come since, and forget those that are over; where they begin, and their elements."""
        if side.expired_to is not None:
            limit = side.expired_to
            self.chunks = [chunk for chunk in self.chunks if chunk.latest > limit]
        places = side.since(self._stored_to)
        first, count = self._stored_to, places.size
        self._stored_to = side.next_arrival
        if not count:
            return
        while self.chunks and self.chunks[-1].size <= max(count, _FEW) and self.chunks[-1].size + count <= _MOST:
            before = self.chunks.pop()
            first, count = before.first, count + before.size
        places = side.since(first)
        for begin in range(0, places.size, _MOST):
            some = places[begin : begin + _MOST]
            if begin:
                first = int(side.arrivals_at(some[:1])[0])
            self.chunks.append(_Chunk(first, some.size, int(side.times(some).max())))
            yield first, some

    def let_go(self, side: SideColumns, keys: KeyIndex, stay: int) -> Iterable[tuple[Name, Table, Groups]]:
        """Say that chunks have left memory, so that no more elements than some stay; the tables of their keys."""
        count = len(self.chunks)
        while count and self.chunks[count - 1].size <= stay:
            count -= 1
            stay -= self.chunks[count].size
        ends = [*(chunk.first for chunk in self.chunks[1:]), self._stored_to]
        for chunk, end in zip(self.chunks[:count], ends, strict=False):
            places = side.since(chunk.first)
            places = places[side.arrivals_at(places) < end]
            self.begin = end
            if places.size:
                slots = np.unique(side.slots_at(places))
                cold, table = ColdChunk.of(chunk.first, chunk.latest, side.expired_to, keys.column(slots))
                self.cold.chunks.append(cold)
                yield self.cold.name_of_keys(cold), table, np.zeros(1, np.int32)
        self.chunks = self.chunks[count:]


def are_buffers(columns: KeptColumns) -> bool:
    """Tell whether it is a join's buffers that are stored."""
    return {section for section, _ in columns.names} <= {
        *_SECTIONS,
        *(section_of_keys(section) for section in _SECTIONS),
    }


class _Description(NamedTuple):
    """The description of all tables, as it is stored with them.

    Attributes:
        of_text: Whether keys are text.
        expired: Of each side, up to which time all is over of what is in memory.
        shapes: Of the elements.
        cold: Of each side, the place before which all has left memory, the one that the next element gets, and the
            chunks that have left memory.
    """

    of_text: bool
    expired: Sequence[int | None]
    shapes: Sequence[Any]
    cold: Sequence[tuple[int, int, Sequence[Any]]]

    @staticmethod
    def of(columns: KeptColumns) -> _Description:
        """Read the description that is stored.

        Raises:
            ValueError: it is of another version.
        """
        kind, version, of_text, expired, *others = columns.description()
        if kind != KIND or version not in (VERSION, WITH_COLD):
            msg = f"buffers of an interval join have version {version} of {kind!r}, and this program reads {WITH_COLD}"
            raise ValueError(msg)
        cold = others.pop() if version == WITH_COLD else [(0, 0, [])] * len(_SECTIONS)
        return _Description(of_text, expired, others, cold)

    def read(self, columns: KeptColumns, names: Iterable[Name]) -> tuple[KeyIndex, list[ReadSide | None]]:
        """Read the keys and both sides out of some tables; None for a side of which nothing is stored."""
        keys: KeyIndex = TextKeyIndex() if self.of_text else IntKeyIndex()
        over = {
            (section, chunk.first): chunk.over
            for section, (*_, chunks) in zip(_SECTIONS, self.cold, strict=True)
            for chunk in (ColdChunk(*each) for each in chunks)
        }
        expired = dict(zip(_SECTIONS, self.expired, strict=True))
        parts: dict[str, list[Stored]] = {section: [] for section in _SECTIONS}
        for name, table in columns.read(names):
            parts[name[0]].append(Stored(table, over.get(name, expired[name[0]])))
        return keys, [
            None
            if shape is None or not (parts[section] or chunks)
            else read_side(keys, read_shape(shape), parts[section], next_arrival, expired[section])
            for section, shape, (_, next_arrival, chunks) in zip(_SECTIONS, self.shapes, self.cold, strict=True)
        ]


def read_buffers(columns: KeptColumns) -> tuple[KeyIndex, list[ReadSide | None]]:
    """Read the keys and both sides; None for a side of which nothing is stored.

    Raises:
        ValueError: it is of another version.
    """
    return _Description.of(columns).read(columns, [name for name in columns.names if name[0] in _SECTIONS])


def buffers_by_key(keys: KeyIndex, sides: Sequence[ReadSide | None]) -> list[tuple[Any, Buffers]]:
    """Give each key with what it has buffered, as the operator over rows holds it."""
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
