"""Comparisons with ``ANY``, ``SOME`` and ``ALL`` of a query: ``= ANY`` is IN, and ``<> ALL`` is NOT IN."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from windrow.sql.syntax import Quantified

_OPERATORS = {exp.EQ: "=", exp.NEQ: "<>", exp.LT: "<", exp.LTE: "<=", exp.GT: ">", exp.GTE: ">="}
_IS_IN, _IS_NOT_IN = ("=", False), ("<>", True)


def quantified(node: Any) -> Any:
    """A comparison as it was read, or what it is where its right side is ``ANY``, ``SOME`` or ``ALL`` of a query.

    Example:
        >>> from sqlglot import parse_one
        >>> type(quantified(parse_one("x = ANY (SELECT 1)"))).__name__
        'In'
    """
    operator = _OPERATORS.get(type(node))
    query = None if operator is None else _query_of(node.expression)
    if query is None:
        return node
    every = isinstance(node.expression, exp.All)
    if (operator, every) in (_IS_IN, _IS_NOT_IN):
        found = exp.In(this=node.this, query=query)
        return exp.Not(this=found) if every else found
    return Quantified(this=node.this, query=query, operator=operator, every=every)


def _query_of(node: Any) -> Any:
    """The query behind ANY, SOME or ALL; None: it is something else."""
    inner = node.this if isinstance(node, exp.Any | exp.All) else None
    if isinstance(node, exp.Anonymous) and str(node.name).upper() == "SOME" and len(node.expressions) == 1:
        inner = node.expressions[0]
    while isinstance(inner, exp.Paren | exp.Subquery):
        inner = inner.this
    return inner if isinstance(inner, exp.Query | exp.Values) else None
