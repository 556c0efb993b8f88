"""The types of SQL for columns of Arrow, as PyFlink takes those of pandas."""

from __future__ import annotations

import pyarrow as pa

from windrow.expressions import logical_types as lt
from windrow.expressions.logical_types import arrow_of
from windrow.table import data_types as t
from windrow.table.data_types import DataType, RowField

_PLAIN: dict[pa.DataType, DataType] = {
    pa.bool_(): lt.BOOLEAN,
    pa.int8(): t.TinyIntType(),
    pa.int16(): t.SmallIntType(),
    pa.int32(): lt.INT,
    pa.int64(): lt.BIGINT,
    pa.float32(): t.FloatType(),
    pa.float64(): lt.DOUBLE,
    pa.string(): lt.STRING,
    pa.large_string(): lt.STRING,
    pa.binary(): lt.BYTES,
    pa.large_binary(): lt.BYTES,
    pa.date32(): lt.DATE,
    pa.date64(): lt.DATE,
}
#: Digits of a second by unit; of nanoseconds, which pandas takes by default, microseconds are kept.
_DIGITS = {"s": 0, "ms": 3, "us": 6, "ns": 6}


def type_of_arrow(kind: pa.DataType) -> DataType | None:
    """The type for values of one of Arrow's; None: there is none.

    Example:
        >>> type_of_arrow(pa.timestamp("ms", "Europe/Berlin"))
        LocalZonedTimestampType(3, true)
    """
    found = _PLAIN.get(kind)
    if found is not None:
        return found
    if pa.types.is_dictionary(kind):
        return type_of_arrow(kind.value_type)
    if pa.types.is_timestamp(kind):
        digits = _DIGITS[kind.unit]
        return t.TimestampType(digits) if kind.tz is None else t.LocalZonedTimestampType(digits)
    if pa.types.is_time(kind):
        return t.TimeType(min(_DIGITS[kind.unit], 3))
    if pa.types.is_decimal128(kind) and 0 <= kind.scale <= kind.precision:
        return t.DecimalType(kind.precision, kind.scale)
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        element = type_of_arrow(kind.value_type)
        return None if element is None else t.ArrayType(element)
    if pa.types.is_struct(kind):
        fields = [(field.name, type_of_arrow(field.type)) for field in kind]
        known = [RowField(name, each) for name, each in fields if each is not None]
        return t.RowType(known) if len(known) == len(fields) else None
    return None


def as_of_sql(table: pa.Table) -> tuple[pa.Table, list[DataType] | None]:
    """A table with its columns in the forms that SQL has, and their types; None: one of them has none there.

    Example:
        >>> as_of_sql(pa.table({"t": pa.array([1_500], pa.timestamp("ns"))}))[0].column("t").to_pylist()
        [datetime.datetime(1970, 1, 1, 0, 0, 0, 1)]
    """
    found = [type_of_arrow(kind) for kind in table.schema.types]
    kinds = [kind for kind in found if kind is not None]
    if len(kinds) < len(found):
        return table, None
    columns = [column.cast(arrow_of(kind), safe=False) for column, kind in zip(table.columns, kinds, strict=True)]
    return pa.table(columns, names=table.column_names), kinds
