"""Arrow's types for declared ones, and what has to be done to values so that Arrow takes them."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pyarrow as pa

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
    ExternalTypeInfo,
    ListTypeInfo,
    MapTypeInfo,
    ObjectArrayTypeInfo,
    PrimitiveArrayTypeInfo,
    RowTypeInfo,
    TupleTypeInfo,
)
from windrow.errors import ConfigurationError
from windrow.table.big_decimal_type_info import BigDecimalTypeInfo

ToArrow = Callable[[Any], Any]

_BASIC = {
    BasicType.STRING: pa.string(),
    BasicType.CHAR: pa.string(),
    BasicType.BYTE: pa.int8(),
    BasicType.BOOLEAN: pa.bool_(),
    BasicType.SHORT: pa.int16(),
    BasicType.INT: pa.int32(),
    BasicType.LONG: pa.int64(),
    BasicType.FLOAT: pa.float32(),
    BasicType.DOUBLE: pa.float64(),
    BasicType.BIG_INT: pa.decimal128(38, 0),
    BasicType.BIG_DEC: pa.decimal128(38, 18),
    BasicType.INSTANT: pa.timestamp("ns", tz="UTC"),
}
_LOCAL_TIME = {
    LocalTimeTypeInfo.TimeType.LOCAL_DATE: pa.date32(),
    LocalTimeTypeInfo.TimeType.LOCAL_TIME: pa.time64("us"),
    LocalTimeTypeInfo.TimeType.LOCAL_DATE_TIME: pa.timestamp("us"),
}


def arrow_type(type_info: TypeInformation, where: str) -> tuple[pa.DataType, ToArrow | None]:
    """Arrow's type for a declared one, and what has to be done to its values; None for nothing."""
    match type_info:
        case BigDecimalTypeInfo():
            return pa.decimal128(type_info.precision, type_info.scale), None
        case BasicTypeInfo():
            return _BASIC[type_info.basic_type], _BASIC_TO_ARROW.get(type_info.basic_type)
        case LocalTimeTypeInfo():
            return _LOCAL_TIME[type_info._time_type], None
        case DateTypeInfo():
            return pa.date32(), None
        case TimeTypeInfo():
            return pa.time64("us"), None
        case TimestampTypeInfo():
            return pa.timestamp("us"), None
        case ExternalTypeInfo():
            return arrow_type(type_info.type_info, where)
        case PrimitiveArrayTypeInfo(elem_type=BasicTypeInfo(basic_type=BasicType.BYTE)):
            return pa.binary(), None
        case ListTypeInfo() | ObjectArrayTypeInfo() | BasicArrayTypeInfo() | PrimitiveArrayTypeInfo():
            element, to_arrow = arrow_type(type_info.elem_type, where)
            return pa.list_(element), None if to_arrow is None else _each(to_arrow)
        case MapTypeInfo():
            key, key_to_arrow = arrow_type(type_info.key_type_info, where)
            value, value_to_arrow = arrow_type(type_info.value_type_info, where)
            return pa.map_(key, value), _entries(key_to_arrow or _same, value_to_arrow or _same)
        case RowTypeInfo() | TupleTypeInfo():
            return _struct(type_info, where)
    msg = f"{where} has the type {type_info}, which cannot be written; declare one such as Types.STRING()"
    raise ConfigurationError(msg)


def _struct(type_info: RowTypeInfo | TupleTypeInfo, where: str) -> tuple[pa.DataType, ToArrow]:
    types = type_info.get_field_types()
    names = type_info.get_field_names() if isinstance(type_info, RowTypeInfo) else [f"f{i}" for i in range(len(types))]
    inner = [arrow_type(field, f"{where}, field {name!r}") for name, field in zip(names, types, strict=True)]

    def to_arrow(value: Any) -> Any:
        if value is None:
            return None
        parts = zip(names, value, inner, strict=True)
        return {name: part if convert is None else convert(part) for name, part, (_, convert) in parts}

    return pa.struct([(name, data_type) for name, (data_type, _) in zip(names, inner, strict=True)]), to_arrow


def _each(to_arrow: ToArrow) -> ToArrow:
    return lambda values: None if values is None else [to_arrow(value) for value in values]


def _entries(key: ToArrow, value: ToArrow) -> ToArrow:
    return lambda entries: None if entries is None else [(key(k), value(v)) for k, v in entries.items()]


def _same(value: Any) -> Any:
    return value


def _nanoseconds(instant: Any) -> int | None:
    return None if instant is None else instant.seconds * 1_000_000_000 + instant.nanos


def _decimal(number: int | None) -> Decimal | None:
    return None if number is None else Decimal(number)


_BASIC_TO_ARROW: dict[BasicType, ToArrow] = {BasicType.INSTANT: _nanoseconds, BasicType.BIG_INT: _decimal}
