"""Text as values, as Flink's CAST of text reads it."""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Callable
from decimal import ROUND_HALF_UP, Context, Decimal, InvalidOperation
from typing import Any

from windrow.expressions.logical_types import is_binary, is_integer, is_text
from windrow.table import data_types as t
from windrow.table.data_types import DataType

#: How many bits the greatest number of each type has.
BITS: dict[type[DataType], int] = {t.TinyIntType: 7, t.SmallIntType: 15, t.IntType: 31, t.BigIntType: 63}
_TRUE, _FALSE = {"t", "true", "y", "yes", "1"}, {"f", "false", "n", "no", "0"}
# Digits are those of ASCII: Python's own readers take others too, and underscores between them.
_NUMBER = re.compile(r"[+-]?(\d+)(\.\d*)?\Z", re.ASCII)
_FRACTION = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\Z", re.ASCII)
_NO_NUMBERS = re.compile(r"[+-]?(NaN|Infinity)\Z")
_DATE = re.compile(r"(\d{1,4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?\Z", re.ASCII)
_MOMENT = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})(?: (\d{1,2}):(\d{1,2}):(\d{1,2})(?:\.(\d{0,9}))?)?\Z", re.ASCII)
_TIME = re.compile(r"(\d{1,2})(?::(\d{1,2})(?::(\d{1,2})(?:\.(\d{1,9}))?)?)?\Z", re.ASCII)


def whole_number(text: str, bits: int) -> int:
    """A whole number of so many bits; what stands behind a point is cut off.

    Raises:
        ValueError: it is none.
    """
    found = _NUMBER.match(text.strip())
    if found is None:
        msg = f"For input string: '{text}'. Invalid character found."
        raise ValueError(msg)
    number = int(text.strip().partition(".")[0])
    if not -(2**bits) <= number < 2**bits:
        msg = f"For input string: '{text}'. Overflow."
        raise ValueError(msg)
    return number


def truth(text: str) -> bool:
    """A truth value.

    Raises:
        ValueError: it is none.
    """
    word = text.strip().lower()
    if word in _TRUE:
        return True
    if word in _FALSE:
        return False
    msg = f"Cannot parse '{text}' as BOOLEAN."
    raise ValueError(msg)


def decimal_number(text: str) -> Decimal:
    """A decimal number.

    Raises:
        ValueError: it is none.
    """
    digits = text.strip()
    try:
        if _FRACTION.match(digits):
            return Decimal(digits)
    except InvalidOperation:  # an exponent beyond all bounds
        pass
    msg = f"'{text}' is no number."
    raise ValueError(msg)


def fraction(text: str) -> float:
    """A binary fraction, as Java reads it: with ``f`` or ``d`` at its end, NaN and Infinity.

    Raises:
        ValueError: it is none.
    """
    digits = text.strip()
    if _NO_NUMBERS.match(digits):
        return float(digits)
    digits = digits[:-1] if digits[-1:] in ("f", "F", "d", "D") else digits
    if not _FRACTION.match(digits):
        msg = f"'{text}' is no number."
        raise ValueError(msg)
    return float(digits)


def whole_of(value: float, bits: int) -> int:
    """A fraction as a whole number of so many bits, as Java's cast has it.

    What is behind the point is cut off; beyond the ends of 32 bits, or of 64 where there are as many, it is the nearest
    number, of which a narrower type keeps the lower bits; NaN is 0.

    Example:
        >>> whole_of(-2.7, 32), whole_of(1e30, 32), whole_of(250_000.0, 16)
        (-2, 2147483647, -12144)
    """
    if math.isnan(value):
        return 0
    greatest: int = 2 ** (max(bits, 32) - 1) - 1
    if math.isinf(value):
        return _wrapped(greatest if value > 0 else -greatest - 1, bits)
    return _wrapped(max(min(int(value), greatest), -greatest - 1), bits)  # as whole numbers: no fraction is 2**63 - 1


def _wrapped(number: int, bits: int) -> int:
    half = 1 << (bits - 1)
    return (number + half) % (2 * half) - half


def rounded(value: Decimal, kind: t.DecimalType) -> Decimal | None:
    """A number with the digits of a type, rounded half up; None if it has too many in front of the point.

    Example:
        >>> rounded(Decimal("1.255"), t.DecimalType(3, 2)), rounded(Decimal(1000), t.DecimalType(3, 2))
        (Decimal('1.26'), None)
    """
    if not value.is_finite():
        return None
    try:
        made = value.quantize(Decimal(1).scaleb(-kind.scale), context=Context(prec=80, rounding=ROUND_HALF_UP))
    except InvalidOperation:
        return None
    return made if len(made.as_tuple().digits) <= kind.precision or made == 0 else None


