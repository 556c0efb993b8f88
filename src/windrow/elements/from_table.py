"""Elements from what functions give that ask for tables: whatever Arrow can read as one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from windrow.common.checks import described
from windrow.common.composite_types import RowTypeInfo, TupleTypeInfo
from windrow.common.typeinfo import BasicType, BasicTypeInfo, PickledBytesTypeInfo, TypeInformation
from windrow.elements.columns import Columns
from windrow.elements.shape import RowShape, ScalarShape, Shape, TupleShape
from windrow.errors import ElementError

#: Arrow's types whose values are Python's int, float and str: functions on columns know one of each.
_PLAIN: tuple[tuple[Any, pa.DataType], ...] = (
    (pa.types.is_integer, pa.int64()),
    (pa.types.is_floating, pa.float64()),
    (pa.types.is_large_string, pa.string()),
    (pa.types.is_string_view, pa.string()),
)
_BASIC = {
    BasicType.BYTE: pa.int64(),
    BasicType.SHORT: pa.int64(),
    BasicType.INT: pa.int64(),
    BasicType.LONG: pa.int64(),
    BasicType.DOUBLE: pa.float64(),
    BasicType.STRING: pa.string(),
    BasicType.BOOLEAN: pa.bool_(),
}


def is_table(result: Any) -> bool:
    """Tell whether a result has columns, so that it is many elements.

    A ``pyarrow.Table`` or ``RecordBatch``, what gives one by Arrow's interface (a frame of pandas or Polars, say), or
    a dict of a column for each name.
    """
    return isinstance(result, dict) or hasattr(result, "__arrow_c_stream__") or hasattr(result, "__arrow_c_array__")


def as_table(result: Any) -> pa.Table:
    """Read what a function has given as a table.

    A DataFrame's index is left out. Arrays of NumPy are copied: who made them may write into them again.

    Raises:
        ElementError: it is none.

    Example:
        >>> as_table({"n": np.array([1, 2])}).to_pydict()
        {'n': [1, 2]}
    """
    if isinstance(result, pa.Table):
        return result
    try:
        if isinstance(result, Mapping):
            return pa.table({name: _array(values) for name, values in result.items()})
        if type(result).__module__.partition(".")[0] == "pandas" and hasattr(result, "columns"):
            return pa.Table.from_pandas(result.copy(), preserve_index=False)
        if is_table(result) and not isinstance(result, pa.Array | pa.ChunkedArray):
            return pa.table(result)
    except (pa.ArrowException, TypeError, ValueError) as error:
        msg = f"what the function returned cannot be read as a table: {error}; it returned {described(result)}"
        raise ElementError(msg) from None
    msg = (
        "the function must return a table: a pyarrow.Table, a frame of pandas or Polars, or a dict of columns by name "
        f"such as {{'f0': column}}; it returned {described(result)}"
    )
    raise ElementError(msg)


def columns_from_table(table: pa.Table, declared: TypeInformation | None = None) -> Columns:
    """The rows of a table as elements.

    Args:
        table: The table.
        declared: The type that elements are made of: a Row's fields are found by name, a tuple's by position, any
            other type is that of the one column. None, or any Python object: Rows with the names of the columns.

    Raises:
        ElementError: the table has other columns.

    Example:
        >>> from windrow.common import Types
        >>> table = pa.table({"n": [1, 2], "s": ["a", "b"]})
        >>> list(columns_from_table(table))
        [Row(n=1, s='a'), Row(n=2, s='b')]
        >>> list(columns_from_table(table, Types.TUPLE([Types.LONG(), Types.STRING()])))
        [(1, 'a'), (2, 'b')]
    """
    names = table.column_names
    if len(set(names)) < len(names):
        msg = f"the columns of a table that a function returns must have different names; they are {names}"
        raise ElementError(msg)
    if not names and table.num_rows:
        msg = f"the function must return a table with columns; it returned one of {table.num_rows} rows without any"
        raise ElementError(msg)
    if isinstance(declared, RowTypeInfo):
        expected = declared.get_field_names()
        if set(expected) != set(names):
            msg = f"the output type has the columns {expected}; the function returned a table of {names}"
            raise ElementError(msg)
        table = table.select(expected)
    arrays = [_plain(column.combine_chunks()) for column in table.columns]
    shape = _shape(declared, [array.type for array in arrays], table.column_names)
    return Columns(pa.RecordBatch.from_arrays(arrays, schema=shape.schema), shape)


def declared_shape(declared: TypeInformation) -> Shape | None:
    """The shape of elements of a declared type, where it says so before there are any."""
    if isinstance(declared, RowTypeInfo | TupleTypeInfo):
        fields = declared.get_field_types()
        names = declared.get_field_names() if isinstance(declared, RowTypeInfo) else [""] * len(fields)
    elif isinstance(declared, PickledBytesTypeInfo):
        return None
    else:
        fields, names = [declared], [""]
    types = [_BASIC.get(field.basic_type) if isinstance(field, BasicTypeInfo) else None for field in fields]
    known = [kind for kind in types if kind is not None]
    return _shape(declared, known, names) if len(known) == len(types) else None


def _shape(declared: TypeInformation | None, types: list[pa.DataType], names: list[str]) -> Shape:
    kinds = tuple(types)
    if isinstance(declared, TupleTypeInfo):
        if len(kinds) != len(declared.get_field_types()):
            fields = len(declared.get_field_types())
            msg = f"the output type is a tuple of {fields} fields; the function returned a table of {names}"
            raise ElementError(msg)
        return TupleShape(kinds)
    if declared is None or isinstance(declared, RowTypeInfo | PickledBytesTypeInfo):
        return RowShape(kinds, field_names=tuple(names))
    if len(kinds) != 1:
        msg = f"the output type {declared} is that of one column; the function returned a table of {names}"
        raise ElementError(msg)
    return ScalarShape(kinds)


def _array(values: Any) -> Any:
    return pa.array(values.copy()) if isinstance(values, np.ndarray) else values


def _plain(column: pa.Array) -> pa.Array:
    """The same values in Arrow's types that functions on columns know, and that Python has."""
    if isinstance(column, pa.ChunkedArray):  # what older versions of Arrow give
        column = pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type)
    kind = column.type
    if pa.types.is_dictionary(kind):
        return _plain(column.cast(kind.value_type))
    plain = next((plain for is_kind, plain in _PLAIN if is_kind(kind)), kind)
    if pa.types.is_timestamp(kind) and kind.unit == "ns":
        plain = pa.timestamp("us", kind.tz)
    elif pa.types.is_duration(kind) and kind.unit == "ns":
        plain = pa.duration("us")
    try:
        return column if kind == plain else column.cast(plain)
    except pa.ArrowInvalid:  # beyond 64 bits, or with nanoseconds
        return column
