"""``ALTER TABLE``, and ``CREATE TABLE ... AS``: statements of tables that are made of others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlglot import exp

from windrow.expressions.logical_types import NullType, may_be_null, name_of
from windrow.sql import syntax as s
from windrow.sql.dialect import parse_type
from windrow.sql.errors import nearest, sql_error
from windrow.sql.plan import Column

#: What a table has one of: the part, and what it is called.
_SINGLE = {s.PrimaryKeyDef: "PRIMARY KEY", s.WatermarkDef: "WATERMARK"}


def altered(node: Any, base: Any, text: str) -> Any:
    """The statement of a table as ``ALTER TABLE`` leaves it; whether its parts fit is not looked at.

    Args:
        node: ``ALTER TABLE``.
        base: The statement of the table.
        text: The text of the first, for errors.

    Raises:
        SqlError: it changes what there is not, or adds what there is.
    """
    made = base.copy()
    definitions = list(made.args.get("expressions") or [])
    parts = node.expressions
    match node.args["action"]:
        case "SET":
            given = {pair.expressions[0].name for pair in parts}
            kept = [pair for pair in made.args.get("options") or [] if pair.expressions[0].name not in given]
            made.set("options", [*kept, *parts])
        case "RESET":
            gone = {each.name for each in parts}
            made.set("options", [p for p in made.args.get("options") or [] if p.expressions[0].name not in gone])
        case "RENAME":
            made.set("expressions", _renamed(definitions, node, text))
        case "DROP":
            for each in parts:
                definitions = _dropped(definitions, each, text)
            made.set("expressions", definitions)
        case "ADD" | "MODIFY" as action:
            for each in parts:
                _put(definitions, each, action, text)
            made.set("expressions", definitions)
    return made


def made_as(node: Any, columns: Sequence[Column], text: str) -> Any:
    """The statement of a table with the columns of a query: behind those that it has itself, or in their place.

    Columns without a type say in which order those of the query stand.

    Raises:
        SqlError: a column of the query has no type, or a name without a type is none of its columns.
    """
    own = list(node.args.get("expressions") or [])
    of_columns = {each.name: each for each in own if isinstance(each, s.ColumnDef)}
    names = [column.name for column in columns]
    bare = [each for each in of_columns.values() if each.args.get("kind") is None and each.args.get("computed") is None]
    if bare:
        return _ordered(node, own, bare, columns, text)
    of_query = []
    for column in columns:
        given = of_columns.get(column.name)
        of_query.append(_defined(column, node, text) if given is None else given)
    first = [each for each in of_columns.values() if each.name not in names]
    made = node.copy()
    made.set("query", None)
    made.set("expressions", [*first, *of_query, *[each for each in own if not isinstance(each, s.ColumnDef)]])
    return made


def _ordered(node: Any, own: Sequence[Any], bare: Sequence[Any], columns: Sequence[Column], text: str) -> Any:
    names = [column.name for column in columns]
    if len(bare) < len([each for each in own if isinstance(each, s.ColumnDef)]):
        raise sql_error(
            text, bare[0], f"column {bare[0].name!r} has no type, and others have: write all, or names alone"
        )
    for each in bare:
        if each.name not in names:
            raise sql_error(text, each, f"the query has no column {each.name!r}: {nearest(each.name, names)}")
    if len(bare) != len(columns):
        raise sql_error(text, node.this, f"{len(bare)} columns are named, and the query has {len(columns)}")
    by_name = {column.name: column for column in columns}
    made = node.copy()
    made.set("query", None)
    others = [each for each in own if not isinstance(each, s.ColumnDef)]
    made.set("expressions", [*[_defined(by_name[each.name], node, text) for each in bare], *others])
    return made


def _defined(column: Column, node: Any, text: str) -> Any:
    if isinstance(column.type, NullType):
        raise sql_error(text, node.this, f"column {column.name!r} of the query is NULL, of no type: CAST it")
    kind = parse_type(name_of(column.type, nullability=False))
    name = exp.Identifier(this=column.name, quoted=True)
    return s.ColumnDef(this=name, kind=kind, not_null=not may_be_null(column.type))


def _column(definitions: Sequence[Any], name: Any, text: str) -> int:
    """The place of a column's definition."""
    known = {each.name: place for place, each in enumerate(definitions) if isinstance(each, s.ColumnDef)}
    if name.name not in known:
        raise sql_error(text, name, f"the table has no column {name.name!r}: {nearest(name.name, known)}")
    return known[name.name]


