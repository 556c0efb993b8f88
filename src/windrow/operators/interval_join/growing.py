"""Columns that grow at their end: NumPy's numbers, and Arrow's columns of all else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa

Array: TypeAlias = npt.NDArray[Any]
Longs: TypeAlias = npt.NDArray[np.int64]


class Growing(Protocol):
    """A column of values by their places."""

    @property
    def nbytes(self) -> int:
        """The size in memory, in bytes."""

    def append(self, values: Any) -> None:
        """Put values behind the others."""

    def take(self, places: Longs) -> Any:
        """The values at some places."""

    def keep(self, places: Longs) -> None:
        """Forget all values but those at these places, which become places 0, 1, and so on."""


class Numbers:
    """Numbers, with room for more.

    Example:
        >>> numbers = Numbers(np.dtype(np.int64))
        >>> numbers.append(np.array([5, 7]))
        >>> numbers.append(np.array([9]))
        >>> numbers.keep(np.array([1, 2]))
        >>> numbers.values.tolist(), numbers.take(np.array([1, 0])).tolist()
        ([7, 9], [9, 7])
    """

    def __init__(self, dtype: np.dtype[Any]) -> None:
        self._room = np.empty(1024, dtype)
        self._count = 0

    @property
    def values(self) -> Array:
        """All of them: a view, not a copy."""
        return self._room[: self._count]

    @property
    def nbytes(self) -> int:
        return self._room.nbytes

    def append(self, values: Any) -> None:
        count = self._count + len(values)
        if count > self._room.size:
            larger = np.empty(max(count, 2 * self._room.size), self._room.dtype)
            larger[: self._count] = self.values
            self._room = larger
        self._room[self._count : count] = values
        self._count = count

    def take(self, places: Longs) -> Array:
        return self.values.take(places)

    def keep(self, places: Longs) -> None:
        kept = self.take(places)
        self._count = 0
        self._room = np.empty(max(1024, 2 * kept.size), self._room.dtype)
        self.append(kept)


class Others:
    """A column that is no column of numbers, or has nulls, in parts until somebody takes from it.

    Args:
        kind: Its type.
        parts: What it has already.
    """

    def __init__(self, kind: pa.DataType, parts: Sequence[pa.Array] = ()) -> None:
        self._parts = [*parts, pa.array([], kind)]

    @property
    def nbytes(self) -> int:
        return sum(part.nbytes for part in self._parts)

    def append(self, values: Any) -> None:
        self._parts.append(values)

    def take(self, places: Longs) -> pa.Array:
        if len(self._parts) > 1:
            self._parts = [pa.concat_arrays(self._parts)]
        return self._parts[0].take(pa.array(places))

    def keep(self, places: Longs) -> None:
        self._parts = [self.take(places)]


def growing(kind: pa.DataType) -> Growing:
    """An empty column of an Arrow type."""
    return Numbers(np.dtype(kind.to_pandas_dtype())) if are_numbers(kind) else Others(kind)


def are_numbers(kind: pa.DataType) -> bool:
    """Tell whether a column of the type is held as NumPy's numbers, as long as none of them is null."""
    whole = pa.types.is_integer(kind) and not pa.types.is_uint64(kind)
    return bool(whole or pa.types.is_float32(kind) or pa.types.is_float64(kind))
