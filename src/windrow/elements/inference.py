"""Rows that are all of one plain form as columns: what they are made of is seen from the rows themselves."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from operator import countOf
from types import NoneType
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from windrow.common.exponential_backoff import ExponentialBackoff
from windrow.common.types import Row, RowKind
from windrow.elements.columns import Columns
from windrow.elements.fields import Field
from windrow.elements.shape import LONG, RowShape, ScalarShape, Shape, TupleShape

#: Only objects of exactly these classes: a subclass's would come back as another class's.
_TYPES: dict[type, pa.DataType] = {int: pa.int64(), float: pa.float64(), str: pa.string(), bool: pa.bool_()}
#: Of fewer rows columns are not worth importing Arrow, and pandas with it.
FEWEST = 256
#: After so many failures in a row one batch in 2^8 is looked at.
_MOST_FAILURES = 8


def columns_from(rows: Sequence[Any]) -> Columns | None:
    """The rows as columns; None where they are not all of one form that comes back from columns as it was.

    Whole numbers of 64 bits, floats, texts and truth values, each with None among them or not; tuples and Rows of these
    with equally many fields. Measured: a third of what pickling and unpickling tuples costs.

    Example:
        >>> columns_from([(1, "a"), (2, None)]).shape
        TupleShape(types=(DataType(int64), DataType(string)), declared=None)
        >>> columns_from([1, "a"]), columns_from([[1], [2]])
        (None, None)
    """
    if not len(rows):
        return None
    kind = type(rows[0])
    if kind is tuple:
        return _of_tuples(rows)
    if kind is Row:
        return _of_rows(rows)
    column = _column(rows)
    if column is None:
        return None
    return Columns.of(LONG if isinstance(column, np.ndarray) else ScalarShape((column.type,)), [column])


class Inferring:
    """Makes columns of batch after batch; where some are of no plain form it looks at ever fewer of those behind them.

    It begins with a batch of some hundred rows, and then makes columns of small ones, too.

    Args:
        takes: Whether columns of a shape serve anybody; None: all do.

    Example:
        >>> inferring = Inferring()
        >>> inferring.of([1, 2]), inferring.of([1] * 1000), inferring.of([1, 2])
        ([1, 2], Columns of 1000 elements, Columns of 2 elements)
    """

    def __init__(self, takes: Callable[[Shape], bool] | None = None) -> None:
        self._takes = takes
        self._taken: dict[Shape, bool] = {}
        self._backoff = ExponentialBackoff(_MOST_FAILURES)

    def of(self, rows: Sequence[Any]) -> Sequence[Any]:
        """The rows as columns, or as they are."""
        if len(rows) < FEWEST and not any(self._taken.values()):
            return rows
        if not self._backoff.is_due():
            return rows
        columns = columns_from(rows)
        serves = columns is not None and self._serves(columns.shape)
        self._backoff.note(success=serves)
        return columns if columns is not None and serves else rows

    def _serves(self, shape: Shape) -> bool:
        if shape not in self._taken:
            self._taken[shape] = self._takes is None or self._takes(shape)
        return self._taken[shape]


def _of_tuples(rows: Sequence[Any]) -> Columns | None:
    if set(map(type, rows)) != {tuple} or len(set(map(len, rows))) != 1:
        return None
    arrays = _arrays(rows, len(rows[0]))
    return None if arrays is None else Columns.of(TupleShape(_types(arrays)), arrays)


def _of_rows(rows: Sequence[Row]) -> Columns | None:
    names = rows[0]._fields
    insert = RowKind.INSERT
    if set(map(type, rows)) != {Row} or not all(row._fields == names and row._row_kind is insert for row in rows):
        return None
    values = [row._values for row in rows]
    if len(set(map(len, values))) != 1 or (names is not None and len(set(names)) != len(values[0])):
        return None
    arrays = _arrays(values, len(values[0]))
    if arrays is None:
        return None
    return Columns.of(RowShape(_types(arrays), field_names=None if names is None else tuple(names)), arrays)


def _types(arrays: Sequence[Field]) -> tuple[pa.DataType, ...]:
    return tuple([pa.int64() if isinstance(array, np.ndarray) else array.type for array in arrays])


def _arrays(rows: Sequence[Any], fields: int) -> list[Field] | None:
    """An array for each field; None if there are no fields, or one is not of a plain type."""
    arrays = []
    for field in range(fields):
        array = _column([row[field] for row in rows])
        if array is None:
            return None
        arrays.append(array)
    return arrays or None


def _column(values: Sequence[Any]) -> Field | None:
    if type(values[0]) is int:
        numbers = _numbers(values)
        if numbers is not None:
            return numbers
    kinds = set(map(type, values))
    try:
        kinds.discard(NoneType)
        kind = _TYPES.get(kinds.pop()) if len(kinds) == 1 else None
        return None if kind is None else pa.array(values, kind)
    except (OverflowError, UnicodeEncodeError, pa.ArrowException):  # more than 64 bits, half of a character
        return None


def _numbers(values: Sequence[Any]) -> NDArray[np.int64] | None:
    """Whole numbers as an array; None if others are among them.

    Counting those of one type takes 13 ns each, and packing them 6, where the set of types took 18, and NumPy 13.
    """
    if countOf(map(type, values), int) < len(values):
        return None
    try:
        return np.frombuffer(struct.pack(f"{len(values)}q", *values), np.int64)
    except struct.error:  # more than 64 bits
        return None
