"""Errors about a table, with their place in the statement that is run."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from typing import Any

from windrow.errors import SqlError
from windrow.sql import syntax as s
from windrow.sql.errors import sql_error
from windrow.table.connectors.errors import TableError

_SECRETS = ("password", "passwd", "passphrase", "secret", "token", "credential")


@contextmanager
def placed(text: str, at: Any, *, options: Sequence[Any] = (), definitions: Sequence[Any] = ()) -> Iterator[None]:
    """Give errors without a place that of the option or column which they are about, else that of the table.

    Args:
        text: The statement.
        at: The table's name in it; None: the program names it, and there is no place.
        options: The pairs of names and values that stand in it, behind WITH, say.
        definitions: The columns that stand in it.

    Raises:
        SqlError: one was raised within.
    """
    try:
        yield
    except SqlError as error:
        if error.place is not None or at is None:
            raise
        part, hidden = _part(error, options, definitions) or at, _hidden(error, options)
        raise sql_error(text, part, str(error), hidden=hidden) from error.__cause__


def _hidden(error: SqlError, options: Sequence[Any]) -> list[str]:
    """The values of options that may be secrets under a misspelt name: nobody knows it, or it is almost that of one."""
    unknown = error.option if isinstance(error, TableError) and not error.of_value else None
    pairs = [[each.name for each in pair.expressions] for pair in options]
    return [value for name, value in pairs if name == unknown or _is_almost_secret(name)]


def _is_almost_secret(name: str) -> bool:
    return any(get_close_matches(word, _SECRETS, 1, 0.7) for word in re.split(r"[.\-_]", name.lower()))


def _part(error: SqlError, options: Sequence[Any], definitions: Sequence[Any]) -> Any:
    """Find the part that an error is about, if the statement has it: the rest may be that of a table it is LIKE."""
    if not isinstance(error, TableError):
        return None
    for pair in options:
        name, value = pair.expressions
        if name.name == error.option:
            return value if error.of_value else name
    for each in definitions:
        if isinstance(each, s.ColumnDef) and each.name == error.column:
            return each
    return None
