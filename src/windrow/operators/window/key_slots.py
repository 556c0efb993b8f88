"""A number for each key of the elements that windows keep."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from windrow.elements.batch import columns_of
from windrow.operators.window.kept_pane import Longs, Objects
from windrow.state import key_slots

if TYPE_CHECKING:
    from windrow.operators.column_folds.key_index import KeyIndex


class KeySlots:
    """A number for each key, from 0 on: its slot.

    Keys that come as columns have an index, if there is one for their type: then no object is made of each. It goes on
    with keys that come as objects as long as they are of that type; all others are in a dictionary.

    Example:
        >>> slots = KeySlots()
        >>> slots.of(["a", "b", "a"]).tolist(), slots.by_slot
        ([0, 1, 0], ['a', 'b'])
    """

    def __init__(self) -> None:
        self._index: KeyIndex | None = None
        #: Of objects.
        self._numbers = key_slots.KeySlots()
        #: The keys of the index that were asked for, by slot.
        self._listed: list[Any] = []

    def __len__(self) -> int:
        return len(self._numbers) if self._index is None else self._index.count

    @property
    def by_slot(self) -> list[Any]:
        """The keys: of slot 0, of slot 1, ...; the list grows with them."""
        if self._index is None:
            return self._numbers.keys
        known = self._listed
        if len(known) < self._index.count:
            known += self._index.listed(np.arange(len(known), self._index.count))
        return known

    def of(self, keys: Sequence[Any] | Longs | Objects) -> Longs:
        """The slots of keys: columns, objects, or NumPy's numbers; new ones get the next slots."""
        column = self._column(keys)
        if column is not None:
            assert self._index is not None, "it says what a column of keys is"
            return self._index.slots_of(column)
        if self._index is not None:
            for key in self.by_slot:
                self._numbers.slot_of(key)
            self._index = None
        listed = keys.tolist() if isinstance(keys, np.ndarray) else keys
        return np.fromiter(self._numbers.slots_of(listed), np.int64, len(listed))

    def only(self, slots: Longs) -> KeySlots:
        """The keys of ``slots`` alone, which get the slots 0, 1, and so on in this order; it takes this one's place."""
        left = KeySlots()
        if self._index is None:
            known = self._numbers.keys
            left.of([known[slot] for slot in slots.tolist()])
        else:
            self._index.keep(slots)
            left._index = self._index
        return left

    def _column(self, keys: Sequence[Any] | Longs | Objects) -> Any:
        """The keys as the index wants them; None if there is no index for them."""
        columns = None if isinstance(keys, np.ndarray) else columns_of(keys)
        are_numbers = isinstance(keys, np.ndarray) and keys.dtype == np.int64
        if self._index is None and (len(self._numbers) or (columns is None and not are_numbers)):
            return None
        from windrow.elements.shape import LONG  # imports Arrow
        from windrow.operators.column_folds.key_index import IntKeyIndex, key_column, key_index

        if self._index is None:
            self._index = key_index(LONG if columns is None else columns.shape)
        if self._index is None:
            return None
        if columns is not None:
            return key_column(columns, self._index)
        if are_numbers and isinstance(self._index, IntKeyIndex):
            return keys
        return self._index.from_list(keys.tolist() if isinstance(keys, np.ndarray) else keys)
