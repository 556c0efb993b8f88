"""JSON values as values of declared types."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
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
from windrow.common.composite_types import (
    BasicArrayTypeInfo,
    ListTypeInfo,
    MapTypeInfo,
    ObjectArrayTypeInfo,
    RowTypeInfo,
)

Convert = Callable[[Any], Any]

_LOCAL: dict[LocalTimeTypeInfo.TimeType, Convert] = {
    LocalTimeTypeInfo.TimeType.LOCAL_DATE: datetime.date.fromisoformat,
    LocalTimeTypeInfo.TimeType.LOCAL_TIME: datetime.time.fromisoformat,
    LocalTimeTypeInfo.TimeType.LOCAL_DATE_TIME: datetime.datetime.fromisoformat,
}


def from_json(type_info: TypeInformation) -> Convert:
    """Converts a JSON value to the type: times are text in ISO 8601, decimals may be text, missing fields are None.

    What is returned raises TypeConversionError or ValueError.
    """
    convert = type_info.converter()
    prepare = _prepare(type_info)
    return convert if prepare is None else lambda value: convert(None if value is None else prepare(value))


def _prepare(type_info: TypeInformation) -> Convert | None:
    """What makes of a JSON value something that the type's converter takes; None if it is that already."""
    match type_info:
        case DateTypeInfo():
            return datetime.date.fromisoformat
        case TimeTypeInfo():
            return datetime.time.fromisoformat
        case TimestampTypeInfo():
            return datetime.datetime.fromisoformat
        case LocalTimeTypeInfo():
            return _LOCAL[type_info._time_type]
        case BasicTypeInfo():
            return _decimal if type_info.basic_type is BasicType.BIG_DEC else None
        case RowTypeInfo():
            return _fields(type_info)
        case MapTypeInfo():
            value = from_json(type_info.value_type_info)
            return lambda entries: {key: value(item) for key, item in entries.items()}
        case ListTypeInfo() | ObjectArrayTypeInfo() | BasicArrayTypeInfo():
            element = from_json(type_info.elem_type)
            return lambda items: [element(item) for item in items]
    return None


def _fields(type_info: RowTypeInfo) -> Convert | None:
    names, types = type_info.get_field_names(), type_info.get_field_types()
    if all(_prepare(field) is None for field in types):
        return None
    converts = [from_json(field) for field in types]
    return lambda entries: [
        None if entries.get(name) is None else convert(entries[name])
        for name, convert in zip(names, converts, strict=True)
    ]


def _decimal(value: Any) -> Decimal:
    try:
        return Decimal(str(value))
    except InvalidOperation:
        msg = f"{value!r} is no decimal number"
        raise ValueError(msg) from None
