"""Values of declared types as texts, as Flink's formats write them."""

from __future__ import annotations

import base64
import datetime
from collections.abc import Callable
from functools import partial
from typing import Any

from windrow.common.basic_types import (
    BasicType,
    BasicTypeInfo,
    DateTypeInfo,
    LocalTimeTypeInfo,
    TimestampTypeInfo,
    TimeTypeInfo,
    TypeInformation,
)
from windrow.common.parse_text import is_bytes
from windrow.common.printing import double_text, java_string

Show = Callable[[Any], str]


def to_text(type_info: TypeInformation) -> Show | None:
    """Find what makes a text of a value of the type that is not None; None if the type has no text of its own.

    Example:
        >>> from windrow.common.typeinfo import Types
        >>> from decimal import Decimal
        >>> to_text(Types.DOUBLE())(1e10), to_text(Types.BIG_DEC())(Decimal("1E+3")), to_text(Types.BOOLEAN())(True)
        ('1.0E10', '1000', 'true')
    """
    match type_info:
        case BasicTypeInfo():
            return _BASIC.get(type_info.basic_type)
        case DateTypeInfo():
            return datetime.date.isoformat
        case TimeTypeInfo():
            return show_time
        case TimestampTypeInfo():
            return lambda value: java_string(in_utc(value), type_info)
        case LocalTimeTypeInfo():
            return _LOCAL[type_info._time_type]
    return show_bytes if is_bytes(type_info) else None


def show_time(value: datetime.time) -> str:
    """``01:02:03``, with a fraction of a second only if there is one."""
    shown = value.replace(tzinfo=None).isoformat("microseconds")
    return shown.rstrip("0").removesuffix(".") if value.microsecond else shown[:8]


def show_timestamp(value: datetime.datetime, separator: str = " ") -> str:
    """Date and time; one with a time zone in UTC."""
    value = in_utc(value)
    return f"{value.date().isoformat()}{separator}{show_time(value.time())}"


def show_bytes(value: bytes) -> str:
    """Bytes as Base64."""
    return base64.b64encode(value).decode()


def in_utc(value: datetime.datetime) -> datetime.datetime:
    """Without its time zone, if it has one."""
    return value if value.tzinfo is None else value.astimezone(datetime.UTC).replace(tzinfo=None)


def _show(basic_type: BasicType) -> Show:
    return partial(_java, type_info=BasicTypeInfo(basic_type))


def _java(value: Any, type_info: TypeInformation) -> str:
    return java_string(value, type_info)


_LOCAL: dict[LocalTimeTypeInfo.TimeType, Show] = {
    LocalTimeTypeInfo.TimeType.LOCAL_DATE: datetime.date.isoformat,
    LocalTimeTypeInfo.TimeType.LOCAL_TIME: show_time,
    LocalTimeTypeInfo.TimeType.LOCAL_DATE_TIME: show_timestamp,
}

_BASIC: dict[BasicType, Show] = {
    BasicType.STRING: str,
    BasicType.CHAR: str,
    BasicType.BOOLEAN: _show(BasicType.BOOLEAN),
    BasicType.BYTE: str,
    BasicType.SHORT: str,
    BasicType.INT: str,
    BasicType.LONG: str,
    BasicType.BIG_INT: str,
    BasicType.FLOAT: _show(BasicType.FLOAT),
    BasicType.DOUBLE: double_text,
    BasicType.BIG_DEC: "{:f}".format,
}
