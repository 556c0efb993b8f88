"""A batch of columns as arrays, of which each is there once: a field may be the timestamp, the key, or both.

What is done to all elements of a batch (taking some, joining it to others, writing it) is done to arrays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from windrow.elements.arrow_values import values_of
from windrow.elements.columns import Columns
from windrow.elements.fields import concatenated
from windrow.elements.shape import Shape

#: NumPy's numbers, or a column of Arrow that is something else or has nulls.
Array: TypeAlias = "NDArray[Any] | pa.Array"

#: Arrow's numbers that are NumPy's as they are.
_NUMBERS = {
    kind.id: np.dtype(kind.to_pandas_dtype())
    for kind in (
        *(pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64()),
        *(pa.float16(), pa.float32(), pa.float64()),
    )
}


@dataclass(frozen=True)
class Layout:
    """The places of a batch's fields, timestamps and keys among its arrays.

    Args:
        shape: What an element is made of.
        fields: The array of each of its fields.
        timestamps: The array of the timestamps.
        key_shape: What a key is made of; None: keys are no columns, or there are none.
        key_fields: The array of each field of a key.
    """

    shape: Shape
    fields: tuple[int, ...]
    timestamps: int
    key_shape: Shape | None = None
    key_fields: tuple[int, ...] = ()

    def parts(self, arrays: Sequence[Array]) -> Parts:
        """Put the arrays together to elements, timestamps and keys."""
        elements = Columns.of(self.shape, [arrays[field] for field in self.fields])
        keys = None
        if self.key_shape is not None:
            keys = Columns.of(self.key_shape, [arrays[field] for field in self.key_fields])
        return Parts(elements, arrays[self.timestamps], keys)

    def lists(self, arrays: Sequence[Array]) -> tuple[list[Any], list[int], list[Any] | None]:
        """Elements, timestamps and keys as Python has them; fields that are one array, and timestamps, are one list.

        Example:
            >>> from windrow.elements.shape import LONG
            >>> elements, timestamps, keys = Layout(LONG, (0,), 0, LONG, (0,)).lists([np.array([1_000, 2_000])])
            >>> elements, elements is timestamps, elements is keys
            ([1000, 2000], True, True)
        """
        made: dict[int, list[Any]] = {}

        def values(array: Array) -> list[Any]:
            listed = made.get(id(array))
            if listed is None:
                listed = made[id(array)] = values_of(array)
            return listed

        timestamps = values(arrays[self.timestamps])
        count = len(timestamps)
        elements = self.shape.rows_of([arrays[field] for field in self.fields], count, values)
        if self.key_shape is None:
            return elements, timestamps, None
        return elements, timestamps, self.key_shape.rows_of([arrays[field] for field in self.key_fields], count, values)

    def is_like(self, other: Layout) -> bool:
        """Tell whether batches of both layouts can be joined: their elements and keys are of the same shapes."""
        return self.shape == other.shape and self.key_shape == other.key_shape

    def apart(self, arrays: Sequence[Array]) -> Arrays:
        """The same with an array of its own for each field, timestamps and key."""
        count, keys = len(self.fields), len(self.key_fields)
        fields, key_fields = tuple(range(count)), tuple(range(count + 1, count + 1 + keys))
        places = (*self.fields, self.timestamps, *self.key_fields)
        return [arrays[place] for place in places], Layout(self.shape, fields, count, self.key_shape, key_fields)


class Parts(NamedTuple):
    """The parts of a batch: elements with fields, timestamps, and keys, if they are columns."""

    elements: Columns
    timestamps: NDArray[np.int64]
    keys: Columns | None = None

    def arrays(self) -> tuple[list[Array], Layout]:
        """Give the arrays, each once however many parts have it, and which of them is what.

        Example:
            >>> from windrow.elements.shape import LONG
            >>> times = np.array([7, 9])
            >>> arrays, layout = Parts(Columns.of(LONG, [times]), times).arrays()
            >>> arrays, layout.fields, layout.timestamps
            ([array([7, 9])], (0,), 0)
        """
        found = _Arrays()
        shape = self.elements.shape
        fields = tuple([found.add(column) for column in self.elements.fields])
        timestamps = found.add(self.timestamps)
        if self.keys is None:
            return found.arrays, Layout(shape, fields, timestamps)
        key_fields = tuple([found.add(column) for column in self.keys.fields])
        return found.arrays, Layout(shape, fields, timestamps, self.keys.shape, key_fields)


#: The arrays of a batch, and what they are.
Arrays: TypeAlias = tuple[Sequence[Array], Layout]


def joined(batches: Sequence[Arrays]) -> Arrays:
    """Batches that are alike (:meth:`Layout.is_like`), one behind the other."""
    layout = batches[0][1]
    if any(other != layout for _, other in batches):  # what is one array here are two there
        batches = [other.apart(arrays) for arrays, other in batches]
        layout = batches[0][1]
    return [concatenated(arrays) for arrays in zip(*(arrays for arrays, _ in batches), strict=True)], layout


class _Arrays:
    def __init__(self) -> None:
        self.arrays: list[Array] = []
        self._places: dict[tuple[Any, ...], int] = {}

    def add(self, array: Array) -> int:
        """The place of an array."""
        # An array of one type and length at the same place is the same one; of no length there may be several.
        if isinstance(array, pa.Array):
            kind = _NUMBERS.get(array.type.id)
            if kind is None or array.null_count:
                self.arrays.append(array)
                return len(self.arrays) - 1
            place = (_address(array) + array.offset * kind.itemsize, kind, None, len(array))
        else:
            where = array.__array_interface__
            place = (where["data"][0], array.dtype, where["strides"], array.size)
        number = self._places.setdefault(place, len(self.arrays))
        if number == len(self.arrays):
            self.arrays.append(array.to_numpy() if isinstance(array, pa.Array) else array)
        return number


def _address(array: pa.Array) -> int:
    numbers = array.buffers()[1]
    return 0 if numbers is None else int(numbers.address)  # none, where there are no numbers
