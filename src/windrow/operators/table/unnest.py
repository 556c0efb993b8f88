"""Arrays, maps and multisets as rows (``UNNEST``)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from windrow.operators.table.correlate import Longs, MadeRows
from windrow.table import data_types as t
from windrow.table.data_types import DataType

if TYPE_CHECKING:
    import pyarrow as pa


class Unnested(MadeRows):
    """The elements of an array or multiset, the fields of an array of rows, or the keys and values of a map.

    Args:
        kind: The type of the array, map or multiset.
        types: The types of the columns that it makes.
        numbered: Whether the last of them is the number of the element, counted from 1.
    """

    def __init__(self, kind: DataType, types: Sequence[DataType], *, numbered: bool) -> None:
        super().__init__(types)
        self._is_map = isinstance(kind, t.MapType)
        self._counts = isinstance(kind, t.MultisetType)
        self._of_rows = isinstance(kind, t.ArrayType) and isinstance(kind.element_type, t.RowType)
        self._numbered = numbered

    def of(self, arguments: Sequence[pa.Array], count: int) -> tuple[Longs, list[pa.Array]]:
        import pyarrow as pa

        (collections,) = arguments
        offsets = np.asarray(collections.offsets, np.int64)
        lengths = np.diff(offsets)
        lengths[np.asarray(collections.is_null())] = 0
        inside = _within(lengths)
        places = pa.array(np.repeat(offsets[:-1], lengths) + inside)
        rows = np.repeat(np.arange(count), lengths)
        if self._counts:
            often = np.asarray(collections.items.take(places), np.int64)
            rows, places = np.repeat(rows, often), pa.array(np.repeat(np.asarray(places), often))
            columns = [collections.keys.take(places)]
            inside = _within(np.bincount(rows, minlength=count))
        elif self._is_map:
            columns = [collections.keys.take(places), collections.items.take(places)]
        else:
            values = collections.values.take(places)
            columns = values.flatten() if self._of_rows else [values]
        if self._numbered:
            columns = [*columns, pa.array(inside + 1, pa.int32())]
        return rows, columns


def _within(lengths: Longs) -> Longs:
    """The number of each element within its collection, counted from 0, of collections of these lengths."""
    return np.arange(int(lengths.sum())) - np.repeat(np.cumsum(lengths) - lengths, lengths)
