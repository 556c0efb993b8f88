"""UNION, INTERSECT and EXCEPT."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from windrow.expressions import logical_types as lt
from windrow.expressions.logical_types import common, may_be_null, name_of, same_but_null
from windrow.expressions.nodes import Call, Expression, InputRef, Literal
from windrow.sql.expression_binder import cast_to
from windrow.sql.function_calls import case_of
from windrow.sql.joins import errors, joined
from windrow.sql.plan import AggregateCall, Column, Filter, Project, Relation, Replicate, Union

if TYPE_CHECKING:
    from windrow.sql.query_binder import QueryBinder

_LONG, _TRUTH = lt.BIGINT.not_null(), lt.BOOLEAN.not_null()


def union(queries: QueryBinder, node: Any) -> Relation:
    """The rows of both queries; without ALL each once.

    Raises:
        SqlError: they have different columns.
    """
    word = "UNION" if node.args.get("distinct") else "UNION ALL"
    columns, sides = _sides(queries, node, word)
    window = sides[0].window if sides[0].window == sides[1].window else None
    made = Union(columns, sides, window=window, changes=any(each.changes for each in sides))
    return queries.distinct(made) if word == "UNION" else made


def common_rows(queries: QueryBinder, node: Any) -> Relation:
    """The rows of the left side that are, or are not, among those of the right one; without ALL each once.

    Raises:
        SqlError: they have different columns, or they are joined without a bound in time.
    """
    word = type(node).__name__.upper()
    if not node.args.get("distinct"):
        return _counted_rows(queries, node, word)
    _, (left, right) = _sides(queries, node, word)
    count = len(left.columns)
    both = queries.scope_of(left, None).joined(queries.scope_of(right, None))
    binder, condition = queries.binder(both), None
    for place, (one, other) in enumerate(zip(left.columns, right.columns, strict=True)):
        pair = binder.alike([InputRef(place, one.type), InputRef(count + place, other.type)], node, f"{word} compares")
        nullable = any(may_be_null(each.type) for each in pair)
        equal = Call("IS NOT DISTINCT FROM" if nullable else "=", tuple(pair), lt.BOOLEAN.not_null())
        condition = equal if condition is None else Call("AND", (condition, equal), lt.BOOLEAN.not_null())
    assert condition is not None
    kind = "SEMI" if word == "INTERSECT" else "ANTI"
    return queries.distinct(joined(left, right, kind, condition, node, errors(both), queries.regular))


def _counted_rows(queries: QueryBinder, node: Any, word: str) -> Relation:
    """The same with ALL: each row as often as both sides have it, or as the left side has it more often.

    Both are counted in one group of each row, as Flink does: unlike a join it keeps no rows, and asks for no time to
    keep them.
    """
    columns, sides = _sides(queries, node, f"{word} ALL")
    marks = [Column("$left", _LONG), Column("$right", _LONG)]
    marked: list[Relation] = []
    for side, signs in zip(sides, ((1, 0), (0, 1)), strict=True):
        rows = [InputRef(place, column.type) for place, column in enumerate(side.columns)]
        ones = [Literal(sign, _LONG) for sign in signs]
        marked.append(Project([*columns, *marks], side, [*rows, *ones], window=side.window, changes=side.changes))
    window = sides[0].window if sides[0].window == sides[1].window else None
    both = Union([*columns, *marks], marked, window=window, changes=any(each.changes for each in sides))
    count = len(columns)
    counted = queries.groups(both, count, f"{word} ALL", [AggregateCall("SUM", (count + n,), _LONG) for n in (0, 1)])
    left, right = (InputRef(count + place, _LONG) for place in (0, 1))
    if word == "INTERSECT":
        times: Expression = case_of([Call("<", (left, right), _TRUTH)], [left], right)
    else:
        times = Call("-", (left, right), _LONG)
    keys = [InputRef(place, column.type) for place, column in enumerate(counted.columns[:count])]
    chosen = Project(
        [*counted.columns[:count], Column("$times", _LONG)],
        counted,
        [*keys, times],
        window=counted.window,
        changes=counted.changes,
    )
    some = Call(">", (InputRef(count, _LONG), Literal(0, _LONG)), _TRUTH)
    found = Filter(chosen.columns, chosen, some, window=chosen.window, changes=chosen.changes)
    return Replicate(found.columns[:count], found, window=found.window, changes=found.changes)


def _sides(queries: QueryBinder, node: Any, word: str) -> tuple[list[Column], list[Relation]]:
    """The columns of a set operation, and both sides with columns of these types."""
    sides = [queries.bind(node.this), queries.bind(node.expression)]
    first, second = sides
    if len(first.columns) != len(second.columns):
        raise queries.error(node, f"{word} of {len(first.columns)} and {len(second.columns)} columns")
    columns = []
    for one, other in zip(first.columns, second.columns, strict=True):
        kind = common([one.type, other.type])
        if kind is None:
            shown = f"{name_of(one.type)} and {name_of(other.type)}"
            raise queries.error(node, f"{word}: column {one.name!r} is {shown}: CAST one of them")
        lost = None
        if (one.rowtime, one.proctime) != (other.rowtime, other.proctime):
            lost = f"it is a time attribute on one side of {word} only"
        rowtime, proctime = one.rowtime and other.rowtime, one.proctime and other.proctime
        columns.append(Column(one.name, kind, rowtime=rowtime, proctime=proctime, lost=lost))
    return columns, [_as(each, columns, queries.time_zone) for each in sides]


def _as(relation: Relation, columns: Sequence[Column], time_zone: str) -> Relation:
    pairs = list(zip(relation.columns, columns, strict=True))
    if all(same_but_null(one.type, other.type) for one, other in pairs):
        return relation
    cast = [
        cast_to(InputRef(place, one.type), other.type, time_zone=time_zone) for place, (one, other) in enumerate(pairs)
    ]
    return Project(list(columns), relation, cast, window=relation.window, changes=relation.changes)
