"""Texts as values of declared types: what Java's ``Integer.parseInt`` and its like take, as in Flink's formats."""

from __future__ import annotations

import base64
import datetime
import re
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from typing import Any, Final, NoReturn

from windrow.common.basic_types import (
    BasicType,
    BasicTypeInfo,
    DateTypeInfo,
    LocalTimeTypeInfo,
    TimestampTypeInfo,
    TimeTypeInfo,
    TypeInformation,
)
from windrow.common.composite_types import PrimitiveArrayTypeInfo

Parse = Callable[[str], Any]

#: What Java's ``trim`` takes away.
_BLANKS: Final = "".join(map(chr, range(ord(" ") + 1)))

# Python's own int() and float() take more: underscores, nan, infinity.
_INTEGER = re.compile(r"[+-]?\d+")
_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_DECIMAL = re.compile(_NUMBER)
_REAL = re.compile(rf"({_NUMBER}|[+-]?(?:NaN|Infinity))[fFdD]?")

_DATE = r"(\d{4})-(\d{1,2})-(\d{1,2})"
_TIME = r"(\d{1,2}):(\d{1,2}):(\d{1,2})(?:\.(\d{1,9}))?Z?"
_DATES, _TIMES, _TIMESTAMPS = re.compile(_DATE), re.compile(_TIME), re.compile(f"{_DATE}[T ]{_TIME}")


def from_text(type_info: TypeInformation) -> Parse | None:
    """Find what makes a value of a text; None if the type has no text of its own (a row, an array, an instant).

    Dates are ``2020-02-29``, times ``01:02:03``, with fractions of a second up to microseconds (what is smaller is cut
    off) and with or without a ``Z`` for UTC; between both stands a ``T`` or a blank. Bytes are in Base64. Other
    truth values than ``true`` are False. What is returned raises ValueError or TypeConversionError.

    Example:
        >>> from windrow.common.typeinfo import Types
        >>> from_text(Types.INT())(" +5 "), from_text(Types.BOOLEAN())("yes"), from_text(Types.DOUBLE())("1e3f")
        (5, False, 1000.0)
    """
    match type_info:
        case BasicTypeInfo():
            return _basic(type_info)
        case DateTypeInfo():
            return parse_date
        case TimeTypeInfo():
            return parse_time
        case TimestampTypeInfo():
            return parse_timestamp
        case LocalTimeTypeInfo():
            return _LOCAL[type_info._time_type]
    return parse_bytes if is_bytes(type_info) else None


def is_bytes(type_info: TypeInformation) -> bool:
    """Tell whether it is an array of bytes."""
    return type_info == PrimitiveArrayTypeInfo(BasicTypeInfo(BasicType.BYTE))


def parse_integer(text: str) -> int:
    """``Integer.parseInt``, of any size."""
    text = text.strip(_BLANKS)
    if _INTEGER.fullmatch(text) is None:
        _refuse(text, "whole number")
    return int(text)


def parse_real(text: str) -> float:
    """``Double.parseDouble``, without hexadecimal numbers."""
    found = _REAL.fullmatch(text.strip(_BLANKS))
    return float(found[1]) if found is not None else _refuse(text, "number")


def parse_decimal(text: str) -> Decimal:
    """``new BigDecimal``."""
    text = text.strip(_BLANKS)
    try:
        return Decimal(text) if _DECIMAL.fullmatch(text) is not None else _refuse(text, "decimal number")
    except InvalidOperation:  # an exponent beyond all bounds
        _refuse(text, "decimal number")


def parse_boolean(text: str) -> bool:
    """``Boolean.parseBoolean``: all but ``true``, in any case, is False."""
    return text.strip(_BLANKS).lower() == "true"


def parse_bytes(text: str) -> bytes:
    """Base64; white space in it does not count."""
    return base64.b64decode("".join(text.split()), validate=True)


def parse_date(text: str) -> datetime.date:
    """Read a date such as ``2020-02-29``."""
    found = _DATES.fullmatch(text)
    return datetime.date(*map(int, found.groups())) if found is not None else _refuse(text, "date like 2020-02-29")


def parse_time(text: str) -> datetime.time:
    """A time of day, in UTC if it says so."""
    found = _TIMES.fullmatch(text)
    return datetime.time(*_numbers(found)) if found is not None else _refuse(text, "time like 01:02:03Z")


def parse_timestamp(text: str) -> datetime.datetime:
    """A date and a time of day, in UTC if it says so."""
    found = _TIMESTAMPS.fullmatch(text)
    if found is None:
        _refuse(text, "timestamp like 2020-02-29T01:02:03Z")
    return datetime.datetime(*_numbers(found))


def _numbers(found: re.Match[str]) -> Any:
    *parts, fraction = found.groups()
    return (*map(int, parts), int((fraction or "0").ljust(6, "0")[:6]))


def _refuse(text: str, what: str) -> NoReturn:
    msg = f"{text!r} is no {what}"
    raise ValueError(msg)


_LOCAL: dict[LocalTimeTypeInfo.TimeType, Parse] = {
    LocalTimeTypeInfo.TimeType.LOCAL_DATE: parse_date,
    LocalTimeTypeInfo.TimeType.LOCAL_TIME: parse_time,
    LocalTimeTypeInfo.TimeType.LOCAL_DATE_TIME: parse_timestamp,
}

_PARSE: dict[BasicType, Parse] = {
    BasicType.STRING: str,
    BasicType.BOOLEAN: parse_boolean,
    BasicType.BYTE: parse_integer,
    BasicType.SHORT: parse_integer,
    BasicType.INT: parse_integer,
    BasicType.LONG: parse_integer,
    BasicType.BIG_INT: parse_integer,
    BasicType.FLOAT: parse_real,
    BasicType.DOUBLE: parse_real,
    BasicType.BIG_DEC: parse_decimal,
    BasicType.CHAR: str,
}


def _basic(type_info: BasicTypeInfo) -> Parse | None:
    parse, fit = _PARSE.get(type_info.basic_type), type_info.converter()
    if parse is None or type_info.basic_type is BasicType.STRING:
        return parse
    return lambda text: fit(parse(text))
