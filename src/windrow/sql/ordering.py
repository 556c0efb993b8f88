"""The order of a query's rows, and how many of them it takes: ORDER BY, LIMIT, OFFSET, FETCH."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sqlglot import exp

from windrow.errors import SqlError
from windrow.expressions import logical_types as lt
from windrow.expressions.nodes import Call, Expression, InputRef, Literal
from windrow.sql.calc import conjunction
from windrow.sql.plan import Column, Limit, Ordering, Project, Relation, RowNumber, Sort
from windrow.sql.ranks import filtered

Error = Callable[[Any, str], SqlError]
_NOT_BY_TIME = (
    "a stream is sorted by a single time attribute in ascending order: rows of another order would come when all are "
    "there; take the first ones with LIMIT behind ORDER BY, or sort what collect() gives"
)


def with_order(
    relation: Relation, node: Any, more: Callable[[list[Any]], Relation], error: Error
) -> tuple[Relation, list[Ordering]]:
    """The relation of a query, and the columns that it is ordered by, which may stand behind those that it shows.

    Args:
        relation: The rows.
        node: The query.
        more: The same rows with more items behind those of SELECT.
        error: Makes errors.

    Raises:
        SqlError: there is no such column.
    """
    items = [] if node.args.get("order") is None else node.args["order"].expressions
    names = [column.name for column in relation.columns]
    places = [_place(each.this, names, error) for each in items]
    hidden = [each.this for each, place in zip(items, places, strict=True) if place is None]
    if hidden:
        if not isinstance(node, exp.Select) or node.args.get("distinct"):
            kind = "SELECT DISTINCT" if isinstance(node, exp.Select) else type(node).__name__.upper()
            raise error(hidden[0], f"ORDER BY behind {kind} takes its columns: {', '.join(names)}")
        relation = more(hidden)
    behind = iter(range(len(names), len(names) + len(hidden)))
    found = [next(behind) if place is None else place for place in places]
    # Where nothing is written the parser takes NULL for the least value, as Flink does.
    orders = [
        Ordering(place, bool(each.args.get("desc")), bool(each.args.get("nulls_first")))
        for place, each in zip(found, items, strict=True)
    ]
    return relation, orders


def _place(item: Any, names: Sequence[str], error: Error) -> int | None:
    """The column that an item of ORDER BY names, by its name or number; None: it is another expression."""
    if isinstance(item, exp.Literal) and not item.is_string and str(item.this).isdigit():
        place = int(item.this)
        if not 1 <= place <= len(names):
            raise error(item, f"ORDER BY {place}: the query has {len(names)} columns")
        return place - 1
    if isinstance(item, exp.Column) and not item.table and item.name in names:
        return names.index(item.name)
    return None


def taken(
    relation: Relation, order: list[Ordering], node: Any, shown: int, error: Error, *, streaming: bool
) -> Relation:
    """The rows of a query in its order, as many as it says.

    Args:
        relation: The rows; behind ``shown`` columns those that they are ordered by alone.
        order: What they are ordered by; empty: nothing.
        node: The query.
        shown: How many columns it has.
        error: Makes errors.
        streaming: Whether it is a stream that is read.

    Raises:
        SqlError: a stream cannot be put in this order, or something else than numbers says how many rows there are.
    """
    count, offset = _count(node.args.get("limit"), error), _offset(node.args.get("offset"), error)
    if not order:
        return relation if count is None and not offset else _limited(relation, count, offset, node, error)
    made = _numbered(relation, order, count, offset, node, error) if streaming else None
    if made is None:
        made = Sort(list(relation.columns), relation, order, count, offset, window=relation.window)
    if len(made.columns) == shown:
        return made
    places: list[Expression] = [InputRef(place, column.type) for place, column in enumerate(made.columns[:shown])]
    columns = list(made.columns[:shown])
    return Project(columns, made, places, window=relation.window, changes=made.changes)


def _limited(relation: Relation, count: int | None, offset: int, node: Any, error: Error) -> Relation:
    if relation.changes:
        word = "LIMIT" if count is not None else "OFFSET"
        message = f"{word} of a query that takes rows back is not supported without ORDER BY, which says what is first"
        raise error(node.args.get("limit") or node.args["offset"], message)
    return Limit(relation.columns, relation, count, offset, window=relation.window)


def _numbered(
    relation: Relation, order: list[Ordering], count: int | None, offset: int, node: Any, error: Error
) -> Relation:
    """A stream by its event time, as its watermark says; or the first rows so far, as changes."""
    by_time = len(order) == 1 and relation.columns[order[0].index].is_time and not order[0].descending
    number = Column("$row_number", lt.BIGINT.not_null())
    columns = [*relation.columns, number]
    made = RowNumber(columns, relation, [], order, window=relation.window, changes=not by_time or relation.changes)
    if count is None:
        if not by_time or offset or relation.changes:
            raise error(node.args["order"], _NOT_BY_TIME)
        return made
    place = InputRef(len(relation.columns), number.type)
    bounds = [(">", offset)] * bool(offset) + [("<=", offset + count)]
    parts: list[Expression | None] = [
        Call(name, (place, Literal(value, number.type)), lt.BOOLEAN.not_null()) for name, value in bounds
    ]
    chosen = conjunction(parts)
    assert chosen is not None
    return filtered(made, chosen, streaming=True)


def _count(limit: Any, error: Error) -> int | None:
    if limit is None:
        return None
    word = "LIMIT" if isinstance(limit, exp.Limit) else "FETCH FIRST"
    given = limit.expression if isinstance(limit, exp.Limit) else limit.args.get("count") or exp.Literal.number(1)
    return _number(given, limit, word, error)


def _offset(offset: Any, error: Error) -> int:
    return 0 if offset is None else _number(offset.expression, offset, "OFFSET", error)


def _number(given: Any, node: Any, word: str, error: Error) -> int:
    count = given.name
    if not isinstance(given, exp.Literal) or given.is_string or not (count.isascii() and count.isdigit()):
        raise error(node, f"{word} takes a number of rows; got {count or given.sql()}")
    return int(count)
