"""``QUALIFY``: rows are chosen by what stands before OVER.

It is a condition on the rows of the query, which has all that it names as further columns.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlglot import exp

from windrow.errors import SqlError


def with_asked(
    node: Any, is_aggregate: Callable[[Any], bool], error: Callable[[Any, str], SqlError]
) -> tuple[Any, Any, int]:
    """A SELECT that has QUALIFY: itself without that and DISTINCT, the condition on its rows, and its further columns.

    A name is first that of a column behind SELECT, then one of what stands in FROM.

    Args:
        node: The SELECT.
        is_aggregate: Whether a part of an expression is an aggregate of a group.
        error: Makes an error about a part of the statement.

    Raises:
        SqlError: the condition names nothing that stands before OVER.
    """
    named = {each.alias: each.this for each in node.expressions if isinstance(each, exp.Alias)}

    def meant(each: Any) -> Any:
        is_named = isinstance(each, exp.Column) and not each.table and each.name in named
        return named[each.name].copy() if is_named else each

    condition = node.args["qualify"].this.copy().transform(meant)
    if condition.find(exp.Window) is None:
        raise error(
            node.args["qualify"].this, "QUALIFY takes a condition on what stands before OVER: write it in WHERE"
        )
    rows = node.copy()
    rows.set("qualify", None)
    rows.set("distinct", None)
    asked: list[Any] = []

    def column_of(each: Any) -> Any:
        if not (isinstance(each, exp.Window | exp.Column) or is_aggregate(each)):
            return each
        name = f"$qualify{len(asked)}"
        asked.append(each)
        rows.append("expressions", exp.alias_(each.copy(), name, quoted=True))
        return exp.column(name, quoted=True)

    return rows, condition.transform(column_of), len(asked)
