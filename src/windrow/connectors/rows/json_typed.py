"""Single JSON values that have to be of a declared type: nothing but their form is changed."""

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
from windrow.common.conversions import Convert

_LOCAL: dict[LocalTimeTypeInfo.TimeType, Convert] = {
    LocalTimeTypeInfo.TimeType.LOCAL_DATE: datetime.date.fromisoformat,
    LocalTimeTypeInfo.TimeType.LOCAL_TIME: datetime.time.fromisoformat,
    LocalTimeTypeInfo.TimeType.LOCAL_DATE_TIME: datetime.datetime.fromisoformat,
}


def typed_value(_name: str, type_info: TypeInformation) -> Convert:
    """Converts single values: times are text in ISO 8601, decimals may be text, all else is of the type already.

    What is returned raises TypeConversionError or ValueError.

    Example:
        >>> from windrow.common.typeinfo import Types
        >>> typed_value("day", Types.SQL_DATE())("2020-02-29")
        datetime.date(2020, 2, 29)
    """
    convert = type_info.converter()
    form = _form(type_info)
    return convert if form is None else lambda value: convert(form(value))


def _form(type_info: TypeInformation) -> Callable[[Any], Any] | None:
    """Make the function that gives something that the type's converter takes; None if a JSON value is that already."""
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
    return None


def _decimal(value: Any) -> Decimal:
    try:
        return Decimal(str(value))
    except InvalidOperation:
        msg = f"{value!r} is no decimal number"
        raise ValueError(msg) from None
