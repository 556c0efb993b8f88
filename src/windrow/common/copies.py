"""Copies of elements, so that who changes one changes nobody else's: what Flink's ``TypeSerializer.copy`` is for."""

from __future__ import annotations

import copyreg
from collections.abc import Callable, Sequence
from copy import deepcopy
from operator import is_
from typing import Any

from windrow.common.types import Row
from windrow.common.unchangeable import ATOMS, PARTS, all_never_change, never_changes

_Copier = Callable[[Any], Any]


def copied(value: Any) -> Any:
    """``value`` itself if it can never change, else a copy that shares nothing with it that can.

    Lists, dicts, tuples, Rows and objects of plain classes are copied part by part, all others by ``copy.deepcopy``,
    so a class decides with ``__deepcopy__`` what a copy of its objects is.

    Example:
        >>> kept = ("a", [1])
        >>> given = copied(kept)
        >>> kept[1].append(2)
        >>> given
        ('a', [1])
    """
    kind = type(value)
    if kind in ATOMS:
        return value
    if kind is tuple:
        for part in value:
            if type(part) not in ATOMS:
                break
        else:
            return value
    try:
        return (_COPIERS.get(kind) or _copied)(value)
    except RecursionError:  # it holds itself
        return deepcopy(value)


def copied_each(values: Sequence[Any]) -> Sequence[Any]:
    """:func:`copied` for each of ``values``; ``values`` itself if none of them can change.

    Example:
        >>> names = ["a", "b"]
        >>> copied_each(names) is names
        True
    """
    return values if all_never_change(values) else [copied(value) for value in values]


def _copied(value: Any) -> Any:
    kind = type(value)
    copier = _COPIERS.get(kind)
    if copier is None:
        if never_changes(value):
            return value
        copier = _COPIERS[kind] = _copier_of(kind)
    return copier(value)


def _list(value: list[Any]) -> list[Any]:
    return value.copy() if ATOMS.issuperset(map(type, value)) else [_copied(item) for item in value]


def _dict(value: dict[Any, Any]) -> dict[Any, Any]:
    if ATOMS.issuperset(map(type, value.values())):
        return value.copy()
    return {key: _copied(item) for key, item in value.items()}


def _row(value: Row) -> Row:
    row = Row.__new__(Row)
    row._fields = value._fields
    row._values = _list(value._values)
    row._row_kind = value._row_kind
    return row


def _tuple(value: tuple[Any, ...]) -> tuple[Any, ...]:
    if ATOMS.issuperset(map(type, value)):
        return value
    parts = tuple([_copied(item) for item in value])
    return value if all(map(is_, parts, value)) else parts


def _named_tuple(value: Any) -> Any:
    return value if never_changes(value) else tuple.__new__(type(value), [_copied(item) for item in value])


def _plain_object(value: Any) -> Any:
    if type(value) in PARTS and never_changes(value):
        return value
    kind = type(value)
    copy = object.__new__(kind)
    copy.__dict__.update((name, _copied(attribute)) for name, attribute in vars(value).items())
    return copy


def _array(value: Any) -> Any:
    return deepcopy(value) if value.dtype.hasobject else value.copy()


def _other(value: Any) -> Any:
    return value if never_changes(value) else deepcopy(value)


#: How objects of a class are copied; found out when the first one is seen.
_COPIERS: dict[type, _Copier] = {list: _list, dict: _dict, tuple: _tuple, Row: _row}


def _copier_of(kind: type) -> _Copier:
    if kind.__module__ == "numpy" and kind.__name__ == "ndarray":
        return _array
    if issubclass(kind, tuple) and kind.__dictoffset__ == 0 and kind.__iter__ is tuple.__iter__:
        return _named_tuple
    return _plain_object if _is_plain(kind) else _other


def _is_plain(kind: type) -> bool:
    """Tell whether an object is its ``__dict__`` and nothing more, and its class says nothing of copies or pickles."""
    return (
        kind.__dictoffset__ != 0
        and all(getattr(kind, name) is getattr(object, name) for name in _AS_OBJECT)
        and not any(hasattr(kind, name) for name in ("__setstate__", "__deepcopy__"))
        and not any(vars(base).get("__slots__") for base in kind.__mro__)
        and kind not in copyreg.dispatch_table
        and all(base is object or base.__flags__ & _HEAP_TYPE for base in kind.__mro__)
    )


_AS_OBJECT = ("__new__", "__reduce_ex__", "__reduce__", "__getstate__")
_HEAP_TYPE = 1 << 9  # Py_TPFLAGS_HEAPTYPE: a class that Python code has made
