"""Comparisons, and questions that have an answer for NULL."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum
from functools import lru_cache
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from windrow.expressions.function import Kernel, each, on_columns
from windrow.expressions.kernels.similar import similar_pattern
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


#: Arrow's regular expressions have a size.
_LONGEST_PATTERN = 256


class _Wild(Enum):
    """The signs of a pattern of LIKE, as regular expressions."""

    ANY = ".*"
    ONE = "."


def _like_parts(pattern: str, escape: str | None) -> list[str | _Wild]:
    """The characters of a pattern of LIKE as they stand between its signs, and these."""
    parts: list[str | _Wild] = []
    characters = iter(pattern)
    for character in characters:
        is_escaped = bool(escape) and character == escape
        wild = None if is_escaped else {"%": _Wild.ANY, "_": _Wild.ONE}.get(character)
        if wild is not None:
            if wild is _Wild.ONE or not parts or parts[-1] is not wild:
                parts.append(wild)
            continue
        text = next(characters, character) if is_escaped else character
        if parts and isinstance(parts[-1], str):
            parts[-1] += text
        else:
            parts.append(text)
    return parts


@lru_cache(maxsize=1_024)
def like_pattern(pattern: str, escape: str | None = None) -> re.Pattern[str]:
    """The regular expression of a pattern of LIKE.

    Example:
        >>> like_pattern("a_c%").match("abcd") is not None
        True
    """
    parts = [re.escape(part) if isinstance(part, str) else part.value for part in _like_parts(pattern, escape)]
    return re.compile("".join(parts) + r"\Z", re.DOTALL)


def _like_column(texts: pa.Array, pattern: str, escape: str | None = None) -> pa.Array | None:
    """``LIKE`` on a column: Arrow looks for the text itself where the pattern has one, which `%` may stand around."""
    if len(pattern) > _LONGEST_PATTERN:
        return None
    parts = _like_parts(pattern, escape)
    words = [part for part in parts if isinstance(part, str)]
    if _Wild.ONE not in parts and len(words) == 1:
        (word,) = words
        match parts[0] is _Wild.ANY, parts[-1] is _Wild.ANY:
            case False, False:
                return pc.equal(texts, word)
            case False, True:
                return pc.starts_with(texts, word)
            case True, False:
                return pc.ends_with(texts, word)
        return pc.match_substring(texts, word)
    made = [_for_arrow(part) if isinstance(part, str) else part.value for part in parts]
    return pc.match_substring_regex(texts, f"(?s)\\A{''.join(made)}\\z")


def _for_arrow(text: str) -> str:
    """A text in a regular expression of Arrow's, by the numbers of what are no letters and digits."""
    return "".join([c if c.isascii() and c.isalnum() else f"\\x{{{ord(c):x}}}" for c in text])


def _like(text: str, pattern: str, escape: str | None = None) -> bool:
    return like_pattern(pattern, escape).match(text) is not None


def _similar(text: str, pattern: str, escape: str | None = None) -> bool:
    return similar_pattern(pattern, escape).fullmatch(text) is not None


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
    "LIKE": on_columns(_like_column, each(_like)),
    "SIMILAR TO": each(_similar),
}
