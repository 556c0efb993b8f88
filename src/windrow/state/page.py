"""A page: the items of some keys of one key group, behind a header that finds each without reading the others.

The header says of each key its hash, where its item ends, and, where any key of the page has one, its earliest timer in
either domain and when its first and its last value expires. So a batch reads and writes the items of the keys that it
touches; the page is split by the hashes in it, and the keys of due timers are found, without an item being read.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from windrow.elements.inert import loads_inert
from windrow.elements.stored import dumps, loads

#: A page larger than this is split, unless it holds one key only.
PAGE_BYTES = 4096
#: The same in a key group of so many pages: of a state of this size a batch touches a few keys here and there, mostly
#: one of a page, and reads and writes all of the page for it.
SMALL_PAGE_BYTES = 2048
MANY_PAGES = 512
MAX_DEPTH = 30
#: The version of what a page holds.
VERSION = 1
#: So many keys of a page are looked for one by one, each with less work than a dictionary of all takes.
_FEW = 8
#: What a row takes in the header.
_ROW_BYTES = 10
_NO_TIMES = (None, None, None, None)


def page_bytes(pages: int) -> int:
    """Give how many bytes a page may have that is written anew, in a key group of so many pages."""
    return PAGE_BYTES if pages < MANY_PAGES else min(PAGE_BYTES, SMALL_PAGE_BYTES)


class Row(NamedTuple):
    """A key of a page: what the header says of it, and its item."""

    hash: int
    #: The earliest timers; None where it has none.
    event_time: int | None
    processing_time: int | None
    #: When the first and the last of what expires in it does; None: nothing does.
    first_end: int | None
    last_end: int | None
    item: bytes | memoryview


class Changes(NamedTuple):
    """Changes to a page: rows that are other ones or gone, and new ones behind them."""

    #: The names of states: those of the page, and new ones behind them.
    names: list[str]
    #: What some rows are to be; None: they are gone.
    rows: dict[int, Row | None]
    #: Rows behind the others.
    new: list[Row]


def place(code: int) -> int:
    """Give the bits that say where among the pages of its key group a key with this hash is: the low ones first."""
    # The keys of a group agree in a part of a hash of their hash: multiply, take high bits.
    return (code * 0x9E3779B97F4A7C15 & 0xFFFFFFFFFFFFFFFF) >> 24 & (1 << MAX_DEPTH) - 1


def places(codes: NDArray[np.int32]) -> NDArray[np.uint64]:
    """Give :func:`place` of each.

    Example:
        >>> places(np.array([97, -1], np.int32)).tolist() == [place(97), place(-1)]
        True
    """
    multiplied = codes.astype(np.int64).view(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    return multiplied >> np.uint64(24) & np.uint64((1 << MAX_DEPTH) - 1)


class PageRows:
    """The contents of a page.

    Args:
        data: The page; None: it is empty.

    Raises:
        ValueError: it is of another version.
    """

    def __init__(self, data: bytes | None) -> None:
        self._data = self._items = memoryview(b"")
        self.names: list[str] = []
        self.hashes: Sequence[int] = ()
        self._ends: Sequence[int] = ()
        #: Columns: the earliest event-time and processing-time timers, the first and the last end. None: all are None.
        self.times: list[Sequence[int | None] | None] = [None] * 4
        #: The last row of each hash; made when more than a few are looked for.
        self._row_of: dict[int, int] | None = None
        self._looked_for = 0
        #: The rows whose keys were brought in.
        self.taken: set[int] = set()
        if data is not None:
            _check_version(data)
            header_end = _header_end(data)
            self._data = view = memoryview(data)
            self.names, hashes, ends, *self.times = loads(view[5:header_end])
            # A batch may have every page of the state in use: lists of numbers would take five times the memory.
            self.hashes, self._ends = array("q", hashes), array("L", ends)
            self._items = view[header_end:]

    def find(self, code: int) -> Iterable[int]:
        """Give the rows of the keys with this hash."""
        if self._row_of is None:
            self._looked_for += 1
            if self._looked_for <= _FEW:
                many = self.hashes.count(code)
                if many < 2:
                    return (self.hashes.index(code),) if many else ()
            self._row_of = {known: row for row, known in enumerate(self.hashes)}
        row = self._row_of.get(code)
        if row is None:
            return ()
        if len(self._row_of) == len(self.hashes):
            return (row,)
        return [row for row, known in enumerate(self.hashes) if known == code]

    @property
    def is_timed(self) -> bool:
        """True if a key of the page has a timer."""
        return self.times[0] is not None or self.times[1] is not None

    def item(self, row: int) -> memoryview:
        """Give the item of a row."""
        return self._items[self._ends[row - 1] if row else 0 : self._ends[row]]

    def row(self, row: int) -> Row:
        """Give a row's hash, its times and its item."""
        times = [column[row] if column is not None else None for column in self.times]
        return Row(self.hashes[row], times[0], times[1], times[2], times[3], self.item(row))

    def patched(self, changes: Changes) -> bytes | None:
        """Give the page when rows have other items of the same length; None if its header is another one then, too."""
        if changes.new or len(changes.names) > len(self.names):
            return None
        timed = self.times.count(None) < len(self.times)
        pieces: list[bytes | memoryview] = []
        before, copied = len(self._data) - len(self._items), 0
        for number in sorted(changes.rows):
            row = changes.rows[number]
            start, end = self._ends[number - 1] if number else 0, self._ends[number]
            if row is None or len(row.item) != end - start:
                return None
            if row[1:5] != (self.row(number)[1:5] if timed else _NO_TIMES):
                return None
            pieces += (self._data[copied : before + start], row.item)
            copied = before + end
        pieces.append(self._data[copied:])
        return b"".join(pieces)

    def rewritten(self, changes: Changes) -> Content:
        """Give what is in the page then."""
        names, changed, new = changes
        if None in changed.values():
            rows = [changed.get(number, row) for number, row in enumerate(self._rows())]
            return Content.of(names, [row for row in rows if row is not None] + new)
        times = [None if column is None else list(column) for column in self.times]
        content = Content(names, list(self.hashes), list(self._ends), [], times)
        growth, copied = [0] * len(self._ends), 0
        timed = self.times.count(None) < len(self.times)
        for number in sorted(changed):
            row = changed[number]
            assert row is not None
            start, end = self._ends[number - 1] if number else 0, self._ends[number]
            content.items += (self._items[copied:start], row.item)
            growth[number], copied = len(row.item) - (end - start), end
            if timed or row[1:5] != _NO_TIMES:
                content.set_times(number, row)
                timed = True
        content.items.append(self._items[copied:])
        if any(growth):
            content.ends = [end + grown for end, grown in zip(content.ends, accumulate(growth), strict=True)]
        content.extend(new)
        return content

    def _rows(self) -> list[Row]:
        items = [self._items[start:end] for start, end in pairwise((0, *self._ends))]
        return _rows_of(self.hashes, self.times, items)


