"""The placeholders of a statement: question marks, as in JDBC."""

from __future__ import annotations

import re
from collections.abc import Iterator

from windrow.errors import ConfigurationError

#: What is no place for a placeholder, an escaped question mark, and placeholders.
_TOKENS = re.compile(
    r"""
      '(?:[^']|'')*'                                       # a string
    | "(?:[^"]|"")*"                                       # a name
    | `[^`]*`                                              # a name, in MySQL
    | \$(?P<tag>[A-Za-z_]\w*|)\$.*?\$(?P=tag)\$            # a string, in PostgreSQL
    | --[^\n]*                                             # comments
    | /\*.*?\*/
    | \?\?                                                 # a question mark
    | (?P<placeholder>\?)
    """,
    re.VERBOSE | re.DOTALL,
)


def with_named_placeholders(sql: str) -> tuple[str, int]:
    r"""A statement for ``sqlalchemy.text``, with placeholders ``:p0``, ``:p1``, ..., and how many there are.

    Question marks in strings, quoted names and comments are no placeholders; ``??`` is a question mark, as in
    PostgreSQL's JDBC driver, whose operators have some.

    Raises:
        ConfigurationError: the statement has parameters with names.

    Example:
        >>> with_named_placeholders("INSERT INTO t VALUES (?, '?', ?::int)")
        ("INSERT INTO t VALUES (:p0, '?', :p1\\:\\:int)", 2)
    """
    tokens = list(_tokens(sql))
    text = "".join(":p" + str(place) if token is None else token for place, token in _numbered(tokens))
    return text, tokens.count(None)


def _tokens(sql: str) -> Iterator[str | None]:
    """The statement's text, escaped for ``sqlalchemy.text``, and None for each placeholder."""
    end = 0
    for found in _TOKENS.finditer(sql):
        between = sql[end : found.start()]
        _refuse_names(between, sql)
        yield _escaped(between)
        token = found.group()
        yield None if found["placeholder"] else _escaped("?" if token == "??" else token)
        end = found.end()
    _refuse_names(sql[end:], sql)
    yield _escaped(sql[end:])


def _numbered(tokens: list[str | None]) -> Iterator[tuple[int, str | None]]:
    place = 0
    for token in tokens:
        yield place, token
        place += token is None


def _escaped(text: str) -> str:
    return text.replace(":", "\\:")


def _refuse_names(text: str, sql: str) -> None:
    name = re.search(r"(?<![:\w]):[A-Za-z_]\w*|%s|%\([A-Za-z_]\w*\)s", text)
    if name:
        msg = f"JdbcSink: the placeholders of a statement are question marks, not {name.group()!r}; got {sql!r}"
        raise ConfigurationError(msg)