def date(text: str) -> dt.date:
    """A day, ``2020-01-31``; what stands behind a space or ``T``, as its time of day does, is left aside.

    Raises:
        ValueError: it is none.
    """
    found = _DATE.match(text.strip().partition(" ")[0].partition("T")[0])
    if found is None:
        msg = f"Invalid date: '{text}'"
        raise ValueError(msg)
    return dt.date(int(found[1]), int(found[2] or 1), int(found[3] or 1))


def time(text: str) -> dt.time:
    """A time of day, ``10:00:00``.

    Raises:
        ValueError: it is none.
    """
    found = _TIME.match(text.strip())
    if found is None:
        msg = f"Invalid time: '{text}'"
        raise ValueError(msg)
    micros = int((found[4] or "0").ljust(6, "0")[:6])
    return dt.time(int(found[1]), int(found[2] or 0), int(found[3] or 0), micros)


def timestamp(text: str, precision: int) -> dt.datetime:
    """A local time; digits beyond the precision are cut off.

    Raises:
        ValueError: it is none.
    """
    words = text.strip().replace("T", " ").removesuffix("Z").split()
    if not 1 <= len(words) <= 2:
        msg = f"Invalid timestamp: '{text}'"
        raise ValueError(msg)
    clock = time(words[1]) if len(words) > 1 else dt.time()
    kept = clock.microsecond // 10 ** (6 - precision) * 10 ** (6 - precision) if precision < 6 else clock.microsecond
    return dt.datetime.combine(date(words[0]), clock.replace(microsecond=kept))


def written_date(text: str) -> dt.date:
    """A day as CAST takes it: ``2020-1-31``, ``2020-01``, ``2020``; what stands behind a space is left aside.

    Raises:
        ValueError: it is none.
    """
    space = text.find(" ")
    found = _DATE.match((text[:space] if space > 0 else text).strip())
    if found is None:
        msg = f"Invalid date: '{text}'"
        raise ValueError(msg)
    return dt.date(int(found[1]), int(found[2] or 1), int(found[3] or 1))


def written_timestamp(text: str, precision: int) -> dt.datetime:
    """A local time as CAST takes it: a day, and behind one space hours, minutes and seconds.

    Raises:
        ValueError: it is none.
    """
    found = _MOMENT.match(text)
    if found is None:
        msg = f"Invalid timestamp: '{text}'"
        raise ValueError(msg)
    year, month, day, hour, minute, second = (int(each or 0) for each in found.groups()[:6])
    micros = (found[7] or "").ljust(6, "0")[: min(precision, 6)].ljust(6, "0")
    return dt.datetime(year, month, day, hour, minute, second, int(micros))


def written_reader(kind: DataType, time_zone: str = "UTC") -> Callable[[str], Any]:
    """The same as :func:`reader`, for texts of SQL: times are written in one form, and not as files have them."""
    match kind:
        case t.DateType():
            return written_date
        case t.TimestampType():
            return lambda text: written_timestamp(text, kind.precision)
        case t.LocalZonedTimestampType():
            from zoneinfo import ZoneInfo

            zone = ZoneInfo(time_zone)
            return lambda text: written_timestamp(text, kind.precision).replace(tzinfo=zone)
    return reader(kind, time_zone)


def reader(kind: DataType, time_zone: str = "UTC") -> Callable[[str], Any]:
    """Make a function that reads a value of a type from text; it may raise ValueError, or give None for NULL."""
    if is_text(kind):
        return lambda text: text
    if is_integer(kind):
        bits = BITS[type(kind)]
        return lambda text: whole_number(text, bits)
    match kind:
        case t.BooleanType():
            return truth
        case t.FloatType() | t.DoubleType():
            return fraction
        case t.DecimalType():
            return lambda text: rounded(decimal_number(text), kind)
        case t.DateType():
            return date
        case t.TimeType():
            return time
        case t.TimestampType():
            return lambda text: timestamp(text, kind.precision)
        case t.LocalZonedTimestampType():
            from zoneinfo import ZoneInfo

            zone = ZoneInfo(time_zone)
            return lambda text: timestamp(text, kind.precision).replace(tzinfo=zone)
    if is_binary(kind):
        return lambda text: text.encode()
    msg = f"text cannot be cast to {kind!r}"
    raise ValueError(msg)