def _renamed(definitions: list[Any], node: Any, text: str) -> list[Any]:
    place = _column(definitions, node.args["renamed"], text)
    name = node.args["name"]
    if any(isinstance(each, s.ColumnDef) and each.name == name.name for each in definitions):
        raise sql_error(text, name, f"the table has a column {name.name!r} already")
    _refuse_used(definitions, node.args["renamed"], text, of_key=True)
    definitions = [each.copy() for each in definitions]
    definitions[place].set("this", name.copy())
    for each in definitions:
        if isinstance(each, s.PrimaryKeyDef):
            old = node.args["renamed"].name
            each.set("expressions", [name.copy() if key.name == old else key for key in each.expressions])
    return definitions


def _dropped(definitions: list[Any], part: Any, text: str) -> list[Any]:
    if isinstance(part, exp.Var):
        word = part.name
        kept = [each for each in definitions if _SINGLE.get(type(each)) != word]
        if word == "PRIMARY KEY":
            kept = [_without_key(each) for each in kept]
        if kept == definitions:
            raise sql_error(text, part, f"the table has no {word}")
        return kept
    place = _column(definitions, part, text)
    _refuse_used(definitions, part, text)
    return [*definitions[:place], *definitions[place + 1 :]]


def _refuse_used(definitions: Sequence[Any], name: Any, text: str, *, of_key: bool = False) -> None:
    """Refuse to rename or drop a column that other parts of the table name; ``of_key``: it may be one of the key."""
    for each in definitions:
        word, used = _SINGLE.get(type(each), f"column {each.name!r}"), set()
        if isinstance(each, s.PrimaryKeyDef):
            used = set() if of_key else {key.name for key in each.expressions}
        elif isinstance(each, s.WatermarkDef):
            used = {each.name, *[column.name for column in each.expression.find_all(exp.Column)]}
        elif each.args.get("computed") is not None:
            used = {column.name for column in each.args["computed"].find_all(exp.Column)}
        elif each.args.get("primary") and not of_key:
            word, used = "PRIMARY KEY", {each.name}
        if name.name in used:
            raise sql_error(text, name, f"column {name.name!r} is used by {word}: change or drop that first")


def _without_key(definition: Any) -> Any:
    if not (isinstance(definition, s.ColumnDef) and definition.args.get("primary")):
        return definition
    made = definition.copy()
    made.set("primary", False)
    made.set("not_enforced", False)
    return made


def _put(definitions: list[Any], part: Any, action: str, text: str) -> None:
    """Add a part, or put it in the place of the one that there is."""
    placed = part if isinstance(part, s.PlacedDefinition) else None
    definition = part if placed is None else placed.this
    word = _SINGLE.get(type(definition), f"column {definition.name!r}")
    is_column = isinstance(definition, s.ColumnDef)
    there = next(
        (
            place
            for place, each in enumerate(definitions)
            if type(each) is type(definition) and (not is_column or each.name == definition.name)
        ),
        None,
    )
    if (action == "ADD") is (there is not None):
        message = (
            f"the table has {word} already: MODIFY it" if there is not None else f"the table has no {word}: ADD it"
        )
        raise sql_error(text, definition, message)
    if there is not None and placed is None:
        definitions[there] = definition
        return
    if there is not None:
        del definitions[there]
    if placed is not None:
        after = placed.args.get("after")
        definitions.insert(0 if after is None else _column(definitions, after, text) + 1, definition)
    elif is_column:
        last = max((place for place, each in enumerate(definitions) if isinstance(each, s.ColumnDef)), default=-1)
        definitions.insert(last + 1, definition)
    else:
        definitions.append(definition)
