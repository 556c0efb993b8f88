"""Finds the slots of keys that come as columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from windrow.elements.batch import columns_of
from windrow.operators.column_folds.key_index import KeyIndex, Slots, key_column, key_index
from windrow.state.key_slots import KeySlots

#: So many keys are worth what NumPy is called for.
FEWEST = 64
#: An index of more keys would take as much memory as what is kept of them.
_MOST_KEYS = 1 << 18


class ColumnSlots:
    """The slots of keys, found for a whole column at a time.

    Args:
        slots: Gives keys their slots, in the order in which they come.

    Example:
        >>> from windrow.elements.columns import Columns
        >>> from windrow.elements.shape import LONG
        >>> slots = KeySlots()
        >>> keys = Columns.of(LONG, [np.array([7, 3, 7] * 30)])
        >>> ColumnSlots(slots).slots_of(keys)[:3].tolist(), slots.keys
        ([0, 1, 0], [7, 3])
    """

    def __init__(self, slots: KeySlots) -> None:
        self._slots = slots
        self._index: KeyIndex | None = None
        #: The slots of the keys in the index, by the numbers that they have there.
        self._by_number: Slots = np.empty(0, np.int64)
        self._is_full = False

    def slots_of(self, keys: Sequence[Any]) -> Slots | None:
        """The slots of ``keys``; None if they are rows, few, or of a kind that has no index."""
        columns = columns_of(keys)
        if columns is None or len(columns) < FEWEST or self._is_full:
            return None
        if self._index is None:
            self._index = key_index(columns.shape)
        index = self._index
        column = None if index is None else key_column(columns, index)
        if index is None or column is None:
            return None
        known = index.count
        numbers = index.slots_of(column)
        if index.count > known:
            self._take_up(index, numbers, known)
        found: Slots = self._by_number[numbers]
        if index.count > _MOST_KEYS:
            self._is_full, self._index, self._by_number = True, None, found[:0]
        return found

    def _take_up(self, index: KeyIndex, numbers: Slots, known: int) -> None:
        """Give slots to the keys from the number ``known`` on, in the order in which they come."""
        came = np.flatnonzero(numbers >= known)[::-1]
        first = np.empty(index.count - known, np.int64)
        first[numbers[came] - known] = came  # of several for one key the first one stays, because it is written last
        order = np.argsort(first)
        slot_of = self._slots.slot_of
        slots = np.empty(order.size, np.int64)
        slots[order] = [slot_of(key) for key in index.listed(order + known)]
        self._by_number = np.append(self._by_number, slots)
