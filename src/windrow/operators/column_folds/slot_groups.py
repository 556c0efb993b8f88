"""The key groups of keys that have slots, and keys as the pages of columns hold them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from windrow.operators.column_folds.field_fold import Longs
from windrow.operators.column_folds.key_index import KeyIndex, TextKeyIndex
from windrow.state.kept_columns import Groups, KeptColumns


class SlotGroups:
    """The key groups of slots, computed once for each key."""

    def __init__(self) -> None:
        self._groups = np.zeros(0, np.int32)
        self._order = np.zeros(0, np.int64)

    def forget(self) -> None:
        """Slots are other keys' now."""
        self._groups = self._groups[:0]

    def of(self, keys: KeyIndex, columns: KeptColumns) -> tuple[Groups, Longs]:
        """The key group of each slot, and the slots by their key groups."""
        known = self._groups.size
        if keys.count > known:
            new = columns.groups_of(keys.column(np.arange(known, keys.count)))
            self._groups = np.concatenate((self._groups, new))
            self._order = np.argsort(self._groups.astype(np.uint16), kind="stable")
        return self._groups, self._order


def key_array(keys: KeyIndex, slots: Longs) -> Any:
    """The keys of slots, as an array."""
    if isinstance(keys, TextKeyIndex):
        return np.fromiter(keys.listed(slots), object, slots.size)
    return keys.column(slots)


def slots_of_array(keys: KeyIndex, array: Any) -> Longs:
    """The slots of keys that :func:`key_array` has given; new keys get new ones."""
    return keys.slots_of(pa.array(array, pa.string()) if isinstance(keys, TextKeyIndex) else array)
