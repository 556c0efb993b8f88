"""Columns as few bytes: what moves between workers is written, copied and read several times on its way.

Each array of a batch is written once (``elements/arrays.py``), whole numbers in as many bytes as their range takes,
and all of them as one record batch of Arrow.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from windrow.elements.arrays import Array, Layout
from windrow.elements.batch import Batch

_LONG = np.dtype(np.int64)
#: Types of numbers that are not negative, each with the greatest one.
_NARROW = ((np.dtype(np.uint8), 2**8 - 1), (np.dtype(np.uint16), 2**16 - 1), (np.dtype(np.uint32), 2**32 - 1))


class Packed(NamedTuple):
    """A batch of columns on its way.

    Args:
        layout: Which array is what.
        types: Arrow's type of each array as it is written.
        bases: What is added to each number of an array; None: they are written as they are.
        data: The arrays, as Arrow writes a record batch.
        keys: The keys, where they are no columns.
    """

    layout: Layout
    types: tuple[pa.DataType, ...]
    bases: tuple[int | None, ...]
    data: bytes
    keys: Sequence[Any] | None

    def batch(self) -> Batch:
        """The batch that was packed."""
        schema = pa.schema([(str(number), kind) for number, kind in enumerate(self.types)])
        written = pa.ipc.read_record_batch(pa.py_buffer(self.data), schema)
        arrays = [_widened(column, base) for column, base in zip(written.columns, self.bases, strict=True)]
        return Batch.of_arrays(arrays, self.layout, self.keys)


def packed(batch: Batch) -> Packed | None:
    """The batch on its way; None if its elements are rows.

    Example:
        >>> from windrow.elements.columns import Columns
        >>> from windrow.elements.shape import LONG
        >>> times = np.array([1_700_000_000_123, 1_700_000_000_007])
        >>> way = packed(Batch(Columns.of(LONG, [times]), times))
        >>> way.types, way.bases
        ((DataType(uint8),), (1700000000007,))
        >>> list(way.batch().elements)
        [1700000000123, 1700000000007]
    """
    found = batch.arrays()
    if found is None:
        return None
    arrays, layout = found
    pairs = [_narrowed(array) for array in arrays]
    columns = [column for column, _ in pairs]
    written = pa.RecordBatch.from_arrays(columns, names=[str(number) for number in range(len(columns))])
    keys = batch.keys if layout.key_shape is None else None
    types = tuple([column.type for column in columns])
    return Packed(layout, types, tuple([base for _, base in pairs]), written.serialize().to_pybytes(), keys)


def _narrowed(array: Array) -> tuple[pa.Array, int | None]:
    """An array as it is written, with what was taken from its numbers."""
    if isinstance(array, pa.Array):
        return array, None
    if array.dtype != _LONG or not array.size:
        return pa.array(array), None
    least = int(array.min())
    span = int(array.max()) - least
    if span == 0:
        return pa.nulls(array.size), least
    for kind, greatest in _NARROW:
        if span <= greatest:
            # Negative numbers wrap around to what they are above the least one.
            return pa.array((array - least).astype(kind) if least else array.astype(kind)), least
    return pa.array(array), None


def _widened(column: pa.Array, base: int | None) -> Array:
    if base is None:
        return column
    if pa.types.is_null(column.type):
        return np.full(len(column), base, _LONG)
    numbers: NDArray[np.int64] = column.to_numpy().astype(_LONG)
    if base:
        numbers += base
    return numbers
