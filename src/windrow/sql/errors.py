"""Errors that show the place in the text they are about."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any, NamedTuple

from windrow.common.hidden import without_secrets
from windrow.errors import SqlError


class Place(NamedTuple):
    """A line and a column of a text, both from 1 on."""

    line: int
    column: int


def place_of(node: Any) -> Place | None:
    """Where a part of a statement begins, as far as the parser has kept it."""
    found = [_of_meta(each) for each in node.walk() if each.meta.get("start") is not None]
    return min(found) if found else None


def _of_meta(node: Any) -> Place:
    meta = node.meta
    width = int(meta["end"]) - int(meta["start"])
    return Place(int(meta["line"]), int(meta["col"]) - width)


def with_caret(text: str, place: Place | None) -> str:
    """The line of a text, without secrets, with a caret below the place.

    Example:
        >>> print(with_caret("SELECT a", Place(1, 8)))
        line 1:
          SELECT a
                 ^
    """
    if place is None:
        return ""
    lines = text.splitlines() or [""]
    line = lines[min(place.line, len(lines)) - 1]
    before = without_secrets(line[: place.column - 1])
    return f"line {place.line}:\n  {without_secrets(line)}\n  {' ' * len(before)}^"


def sql_error(text: str, node: Any, message: str) -> SqlError:
    """An error about a part of a statement."""
    return refused(text, None if node is None else place_of(node), message)


def refused(text: str, place: Place | None, message: str) -> SqlError:
    """An error about a place in a statement."""
    shown = with_caret(text, place)
    return SqlError(f"{message}\n{shown}" if shown else message)


def syntax_error(text: str, place: Place | None, message: str) -> SqlError:
    """An error about a text that is no SQL."""
    shown = with_caret(text, place)
    return SqlError(f"this is no SQL that Windrow reads: {message}\n{shown}" if shown else message)


def nearest(name: str, known: Iterable[str]) -> str:
    """A hint that names the nearest of some names, and says which there are.

    Example:
        >>> nearest("pricee", ["price", "item"])
        "did you mean 'price'? There are price, item"
    """
    names = list(known)
    lowered = {each.lower(): each for each in names}
    close = get_close_matches(name.lower(), lowered, 1, 0.6)
    listed = f"There are {', '.join(names)}" if names else "There are none"
    return f"did you mean {lowered[close[0]]!r}? {listed}" if close else listed
