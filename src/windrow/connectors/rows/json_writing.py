"""Rows as JSON texts, written as Flink's ``JsonRowSerializationSchema`` writes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from windrow.common.basic_types import (
    BasicType,
    BasicTypeInfo,
    LocalTimeTypeInfo,
    TimestampTypeInfo,
    TimeTypeInfo,
    TypeInformation,
)
from windrow.common.composite_types import (
    ListTypeInfo,
    MapTypeInfo,
    ObjectArrayTypeInfo,
    PrimitiveArrayTypeInfo,
    RowTypeInfo,
)
from windrow.common.json_texts import array_writer, map_writer, number_writer, object_writer, or_null, quoted
from windrow.common.parse_text import is_bytes
from windrow.connectors.rows.errors import FieldError
from windrow.connectors.rows.show_text import Show, show_time, show_timestamp, to_text

#: Shown as numbers, if they are finite.
_NUMBERS: Final = frozenset({BasicType.FLOAT, BasicType.DOUBLE, BasicType.BIG_DEC})

#: Shown as they are.
_PLAIN: Final = frozenset(
    {BasicType.BOOLEAN, BasicType.BYTE, BasicType.SHORT, BasicType.INT, BasicType.LONG, BasicType.BIG_INT}
)


def json_writer(name: str, type_info: TypeInformation) -> Show:
    """Make the function that gives JSON for a value of the type or None.

    Numbers are Java's (``1.0E10``; NaN and infinities are texts, as JSON has none), decimals have all their digits,
    dates and times are in UTC with a ``Z``, bytes are in Base64, a row is an object with all its fields.

    Args:
        name: The field's name, for errors.
        type_info: What values are.

    Raises:
        FieldError: there is no JSON for the type.

    Example:
        >>> from windrow.common.typeinfo import Types
        >>> json_writer("prices", Types.MAP(Types.STRING(), Types.DOUBLE()))({"a": 1.0, "b": None})
        '{"a":1.0,"b":null}'
    """
    return or_null(_writer(name, type_info))


def row_writer(type_info: RowTypeInfo) -> Show:
    """Make the function that gives a JSON object for a row of the type."""
    names, types = type_info.get_field_names(), type_info.get_field_types()
    return object_writer(names, [json_writer(name, kind) for name, kind in zip(names, types, strict=True)])


def _writer(name: str, type_info: TypeInformation) -> Show:
    match type_info:
        case RowTypeInfo():
            return row_writer(type_info)
        case MapTypeInfo():
            return map_writer(_show_of(name, type_info.key_type_info), json_writer(name, type_info.value_type_info))
        case PrimitiveArrayTypeInfo() if is_bytes(type_info):
            return _text_writer(name, type_info)
        case ListTypeInfo() | ObjectArrayTypeInfo() | PrimitiveArrayTypeInfo():
            return array_writer(json_writer(name, type_info.elem_type))
        case TimeTypeInfo() | LocalTimeTypeInfo(_time_type=LocalTimeTypeInfo.TimeType.LOCAL_TIME):
            return lambda value: f'"{show_time(value)}Z"'
        case TimestampTypeInfo() | LocalTimeTypeInfo(_time_type=LocalTimeTypeInfo.TimeType.LOCAL_DATE_TIME):
            return lambda value: f'"{show_timestamp(value, "T")}Z"'
        case BasicTypeInfo() if type_info.basic_type in _PLAIN:
            return _show_of(name, type_info)
        case BasicTypeInfo() if type_info.basic_type in _NUMBERS:
            return number_writer(_show_of(name, type_info))
    return _text_writer(name, type_info)


def _text_writer(name: str, type_info: TypeInformation) -> Show:
    show = _show_of(name, type_info)
    return lambda value: quoted(show(value))


def _show_of(name: str, type_info: TypeInformation) -> Callable[[Any], str]:
    show = to_text(type_info)
    if show is None:
        reason = f"there is no JSON for {type_info!r}"
        raise FieldError(name, reason)
    return show
