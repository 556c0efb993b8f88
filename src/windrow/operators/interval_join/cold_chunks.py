"""The chunks of a side that are in state and not in memory, and which of them have elements of some keys.

What came first leaves memory first. A chunk that has left is never written again: it goes when all of it is over. Of a
key that comes in a batch, what such chunks have is read, once for as long as it stays. A chunk is passed over where the
keys of a batch are not between the least and the greatest of its own, or not among them: their numbers are a table of
their own, which is read when it is asked for first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from windrow.elements.shape import Shape
from windrow.operators.column_folds.key_index import KeyIndex
from windrow.operators.interval_join.chunk_tables import Stored, chosen, read_side
from windrow.operators.interval_join.column_buffers import ReadSide
from windrow.operators.interval_join.growing import Longs
from windrow.state.column_page import Array, Table
from windrow.state.hashing import hashes
from windrow.state.kept_columns import KeptColumns, Name

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: So many bytes of numbers of keys stay with a side between batches.
_KEY_BYTES = 1 << 24
#: What is stored of a chunk: its first place, the latest time, up to which time all is over, the least and the
#: greatest number of its keys.
Described = tuple[int, int, int | None, int, int]


class ColdChunk:
    """A chunk that has left memory.

    Args:
        first: The place of its first element in the order of arrival, which is its table's number.
        latest: The latest of the times.
        over: Up to which time all is over; None: nothing is.
        least: The least number of a key.
        greatest: The greatest.
    """

    def __init__(self, first: int, latest: int, over: int | None, least: int, greatest: int) -> None:
        self.first = first
        self.latest = latest
        self.over = over
        self._least = least
        self._greatest = greatest
        #: The numbers of keys less the least one, in order; None: they are not in memory.
        self._numbers: NDArray[Any] | None = None

    @staticmethod
    def of(first: int, latest: int, over: int | None, keys: Any) -> tuple[ColdChunk, Table]:
        """A chunk with these keys, and the table of their numbers."""
        numbers = np.unique(_numbers_of(keys))
        chunk = ColdChunk(first, latest, over, int(numbers[0]), int(numbers[-1]))
        return chunk, Table(np.zeros(1, np.int64), [np.array([chunk._put(numbers).tobytes()], object)])

    def described(self) -> Described:
        """As it stands in the description."""
        return self.first, self.latest, self.over, self._least, self._greatest

    @property
    def nbytes(self) -> int:
        """The size in bytes of the numbers of its keys; 0 while they are not in memory."""
        return 0 if self._numbers is None else self._numbers.nbytes

    def forget(self) -> None:
        """Have no numbers of keys in memory."""
        self._numbers = None

    def which(self, numbers: Longs, columns: KeptColumns, name: Name) -> Longs:
        """The indexes of those of some numbers that are numbers of its keys.

        Args:
            numbers: Those that are looked for.
            columns: What is stored.
            name: That of the table of numbers.
        """
        within = np.flatnonzero((numbers >= self._least) & (numbers <= self._greatest))
        if not within.size:
            return within
        own = self._numbers
        if own is None:
            [(_, table)] = columns.read([name])
            own = self._numbers = np.frombuffer(table.columns[0][0], self._kind)
        wanted = _less(numbers[within], self._least).astype(own.dtype)
        places = np.searchsorted(own, wanted)
        found: Longs = within[own[np.minimum(places, own.size - 1)] == wanted]
        return found

    @property
    def _kind(self) -> np.dtype[Any]:
        return np.dtype("<u4" if self._greatest - self._least < 1 << 32 else "<u8")

    def _put(self, numbers: Longs) -> NDArray[Any]:
        self._numbers = _less(numbers, self._least).astype(self._kind)
        return self._numbers


class ColdSide:
    """The chunks of a side that have left memory, in the order of arrival.

    Args:
        section: That of the tables of elements.
    """

    def __init__(self, section: str) -> None:
        self.section = section
        self.chunks: list[ColdChunk] = []

    @property
    def nbytes(self) -> int:
        """The size in bytes of the numbers of keys that are in memory."""
        return sum(chunk.nbytes for chunk in self.chunks)

    def name(self, chunk: ColdChunk) -> Name:
        """The name of a chunk's table of elements."""
        return self.section, chunk.first

    def name_of_keys(self, chunk: ColdChunk) -> Name:
        """The name of a chunk's table of keys."""
        return section_of_keys(self.section), chunk.first

    def described(self) -> list[Described]:
        """The chunks as they stand in the description."""
        return [chunk.described() for chunk in self.chunks]

    def names(self) -> list[Name]:
        """The names of all tables."""
        return [name(chunk) for chunk in self.chunks for name in (self.name, self.name_of_keys)]

    def expire(self, limit: int | None) -> None:
        """Say that all up to a time is over."""
        if limit is None or not self.chunks:
            return
        self.chunks = [chunk for chunk in self.chunks if chunk.latest > limit]
        for chunk in self.chunks:
            chunk.over = limit if chunk.over is None else max(chunk.over, limit)

    def keep_within_bounds(self) -> None:
        """Have no more numbers of keys in memory than may stay."""
        for chunk in self.chunks:
            if self.nbytes <= _KEY_BYTES:
                break
            chunk.forget()

    def elements_of(self, keys: KeyIndex, slots: Longs, shape: Shape, columns: KeptColumns) -> ReadSide | None:
        """Read the elements of some keys that are not over; None: there is none."""
        column = keys.column(slots)
        numbers = _numbers_of(column)
        groups = columns.groups_of(column)
        found: list[Stored] = []
        for chunk in self.chunks:
            at = chunk.which(numbers, columns, self.name_of_keys(chunk))
            if at.size:
                wanted = _chosen(column, at)
                for table in columns.read_groups(self.name(chunk), np.unique(groups[at])):
                    rows = np.flatnonzero(_are_in(table.keys, wanted))
                    if rows.size:
                        found.append(Stored(chosen(table, rows), chunk.over))
        return read_side(keys, shape, found) if found else None

    def elements(self, keys: KeyIndex, shape: Shape, columns: KeptColumns) -> ReadSide:
        """Read all that are not over."""
        names = {self.name(chunk): chunk.over for chunk in self.chunks}
        return read_side(keys, shape, [Stored(table, names[name]) for name, table in columns.read(names)])


def section_of_keys(section: str) -> str:
    """The section of the tables of keys."""
    return f"{section} keys"


def _numbers_of(keys: Any) -> Longs:
    """Numbers of keys; of text several may have the same one."""
    if isinstance(keys, np.ndarray):
        return keys
    codes = hashes(keys)
    assert codes is not None, "text is hashed as columns"
    return codes.astype(np.int64)


def _less(numbers: Longs, least: int) -> NDArray[np.uint64]:
    """Numbers less the least one, which may be further apart than signed numbers reach."""
    return numbers.view(np.uint64) - np.array(least, np.int64).view(np.uint64)


def _chosen(keys: Any, at: Longs) -> Any:
    """Some keys of a column, in order if they are numbers."""
    return np.sort(keys[at]) if isinstance(keys, np.ndarray) else keys.take(pa.array(at))


def _are_in(keys: Array, wanted: Any) -> Array:
    """Tell of each key of a table whether it is among others."""
    if not isinstance(wanted, np.ndarray):
        return np.asarray(pc.is_in(pa.array(keys, pa.string()), value_set=wanted))
    places = np.minimum(np.searchsorted(wanted, keys), wanted.size - 1)
    found: Array = wanted[places] == keys
    return found
