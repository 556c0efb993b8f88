"""Rows as JSON texts, written as Flink's ``JsonRowSerializationSchema`` writes them."""

from __future__ import annotations

import json
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
from windrow.connectors.rows.errors import FieldError
from windrow.connectors.rows.parse_text import is_bytes
from windrow.connectors.rows.show_text import Show, show_time, show_timestamp, to_text

#: A text in quotes; the function in C that ``json.dumps`` comes to.
_quoted: Final[Show] = json.encoder.encode_basestring

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
    write = _writer(name, type_info)
    return lambda value: "null" if value is None else write(value)


def row_writer(type_info: RowTypeInfo) -> Show:
    """Make the function that gives a JSON object for a row of the type."""
    names, types = type_info.get_field_names(), type_info.get_field_types()
    writers = list(map(json_writer, names, types))
    entries = ",".join(f"{_quoted(name)}:".replace("%", "%%") + "%s" for name in names)
    template = f"{{{entries}}}"
    return lambda row: template % tuple([write(value) for write, value in zip(writers, row, strict=True)])


def _writer(name: str, type_info: TypeInformation) -> Show:
    match type_info:
        case RowTypeInfo():
            return row_writer(type_info)
        case MapTypeInfo():
            return _map_writer(name, type_info)
        case PrimitiveArrayTypeInfo() if is_bytes(type_info):
            return _text_writer(name, type_info)
        case ListTypeInfo() | ObjectArrayTypeInfo() | PrimitiveArrayTypeInfo():
            write = json_writer(name, type_info.elem_type)
            return lambda values: f"[{','.join([write(value) for value in values])}]"
        case TimeTypeInfo() | LocalTimeTypeInfo(_time_type=LocalTimeTypeInfo.TimeType.LOCAL_TIME):
            return lambda value: f'"{show_time(value)}Z"'
        case TimestampTypeInfo() | LocalTimeTypeInfo(_time_type=LocalTimeTypeInfo.TimeType.LOCAL_DATE_TIME):
            return lambda value: f'"{show_timestamp(value, "T")}Z"'
        case BasicTypeInfo() if type_info.basic_type in _PLAIN:
            return _show_of(name, type_info)
        case BasicTypeInfo() if type_info.basic_type in _NUMBERS:
            return _number_writer(_show_of(name, type_info))
    return _text_writer(name, type_info)


def _map_writer(name: str, type_info: MapTypeInfo) -> Show:
    key = _show_of(name, type_info.key_type_info)
    write = json_writer(name, type_info.value_type_info)

    def write_map(entries: dict[Any, Any]) -> str:
        shown = [f"{_quoted(key(item))}:{write(value)}" for item, value in entries.items()]
        return f"{{{','.join(shown)}}}"

    return write_map


def _text_writer(name: str, type_info: TypeInformation) -> Show:
    show = _show_of(name, type_info)
    return lambda value: _quoted(show(value))


def _number_writer(show: Show) -> Show:
    def write(value: Any) -> str:
        shown = show(value)
        return shown if shown[-1].isdigit() else _quoted(shown)

    return write


def _show_of(name: str, type_info: TypeInformation) -> Callable[[Any], str]:
    show = to_text(type_info)
    if show is None:
        reason = f"there is no JSON for {type_info!r}"
        raise FieldError(name, reason)
    return show
