"""Values as Flink's CAST to text writes them."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np

from windrow.expressions.logical_types import DayTimeIntervalType, YearMonthIntervalType, is_binary, is_integer, is_text
from windrow.table import data_types as t
from windrow.table.data_types import DataType


def java_double(value: float, *, single: bool = False) -> str:
    """A fraction as Java writes it.

    Example:
        >>> java_double(1e10), java_double(0.5), java_double(100.0), java_double(1e-4)
        ('1.0E10', '0.5', '100.0', '1.0E-4')
    """
    if math.isnan(value):
        return "NaN"
    if value in (float("inf"), float("-inf")):
        return "Infinity" if value > 0 else "-Infinity"
    shortest = str(np.float32(value)) if single else repr(float(value))
    sign, digits, exponent = Decimal(shortest).as_tuple()
    if value == 0:
        return "-0.0" if sign else "0.0"
    text = "".join(map(str, digits)).rstrip("0") or "0"
    point = len(digits) + int(exponent)  # where the point stands behind the first digits
    minus = "-" if sign else ""
    if 1e-3 <= abs(value) < 1e7:
        if point <= 0:
            return f"{minus}0.{'0' * -point}{text}"
        whole, fraction = text[:point].ljust(point, "0"), text[point:] or "0"
        return f"{minus}{whole}.{fraction}"
    return f"{minus}{text[0]}.{text[1:] or '0'}E{point - 1}"


def timestamp_text(value: dt.datetime, precision: int) -> str:
    """A local time with so many digits of a second.

    Example:
        >>> timestamp_text(dt.datetime(2020, 1, 1, 0, 0, 0, 120000), 3)
        '2020-01-01 00:00:00.120'
    """
    text = f"{value.year:04d}-{value.month:02d}-{value.day:02d} {value.hour:02d}:{value.minute:02d}:{value.second:02d}"
    return text if precision == 0 else f"{text}.{f'{value.microsecond:06d}'.ljust(9, '0')[:precision]}"


def time_text(value: dt.time, precision: int) -> str:
    """A time of day with so many digits of a second."""
    text = f"{value.hour:02d}:{value.minute:02d}:{value.second:02d}"
    return text if precision == 0 else f"{text}.{f'{value.microsecond:06d}'.ljust(9, '0')[:precision]}"


def _interval(milliseconds: int) -> str:
    sign = "-" if milliseconds < 0 else "+"
    seconds, millis = divmod(abs(milliseconds), 1000)
    minutes, second = divmod(seconds, 60)
    hours, minute = divmod(minutes, 60)
    days, hour = divmod(hours, 24)
    return f"{sign}{days} {hour:02d}:{minute:02d}:{second:02d}.{millis:03d}"


def _months(months: int) -> str:
    years, month = divmod(abs(months), 12)
    return f"{'-' if months < 0 else '+'}{years}-{month:02d}"


def date_text(value: dt.date) -> str:
    """Write a day as ``2020-01-31``."""
    return f"{value.year:04d}-{value.month:02d}-{value.day:02d}"


def array_text(element: Callable[[Any], str]) -> Callable[[Any], str]:
    """Make a function that writes arrays, whose elements, NULL too, ``element`` writes, as ``[a, b]``."""
    return lambda values: f"[{', '.join([element(value) for value in values])}]"


def map_text(key: Callable[[Any], str], value: Callable[[Any], str]) -> Callable[[Any], str]:
    """Make a function that writes the entries of maps as ``{a=1, b=2}``."""
    return lambda entries: f"{{{', '.join([f'{key(k)}={value(v)}' for k, v in entries])}}}"


def to_text(kind: DataType, time_zone: str = "UTC") -> Callable[[Any], str]:
    """Make a function that writes values of a type, but not NULL, as text."""
    if is_text(kind) or isinstance(kind, t.DecimalType):
        return (lambda value: value) if is_text(kind) else (lambda value: f"{value:f}")
    if is_integer(kind):
        return str
    match kind:
        case t.BooleanType():
            return lambda value: "TRUE" if value else "FALSE"
        case t.FloatType():
            return lambda value: java_double(value, single=True)
        case t.DoubleType():
            return java_double
        case t.DateType():
            return date_text
        case t.TimeType():
            return lambda value: time_text(value, kind.precision)
        case t.TimestampType():
            return lambda value: timestamp_text(value, kind.precision)
        case t.LocalZonedTimestampType():
            zone = ZoneInfo(time_zone)
            return lambda value: timestamp_text(value.astimezone(zone), kind.precision)
        case DayTimeIntervalType():
            return _interval
        case YearMonthIntervalType():
            return _months
        case t.ArrayType():
            return array_text(_or_null(to_text(kind.element_type, time_zone)))
        case t.MapType():
            key, value_text = _or_null(to_text(kind.key_type, time_zone)), _or_null(to_text(kind.value_type, time_zone))
            return map_text(key, value_text)
        case t.RowType():
            fields = [(field.name, _or_null(to_text(field.data_type, time_zone))) for field in kind.fields]
            return lambda row: f"({', '.join(write(row[name]) for name, write in fields)})"
    if is_binary(kind):
        return lambda value: bytes(value).decode("utf-8", "replace")
    return str


def _or_null(write: Callable[[Any], str]) -> Callable[[Any], str]:
    return lambda value: "NULL" if value is None else write(value)
