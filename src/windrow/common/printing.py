"""Shows elements as ``print`` does: as PyFlink, byte for byte where Java has a form for them.

An element of no declared type shows as Python's ``str``. A row shows as ``+I[a,b]``, its fields as Python's ``str``.
Everything else of a declared type shows as Java's ``toString``: ``(a,true,1.0E10)``, ``[1, 2]``, ``{k=v}``. Java shows
an array as an address; here it shows like a list.
"""

from __future__ import annotations

import datetime
import struct
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from windrow.common.basic_types import (
    BasicType,
    BasicTypeInfo,
    PickledBytesTypeInfo,
    TimestampTypeInfo,
    TypeInformation,
)
from windrow.common.composite_types import (
    ExternalTypeInfo,
    ListTypeInfo,
    MapTypeInfo,
    ObjectArrayTypeInfo,
    PrimitiveArrayTypeInfo,
    RowTypeInfo,
    TupleTypeInfo,
)
from windrow.common.time import Instant
from windrow.common.types import Row

_EPOCH = datetime.datetime(1970, 1, 1)


def format_value(value: Any, type_info: TypeInformation | None = None) -> str:
    """The line that ``print`` shows for an element of the given type.

    Example:
        >>> from windrow.common.typeinfo import Types
        >>> format_value(("a", 1)), format_value(("a", 1), Types.TUPLE([Types.STRING(), Types.INT()]))
        ("('a', 1)", '(a,1)')
    """
    while isinstance(type_info, ExternalTypeInfo):
        type_info = type_info.type_info
    if type_info is None or isinstance(type_info, PickledBytesTypeInfo):
        return str(value)
    if isinstance(type_info, RowTypeInfo) and isinstance(value, Row):
        return f"{value.get_row_kind()}[{','.join([str(field) for field in value])}]"
    return java_string(value, type_info)


def java_string(value: Any, type_info: TypeInformation) -> str:
    """Give what Java's ``toString`` does for a value of the given type."""
    if value is None:
        return "null"
    match type_info:
        case BasicTypeInfo():
            show = _BASIC.get(type_info.basic_type, str)
            return show(value)
        case TupleTypeInfo():
            return f"({','.join(_fields(value, type_info))})"
        case RowTypeInfo():
            return f"{value.get_row_kind()}[{', '.join(_fields(value, type_info))}]"
        case MapTypeInfo():
            entries = (
                f"{java_string(key, type_info.key_type_info)}={java_string(item, type_info.value_type_info)}"
                for key, item in value.items()
            )
            return f"{{{', '.join(entries)}}}"
        case ListTypeInfo() | ObjectArrayTypeInfo() | PrimitiveArrayTypeInfo():
            return f"[{', '.join(java_string(item, type_info.elem_type) for item in value)}]"
        case TimestampTypeInfo():
            fraction = f"{value.microsecond:06}".rstrip("0") or "0"
            return f"{value.replace(tzinfo=None).isoformat(' ', 'seconds')}.{fraction}"
        case ExternalTypeInfo():
            return java_string(value, type_info.type_info)
    return str(value)


def _fields(value: Any, type_info: TupleTypeInfo | RowTypeInfo) -> list[str]:
    return [java_string(field, kind) for field, kind in zip(value, type_info.get_field_types(), strict=False)]


def _boolean(value: bool) -> str:
    return "true" if value else "false"


def double_text(value: float) -> str:
    """A number as Java's ``Double.toString`` writes it.

    Example:
        >>> double_text(1e10), double_text(0.25)
        ('1.0E10', '0.25')
    """
    # Between these bounds Python's is the same.
    if type(value) is float and 1e-3 <= abs(value) < 1e7:
        return repr(value)
    return _java_float(value, repr(value))


def _float(value: float) -> str:
    """The fewest digits that are still this single-precision number."""
    for digits in range(1, 9):
        shown = f"{value:.{digits}g}"
        if struct.pack("f", float(shown)) == struct.pack("f", value):
            return _java_float(value, shown)
    return _java_float(value, f"{value:.9g}")


def _java_float(value: float, shown: str) -> str:
    """``Double.toString``: plain from 10^-3 to below 10^7, with one digit before the point and an exponent beyond."""
    if value != value:  # noqa: PLR0124  (true for NaN alone)
        return "NaN"
    if value in (float("inf"), float("-inf")):
        return "Infinity" if value > 0 else "-Infinity"
    sign, digits, exponent = Decimal(shown).normalize().as_tuple()
    text = "".join(map(str, digits))
    prefix = "-" if sign or shown.startswith("-") else ""
    if value == 0:
        return f"{prefix}0.0"
    assert isinstance(exponent, int)
    magnitude = len(text) - 1 + exponent
    if not -3 <= magnitude < 7:
        return f"{prefix}{text[0]}.{text[1:] or '0'}E{magnitude}"
    if magnitude < 0:
        return f"{prefix}0.{'0' * (-magnitude - 1)}{text}"
    whole, fraction = text[: magnitude + 1].ljust(magnitude + 1, "0"), text[magnitude + 1 :] or "0"
    return f"{prefix}{whole}.{fraction}"


def _instant(value: Instant) -> str:
    """``Instant.toString``: in UTC, the fraction in groups of three digits."""
    try:
        seconds = (_EPOCH + datetime.timedelta(seconds=value.seconds)).isoformat()
    except OverflowError:  # beyond the years 1 to 9999 that Python knows
        return repr(value)
    fraction = f"{value.nanos:09}"
    while fraction.endswith("000"):
        fraction = fraction[:-3]
    return f"{seconds}.{fraction}Z" if fraction else f"{seconds}Z"


_BASIC: dict[BasicType, Callable[[Any], str]] = {
    BasicType.BOOLEAN: _boolean,
    BasicType.DOUBLE: double_text,
    BasicType.FLOAT: _float,
    BasicType.INSTANT: _instant,
}
