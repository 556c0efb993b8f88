"""Hashes of keys that are the same in every process: Java's hash codes where Java has the type.

Python's own ``hash`` of strings is another one in every process. Keys that are equal in Python (``1``, ``1.0``,
``True``, a NumPy integer) are one key and share a hash. ``state/hashing.py`` gives the same for columns.
"""

from __future__ import annotations

import dataclasses
import datetime
import sys
import zlib
from collections.abc import Callable, Iterable
from enum import Enum
from numbers import Number
from types import BuiltinFunctionType, FunctionType
from typing import Any

from windrow.common.limits import LONG_MAX, LONG_MIN
from windrow.common.types import Row
from windrow.state.keys import ComparableKey

NAN_HASH = 0x7FF80000  # Java's Double.hashCode of NaN; Python's differs from object to object
_MICROSECOND = datetime.timedelta(microseconds=1)


def stable_hash(key: Any) -> int:
    """A signed 32-bit hash that is the same in every process: Java's ``hashCode`` where Java has the type.

    Numbers, strings, bytes, None, tuples, frozen sets, dates and times, enum members, rows and dataclasses are hashed
    by what makes them equal. An object of another class is hashed by what pickling keeps of it, so equal objects must
    pickle alike.

    Raises:
        TypeError: the key is not hashable, or compares by identity.

    Example:
        >>> stable_hash("hello"), stable_hash(2**31)
        (99162322, -2147483648)
    """
    hash(key)  # raises TypeError, with Python's own words, if the key is not hashable
    return _hash(key)


def _hash(key: Any) -> int:
    kind = type(key)
    if kind is str:
        return _string(key)
    if kind is int:
        return _integer(key)
    if kind is tuple:
        return _sequence(key)
    if key is None:
        return 0
    if kind.__module__ == "numpy":
        return _numpy(key)
    for base, hash_of in _BY_TYPE:
        if isinstance(key, base):
            return hash_of(key)
    if dataclasses.is_dataclass(kind) and kind.__eq__ is not object.__eq__:
        compared = [getattr(key, field.name) for field in dataclasses.fields(key) if field.compare]
        return _sequence((kind.__qualname__, *compared))
    return _object(key)


def _integer(key: int) -> int:
    if -0x80000000 <= key <= 0x7FFFFFFF:
        return key
    return _fold(key if LONG_MIN <= key <= LONG_MAX else hash(key))


def _fold(key: int) -> int:
    """``Long.hashCode``."""
    return _signed(key ^ (key & 0xFFFFFFFFFFFFFFFF) >> 32)


def _signed(bits: int) -> int:
    return ((bits & 0xFFFFFFFF) ^ 0x80000000) - 0x80000000


def _number(key: Any) -> int:
    if key != key:  # noqa: PLR0124  (true for NaN alone)
        return NAN_HASH
    if isinstance(key, complex):
        if key.imag:
            return _fold(hash(key))
        key = key.real
    if LONG_MIN <= key <= LONG_MAX and key == int(key):
        return _integer(int(key))
    return _fold(hash(key))  # Python defines it by the number's value alone, the same for every type of number


def _string(key: str) -> int:
    """``String.hashCode``: over UTF-16 code units, of which characters beyond the first plane have two."""
    result = 0
    for unit in memoryview(str.encode(key, _UTF_16, "surrogatepass")).cast("H"):
        result = (31 * result + unit) & 0xFFFFFFFF
    return _signed(result)


def _sequence(items: Iterable[Any]) -> int:
    """The hash code of Flink's tuples: 31 times what came before plus the next field's."""
    result = 0
    for item in items:
        result = (31 * result + _hash(item)) & 0xFFFFFFFF
    return _signed(result)


def _set(items: Iterable[Any]) -> int:
    return _signed(sum([_hash(item) for item in items]))


def _row(row: Row) -> int:
    if row._fields is None:
        return _sequence((row.get_row_kind().value, *row))
    return _sequence((row.get_row_kind().value, *sorted(row._fields), *(row[name] for name in sorted(row._fields))))


def _datetime(key: datetime.datetime) -> int:
    epoch = datetime.datetime(1970, 1, 1, tzinfo=None if key.utcoffset() is None else datetime.UTC)
    return _integer((key - epoch) // _MICROSECOND)


def _time(key: datetime.time) -> int:
    since_midnight = datetime.timedelta(
        hours=key.hour, minutes=key.minute, seconds=key.second, microseconds=key.microsecond
    )
    return _integer((since_midnight - (key.utcoffset() or datetime.timedelta())) // _MICROSECOND)


def _numpy(key: Any) -> int:
    if type(key).__name__ == "datetime64":
        key = key.astype("datetime64[us]")  # one unit for all: equal dates of different units are one key
    elif type(key).__name__ == "timedelta64":
        key = key.astype("timedelta64[us]")
    item = key.item()
    return _number(item) if type(item) is type(key) else _hash(item)  # a long double stays what it is


def _object(key: Any) -> int:
    hash_method: Any = type(key).__hash__
    if hash_method is object.__hash__:
        msg = (
            f"a {type(key).__qualname__} compares by identity, so it is another key in every process: "
            "give the class __eq__ and __hash__ (a frozen dataclass has them)"
        )
        raise TypeError(msg)
    return _reduced(key.__reduce_ex__(2))


def _reduced(part: Any) -> int:
    """The hash of what pickling keeps of an object, which may hold lists, dictionaries and classes."""
    if isinstance(part, dict):
        return _signed(sum(_signed(31 * _reduced(name) + _reduced(value)) for name, value in part.items()))
    if isinstance(part, tuple | list):
        result = 0
        for item in part:
            result = (31 * result + _reduced(item)) & 0xFFFFFFFF
        return _signed(result)
    return _set(part) if isinstance(part, set) else _hash(part)


# memoryview.cast reads units in the machine's byte order.
_UTF_16 = f"utf-16-{sys.byteorder[0]}e"

#: Subclasses come before their bases, and numbers and strings before enums: an IntEnum is equal to its number.
_BY_TYPE: tuple[tuple[Any, Callable[[Any], int]], ...] = (
    (int, lambda key: _integer(int(key))),
    (str, _string),
    (Number, _number),
    (tuple, _sequence),
    (bytes | memoryview, lambda key: _signed(zlib.crc32(key))),
    (Enum, lambda key: _string(f"{type(key).__qualname__}.{key.name}")),
    (frozenset, _set),
    (datetime.datetime, _datetime),
    (datetime.date, lambda key: key.toordinal()),
    (datetime.time, _time),
    (datetime.timedelta, lambda key: _integer(key // _MICROSECOND)),
    (Row, _row),
    ((type, FunctionType, BuiltinFunctionType), lambda key: _string(key.__qualname__)),
    (ComparableKey, lambda key: _hash(key.key)),
    (list, _sequence),  # in a ComparableKey: by itself it is not hashable
)
