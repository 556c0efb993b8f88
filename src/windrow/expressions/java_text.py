"""Values as Java shows them: ``toString`` of the objects that Flink hands to programs."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

from windrow.common.types import RowKind
from windrow.expressions.logical_types import is_binary
from windrow.expressions.text import array_text, date_text, java_double, map_text
from windrow.table import data_types as t
from windrow.table.data_types import DataType

#: What comes between the digits of a second: Java writes three, six or nine of them.
_GROUP = 3


def java_text(kind: DataType) -> Callable[[Any], str]:
    r"""Give what makes the text of a value of a type; NULL is ``null`` (Flink's ``RowUtils.deepToStringRow``).

    Where CAST to text has the form of SQL, this is that of Java: ``2020-01-01T08:10``, ``true``, bytes as numbers.

    Example:
        >>> java_text(t.TimestampType(3))(dt.datetime(2020, 1, 1, 8, 10)), java_text(t.BooleanType())(True)
        ('2020-01-01T08:10', 'true')
        >>> java_text(t.VarBinaryType(9))(b"a\xff"), java_text(t.ArrayType(t.DoubleType()))([1e10, None])
        ('[97, -1]', '[1.0E10, null]')
    """
    write = _not_null(kind)
    return lambda value: "null" if value is None else write(value)


def _not_null(kind: DataType) -> Callable[[Any], str]:
    match kind:
        case t.BooleanType():
            return lambda value: "true" if value else "false"
        case t.FloatType():
            return lambda value: java_double(value, single=True)
        case t.DoubleType():
            return java_double
        case t.TimeType():
            return _time
        case t.TimestampType():
            return lambda value: f"{date_text(value)}T{_time(value)}"
        case t.DateType():
            return date_text
        case t.LocalZonedTimestampType():
            return _instant
        case t.ArrayType():
            return array_text(java_text(kind.element_type))
        case t.MapType():
            return map_text(java_text(kind.key_type), java_text(kind.value_type))
        case t.RowType():
            fields = [(field.name, java_text(field.data_type)) for field in kind.fields]
            return lambda row: f"{RowKind.INSERT}[{', '.join([write(row[name]) for name, write in fields])}]"
    # A decimal number is what BigDecimal.toString gives, which Python's own text of one is.
    return _bytes if is_binary(kind) else str


def _bytes(value: bytes) -> str:
    return f"[{', '.join([str(byte - 256 if byte > 127 else byte) for byte in value])}]"


def _time(value: dt.time | dt.datetime) -> str:
    """``LocalTime.toString``: without seconds where they are zero."""
    text = f"{value.hour:02d}:{value.minute:02d}"
    return f"{text}:{value.second:02d}{_fraction(value)}" if value.second or value.microsecond else text


def _instant(value: dt.datetime) -> str:
    """``Instant.toString``: in UTC, always with seconds."""
    moment = value.astimezone(dt.UTC)
    return f"{date_text(moment)}T{moment.hour:02d}:{moment.minute:02d}:{moment.second:02d}{_fraction(moment)}Z"


def _fraction(value: dt.time | dt.datetime) -> str:
    digits = f"{value.microsecond:06d}"
    while digits.endswith("0" * _GROUP):
        digits = digits[:-_GROUP]
    return f".{digits}" if digits else ""
