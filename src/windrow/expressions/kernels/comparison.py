"""Comparisons, and questions that have an answer for NULL."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from windrow.expressions.function import Kernel, each
from windrow.expressions.nodes import Call


def _comparing(compute: Any) -> Kernel:
    def kernel(_call: Call, values: Sequence[pa.Array], _count: int) -> pa.Array:
        first, second = values
        if pa.types.is_nested(first.type):
            pairs = zip(first.to_pylist(), second.to_pylist(), strict=True)
            wanted = compute is pc.equal
            return pa.array([None if None in (a, b) else (a == b) is wanted for a, b in pairs], pa.bool_())
        return compute(first, second)

    return kernel


def _distinct(_call: Call, values: Sequence[pa.Array], _count: int) -> pa.Array:
    first, second = values
    equal = pc.equal(first, second)
    both_null = pc.and_(first.is_null(), second.is_null())
    return pc.invert(pc.or_(equal.fill_null(False), both_null))


def _not_distinct(call: Call, values: Sequence[pa.Array], count: int) -> pa.Array:
    return pc.invert(_distinct(call, values, count))


def _truth(value: bool, *, wanted: bool) -> Kernel:
    """``IS TRUE`` and the like: never NULL."""
    return lambda _call, values, _count: pc.equal(pc.equal(values[0], value).fill_null(False), wanted)


def like_pattern(pattern: str, escape: str | None = None) -> re.Pattern[str]:
    """The regular expression of a pattern of LIKE.

    Example:
        >>> like_pattern("a_c%").match("abcd") is not None
        True
    """
    parts, position = [], 0
    while position < len(pattern):
        character = pattern[position]
        if escape and character == escape and position + 1 < len(pattern):
            position += 1
            parts.append(re.escape(pattern[position]))
        else:
            parts.append({"%": ".*", "_": "."}.get(character) or re.escape(character))
        position += 1
    return re.compile("".join(parts) + r"\Z", re.DOTALL)


def _like(text: str, pattern: str, escape: str | None = None) -> bool:
    return like_pattern(pattern, escape).match(text) is not None


def _similar(text: str, pattern: str) -> bool:
    translated = re.sub(r"(?<!\\)%", ".*", re.sub(r"(?<!\\)_", ".", pattern))
    return re.fullmatch(translated, text, re.DOTALL) is not None


OPERATORS: dict[str, Kernel] = {
    "=": _comparing(pc.equal),
    "<>": _comparing(pc.not_equal),
    "<": _comparing(pc.less),
    "<=": _comparing(pc.less_equal),
    ">": _comparing(pc.greater),
    ">=": _comparing(pc.greater_equal),
    "IS DISTINCT FROM": _distinct,
    "IS NOT DISTINCT FROM": _not_distinct,
    "IS NULL": lambda _call, values, _count: values[0].is_null(),
    "IS NOT NULL": lambda _call, values, _count: values[0].is_valid(),
    "IS TRUE": _truth(True, wanted=True),
    "IS NOT TRUE": _truth(True, wanted=False),
    "IS FALSE": _truth(False, wanted=True),
    "IS NOT FALSE": _truth(False, wanted=False),
    "NOT": lambda _call, values, _count: pc.invert(values[0]),
    "LIKE": each(_like),
    "SIMILAR TO": each(_similar),
}
