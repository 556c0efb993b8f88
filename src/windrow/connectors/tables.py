"""The elements of what a program already has: lists, arrays, and the rows of tables of pandas, Polars and Arrow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from windrow.common.composite_types import RowTypeInfo, TupleTypeInfo
from windrow.common.typeinfo import TypeInformation, Types
from windrow.common.types import Row
from windrow.elements.named_rows import named_rows
from windrow.errors import ConfigurationTypeError, shorten

if TYPE_CHECKING:
    import pyarrow as pa


def elements_of(collection: Any) -> tuple[list[Any], TypeInformation | None]:
    """The elements of a collection in a list of their own, and their type where the collection says it.

    Raises:
        ConfigurationTypeError: it is no collection of elements.

    Example:
        >>> import pyarrow as pa
        >>> elements_of(pa.table({"n": [1, 2]}))
        ([Row(n=1), Row(n=2)], RowTypeInfo(n: Long))
    """
    if isinstance(collection, list | tuple):
        return list(collection), None
    if _is_table(collection):
        return _rows(arrow_table(collection))
    if hasattr(collection, "isStreaming") or hasattr(collection, "to_spark"):
        raise _refused(collection, "env.from_dataframe takes a Spark DataFrame (of pandas on Spark: its to_spark())")
    if hasattr(collection, "columns"):
        raise _refused(collection, "make a pandas or Arrow table of it, or a list of rows; of Spark: from_dataframe")
    if isinstance(collection, Mapping):
        raise _refused(collection, "its elements would be its keys: give list(d.items()), list(d), or [d]")
    if isinstance(collection, str | bytes | bytearray) or not isinstance(collection, Iterable):
        raise _refused(collection, "give a list of elements")
    if type(collection).__module__ == "numpy":
        return _of_array(collection), None
    if hasattr(collection, "to_pylist"):  # an array of Arrow
        return collection.to_pylist(), None
    return list(collection), None


def rows_for(elements: list[Any], declared: TypeInformation) -> list[Any]:
    """Rows as what a declared type is made from: a tuple type has no names."""
    return [tuple(row) for row in elements] if isinstance(declared, TupleTypeInfo) else elements


def _refused(collection: Any, remedy: str) -> ConfigurationTypeError:
    given = f"{shorten(collection)} ({type(collection).__name__})"
    return ConfigurationTypeError(f"from_collection takes a list of elements; got {given}: {remedy}")


def _is_table(collection: Any) -> bool:
    """Tell whether it has named columns, and gives them in Arrow's way."""
    is_arrow = hasattr(collection, "__arrow_c_stream__") or hasattr(collection, "__arrow_c_array__")
    return is_arrow and (hasattr(collection, "columns") or hasattr(collection, "schema"))


def arrow_table(collection: Any) -> pa.Table:
    """A frame or table with named columns as a table of Arrow, without an index."""
    import pyarrow as pa

    if type(collection).__module__.partition(".")[0] == "pandas":
        return pa.Table.from_pandas(collection, preserve_index=False)
    return pa.table(collection)


def _rows(table: pa.Table) -> tuple[list[Row], TypeInformation]:
    from windrow.elements.arrow_values import values_of

    names = [str(name) for name in table.schema.names]
    rows: list[Row] = []
    for batch in table.to_batches():
        columns: Sequence[Sequence[Any]] = [values_of(column) for column in batch.columns]
        rows += named_rows(names, columns) if columns else [Row() for _ in range(batch.num_rows)]
    return rows, RowTypeInfo([_type(each) for each in table.schema.types], names)


def _type(arrow_type: pa.DataType) -> TypeInformation:
    import pyarrow as pa

    types: dict[pa.DataType, TypeInformation] = {
        pa.int8(): Types.BYTE(),
        pa.int16(): Types.SHORT(),
        pa.int32(): Types.INT(),
        pa.int64(): Types.LONG(),
        pa.float32(): Types.FLOAT(),
        pa.float64(): Types.DOUBLE(),
        pa.bool_(): Types.BOOLEAN(),
        pa.string(): Types.STRING(),
        pa.large_string(): Types.STRING(),
        pa.date32(): Types.SQL_DATE(),
    }
    return types.get(arrow_type) or Types.PICKLED_BYTE_ARRAY()


def _of_array(array: Any) -> list[Any]:
    """Python's own values: of an array of two dimensions lists, of one with named fields tuples."""
    if not getattr(array, "ndim", 0):
        raise _refused(array, "it is one value, not a list of them")
    listed: list[Any] = array.tolist()
    return listed
