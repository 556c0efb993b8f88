"""Keys to dense slots, for a whole column of keys at a time: what arrays of partial results are indexed by."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from windrow.elements.columns import Columns
from windrow.elements.shape import ScalarShape, Shape

Slots: TypeAlias = npt.NDArray[np.int64]
Ints: TypeAlias = npt.NDArray[np.int64]

#: A table with an entry for each number of a range is taken up to so many entries, or this often the number of keys.
_DIRECT_ENTRIES, _DIRECT_FACTOR = 1 << 18, 8
#: A part of it is looked through up to this often the number of keys that are looked for.
_DENSE = 4
#: In the table, for a moment: the key has no slot yet, and gets one.
_NEW = -2
# 2^64 divided by the golden ratio: Fibonacci hashing spreads numbers that follow each other.
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


class KeyIndex(ABC):
    """Keys of one operator in one subtask, each with a slot: the first one has slot 0, the next one 1, and so on."""

    #: How many keys there are.
    count: int = 0

    @abstractmethod
    def slots_of(self, keys: Any) -> Slots:
        """The slots of ``keys``, a column; new keys get new ones."""

    @abstractmethod
    def column(self, slots: Slots) -> Any:
        """The keys of ``slots``, as a column."""

    @abstractmethod
    def listed(self, slots: Slots) -> list[Any]:
        """The keys of ``slots``, as Python objects."""

    @abstractmethod
    def from_list(self, keys: Sequence[Any]) -> Any:
        """Python objects as a column of keys; None if they are keys of another kind."""

    @abstractmethod
    def keep(self, slots: Slots) -> None:
        """Forget all keys but those of ``slots``, which get the slots 0, 1, and so on in this order."""


class IntKeyIndex(KeyIndex):
    """Keys that are integers of 64 bits.

    While they lie close together a table has an entry for each number of their range. Else it is a hash table with
    open addressing, which is searched in rounds: each looks at one place for all keys that are not found yet.

    Example:
        >>> index = IntKeyIndex()
        >>> index.slots_of(np.array([7, -5, 7, 10**15])).tolist()
        [1, 0, 1, 2]
        >>> index.listed(np.array([2, 1]))
        [1000000000000000, 7]
    """

    def __init__(self) -> None:
        self._keys: Ints = np.zeros(1024, np.int64)
        #: The least key of the table's range; None: it is a hash table.
        self._base: int | None = 0
        self._table: Slots = np.full(0, -1, np.int64)

    def slots_of(self, keys: Ints) -> Slots:
        if keys.size == 0:
            return keys
        if self._base is not None:
            self._cover(int(keys.min()), int(keys.max()))
        slots = self._find(keys)
        if int(slots.min()) < 0:
            unknown = np.flatnonzero(slots < 0)
            new = keys.take(unknown)
            self._insert(self._distinct(new))
            slots[unknown] = self._find(new)
        return slots

    def column(self, slots: Slots) -> Ints:
        return self._keys.take(slots)

    def listed(self, slots: Slots) -> list[Any]:
        listed: list[Any] = self._keys[slots].tolist()
        return listed

    def from_list(self, keys: Sequence[Any]) -> Ints | None:
        if not {int}.issuperset(map(type, keys)):
            return None
        try:
            return np.array(keys, np.int64)
        except OverflowError:
            return None

    def keep(self, slots: Slots) -> None:
        kept = self._keys[slots]
        self.count = 0
        self._base, self._table = 0, np.full(0, -1, np.int64)
        if kept.size:
            self._cover(int(kept.min()), int(kept.max()))
            self._insert(kept)

    def _cover(self, least: int, greatest: int) -> None:
        """Make the table's range contain these keys, or the table a hash table."""
        base = self._base
        if base is None or (base <= least and greatest < base + self._table.size):
            return
        known = self._keys[: self.count]
        if known.size:
            least, greatest = min(least, int(known.min())), max(greatest, int(known.max()))
        span = greatest - least + 1
        if span > max(_DIRECT_ENTRIES, _DIRECT_FACTOR * self.count):
            self._base = None
            self._rebuild(max(4096, 8 * self.count))
            return
        # Room on both sides, so that keys that grow do not make a new table each time.
        self._base = max(least - span // 2, -(2**63))
        self._table = np.full(min(greatest + span // 2, 2**63 - 1) - self._base + 1, -1, np.int64)
        self._table[known - self._base] = np.arange(self.count)

    def _find(self, keys: Ints) -> Slots:
        """The slots of ``keys``; -1 for those that have none."""
        if self._base is not None:
            return self._table[keys - self._base if self._base else keys]
        places = self._places(keys)
        slots = self._table[places]
        # A key that is there is at its place or behind it, before the first empty one.
        rest = np.flatnonzero((self._keys[slots] != keys) & (slots >= 0))
        last_place = self._table.size - 1
        while rest.size:
            places[rest] = (places[rest] + 1) & last_place
            found = self._table[places[rest]]
            slots[rest] = found
            rest = rest[(self._keys[found] != keys[rest]) & (found >= 0)]
        return slots

    def _distinct(self, keys: Ints) -> Ints:
        """Keys that have no slot in ascending order, each once; they get slots now."""
        if self._base is not None:
            places = keys - self._base
            least = int(places.min())
            part = self._table[least : int(places.max()) + 1]
            if part.size <= _DENSE * keys.size:
                self._table[places] = _NEW
                return np.flatnonzero(part == _NEW) + (self._base + least)
        # Most of those that are there several times go before they are sorted: of each place the last one stays.
        places = self._places(keys) if self._base is None else keys - self._base
        numbers = np.arange(keys.size)
        last = np.empty(self._table.size, np.int64)
        last[places] = numbers
        of_place = last[places]
        few = np.sort(keys[(of_place == numbers) | (keys[of_place] != keys)])
        return few[np.flatnonzero(np.append(True, few[1:] != few[:-1]))]

    def _insert(self, keys: Ints) -> None:
        """Give slots to keys that have none; each is there once."""
        first, self.count = self.count, self.count + keys.size
        if self.count > self._keys.size:
            larger = np.zeros(max(self.count, 2 * self._keys.size), np.int64)
            larger[:first] = self._keys[:first]
            self._keys = larger
        self._keys[first : self.count] = keys
        if self._base is not None:
            self._table[keys - self._base] = np.arange(first, self.count)
        elif 4 * self.count > self._table.size:
            self._rebuild(8 * self.count)
        else:
            self._place(first)

    def _rebuild(self, entries: int) -> None:
        self._table = np.full(1 << max(entries - 1, 1).bit_length(), -1, np.int64)
        self._place(0)

    def _place(self, first: int) -> None:
        """Put the keys from slot ``first`` on into the hash table."""
        slots = np.arange(first, self.count)
        places = self._places(self._keys[first : self.count])
        last_place = self._table.size - 1
        while slots.size:
            free = self._table[places] < 0
            self._table[places[free]] = slots[free]
            left = self._table[places] != slots  # the place was taken, by another one of these perhaps
            slots, places = slots[left], (places[left] + 1) & last_place

    def _places(self, keys: Ints) -> Slots:
        bits = self._table.size.bit_length() - 1
        hashes = (keys.view(np.uint64) * _MULTIPLIER) >> np.uint64(64 - bits)
        return hashes.view(np.int64)


class TextKeyIndex(KeyIndex):
    """Keys that are text: Arrow finds the distinct ones of a column, a dictionary the slot of each of them.

    Example:
        >>> index = TextKeyIndex()
        >>> index.slots_of(pa.array(["b", "a", "b"])).tolist()
        [0, 1, 0]
    """

    def __init__(self) -> None:
        self._slots: dict[str, int] = {}
        self._keys: list[str] = []

    def slots_of(self, keys: pa.Array) -> Slots:
        encoded = keys.dictionary_encode()
        slots = self._slots
        distinct = []
        for key in encoded.dictionary.to_pylist():
            slot = slots.get(key)
            if slot is None:
                slot = slots[key] = len(self._keys)
                self._keys.append(key)
            distinct.append(slot)
        self.count = len(self._keys)
        found: Slots = np.array(distinct, np.int64)[encoded.indices.to_numpy()]
        return found

    def column(self, slots: Slots) -> pa.Array:
        return pa.array(self.listed(slots), pa.string())

    def listed(self, slots: Slots) -> list[Any]:
        keys = self._keys
        return [keys[slot] for slot in slots.tolist()]

    def from_list(self, keys: Sequence[Any]) -> pa.Array | None:
        if not {str}.issuperset(map(type, keys)):
            return None
        try:
            return pa.array(keys, pa.string())
        except UnicodeEncodeError:  # half of a surrogate pair
            return None

    def keep(self, slots: Slots) -> None:
        self._keys = self.listed(slots)
        self._slots = {key: slot for slot, key in enumerate(self._keys)}
        self.count = len(self._keys)


def key_index(shape: Shape) -> KeyIndex | None:
    """An index for keys of a shape; None if there is none for their type."""
    if not isinstance(shape, ScalarShape) or shape.declared is not None:
        return None
    kind = shape.types[0]
    if pa.types.is_signed_integer(kind):
        return IntKeyIndex()
    return TextKeyIndex() if pa.types.is_string(kind) else None


def key_column(keys: Columns, index: KeyIndex) -> Any:
    """The keys as their index wants them; None if they are others than before."""
    if not isinstance(keys.shape, ScalarShape):
        return None
    column = keys.fields[0]
    if isinstance(column, np.ndarray):
        return column if isinstance(index, IntKeyIndex) and column.dtype == np.int64 else None
    if column.null_count:
        return None
    if isinstance(index, IntKeyIndex):
        return column.to_numpy().astype(np.int64, copy=False) if pa.types.is_signed_integer(column.type) else None
    return column if pa.types.is_string(column.type) else None
