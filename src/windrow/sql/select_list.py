"""The list behind SELECT: its columns, with their names, and the projection to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from sqlglot import exp

from windrow.expressions import logical_types as lt
from windrow.expressions.nodes import Expression, InputRef
from windrow.sql.errors import nearest
from windrow.sql.expression_binder import ExpressionBinder
from windrow.sql.plan import Column, Project, Relation, WindowColumns, is_clock
from windrow.sql.scope import Scope
from windrow.table import data_types as t

#: A column of a SELECT, with its name.
Item: TypeAlias = tuple[str, Expression]
#: One that ``*`` stands for, behind the name of its table; None: it has none.
Star: TypeAlias = tuple[str | None, Item]


def stars_of(scope: Scope) -> list[Star]:
    """The columns that ``*`` stands for over those of what stands in FROM."""
    return [
        (table, (column.name, InputRef(place, column.type)))
        for place, (table, column) in enumerate(zip(scope.tables, scope.columns, strict=True))
        if place not in scope.hidden
    ]


def select_items(node: Any, stars: Sequence[Star], binder: ExpressionBinder) -> list[Item]:
    """The columns of a SELECT.

    Args:
        node: The SELECT.
        stars: What ``*`` stands for.
        binder: Binds expressions.

    Raises:
        SqlError: ``x.*`` is written, and there is neither a table nor a row of this name, or an expression is wrong.
    """
    items: list[Item] = []
    for place, item in enumerate(node.expressions):
        if isinstance(item, exp.Star):
            items += [named for _, named in stars]
        elif isinstance(item, exp.Column) and isinstance(item.this, exp.Star):
            of_row = item.text("db") in {table for table, _ in stars}  # else it is the table's database
            found = [] if of_row else [named for table, named in stars if table == item.table]
            items += found or _fields(item, stars, binder)
        else:
            items.append((_name(item, place), binder.bind(item.this if isinstance(item, exp.Alias) else item)))
    return items


def _fields(item: Any, stars: Sequence[Star], binder: ExpressionBinder) -> list[Item]:
    """The columns of ``r.*``, where ``r`` is a row."""
    rows = {name for _, (name, column) in stars if isinstance(column.type, t.RowType)}
    if item.table not in rows:
        known = [table for table, _ in stars if table is not None]
        raise binder.error(item, f"there is no table {item.table!r} here: {nearest(item.table, {*known, *rows})}")
    row = binder.bind(exp.Column(this=item.args["table"].copy(), table=item.args.get("db")))
    assert isinstance(row.type, t.RowType)
    return [(name, binder.field_of(row, name, item)) for name in row.type.field_names()]


def projected(relation: Relation, items: Sequence[Item]) -> Relation:
    """A relation of these columns of another one; names that come twice get a number behind them."""
    columns, names = [], set()
    for name, expression in items:
        unique, number = name, 0
        while unique in names:
            unique, number = f"{name}{number}", number + 1
        names.add(unique)
        columns.append(_column(unique, expression, relation))
    expressions = [expression for _, expression in items]
    window = window_behind(relation.window, expressions)
    return Project(columns, relation, expressions, window=window, changes=relation.changes)


def _name(item: Any, place: int) -> str:
    if isinstance(item, exp.Alias):
        return str(item.alias)
    if isinstance(item, exp.Column):
        return str(item.name)
    return f"EXPR${place}"


def _column(name: str, expression: Expression, relation: Relation) -> Column:
    if isinstance(expression, InputRef):
        return replace(relation.columns[expression.index], name=name, type=expression.type)
    if is_clock(expression):
        return Column(name, expression.type, proctime=True)
    times = {each.name for each in relation.columns if each.is_time and lt.same_but_null(each.type, expression.type)}
    lost = "it was computed: a time attribute is a column as it is" if times else None
    return Column(name, expression.type, lost=lost)


def window_behind(window: WindowColumns | None, expressions: Sequence[Expression]) -> WindowColumns | None:
    """Find where the window of a row is behind a projection."""
    if window is None:
        return None
    places: dict[int, int] = {}
    for place, expression in enumerate(expressions):
        if isinstance(expression, InputRef):
            places.setdefault(expression.index, place)

    def behind(index: int | None) -> int | None:
        return None if index is None else places.get(index)

    of = window.window
    kept = tuple([places[index] for index in of.partition if index in places])
    of = replace(of, partition=kept if len(kept) == len(of.partition) else (-1,))
    return WindowColumns(behind(window.start), behind(window.end), behind(window.time), of)
