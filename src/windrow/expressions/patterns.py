"""Java's regular expressions, which are those of Flink's functions, as Python's."""

from __future__ import annotations

import re
from functools import lru_cache

#: What a dot stands for in Java: not for what ends a line.
_DOT = "[^\\n\\r\\x85\\u2028\\u2029]"
#: Classes by name (``\p{Alpha}``), of ASCII as in Java, as the inside of a class.
_NAMED = {
    "Lower": "a-z",
    "Upper": "A-Z",
    "ASCII": "\\x00-\\x7f",
    "Alpha": "a-zA-Z",
    "Digit": "0-9",
    "Alnum": "a-zA-Z0-9",
    "Punct": "!-/:-@\\[-`{-~",
    "Graph": "!-~",
    "Print": " -~",
    "Blank": " \\t",
    "Cntrl": "\\x00-\\x1f\\x7f",
    "XDigit": "0-9a-fA-F",
    "Space": " \\t\\n\\x0b\\f\\r",
}
_ESCAPES = {
    "z": "\\Z",
    "Z": "(?=(?:\\r\\n|[\\n\\r\\x85\\u2028\\u2029])?\\Z)",
    "R": "(?:\\r\\n|[\\n\\x0b\\f\\r\\x85\\u2028\\u2029])",
    "h": "[ \\t\\xa0\\u1680\\u180e\\u2000-\\u200a\\u202f\\u205f\\u3000]",
    "e": "\\x1b",
}
_INSIDE = {"h": _ESCAPES["h"][1:-1], "e": "\\x1b"}
_NAME = re.compile(r"\{(\w+)\}")
_FLAGS = re.compile(r"\(\?[a-zA-Z]*s[a-zA-Z]*(?:-[a-zA-Z]*)?[:)]")


@lru_cache(maxsize=1_024)
def compiled(pattern: str) -> re.Pattern[str]:
    r"""A pattern of ``java.util.regex``.

    Raises:
        ValueError: it has a part of Java's that Python has not, which would match something else here.
        re.error: it is no regular expression.

    Example:
        >>> compiled(r"\p{Upper}\w*").search("the \u00c4rger of Ada").group()
        'Ada'
    """
    return re.compile(_translated(pattern), re.ASCII)


def _translated(pattern: str) -> str:
    made: list[str] = []
    place, in_class = 0, False
    dot = "." if _FLAGS.search(pattern) else _DOT
    while place < len(pattern):
        character = pattern[place]
        if character == "\\":
            part, place = _escape(pattern, place + 1, in_class=in_class)
            made.append(part)
            continue
        if in_class:
            if character == "[" or pattern.startswith("&&", place):
                raise ValueError(_refusal(pattern, "a class in a class"))
            in_class = character != "]"
        elif character == "[":
            in_class = True
            first = "[^" if pattern.startswith("^", place + 1) else "["
            made.append(first)
            place += len(first)
            continue
        elif character == ".":
            character = dot
        elif pattern.startswith("(?<", place) and pattern[place + 3 : place + 4] not in ("=", "!"):
            character = "(?P<"
            place += 2
        made.append(character)
        place += 1
    return "".join(made)


def _escape(pattern: str, place: int, *, in_class: bool) -> tuple[str, int]:
    """Translate what stands behind a backslash, and say where it ends."""
    letter = pattern[place : place + 1]
    if letter in ("p", "P"):
        found = _NAME.match(pattern, place + 1)
        if found is None or found[1] not in _NAMED or (in_class and letter == "P"):
            raise ValueError(_refusal(pattern, f"\\{letter}{found[0] if found else ''}"))
        inside = _NAMED[found[1]]
        return inside if in_class else f"[{'^' if letter == 'P' else ''}{inside}]", found.end()
    if letter == "Q":
        end = pattern.find("\\E", place)
        end = len(pattern) if end < 0 else end
        return re.escape(pattern[place + 1 : end]), end + 2
    if letter == "k" and pattern.startswith("<", place + 1) and ">" in pattern[place:]:
        end = pattern.index(">", place)
        return f"(?P={pattern[place + 2 : end]})", end + 1
    translated = (_INSIDE if in_class else _ESCAPES).get(letter)
    if translated is None and letter in ("G", "X", "H", "V", "N", "c", "R", "z", "Z"):
        raise ValueError(_refusal(pattern, f"\\{letter}"))
    return translated or f"\\{letter}", place + 1


def _refusal(pattern: str, part: str) -> str:
    return (
        f"{part} in the regular expression {pattern!r} is not supported here: write it with what Python's re has, too"
    )
