"""Types as they are written in SQL."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from windrow.sql.errors import nearest, sql_error
from windrow.table import data_types as t
from windrow.table.data_types import LONGEST, DataType, RowField

_PLAIN: dict[str, Callable[[], DataType]] = {
    "BOOLEAN": t.BooleanType,
    "TINYINT": t.TinyIntType,
    "SMALLINT": t.SmallIntType,
    "INT": t.IntType,
    "INTEGER": t.IntType,
    "BIGINT": t.BigIntType,
    "FLOAT": t.FloatType,
    "DOUBLE": t.DoubleType,
    "DATE": t.DateType,
    "STRING": lambda: t.VarCharType(LONGEST),
    "BYTES": lambda: t.VarBinaryType(LONGEST),
}
_SIZED: dict[str, tuple[Any, int]] = {
    "CHAR": (t.CharType, 1),
    "VARCHAR": (t.VarCharType, 1),
    "BINARY": (t.BinaryType, 1),
    "VARBINARY": (t.VarBinaryType, 1),
    "TIME": (t.TimeType, 0),
    "TIMESTAMP": (t.TimestampType, 6),
    "TIMESTAMP_LTZ": (t.LocalZonedTimestampType, 6),
}
#: Python's times, and Arrow's of microseconds, have no finer ones.
_FINEST = 6


def type_of(node: Any, text: str) -> DataType:
    """The type that a part of a statement names.

    Raises:
        SqlError: there is no such type.
    """
    made = _type_of(node, text)
    return made.not_null() if node.args.get("not_null") else made


def _type_of(node: Any, text: str) -> DataType:
    name, arguments = str(node.this), node.expressions
    if name in _PLAIN:
        return _PLAIN[name]()
    if name in _SIZED:
        make, usual = _SIZED[name]
        size = int(arguments[0].this) if arguments else usual
        if name.startswith("TIMESTAMP") and size > _FINEST:
            message = f"{name}({size}): times have microseconds at most here; declare {name}({_FINEST})"
            raise sql_error(text, node, message)
        kind: DataType = make(size)
        return kind
    if name in ("DECIMAL", "DEC", "NUMERIC"):
        numbers = [int(each.this) for each in arguments]
        return t.DecimalType(numbers[0] if numbers else 10, numbers[1] if len(numbers) > 1 else 0)
    if name == "ARRAY":
        return t.ArrayType(type_of(arguments[0], text))
    if name == "MAP":
        return t.MapType(type_of(arguments[0], text), type_of(arguments[1], text))
    if name == "MULTISET":
        return t.MultisetType(type_of(arguments[0], text))
    if name == "ROW":
        return t.RowType([RowField(each.expressions[0].name, type_of(each.expressions[1], text)) for each in arguments])
    known = [*_PLAIN, *_SIZED, "DECIMAL", "ARRAY", "MAP", "MULTISET", "ROW"]
    raise sql_error(text, node, f"there is no type {name}: {nearest(name, known)}")
