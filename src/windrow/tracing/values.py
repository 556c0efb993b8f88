"""Columns of values while they are computed with: NumPy's numbers and Arrow's text, integers with their bounds."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from windrow.tracing.expressions import Kind
from windrow.tracing.outcome import NotExact
from windrow.tracing.ranges import Range, enclosing

#: A column that comes in or goes out: of Arrow, or of NumPy where it holds numbers that are all there.
Column: TypeAlias = "pa.Array | NDArray[Any]"


class Ints:
    """A column of integers, or one integer for all rows.

    Args:
        data: An int64 array, or a Python integer.
        bounds: Between which bounds the values lie; None: it is looked up when somebody asks.
    """

    __slots__ = ("data", "known_bounds")

    def __init__(self, data: Any, bounds: Range | None = None) -> None:
        self.data = data
        #: Bounds, if they are known without looking at the values.
        self.known_bounds = Range(data, data) if bounds is None and isinstance(data, int) else bounds

    @property
    def bounds(self) -> Range:
        """Bounds; where none are known, powers of two around the least and the greatest value.

        They are so the same for one batch after the other, and what follows from them is remembered.
        """
        found = self.known_bounds
        if found is None:
            found = self.known_bounds = enclosing(int(self.data.min()), int(self.data.max()))
        return found

    def tight_bounds(self) -> Range:
        """The least and the greatest value."""
        if isinstance(self.data, int):
            return Range(self.data, self.data)
        return Range(int(self.data.min()), int(self.data.max()))


def loaded(column: Column, kind: Kind) -> Any:
    """A column as what kernels of its kind take.

    Raises:
        NotExact: some values are null, or are integers of 64 bits without sign that are too large.
    """
    if isinstance(column, np.ndarray):
        return Ints(column.astype(np.int64, copy=False)) if kind is Kind.INT else column
    if column.null_count:
        msg = "some values are null"
        raise NotExact(msg)
    match kind:
        case Kind.INT:
            numbers = column.to_numpy()
            whole = numbers.astype(np.int64, copy=False)
            if numbers.dtype == np.uint64 and (whole < 0).any():
                msg = "an integer has more than 64 bits"
                raise NotExact(msg)
            return Ints(whole)
        case Kind.FLOAT:
            return column.to_numpy().astype(np.float64, copy=False)
        case Kind.BOOL:
            return column.to_numpy(zero_copy_only=False)
    return column if column.type == pa.string() else column.cast(pa.string())


def taken(value: Any, indexes: NDArray[np.int64]) -> Any:
    """The values at some rows."""
    if isinstance(value, Ints):
        return value if isinstance(value.data, int) else Ints(value.data.take(indexes), value.known_bounds)
    if isinstance(value, np.ndarray):
        return value.take(indexes)
    return value.take(pa.array(indexes)) if isinstance(value, pa.Array) else value


def spread(value: Any, kind: Kind, length: int) -> Column:
    """A column of a computed value, also where it is one for all rows."""
    data = value.data if isinstance(value, Ints) else value
    if isinstance(data, np.ndarray | pa.Array):
        return data
    if kind is Kind.STR:
        return pa.repeat(pa.scalar(data, pa.string()), length)
    return np.full(length, data, _DTYPES[kind])


def interleaved(first: Column, first_rows: NDArray[np.int64], second: Column, second_rows: NDArray[np.int64]) -> Column:
    """One column of two that each hold the values of some rows."""
    length = len(first) + len(second)
    if isinstance(first, np.ndarray) and isinstance(second, np.ndarray):
        numbers = np.empty(length, first.dtype)
        numbers[first_rows] = first
        numbers[second_rows] = second
        return numbers
    order = np.empty(length, np.int64)
    order[first_rows] = np.arange(len(first))
    order[second_rows] = np.arange(len(first), length)
    return pa.concat_arrays([pa.array(first), pa.array(second)]).take(pa.array(order))


_DTYPES = {Kind.INT: np.int64, Kind.FLOAT: np.float64, Kind.BOOL: np.bool_}