class Counts(NamedTuple):
    """The counts that a page has in its header, so that its items are not read for them."""

    keys: int
    #: How many of them have timers.
    event_timers: int
    processing_timers: int


def counts_of(data: bytes) -> Counts:
    """Count what is in a page, of which nothing but its header is read, and no class of a user's.

    Raises:
        ValueError: it is of another version.
    """
    _check_version(data)
    _names, hashes, _ends, event_timers, processing_timers, *_ = loads_inert(data[5 : _header_end(data)])
    timers = [0 if column is None else len(column) - column.count(None) for column in (event_timers, processing_timers)]
    return Counts(len(hashes), *timers)


def _check_version(data: bytes) -> None:
    if data[0] != VERSION:
        msg = f"a page has version {data[0]}, and this program reads {VERSION}"
        raise ValueError(msg)


def _header_end(data: bytes) -> int:
    return 5 + int.from_bytes(data[1:5], "little")


class Content:
    """Holds what a page is to hold.

    Args:
        names: The names of states in it.
        hashes: The hash of each key.
        ends: Where each item ends.
        items: All items, one behind the other, in pieces.
        times: The columns of times; None: nothing has one.
    """

    __slots__ = ("ends", "hashes", "items", "names", "times")

    def __init__(
        self,
        names: list[str],
        hashes: list[int],
        ends: list[int],
        items: list[bytes | memoryview],
        times: list[list[int | None] | None],
    ) -> None:
        self.names = names
        self.hashes = hashes
        self.ends = ends
        self.items = items
        self.times = times

    @classmethod
    def of(cls, names: list[str], rows: Sequence[Row]) -> Content:
        """Give a page's content, row by row."""
        if not rows:
            return cls(names, [], [], [], [None] * 4)
        hashes, *columns, items = zip(*rows, strict=True)
        return cls(
            names, list(hashes), list(accumulate(map(len, items))), list(items), [list(column) for column in columns]
        )

    def __len__(self) -> int:
        return len(self.hashes)

    def extend(self, rows: Sequence[Row]) -> None:
        """Put rows behind the others."""
        if self.times.count(None) < len(self.times) or any(row[1:5] != _NO_TIMES for row in rows):
            for row in rows:
                self.append(row)
            return
        items = [row.item for row in rows]
        self.hashes += [row.hash for row in rows]
        self.ends += list(accumulate(map(len, items), initial=self.ends[-1] if self.ends else 0))[1:]
        self.items += items

    def append(self, row: Row) -> None:
        """Put a row behind the others."""
        for column in self.times:
            if column is not None:
                column.append(None)
        self.hashes.append(row.hash)
        self.ends.append((self.ends[-1] if self.ends else 0) + len(row.item))
        self.items.append(row.item)
        self.set_times(len(self.hashes) - 1, row)

    def set_times(self, number: int, row: Row) -> None:
        """Have the times of ``row`` in the row of that number."""
        for at, time in enumerate(row[1:5]):
            column = self.times[at]
            if column is not None:
                column[number] = time
            elif time is not None:
                column = self.times[at] = [None] * len(self.hashes)
                column[number] = time

    def parts(self, depth: int, bits: int, most: int) -> Iterable[tuple[int, int, Content]]:
        """Cut what is too much for the page of the lowest ``depth`` bits of a place: depth, bits, content.

        Args:
            depth: How many bits of a place the page has in its name.
            bits: Which they are.
            most: So many bytes a page has at most, unless it holds one key only.
        """
        if not self._is_larger_than(most) or depth == MAX_DEPTH:
            return ((depth, bits, self),)
        items = memoryview(b"".join(self.items))
        pieces = [items[start:end] for start, end in pairwise((0, *self.ends))]
        placed = [(place(row.hash), row) for row in _rows_of(self.hashes, self.times, pieces)]
        return [(depth, bits, Content.of(self.names, rows)) for depth, bits, rows in _parts(placed, depth, bits, most)]

    def data(self) -> bytes:
        """Give the page."""
        times = [None if column is None or column.count(None) == len(column) else column for column in self.times]
        header = dumps((self.names, self.hashes, self.ends, *times))
        return b"".join((bytes((VERSION,)), len(header).to_bytes(4, "little"), header, *self.items))

    def _is_larger_than(self, most: int) -> bool:
        return len(self.hashes) > 1 and self.ends[-1] + _ROW_BYTES * len(self.hashes) > most


