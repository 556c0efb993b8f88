"""Converts what drivers of databases give to values of SQL's types."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from windrow.expressions import reading
from windrow.expressions.logical_types import is_approximate, is_binary, is_integer, is_text, is_timestamp
from windrow.table import data_types as t
from windrow.table.data_types import DataType


def of_database(kind: DataType) -> Callable[[Any], Any]:
    """Give what makes a value of a type of a driver's; SQLite's are texts for dates, times and decimals.

    Example:
        >>> of_database(t.DecimalType(5, 2))("1.5"), of_database(t.BooleanType())(1)
        (Decimal('1.50'), True)
    """
    match kind:
        case t.BooleanType():
            return bool
        case t.DecimalType():
            return lambda value: reading.rounded(value if isinstance(value, Decimal) else Decimal(str(value)), kind)
        case t.ArrayType():
            return _array(of_database(kind.element_type))
    if is_text(kind):
        return _text
    if is_binary(kind):
        return bytes
    if is_integer(kind):
        return int
    if is_approximate(kind):
        return float
    read = reading.reader(kind)
    if is_timestamp(kind):
        zoned = isinstance(kind, t.LocalZonedTimestampType)
        return lambda value: _moment(read(value) if isinstance(value, str) else value, zoned=zoned)
    return lambda value: read(value) if isinstance(value, str) else value


def _array(convert: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda values: [None if value is None else convert(value) for value in values]


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    return json.dumps(value) if isinstance(value, dict | list) else str(value)


def _moment(value: dt.datetime, *, zoned: bool) -> dt.datetime:
    """A point in time, or what clocks show; each of the other in UTC."""
    if zoned:
        return value.astimezone(dt.UTC) if value.tzinfo is not None else value.replace(tzinfo=dt.UTC)
    return value if value.tzinfo is None else value.astimezone(dt.UTC).replace(tzinfo=None)
