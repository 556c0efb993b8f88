"""Errors that show the place in the text they are about."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any, NamedTuple

from windrow.common.hidden import STARS, without_secrets
from windrow.errors import SqlError

#: What ends a line for the parser, which counts them.
_LINE_END = re.compile(r"\r\n|\n|\r")


class Place(NamedTuple):
    """A line and a column of a text, both from 1 on."""

    line: int
    column: int


def place_of(node: Any) -> Place | None:
    """Find where a part of a statement begins, as far as the parser has kept it."""
    found = [_of_meta(each) for each in node.walk() if each.meta.get("start") is not None]
    return min(found) if found else None


def _of_meta(node: Any) -> Place:
    meta = node.meta
    width = int(meta["end"]) - int(meta["start"])
    return Place(int(meta["line"]), int(meta["col"]) - width)


def with_caret(text: str, place: Place | None, hidden: Iterable[str] = ()) -> str:
    """The line of a text, without secrets, with a caret below the place.

    Args:
        text: The text.
        place: The place; None: there is none, and so nothing to show.
        hidden: Values of options that are not shown.

    Example:
        >>> print(with_caret("SELECT a", Place(1, 8)))
        line 1:
          SELECT a
                 ^
    """
    if place is None:
        return ""
    lines = _LINE_END.split(text)
    line = lines[min(place.line, len(lines)) - 1]
    literals = ["'" + value.replace("'", "''") + "'" for value in hidden]

    def shown(part: str) -> str:
        for literal in literals:
            part = part.replace(literal, STARS)
        return without_secrets(part)

    before = "".join([_blank(sign) for sign in shown(line[: place.column - 1])])
    return f"line {place.line}:\n  {shown(line)}\n  {before}^"


def _blank(sign: str) -> str:
    """As much space as a sign takes where letters have one width."""
    if sign == "\t" or unicodedata.combining(sign):
        return sign if sign == "\t" else ""
    return "  " if unicodedata.east_asian_width(sign) in ("W", "F") else " "


def sql_error(text: str, node: Any, message: str, *, hidden: Iterable[str] = ()) -> SqlError:
    """An error about a part of a statement, of which some values are not shown."""
    return refused(text, None if node is None else place_of(node), message, hidden=hidden)


def refused(text: str, place: Place | None, message: str, *, hidden: Iterable[str] = ()) -> SqlError:
    """An error about a place in a statement, of which some values are not shown."""
    shown = with_caret(text, place, hidden)
    error = SqlError(f"{message}\n{shown}" if shown else message)
    error.place = place
    return error


def syntax_error(text: str, place: Place | None, message: str) -> SqlError:
    """An error about a text that is no SQL."""
    return refused(text, place, message if place is None else f"this is no SQL that Windrow reads: {message}")


def in_whole(error: SqlError, statement: str, text: str) -> SqlError:
    """An error about a statement, with its line as a text has it in which the statement stands at the same place."""
    place = None if error.place is None else Place(*error.place)
    shown = with_caret(statement, place)
    if not shown or not str(error).endswith(shown):  # it is about another text, such as that of a type
        return error
    return refused(text, place, str(error).removesuffix(shown).removesuffix("\n"))


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
