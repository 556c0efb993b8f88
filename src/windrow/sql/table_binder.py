"""From ``CREATE TABLE`` to a table, and from a table to a relation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from windrow.expressions import logical_types as lt
from windrow.expressions.logical_types import DayTimeIntervalType, name_of
from windrow.expressions.nodes import Call, Expression, InputRef, Literal
from windrow.sql import dialect as d
from windrow.sql import syntax as s
from windrow.sql.catalog import Catalog, MetadataColumn, TableDefinition, name_of_table
from windrow.sql.errors import nearest, sql_error
from windrow.sql.expression_binder import ExpressionBinder, cast_to
from windrow.sql.plan import AssignTime, Column, Normalize, Project, Relation, Scan, is_clock
from windrow.sql.scope import Scope
from windrow.sql.type_names import type_of


def table_of(node: Any, text: str, time_zone: str, catalog: Catalog) -> TableDefinition:
    """The table that a statement describes.

    Raises:
        SqlError: names or types do not fit.
    """
    name = name_of_table(node.this, text)
    definitions = node.args.get("expressions") or []
    of_columns = [each for each in definitions if isinstance(each, s.ColumnDef)]
    stored = [each for each in of_columns if each.args.get("kind") is not None]
    physical = [_stored(each, text) for each in stored if not each.args.get("metadata")]
    metadata = [_metadata(each, text) for each in stored if each.args.get("metadata")]
    _check_names(of_columns, text)
    keys = _primary_key(definitions, physical, text)
    physical = [replace(column, type=column.type.not_null()) if column.name in keys else column for column in physical]
    readable = [*physical, *[each.column for each in metadata]]
    scope = Scope(readable, [name] * len(readable), text)
    binder = ExpressionBinder(scope, time_zone, catalog=catalog)
    computed: dict[str, Expression] = {}
    columns: list[Column] = []
    written: dict[str, str] = {}
    for each in of_columns:
        if each.args.get("kind") is not None:
            columns.append(next(column for column in readable if column.name == each.name))
            continue
        if each.args.get("computed") is None:
            raise sql_error(
                text, each, f"column {each.name!r} has no type: only CREATE TABLE ... AS query leaves it out"
            )
        expression = binder.bind(each.args["computed"])
        computed[each.name] = expression
        written[each.name] = d.written(each.args["computed"])
        columns.append(Column(each.name, expression.type, proctime=is_clock(expression)))
    watermark = None
    for each in definitions:
        if isinstance(each, s.WatermarkDef):
            if watermark is not None:
                raise sql_error(text, each, f"a table has one WATERMARK; there is that of {watermark[0]} already")
            watermark, columns = _watermark(each, columns, text, time_zone)
    options: dict[str, str] = {}
    for pair in node.args.get("options") or ():
        key, value = (each.name for each in pair.expressions)
        if key in options:
            raise sql_error(text, pair.expressions[0], f"option {key!r} is written twice")
        options[key] = value
    return TableDefinition(
        name, physical, columns, computed, watermark, options, keys, written,
        metadata=metadata, partitioned=_partitioned(node, physical, text), node=node,
    )  # fmt: skip


def relation_of(table: TableDefinition, source: Any, time_zone: str) -> Relation:
    """The rows of a table, with computed columns and watermarks.

    Args:
        table: The table.
        source: Reads its stored columns, and behind them its metadata, whose types it knows.
        time_zone: That of the session, for metadata that is declared as another type.
    """
    readable = table.readable
    kinds = source.metadata() if table.metadata else {}
    given = [*table.physical, *[Column(each.column.name, kinds[each.key]) for each in table.metadata]]
    changes: bool = source.changes
    relation: Relation = Scan(given, table.name, source, changes=changes)
    if given != readable:
        declared = [
            cast_to(InputRef(place, column.type), target.type, time_zone=time_zone)
            for place, (column, target) in enumerate(zip(given, readable, strict=True))
        ]
        relation = Project(readable, relation, declared, changes=changes)
    if table.computed or table.columns != readable:
        places = {column.name: place for place, column in enumerate(readable)}
        expressions: list[Expression] = [
            table.computed[column.name]
            if column.name in table.computed
            else InputRef(places[column.name], readable[places[column.name]].type)
            for column in table.columns
        ]
        plain = [replace(column, rowtime=False) for column in table.columns]
        relation = Project(plain, relation, expressions, changes=changes)
    if table.watermark is not None:
        name, delay, _ = table.watermark
        place = [column.name for column in table.columns].index(name)
        relation = AssignTime(list(table.columns), relation, place, delay, changes=changes)
    if changes:
        names = [column.name for column in relation.columns]
        keys = [names.index(name) for name in table.primary_key]
        relation = Normalize(list(relation.columns), relation, keys, changes=True)
    if table.primary_key:
        names = [column.name for column in table.columns]
        relation.key = tuple([names.index(name) for name in table.primary_key])
    return relation


def _partitioned(node: Any, physical: Sequence[Column], text: str) -> list[str]:
    """The columns of PARTITIONED BY."""
    known = [column.name for column in physical]
    names: list[str] = []
    for each in node.args.get("partitioned") or ():
        if each.name not in known:
            message = f"PARTITIONED BY: there is no stored column {each.name!r}: {nearest(each.name, known)}"
            raise sql_error(text, each, message)
        if each.name in names:
            raise sql_error(text, each, f"PARTITIONED BY: column {each.name!r} is written twice")
        names.append(each.name)
    if names and len(names) == len(known):
        raise sql_error(text, node.this, "PARTITIONED BY: there is no column left to be in the files")
    return names


def _metadata(node: Any, text: str) -> MetadataColumn:
    key = node.args.get("key")
    name = node.name if key is None else key.name
    return MetadataColumn(_stored(node, text), name, bool(node.args.get("virtual")))


def _stored(node: Any, text: str) -> Column:
    kind = type_of(node.args["kind"], text)
    return Column(node.name, kind.not_null() if node.args.get("not_null") else kind)


def _check_names(of_columns: Sequence[Any], text: str) -> None:
    names: set[str] = set()
    for each in of_columns:
        if each.name in names:
            raise sql_error(text, each, f"column {each.name!r} is written twice")
        names.add(each.name)


def _primary_key(definitions: Sequence[Any], physical: Sequence[Column], text: str) -> list[str]:
    """The columns of the primary key."""
    found: list[tuple[Any, list[str]]] = []
    for each in definitions:
        if isinstance(each, s.PrimaryKeyDef):
            found.append((each, [key.name for key in each.expressions]))
        elif isinstance(each, s.ColumnDef) and each.args.get("primary"):
            found.append((each, [each.name]))
    known = [column.name for column in physical]
    for node, keys in found:
        if not node.args.get("not_enforced"):
            raise sql_error(text, node, "PRIMARY KEY is not enforced here: write PRIMARY KEY ... NOT ENFORCED")
        for key in keys:
            if key not in known:
                raise sql_error(text, node, f"PRIMARY KEY: there is no stored column {key!r}: {nearest(key, known)}")
        if len(set(keys)) < len(keys):
            raise sql_error(text, node, "PRIMARY KEY: a column is written twice")
    if len(found) > 1:
        raise sql_error(text, found[1][0], "a table has one PRIMARY KEY: write PRIMARY KEY (a, b) NOT ENFORCED")
    return found[0][1] if found else []


def _watermark(
    node: Any, columns: Sequence[Column], text: str, time_zone: str
) -> tuple[tuple[str, int, str], list[Column]]:
    name = node.name
    names = [column.name for column in columns]
    if name not in names:
        raise sql_error(text, node, f"WATERMARK FOR {name}: there is no such column: {nearest(name, names)}")
    column = columns[names.index(name)]
    if column.proctime:
        message = f"WATERMARK FOR {name}: {name} is processing time, which needs none, and is no event time"
        raise sql_error(text, node, message)
    if not lt.is_timestamp(column.type) or column.type.precision > 3:  # type: ignore[attr-defined]
        message = f"WATERMARK FOR {name} takes a TIMESTAMP(3) or TIMESTAMP_LTZ(3) at most; it is {name_of(column.type)}"
        raise sql_error(text, node, message)
    binder = ExpressionBinder(Scope(columns, [None] * len(columns), text), time_zone)
    expression = binder.bind(node.expression)
    delay = delay_of(expression, names.index(name))
    if delay is None:
        message = (
            f"the watermark of {name} is {name} itself, or {name} - INTERVAL '...' of days to seconds, not below zero: "
            "others are not supported"
        )
        raise sql_error(text, node.expression, message)
    made = [replace(each, rowtime=True) if each is column else each for each in columns]
    return (name, delay, d.written(node.expression)), made


def delay_of(expression: Expression, place: int) -> int | None:
    """Find how many milliseconds an expression is behind a column; None if it is another one, or a span of months."""
    match expression:
        case InputRef(index=index) if index == place:
            return 0
        case Call(name="TIME -", operands=(InputRef(index=index), Literal(value=value, type=kind))) if (
            index == place and isinstance(kind, DayTimeIntervalType) and value >= 0
        ):
            return int(value)
    return None
