"""The beginnings of statements: words of Flink's that are not here are refused, and words that begin none."""

from __future__ import annotations

from typing import Any

from windrow.sql.errors import Place, nearest, refused, syntax_error

#: The words that statements begin with.
WORDS = (
    *("SELECT", "WITH", "VALUES", "INSERT", "EXECUTE", "BEGIN", "EXPLAIN", "CREATE", "ALTER", "DROP"),
    *("SHOW", "DESCRIBE", "DESC", "USE", "SET", "RESET"),
)
_WRITTEN = "a table is written by INSERT INTO, which adds rows, and takes changes where its connector does"
_PYTHON = "functions and connectors are packages of Python: install them where the program runs"
#: Flink's other ones, and what to do instead.
_OTHERS = {
    "ANALYZE": "leave it out, as plans need no statistics",
    "ADD": _PYTHON,
    "REMOVE": _PYTHON,
    "LOAD": "leave it out, as all functions are there",
    "UNLOAD": "leave it out, as all functions are there",
    "CALL": "there are no procedures, so call Python beside the statements",
    "COMPILE": "EXPLAIN shows a plan, and a statement is planned where it runs",
    "STOP": "cancel() of the JobClient ends a job",
    "REPLACE": "write CREATE OR REPLACE TABLE ... AS and a query",
    "UPDATE": _WRITTEN,
    "DELETE": _WRITTEN,
    "MERGE": _WRITTEN,
    "TRUNCATE": _WRITTEN,
}


def check_beginning(token: Any, text: str) -> None:
    """Look at the first token of a statement.

    Raises:
        SqlError: no statement that is here begins so.
    """
    word = token.text.upper()
    if word == "(" or word in WORDS:
        return
    place = Place(token.line, max(token.col - len(token.text) + 1, 1))
    if word in _OTHERS:
        raise refused(text, place, f"{word} is not supported: {_OTHERS[word]}")
    raise syntax_error(text, place, f"no statement begins with {token.text!r}: {nearest(word, WORDS)}")
