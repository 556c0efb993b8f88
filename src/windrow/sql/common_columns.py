"""Joins by columns of one name: USING and NATURAL."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from windrow.errors import SqlError
from windrow.expressions import logical_types as lt
from windrow.expressions.nodes import Call, Expression, InputRef
from windrow.sql.errors import nearest
from windrow.sql.plan import Column, Project, Relation, WindowColumns
from windrow.sql.scope import Scope

Behind = Callable[[WindowColumns | None, Sequence[Expression]], WindowColumns | None]


def common_columns(
    node: Any, left: Sequence[Column], right: Sequence[Column], error: Callable[[Any, str], SqlError]
) -> list[tuple[int, int]] | None:
    """The places of the columns that a join names by USING, or those of one name if it is NATURAL; None: it is neither.

    Raises:
        SqlError: one side has no such column.
    """
    names, others = [column.name for column in left], [column.name for column in right]
    if str(node.args.get("method") or "").upper() == "NATURAL":
        return [(place, others.index(name)) for place, name in enumerate(names) if name in others]
    if not node.args.get("using"):
        return None
    pairs = []
    for each in node.args["using"]:
        for known in (names, others):
            if each.name not in known:
                raise error(each, f"USING: one side has no column {each.name!r}: {nearest(each.name, known)}")
        pairs.append((names.index(each.name), others.index(each.name)))
    return sorted(pairs)


def each_once(
    made: Relation, pairs: Sequence[tuple[int, int]], kind: str, scopes: tuple[Scope, Scope], behind: Behind, text: str
) -> tuple[Relation, Scope]:
    """The columns of a join with those that both sides have once, in front of all others.

    Args:
        made: The join.
        pairs: The places of these columns in both sides.
        kind: The side whose rows are all there: empty, LEFT, RIGHT or FULL.
        scopes: The columns of both sides.
        behind: Where the window of a row is behind a projection.
        text: The statement, for errors.
    """
    count = len(scopes[0].columns)
    tables = [*scopes[0].tables, *scopes[1].tables]
    expressions: list[Expression] = []
    owners: list[str | None] = []
    for left, right in pairs:
        one, other = (InputRef(place, made.columns[place].type) for place in (left, count + right))
        if kind == "FULL":
            nullable = lt.may_be_null(one.type) and lt.may_be_null(other.type)
            expressions.append(Call("COALESCE", (one, other), lt.with_nullability(one.type, nullable)))
        else:
            expressions.append(other if kind == "RIGHT" else one)
        owners.append(tables[count + right] if kind == "RIGHT" else tables[left])
    taken = {place for left, right in pairs for place in (left, count + right)}
    rest = [place for place in range(len(made.columns)) if place not in taken]
    expressions += [InputRef(place, made.columns[place].type) for place in rest]
    owners += [tables[place] for place in rest]
    columns = [
        made.columns[each.index] if isinstance(each, InputRef) else Column(made.columns[left].name, each.type)
        for each, left in zip(expressions, [*[left for left, _ in pairs], *rest], strict=True)
    ]
    window = behind(made.window, expressions)
    return Project(columns, made, expressions, window=window, changes=made.changes), Scope(columns, owners, text)
