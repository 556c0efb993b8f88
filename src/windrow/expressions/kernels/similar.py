"""``SIMILAR TO``: patterns of SQL as regular expressions (Flink's ``SqlLikeUtils``)."""

from __future__ import annotations

import re
from functools import lru_cache

#: What an escape may stand before.
_SIGNS = frozenset("[]()|^-+*_%?{}")
#: What is written in one way in a pattern, and in another one in a regular expression.
_ANY = r"[^\n\r\x85\u2028\u2029]"
_WRITTEN = {"%": r"(?s:.*)", "_": _ANY, ".": _ANY, "\\": r"\\", "$": r"\$"}
_CLASSES = {
    "[:ALPHA:]": "A-Za-z",
    "[:UPPER:]": "A-Z",
    "[:LOWER:]": "a-z",
    "[:DIGIT:]": "0-9",
    "[:SPACE:]": " ",
    "[:WHITESPACE:]": r"\s",
    "[:ALNUM:]": "A-Za-z0-9",
}
_CLASS = re.compile(r"\[:(?:[A-Z]+|[a-z]+):\]")


@lru_cache(maxsize=1_024)
def similar_pattern(pattern: str, escape: str | None = None) -> re.Pattern[str]:
    r"""The regular expression of a pattern of SIMILAR TO.

    Signs of regular expressions stand for themselves there: ``.`` for any character, as in Flink. Without an escape
    a backslash is one.

    Raises:
        ValueError: the pattern is none, or the escape no character that it may have.

    Example:
        >>> similar_pattern("(a|b)%").fullmatch("bcd") is not None
        True
        >>> similar_pattern("9!%", "!").fullmatch("9%") is not None
        True
    """
    if escape is not None and len(escape) != 1:
        msg = f"ESCAPE takes one character; got {escape!r}"
        raise ValueError(msg)
    if escape == ":" and not ("[:" in pattern and ":]" in pattern):
        msg = f"SIMILAR TO {pattern!r}: ':' escapes where there is a class such as [:digit:]: take another character"
        raise ValueError(msg)
    made, place = [], 0
    while place < len(pattern):
        sign = pattern[place]
        if sign == escape:
            made.append(_escaped(pattern, place, escape))
            place += 2
        elif sign == "[":
            inner, place = _choice(pattern, place + 1, escape)
            made.append(f"[{inner}]")
        else:
            made.append(_WRITTEN.get(sign, sign))
            place += 1
    try:
        return re.compile("".join(made), re.ASCII)
    except re.error as error:
        msg = f"SIMILAR TO {pattern!r}: {error}"
        raise ValueError(msg) from None


def _escaped(pattern: str, place: int, escape: str) -> str:
    """Read what stands behind an escape, as itself."""
    sign = pattern[place + 1 : place + 2]
    if not sign or (sign not in _SIGNS and sign != escape):
        msg = f"SIMILAR TO {pattern!r}: ESCAPE {escape!r} stands before a sign or itself; got {sign!r} behind it"
        raise ValueError(msg)
    return re.escape(sign)


def _choice(pattern: str, place: int, escape: str | None) -> tuple[str, int]:
    """Read what stands between brackets, as a regular expression has it, and the place behind them."""
    made: list[str] = []
    while place < len(pattern):
        sign, of_class = pattern[place], _CLASS.match(pattern, place)
        if sign == "]":
            return "".join(made), place + 1
        if sign == escape:
            made.append(_escaped(pattern, place, escape))
            place += 2
        elif of_class is not None and of_class[0].upper() in _CLASSES:
            made.append(_CLASSES[of_class[0].upper()])
            place = of_class.end()
        elif sign in _SIGNS and sign not in "-^":
            msg = f"SIMILAR TO {pattern!r}: {sign!r} does not stand between brackets"
            raise ValueError(msg)
        else:
            made.append(f"\\{sign}" if sign in "&~" else sign)
            place += 1
    msg = f"SIMILAR TO {pattern!r}: a bracket is not closed"
    raise ValueError(msg)
