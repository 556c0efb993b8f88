"""Knows values that never change, so that all who hold one may hold the same object: one by one or many at once."""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import fractions
import ipaddress
import pathlib
import re
import sys
import types
import uuid
from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from itertools import chain
from operator import attrgetter
from typing import Any

#: Classes none of whose objects ever changes; others are added when their first object is seen.
ATOMS: set[type] = {
    *(int, float, str, bytes, bool, types.NoneType, complex, range, slice, type, types.EllipsisType, re.Pattern),
    *(types.FunctionType, types.BuiltinFunctionType, types.ModuleType),
    *(datetime.datetime, datetime.date, datetime.time, datetime.timedelta, datetime.timezone),
    *(decimal.Decimal, fractions.Fraction, uuid.UUID),
}
#: Classes whose objects may be changed.
CHANGEABLE: set[type] = {list, dict, set, bytearray}
#: Other classes: an object never changes if none of the parts does that these give.
PARTS: dict[type, Callable[[Any], Iterable[Any]]] = {tuple: iter, frozenset: iter}

# By subclass: no object changes, where it has no attributes of its own.
_ATOMIC_BASES = (
    *(int, float, str, bytes, complex, datetime.date, datetime.time, datetime.timedelta, datetime.tzinfo),
    *(decimal.Decimal, fractions.Fraction, uuid.UUID),
)
# By subclass: no object changes, and attributes that it has are of its own making (caches).
_ATOMIC_KINDS = (
    *(type, Enum, pathlib.PurePath, types.ModuleType),
    *(ipaddress.IPv4Address, ipaddress.IPv6Address, ipaddress.IPv4Network, ipaddress.IPv6Network),
)


def never_changes(value: Any) -> bool:
    """Tell whether nobody can change ``value`` nor anything in it.

    So are numbers, texts, bytes, None, dates and times, members of an enum, and the like; tuples, named tuples, frozen
    sets and frozen dataclasses of such values; NumPy's numbers.

    Example:
        >>> never_changes(("a", (1, None))), never_changes(("a", [1])), never_changes(datetime.date(2024, 1, 1))
        (True, False, True)
    """
    kind = type(value)
    if kind in ATOMS:
        return True
    if kind is tuple and ATOMS.issuperset(map(type, value)):
        return True
    parts = PARTS.get(kind)
    if parts is not None:
        return all(map(never_changes, parts(value)))
    return kind not in CHANGEABLE and _learn(kind) and never_changes(value)


def all_never_change(values: Sequence[Any]) -> bool:
    """Tell whether :func:`never_changes` is true of each of ``values``: a few steps in C for all of them.

    Example:
        >>> all_never_change([("a", 1), ("b", 2), None]), all_never_change([("a", 1), ("b", {})])
        (True, False)
    """
    kinds = set(map(type, values))
    if ATOMS.issuperset(kinds):
        return True
    if not CHANGEABLE.isdisjoint(kinds):
        return False
    for kind in kinds - ATOMS:
        if kind not in PARTS and not _learn(kind):
            return False
        if kind in ATOMS:
            continue
        of_kind = values if len(kinds) == 1 else [each for each in values if type(each) is kind]
        parts = PARTS[kind]
        in_each: Any = of_kind if parts is iter else [parts(each) for each in of_kind]
        # Most parts are numbers and texts: that is seen without making a list of them.
        if not ATOMS.issuperset(map(type, chain.from_iterable(in_each))) and not all_never_change(
            list(chain.from_iterable(in_each))
        ):
            return False
    return True


def _learn(kind: type) -> bool:
    """Find out about a class that is seen for the first time; whether it may have objects that never change."""
    parts = _parts_of(kind)
    if issubclass(kind, _ATOMIC_KINDS) or _is_numpy_number(kind) or parts is _NOTHING:
        ATOMS.add(kind)
    elif parts is None:
        CHANGEABLE.add(kind)
    else:
        PARTS[kind] = parts
    return parts is not None or kind in ATOMS


def _NOTHING(_value: Any) -> tuple[()]:  # noqa: N802  (a constant that can be called)
    return ()


def _parts_of(kind: type) -> Callable[[Any], Iterable[Any]] | None:
    """Find what decides whether an object of the class can change; None: it can."""
    has_attributes = kind.__dictoffset__ != 0
    if issubclass(kind, _ATOMIC_BASES):
        return _attributes if has_attributes else _NOTHING
    if issubclass(kind, tuple) and kind.__iter__ is tuple.__iter__:
        return _items_and_attributes if has_attributes else iter
    if "__dataclass_params__" in vars(kind) and kind.__dataclass_params__.frozen:  # type: ignore[attr-defined]
        names = [each.name for each in dataclasses.fields(kind)]  # type: ignore[arg-type]
        return _fields_of(names) if names else _NOTHING
    return None


def _fields_of(names: Sequence[str]) -> Callable[[Any], Iterable[Any]]:
    getter: Callable[[Any], Any] = attrgetter(*names)
    return getter if len(names) > 1 else lambda value: (getter(value),)


def _attributes(value: Any) -> Iterable[Any]:
    """An object of a text's or a number's subclass has a dictionary, mostly an empty one."""
    return (vars(value),) if vars(value) else ()


def _items_and_attributes(value: Any) -> Iterable[Any]:
    return (*value, vars(value)) if vars(value) else value


def _is_numpy_number(kind: type) -> bool:
    numpy = sys.modules.get("numpy")  # not imported for this: without it there are no such objects
    return numpy is not None and issubclass(kind, numpy.generic) and not issubclass(kind, numpy.void)
