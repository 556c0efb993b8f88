"""Gives the next operator a user function's results for itself alone: who changes one changes nothing others see.

Flink copies every element between two chained operators, unless object reuse is on. Here an element is copied if it can
be changed and somebody else still holds it: CPython counts who does. What a function has made and given away is handed
on as it is. What it keeps (in a field, in a variable of a generator that goes on, in a list that it gives again) or
never owned (its input, a constant) is not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from sys import getrefcount
from typing import Any

from windrow.common.copies import copied
from windrow.common.types import Row
from windrow.common.unchangeable import ATOMS, all_never_change, never_changes


def handed_on(result: Any, holders: int = 1) -> Any:
    """``result`` itself if nobody can change it, or nobody but the caller holds it; else a copy.

    Args:
        result: What a user's function gave.
        holders: How many references of the caller's there are to it: one, the variable; two, if it is in a list as
            well. 0: it is not known who holds it.

    Example:
        >>> kept = []
        >>> def function():
        ...     yield [1]
        ...     yield kept
        >>> [handed_on(result) is kept for result in function()]
        [False, False]
    """
    kind = type(result)
    if kind in ATOMS:
        return result
    if kind is tuple:
        for part in result:
            if type(part) not in ATOMS:
                break
        else:
            return result
        part = None  # it counts as well
    if getrefcount(result) <= _OWN + holders and not _is_held_inside(result):
        return result
    return copied(result)


def handed_on_each(results: list[Any]) -> list[Any]:
    """:func:`handed_on` for results that nobody holds but this list."""
    return results if all_never_change(results) else [handed_on(result, 2) for result in results]


def handing_on(call: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """``call``, a function of one element, with its result handed on.

    A function that changes its argument and gives it back gives what it was given: nobody holds it but those who did
    before the call.
    """

    def call_and_hand_on(value: Any) -> Any:
        before = getrefcount(value)
        result = call(value)
        if type(result) in ATOMS:
            return result
        if result is not value:
            return handed_on(result)
        if getrefcount(value) <= before + 1 and not _is_held_inside(value):
            return value
        return copied(value)

    return call_and_hand_on


def reference_counts(values: Sequence[Any]) -> list[int] | None:
    """Count the references to each of ``values`` before a function sees them; None if none can change."""
    return None if all_never_change(values) else list(map(getrefcount, values))


def without_kept(values: Sequence[Any], before: list[int] | None) -> Sequence[Any]:
    """``values``, with copies of those that a function has kept since :func:`reference_counts` was asked."""
    if before is None:
        return values
    now = list(map(getrefcount, values))
    if now == before:
        return values
    counted = zip(values, now, before, strict=True)
    return [copied(value) if count > count_before else value for value, count, count_before in counted]


def _is_held_inside(value: Any) -> bool:
    """Tell whether somebody else holds something in ``value`` that can change."""
    kind = type(value)
    items: Iterable[Any]
    if kind is Row:
        items = value._values
    elif kind is dict:
        items = value.values()
    elif isinstance(value, list | tuple):
        items = value
    elif kind.__dictoffset__:
        items = vars(value).values()
    else:
        # A view, as NumPy's: who holds the memory that it shows is not known.
        return isinstance(value, memoryview) or getattr(value, "base", None) is not None
    if ATOMS.issuperset(map(type, items)):
        return False
    for item in items:  # noqa: SIM110  (a generator would hold the item once more)
        if _is_item_held(item):
            return True
    return False


def _is_item_held(item: Any) -> bool:
    return not never_changes(item) and (getrefcount(item) > _OWN + 2 or _is_held_inside(item))


def _own_references() -> int:
    """Count the references that a function and its call of ``getrefcount`` make: one Python's differ from another's."""

    def count(value: Any) -> int:
        return getrefcount(value)

    made: list[Any] = []
    return count(made) - 1


_OWN = _own_references()
