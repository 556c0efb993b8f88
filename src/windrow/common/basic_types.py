"""Type information of single values, and the conversion each one does. ``Types`` in ``typeinfo`` makes them."""

from __future__ import annotations

import datetime
import decimal
import operator
import struct
from collections.abc import Callable, Hashable
from enum import Enum
from functools import partial
from typing import Any, NoReturn, TypeVar

from windrow.common.limits import LONG_MAX, LONG_MIN
from windrow.common.time import Instant
from windrow.errors import TypeConversionError, shorten

T = TypeVar("T")


class TypeInformation:
    """The declared type of a stream's elements.

    A declared type does two things: elements are converted to it when an operator emits them (a list becomes a tuple,
    an int a float), and elements that do not fit end the job with an error that names the value. Types compare by
    what they describe.
    """

    def need_conversion(self) -> bool:
        """Tell whether :meth:`to_internal_type` can do anything at all."""
        return True

    def to_internal_type(self, obj: Any) -> Any:
        """The element as the next operator sees it.

        Raises:
            TypeConversionError: the element does not fit this type.
        """
        raise NotImplementedError

    def from_internal_type(self, obj: Any) -> Any:
        """The element as the user sees it: the same, since both are Python objects here."""
        return obj

    def converter(self) -> Callable[[Any], Any]:
        """A function that does what :meth:`to_internal_type` does, the quickest there is."""
        return self.to_internal_type

    def _parts(self) -> Hashable:
        """Give the parts that tell two types of the same class apart."""
        return ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TypeInformation) and type(self) is type(other) and self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash((type(self).__name__, self._parts()))

    def __repr__(self) -> str:
        return type(self).__name__


class BasicType(Enum):
    """Java's basic types."""

    STRING = "String"
    BYTE = "Byte"
    BOOLEAN = "Boolean"
    SHORT = "Short"
    INT = "Integer"
    LONG = "Long"
    FLOAT = "Float"
    DOUBLE = "Double"
    CHAR = "Char"
    BIG_INT = "BigInteger"
    BIG_DEC = "BigDecimal"
    INSTANT = "Instant"


class BasicTypeInfo(TypeInformation):
    """A number, a string, a truth value or an instant.

    As in Flink, STRING, BIG_INT, BIG_DEC and INSTANT may be None; the others may not.

    Example:
        >>> BasicTypeInfo(BasicType.INT).to_internal_type(2**40)
        Traceback (most recent call last):
        ...
        windrow.errors.TypeConversionError: Types.INT() takes an int from -2147483648 to 2147483647; got 1099511627776 (int)
    """  # noqa: E501

    def __init__(self, basic_type: BasicType) -> None:
        self._basic_type = basic_type
        self._convert = _CONVERTERS[basic_type]

    @property
    def basic_type(self) -> BasicType:
        """The kind that it is."""
        return self._basic_type

    def to_internal_type(self, obj: Any) -> Any:
        return self._convert(obj)

    def converter(self) -> Callable[[Any], Any]:
        return self._convert

    def _parts(self) -> Hashable:
        return self._basic_type

    def __repr__(self) -> str:
        return self._basic_type.value


class InstantTypeInfo(BasicTypeInfo):
    """A point in time, :class:`windrow.common.Instant`."""

    def __init__(self, basic_type: BasicType = BasicType.INSTANT) -> None:
        super().__init__(basic_type)


class PickledBytesTypeInfo(TypeInformation):
    """Any Python object that can be pickled: the type of every stream for which none is declared."""

    def need_conversion(self) -> bool:
        return False

    def to_internal_type(self, obj: Any) -> Any:
        return obj

    def __repr__(self) -> str:
        return "PickledByteArrayTypeInfo"


class DateTypeInfo(TypeInformation):
    """A ``datetime.date`` or None; a ``datetime.datetime`` loses its time of day."""

    def to_internal_type(self, obj: Any) -> datetime.date | None:
        if isinstance(obj, datetime.datetime):
            return obj.date()
        return _instance("SQL_DATE", datetime.date, obj)


class TimeTypeInfo(TypeInformation):
    """A ``datetime.time`` or None."""

    def to_internal_type(self, obj: Any) -> datetime.time | None:
        return _instance("SQL_TIME", datetime.time, obj)


class TimestampTypeInfo(TypeInformation):
    """A ``datetime.datetime`` or None."""

    def to_internal_type(self, obj: Any) -> datetime.datetime | None:
        return _instance("SQL_TIMESTAMP", datetime.datetime, obj)


class SqlTimeTypeInfo(TypeInformation):
    """The types of ``java.sql``."""

    @staticmethod
    def DATE() -> DateTypeInfo:  # noqa: N802
        return DateTypeInfo()

    @staticmethod
    def TIME() -> TimeTypeInfo:  # noqa: N802
        return TimeTypeInfo()

    @staticmethod
    def TIMESTAMP() -> TimestampTypeInfo:  # noqa: N802
        return TimestampTypeInfo()


