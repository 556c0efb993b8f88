"""SHOW, DESCRIBE and USE: what there is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from windrow.common.hidden import without_secrets
from windrow.expressions import logical_types as lt
from windrow.expressions.logical_types import may_be_null, name_of
from windrow.sql import syntax as s
from windrow.sql.catalog import CATALOG, DATABASE, Catalog, TableDefinition, View, name_of_table
from windrow.sql.errors import nearest, sql_error
from windrow.sql.plan import Column
from windrow.sql.table_statement import statement_of, statement_of_view
from windrow.table.table_result import TableResult


def show(catalog: Catalog, own: Sequence[str], node: Any, text: str, *, streaming: bool) -> TableResult:
    """Make the result of ``SHOW``.

    Args:
        catalog: The tables and views.
        own: The names of functions of the program's own.
        node: The statement.
        text: Its text, for errors.
        streaming: Whether tables are read as streams.

    Raises:
        SqlError: there is nothing of that kind, or no table of that name.
    """
    kind = node.args["kind"]
    lists: dict[str, tuple[str, Sequence[str]]] = {
        "TABLES": ("table name", catalog.names()),
        "VIEWS": ("view name", catalog.views()),
        "CATALOGS": ("catalog name", ["default_catalog"]),
        "DATABASES": ("database name", ["default_database"]),
        "CURRENT CATALOG": ("current catalog name", ["default_catalog"]),
        "CURRENT DATABASE": ("current database name", ["default_database"]),
        "FUNCTIONS": ("function name", sorted({*function_names(), *own})),
        "USER FUNCTIONS": ("function name", own),
        "MODULES": ("module name", ["core"]),
    }
    if kind in lists:
        if node.this is not None:
            use(s.UseStatement(this=node.this, catalog=kind == "DATABASES"), text)  # there is one of each
        name, found = lists[kind]
        return TableResult([Column(name, lt.STRING)], lines=[[each] for each in _names_like(node, found)])
    if kind == "COLUMNS" and node.this is not None:
        return describe(catalog, node, text, streaming=streaming)
    if kind in ("CREATE TABLE", "CREATE VIEW"):
        if node.this is None:
            raise sql_error(text, node, f"SHOW {kind} takes a name")
        entry = catalog.find(name_of_table(node.this, text), text, node.this)
        found = "TABLE" if isinstance(entry, TableDefinition) else "VIEW"
        if not kind.endswith(found):
            raise sql_error(text, node.this, f"{entry.name!r} is a {found.lower()}: write SHOW CREATE {found}")
        if isinstance(entry, View) and not entry.query:
            raise sql_error(text, node.this, f"view {entry.name!r} was made by the program: it has no statement")
        shown = statement_of(entry) if isinstance(entry, TableDefinition) else statement_of_view(entry)
        return TableResult([Column("result", lt.STRING)], lines=[[without_secrets(shown)]], plain=True)
    raise sql_error(text, node, f"SHOW {kind} is not known: {nearest(kind, [*lists, 'CREATE TABLE', 'CREATE VIEW'])}")


def mark_of(column: Column, *, streaming: bool) -> str:
    """Give what Flink writes behind the type of a time attribute; in batch mode an event time has nothing there."""
    if column.proctime:
        return " *PROCTIME*"
    return " *ROWTIME*" if column.rowtime and streaming else ""


def describe(catalog: Catalog, node: Any, text: str, *, streaming: bool) -> TableResult:
    """The columns of a table or view.

    Raises:
        SqlError: there is none of that name.
    """
    entry = catalog.find(name_of_table(node.this, text), text, node.this)
    columns = entry.columns if isinstance(entry, TableDefinition) else entry.relation.columns
    heads = [Column(name, lt.STRING) for name in ("name", "type")] + [Column("null", lt.BOOLEAN)]
    heads += [Column(name, lt.STRING) for name in ("key", "extras", "watermark")]
    lines = []
    named = _names_like(node, [column.name for column in columns])
    for column in [each for each in columns if each.name in named]:
        kind = name_of(column.type, nullability=False) + mark_of(column, streaming=streaming)
        key = extras = watermark = ""
        if isinstance(entry, TableDefinition):
            if column.name in entry.primary_key:
                key = f"PRI({', '.join(entry.primary_key)})"
            if column.name in entry.written:
                extras = f"AS {entry.written[column.name]}"
            extras = next((str(each) for each in entry.metadata if each.column.name == column.name), extras)
            if entry.watermark is not None and entry.watermark[0] == column.name:
                watermark = entry.watermark[2]
        lines.append([column.name, kind, may_be_null(column.type), key, extras, watermark])
    return TableResult(heads, lines=lines)


def use(node: Any, text: str) -> TableResult:
    """``USE``: there is one catalog, with one database.

    Raises:
        SqlError: another one is named.
    """
    name, catalog = str(node.this.name), node.this.args.get("db")
    known = CATALOG if node.args.get("catalog") else DATABASE
    if name != known or (catalog is not None and catalog.name != CATALOG):
        shown = name if catalog is None else f"{catalog.name}.{name}"
        message = f"there is one catalog, {CATALOG}, with {DATABASE}; got {shown!r}"
        raise sql_error(text, node.this, message)
    return TableResult([])


def _names_like(node: Any, names: Sequence[str]) -> list[str]:
    """The names that fit what stands behind LIKE, if anything does."""
    pattern = node.args.get("pattern")
    if pattern is None:
        return list(names)
    flags = re.IGNORECASE if node.args.get("any_case") else 0
    parts = {"%": ".*", "_": "."}
    fits = re.compile("".join([parts.get(each, re.escape(each)) for each in pattern.name]), flags)
    return [name for name in names if (fits.fullmatch(name) is None) is bool(node.args.get("negated"))]


def function_names() -> list[str]:
    """The names of Flink's functions, in lower case."""
    from windrow.expressions.function import FUNCTIONS
    from windrow.sql.function_calls import AGGREGATES, SPECIAL

    return sorted({each.lower() for each in (*FUNCTIONS, *AGGREGATES, *SPECIAL)})
