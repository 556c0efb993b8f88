"""Keys as state knows them: two are one key where Java says so, also where Python's ``==`` says something else.

Java's ``Double.equals`` calls two NaNs equal, and 0.0 and -0.0 different; Python does neither. A list is a key in Java,
and cannot be hashed in Python. Such keys, and those that hold such parts, are wrapped where they enter; functions see
what their key selector has given.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from decimal import Decimal
from enum import Enum
from itertools import chain
from math import copysign
from numbers import Number, Real
from operator import is_
from typing import Any

import numpy as np

from windrow.common.copies import copied
from windrow.common.types import Row
from windrow.common.unchangeable import ATOMS

#: Classes whose objects are keys as they are.
_PLAIN = frozenset(ATOMS - {float, complex, Decimal, range, slice})


class _Part(Enum):
    """Stands in a key's identity for what Python compares in another way."""

    NAN = 0
    NEGATIVE_ZERO = 1
    LIST = 2
    ROW = 3


class ComparableKey:
    """A key that compares as it does in Java.

    Args:
        key: What a key selector gave.

    Raises:
        TypeError: something in it cannot be hashed.

    Example:
        >>> ComparableKey(float("nan")) == ComparableKey(float("nan")), ComparableKey([1, 2]) == ComparableKey([1, 2.0])
        (True, True)
        >>> ComparableKey(-0.0) == ComparableKey(0.0)
        False
    """

    __slots__ = ("_hash", "_identity", "key")

    def __init__(self, key: Any) -> None:
        #: What the key selector gave.
        self.key = key
        self._identity = _identity(key)
        self._hash = hash(self._identity)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ComparableKey) and bool(self._identity == other._identity)

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return repr(self.key)

    def __reduce__(self) -> tuple[Any, ...]:
        return ComparableKey, (self.key,)


def comparable_key(key: Any) -> Any:
    """A key as state knows it: itself, or a :class:`ComparableKey`; a copy, if it can be changed.

    Raises:
        TypeError: something in it cannot be hashed.

    Example:
        >>> comparable_key(("a", 1)), comparable_key(("a", float("nan"))) == comparable_key(("a", float("nan")))
        (('a', 1), True)
    """
    if type(key) in _PLAIN or _identity(key) is key:
        return copied(key)
    return ComparableKey(copied(key))


def are_plain(keys: Sequence[Any]) -> bool:
    """Tell whether :func:`comparable_key` leaves all of ``keys`` as they are; False where it is not known.

    Example:
        >>> are_plain(["a", 1]), are_plain([("a", 1)]), are_plain([1.5, 2.0]), are_plain([1.5, -0.0]), are_plain([[]])
        (True, True, True, False, False)
    """
    kinds = set(map(type, keys))
    if _PLAIN.issuperset(kinds) or all(map(_is_plain, kinds)):
        return True
    if kinds == {tuple}:
        return _PLAIN.issuperset(map(type, chain.from_iterable(keys)))
    if kinds == {float}:
        numbers = np.array(keys)
        return not bool((np.isnan(numbers) | ((numbers == 0) & np.signbit(numbers))).any())
    return False


class KeyPart:
    """A key of state that is a part of what another key has: it is in the key group of that one.

    Subclasses say of which (``key``), and compare by more than it.
    """

    __slots__ = ()
    key: Any


def _is_plain(kind: type) -> bool:
    return kind in _PLAIN or (kind in ATOMS and not issubclass(kind, Number))


def key_of_user(key: Any) -> Any:
    """The key that a function sees: what its key selector gave, and a copy of it if it can be changed.

    Example:
        >>> key_of_user(comparable_key(["a", 1]))
        ['a', 1]
    """
    return copied(key.key if type(key) is ComparableKey else key)


def _identity(key: Any) -> Any:
    """Give what two keys that are one have alike; the key itself, if Python compares it as Java does."""
    if type(key) in _PLAIN:
        return key
    if isinstance(key, Number):
        return _number(key)
    if isinstance(key, list):
        return (_Part.LIST, *_identities(key))
    if isinstance(key, tuple):
        return _of_parts(key, key, tuple)
    if isinstance(key, frozenset):
        return _of_parts(key, list(key), frozenset)
    if isinstance(key, Row):
        names, values = _fields(key)
        return _of_parts(key, values, lambda parts: (_Part.ROW, key.get_row_kind(), names, *parts))
    kind = type(key)
    if dataclasses.is_dataclass(kind) and kind.__hash__ is not object.__hash__:
        compared = [getattr(key, field.name) for field in dataclasses.fields(kind) if field.compare]
        return _of_parts(key, compared, lambda parts: (kind, *parts))
    return key


def _number(key: Any) -> Any:
    if key != key:  # noqa: PLR0124  (true for NaN alone)
        return _Part.NAN
    if key == 0 and isinstance(key, Real) and copysign(1.0, key) < 0:
        return _Part.NEGATIVE_ZERO
    return key


def _identities(parts: Iterable[Any]) -> list[Any]:
    return [_identity(part) for part in parts]


def _of_parts(key: Any, parts: Sequence[Any], made_of: Any) -> Any:
    identities = _identities(parts)
    return key if all(map(is_, identities, parts)) else made_of(identities)


def _fields(row: Row) -> tuple[tuple[str, ...] | None, list[Any]]:
    """Names and values in an order of their own: rows with the same names are equal whatever their order."""
    if row._fields is None:
        return None, list(row)
    names = sorted(row._fields)
    return tuple(names), [row[name] for name in names]