def _rows_of(
    hashes: Sequence[int], times: Sequence[Sequence[int | None] | None], items: Sequence[memoryview]
) -> list[Row]:
    columns = [[None] * len(hashes) if column is None else column for column in times]
    return [Row(*fields) for fields in zip(hashes, *columns, items, strict=True)]


def _parts(placed: list[tuple[int, Row]], depth: int, bits: int, most: int) -> Iterable[tuple[int, int, list[Row]]]:
    """Straight to the depth that rows need: what is written is written once."""
    size = sum([len(row.item) for _, row in placed]) + _ROW_BYTES * len(placed)
    if size <= most or len(placed) <= 1 or depth == MAX_DEPTH:
        yield depth, bits, [row for _, row in placed]
        return
    high = 1 << depth
    yield from _parts([each for each in placed if not each[0] & high], depth + 1, bits, most)
    yield from _parts([each for each in placed if each[0] & high], depth + 1, bits | high, most)


def earliest(times: Iterable[int | None] | None) -> int | None:
    """Give the least of the times that there are; None if there are none."""
    return None if times is None else min([time for time in times if time is not None], default=None)


def latest(times: Iterable[int | None] | None) -> int | None:
    """Give the greatest of the times that there are; None if there are none."""
    return None if times is None else max([time for time in times if time is not None], default=None)
