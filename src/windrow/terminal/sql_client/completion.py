"""Completes words of a statement: tables, their columns, functions, and words of SQL."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from windrow.table.table_environment import TableEnvironment
from windrow.terminal.sql_client.client import OWN_STATEMENTS

_WORD = re.compile(r"\w+$")
#: Words behind which a table is named.
_BEFORE_TABLES = re.compile(r"\b(?:FROM|JOIN|INTO|TABLE|VIEW|DESCRIBE|DESC)\s+\w*$", re.IGNORECASE)
_PLAIN = re.compile(r"[A-Za-z_]\w*")
KEYWORDS = (
    *("ALL", "ALTER", "AND", "ANY", "AS", "ASC", "BEGIN", "BETWEEN", "BY", "CASE", "CAST", "COLUMNS"),
    *("CONSTRAINT", "CREATE", "CROSS", "CUBE", "CUMULATE", "CURRENT", "DAY", "DAYS", "DESC", "DESCRIBE"),
    *("DESCRIPTOR", "DISTINCT", "DROP", "ELSE", "END", "ENFORCED", "ESCAPE", "EXCEPT", "EXECUTE", "EXISTS"),
    *("EXPLAIN", "FALSE", "FETCH", "FILTER", "FIRST", "FOLLOWING", "FOR", "FROM", "FULL", "FUNCTION"),
    *("GROUP", "GROUPING", "HAVING", "HOP", "HOUR", "HOURS", "IF", "IN", "INNER", "INSERT", "INTERSECT"),
    *("INTERVAL", "INTO", "IS", "JOIN", "KEY", "LATERAL", "LEFT", "LIKE", "LIMIT", "METADATA", "MINUTE"),
    *("MINUTES", "MODIFY", "MONTH", "NATURAL", "NOT", "NULL", "OFFSET", "ON", "ONLY", "OR", "ORDER"),
    *("ORDINALITY", "OUTER", "OVER", "OVERWRITE", "PARTITION", "PARTITIONED", "PRECEDING", "PRIMARY"),
    *("QUALIFY", "RANGE", "RENAME", "RESET", "RIGHT", "ROLLUP", "ROW", "ROWS", "SECOND", "SECONDS", "SELECT"),
    *("SESSION", "SET", "SETS", "SHOW", "SOME", "STATEMENT", "SYSTEM", "TABLE", "TABLES", "TEMPORARY"),
    *("THEN", "TRUE", "TUMBLE", "UNBOUNDED", "UNION", "UNNEST", "USE", "USING", "VALUES", "VIEW", "VIEWS"),
    *("VIRTUAL", "WATERMARK", "WHEN", "WHERE", "WINDOW", "WITH", "YEAR"),
)


class SqlCompleter(Completer):
    """Completes the word before the cursor.

    Args:
        tables: Whose tables, columns and functions there are.
    """

    def __init__(self, tables: TableEnvironment) -> None:
        self._tables = tables

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
        """Offer what may stand for the word before the cursor, each with what it is."""
        before = document.text_before_cursor
        found = _WORD.search(before)
        word = found[0] if found else ""
        for text, kind in candidates(before, document.text, self._tables):
            yield Completion(text, -len(word), display_meta=kind)


def candidates(before: str, text: str, tables: TableEnvironment) -> list[tuple[str, str]]:
    """List the words that the last one of a text may become, and what each is.

    Args:
        before: The text up to the cursor.
        text: All of it; columns are those of the tables that it names.
        tables: Whose tables, columns and functions there are.
    """
    if before.count("'") % 2 or before.count("`") % 2:
        return []
    found = _WORD.search(before)
    word = found[0] if found else ""
    names = tables.list_tables()
    if _BEFORE_TABLES.search(before):
        wanted = [(quoted(name), "table") for name in names]
        return _beginning_with(word, [*wanted, *_keywords(word)] if word else wanted)
    columns = [
        (quoted(column), f"column of {name}") for name in _named(names, text) for column in _columns(name, tables)
    ]
    if before[: len(before) - len(word)].endswith("."):
        return _beginning_with(word, columns)
    functions = [(f"{name.upper() if word.isupper() else name}(", "function") for name in _functions(tables)]
    others = [*[(quoted(name), "table") for name in names], *functions, *_keywords(word)] if word else []
    return _beginning_with(word, [*columns, *others])


def quoted(name: str) -> str:
    """A name as a statement has it: between backticks where it is no plain word.

    Example:
        >>> quoted("price"), quoted("list price")
        ('price', '`list price`')
    """
    return name if _PLAIN.fullmatch(name) else f"`{name.replace('`', '``')}`"


def _beginning_with(word: str, found: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    kept: dict[str, str] = {}
    for text, kind in found:
        if text.strip("`").lower().startswith(word.lower()):
            kept.setdefault(text, kind)
    return list(kept.items())


def _keywords(word: str) -> list[tuple[str, str]]:
    lower = word.islower()
    return [(each.lower() if lower else each, "keyword") for each in sorted({*KEYWORDS, *OWN_STATEMENTS})]


def _named(names: list[str], text: str) -> list[str]:
    """The tables that a text names; all of them where it names none."""
    words = {word.strip("`") for word in re.findall(r"`[^`]+`|\w+", text)}
    return [name for name in names if name in words] or names


def _columns(name: str, tables: TableEnvironment) -> list[str]:
    return [str(row[0]) for row in tables.execute_sql(f"DESCRIBE {quoted(name)}").collect()]


def _functions(tables: TableEnvironment) -> list[str]:
    return [str(row[0]) for row in tables.execute_sql("SHOW FUNCTIONS").collect()]
