"""Joins with the version of a table at a row's time: ``FOR SYSTEM_TIME AS OF``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from windrow.errors import SqlError
from windrow.expressions import logical_types as lt
from windrow.expressions.nodes import Call, Expression, InputRef, shifted, substituted
from windrow.sql.calc import Calc, calc_of
from windrow.sql.joins import MakeBinder, conjunction, equal_pairs, errors
from windrow.sql.plan import AssignTime, Column, LookupJoin, Relation, RowNumber, Scan, TemporalJoin
from windrow.sql.ranks import rank_range
from windrow.sql.scope import Scope

_LOST = "it is of the versioned side of a temporal join, whose rows have the time of the other side"
_VERSIONS = (
    "declare PRIMARY KEY (...) NOT ENFORCED and WATERMARK FOR ... for the table, or keep the last row of each key in a "
    "view: ROW_NUMBER() OVER (PARTITION BY key ORDER BY time DESC) = 1"
)


def temporal_join(
    left: Relation, left_scope: Scope, right: Relation, right_scope: Scope, node: Any, moment: Any, binder: MakeBinder
) -> Relation:
    """The join of rows with the version of the right relation at their time.

    Raises:
        SqlError: that time is no time attribute of the left side, or the right one has no versions.
    """
    scope = left_scope.joined(right_scope)
    error = errors(scope)
    kind = str(node.args.get("side") or "").upper() or "INNER"
    if kind not in ("INNER", "LEFT") or str(node.args.get("kind") or "").upper() not in ("", "INNER", "OUTER"):
        raise error(node, "a join FOR SYSTEM_TIME AS OF is an INNER JOIN or a LEFT JOIN")
    bound = binder(left_scope).bind(moment)
    if not isinstance(bound, InputRef) or not left.columns[bound.index].is_time:
        times = ", ".join(column.name for column in left.columns if column.is_time) or "there is none"
        raise error(moment, f"FOR SYSTEM_TIME AS OF takes a time attribute of the left table: {times}")
    condition = node.args.get("on")
    if condition is None:
        raise error(node, "a join FOR SYSTEM_TIME AS OF takes ON, with the key")
    pairs, rest = equal_pairs(binder(scope).condition(condition, "ON"), len(left.columns))
    if left.columns[bound.index].proctime:
        return _lookup_join(left, right, kind, pairs, rest, node, error)
    time = next((place for place, column in enumerate(right.columns) if column.rowtime), None)
    key = version_key(right)
    if time is None or key is None:
        missing = "no event time" if time is None else "no primary key"
        raise error(node, f"what stands before FOR SYSTEM_TIME AS OF has {missing}: {_VERSIONS}")
    if not key <= {place for _, place in pairs}:
        names = ", ".join(right.columns[place].name for place in sorted(key))
        raise error(node, f"ON has to say what each column of the versions' key ({names}) is equal to")
    columns = [*left.columns, *_of_right(right, kind)]
    left_keys, right_keys = [one for one, _ in pairs], [other for _, other in pairs]
    return TemporalJoin(columns, left, right, kind, left_keys, right_keys, bound.index, time, conjunction(rest))


def _of_right(right: Relation, kind: str) -> list[Column]:
    columns = [
        replace(column, rowtime=False, proctime=False, lost=_LOST) if column.is_time else column
        for column in right.columns
    ]
    return [replace(column, type=column.type.nullable()) for column in columns] if kind == "LEFT" else columns


def _lookup_join(
    left: Relation,
    right: Relation,
    kind: str,
    pairs: list[tuple[int, int]],
    rest: list[Expression],
    node: Any,
    error: Callable[[Any, str], SqlError],
) -> Relation:
    """The join of rows with what a table has for them when they come."""
    made = _over_scan(right)
    table = made.base
    if not isinstance(table, Scan) or not hasattr(table.source, "lookup"):
        message = (
            "a join FOR SYSTEM_TIME AS OF processing time asks a table for the rows of each key, and this one cannot "
            "be asked: take a table in a database, or, as in Flink, an event time and a table with versions"
        )
        raise error(node, message)
    count = len(left.columns)
    keys = [(one, made.expressions[other]) for one, other in pairs]
    looked_up = [(one, key.index) for one, key in keys if isinstance(key, InputRef)]
    if not looked_up:
        raise error(node, "a lookup join takes ON a.k = b.k with a column of the table as it is, of the same type")
    over = [
        *[InputRef(place, column.type) for place, column in enumerate(left.columns)],
        *[shifted(each, count) for each in made.expressions],
    ]
    computed = [
        Call("=", (over[one], over[count + other]), lt.BOOLEAN)
        for one, other in pairs
        if not isinstance(made.expressions[other], InputRef)
    ]
    conditions = [*computed, *[substituted(each, over) for each in rest]]
    if made.condition is not None:
        conditions.append(shifted(made.condition, count))
    columns = [*left.columns, *_of_right(right, kind)]
    left_keys, table_keys = [one for one, _ in looked_up], [place for _, place in looked_up]
    return LookupJoin(columns, left, table, kind, left_keys, table_keys, made.expressions, conjunction(conditions))


def _over_scan(relation: Relation) -> Calc:
    """A relation over the table that it reads, whose watermarks nobody needs."""
    made = calc_of(relation)
    while isinstance(made.base, AssignTime):
        below = calc_of(made.base.input)
        expressions = [substituted(each, below.expressions) for each in made.expressions]
        own = None if made.condition is None else substituted(made.condition, below.expressions)
        conditions = [each for each in (below.condition, own) if each is not None]
        made = Calc(below.base, expressions, conjunction(conditions))
    return made


def version_key(relation: Relation) -> set[int] | None:
    """The places of the columns of which a relation has one row at a time; None: none is known."""
    if relation.key is not None:
        return set(relation.key)
    if isinstance(relation, AssignTime):
        return version_key(relation.input)
    calc = calc_of(relation)
    base = calc.base
    if base is relation:
        return None
    if isinstance(base, RowNumber):
        chosen = rank_range(calc.condition, len(base.columns) - 1)
        key = set(base.partition) if (chosen.least, chosen.most) == (1, 1) else None
    else:
        key = version_key(base)
    behind = {each.index: place for place, each in enumerate(calc.expressions) if isinstance(each, InputRef)}
    return None if key is None or not key <= behind.keys() else {behind[place] for place in key}