class LocalTimeTypeInfo(TypeInformation):
    """The types of ``java.time`` without a zone: a date, a time or a date with time, or None."""

    class TimeType(Enum):
        """The three types of time in SQL."""

        LOCAL_DATE = 0
        LOCAL_TIME = 1
        LOCAL_DATE_TIME = 2

    def __init__(self, time_type: TimeType) -> None:
        self._time_type = time_type

    def of_sql(self) -> TypeInformation:
        """The type of ``java.sql`` with the same values."""
        return _LOCAL_TIME_TYPES[self._time_type]

    def to_internal_type(self, obj: Any) -> Any:
        return self.of_sql().to_internal_type(obj)

    def _parts(self) -> Hashable:
        return self._time_type

    def __repr__(self) -> str:
        return f"LocalTimeTypeInfo<{self._time_type.name}>"


_LOCAL_TIME_TYPES: dict[LocalTimeTypeInfo.TimeType, TypeInformation] = {
    LocalTimeTypeInfo.TimeType.LOCAL_DATE: DateTypeInfo(),
    LocalTimeTypeInfo.TimeType.LOCAL_TIME: TimeTypeInfo(),
    LocalTimeTypeInfo.TimeType.LOCAL_DATE_TIME: TimestampTypeInfo(),
}


def refuse(name: str, expected: str, obj: Any) -> NoReturn:
    """Raise that ``Types.<name>()`` takes something else than ``obj``."""
    msg = f"Types.{name}() takes {expected}; got {shorten(obj)} ({type(obj).__name__})"
    raise TypeConversionError(msg)


def _instance(name: str, cls: type[T], obj: Any) -> T | None:
    if obj is None or isinstance(obj, cls):
        return obj
    refuse(name, f"a {cls.__module__}.{cls.__name__} or None", obj)


def _integer(name: str, low: int, high: int, obj: Any) -> int:
    if type(obj) is int and low <= obj <= high:
        return obj
    try:
        value = operator.index(obj)  # NumPy integers and bools too, floats not
    except TypeError:
        refuse(name, f"an int from {low} to {high}", obj)
    if not low <= value <= high:
        refuse(name, f"an int from {low} to {high}", obj)
    return value


def _double(obj: Any) -> float:
    if type(obj) is float:
        return obj
    if isinstance(obj, str | bytes | bytearray) or not hasattr(obj, "__float__"):
        refuse("DOUBLE", "a number", obj)
    return float(obj)


def _float(obj: Any) -> float:
    if isinstance(obj, str | bytes | bytearray) or not hasattr(obj, "__float__"):
        refuse("FLOAT", "a number", obj)
    single: float = _SINGLE.unpack(_SINGLE.pack(float(obj)))[0]
    return single


def _string(obj: Any) -> str | None:
    if obj is None or type(obj) is str:
        return obj
    if isinstance(obj, str):
        return str(obj)
    refuse("STRING", "a str or None", obj)


def _char(obj: Any) -> str:
    if isinstance(obj, str) and len(obj) == 1:
        return str(obj)
    refuse("CHAR", "a str of one character", obj)


def _boolean(obj: Any) -> bool:
    if isinstance(obj, bool):
        return obj
    if type(obj).__module__ == "numpy" and isinstance(item := obj.item(), bool):
        return item
    refuse("BOOLEAN", "True or False", obj)


def _big_integer(obj: Any) -> int | None:
    if obj is None:
        return None
    try:
        return operator.index(obj)
    except TypeError:
        refuse("BIG_INT", "an int or None", obj)


def _big_decimal(obj: Any) -> decimal.Decimal | None:
    if isinstance(obj, int):
        return decimal.Decimal(obj)
    return _instance("BIG_DEC", decimal.Decimal, obj)


#: The machine's own float: too large a number becomes infinity as in Java, where the portable format would refuse it.
_SINGLE = struct.Struct("@f")

_CONVERTERS: dict[BasicType, Callable[[Any], Any]] = {
    BasicType.STRING: _string,
    BasicType.BYTE: partial(_integer, "BYTE", -(2**7), 2**7 - 1),
    BasicType.BOOLEAN: _boolean,
    BasicType.SHORT: partial(_integer, "SHORT", -(2**15), 2**15 - 1),
    BasicType.INT: partial(_integer, "INT", -(2**31), 2**31 - 1),
    BasicType.LONG: partial(_integer, "LONG", LONG_MIN, LONG_MAX),
    BasicType.FLOAT: _float,
    BasicType.DOUBLE: _double,
    BasicType.CHAR: _char,
    BasicType.BIG_INT: _big_integer,
    BasicType.BIG_DEC: _big_decimal,
    BasicType.INSTANT: partial(_instance, "INSTANT", Instant),
}
