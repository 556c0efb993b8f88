"""Aggregates of all values together: what JSON_OBJECTAGG, JSON_ARRAYAGG, ARRAY_AGG and PERCENTILE are told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sqlglot import exp

from windrow.expressions import logical_types as lt
from windrow.expressions.evaluation import Input, evaluate
from windrow.expressions.kernels.json_made import has_json, is_json
from windrow.expressions.logical_types import name_of
from windrow.expressions.nodes import Call, Expression, is_constant
from windrow.sql.expression_binder import ExpressionBinder
from windrow.table import data_types as t
from windrow.table.data_types import DataType

#: Flink's type of JSON that is made by aggregates.
_JSON = t.VarCharType(2000, False)


def is_collecting(name: str) -> bool:
    """Tell whether it is one of those whose arguments are read here."""
    return name in ("JSON_OBJECTAGG", "JSON_ARRAYAGG", "PERCENTILE")


def collecting(
    binder: ExpressionBinder, name: str, arguments: Sequence[Any], node: Any
) -> tuple[list[Expression], DataType, tuple[Any, ...]]:
    """The arguments of an aggregate, its type, and its options.

    Raises:
        SqlError: there is no JSON for a type, or a share is none.
    """
    if name == "PERCENTILE":
        return _percentile(binder, arguments, node)
    *values, on_null = arguments
    bound = [binder.bind(each) for each in values]
    if name == "JSON_OBJECTAGG" and not lt.is_text(bound[0].type):
        raise binder.error(node, f"JSON_OBJECTAGG takes text as keys; got {name_of(bound[0].type)}: CAST it AS STRING")
    return [_as_json(binder, each, node) for each in bound], _JSON, (on_null.name == "ABSENT",)


def _as_json(binder: ExpressionBinder, value: Expression, node: Any) -> Expression:
    """A value as a JSON array of it alone, so that NULL is there as well."""
    if not has_json(value.type):
        raise binder.error(node, f"{node.name}: there is no JSON for {name_of(value.type)}: CAST it AS STRING")
    return Call("JSON_ARRAY", (value,), lt.STRING.not_null(), ((), (is_json(value),), False))


def _percentile(
    binder: ExpressionBinder, arguments: Sequence[Any], node: Any
) -> tuple[list[Expression], DataType, tuple[Any, ...]]:
    if not 2 <= len(arguments) <= 3 or isinstance(arguments[0], exp.Star):
        raise binder.error(node, f"PERCENTILE takes 2 to 3 arguments; got {len(arguments)}")
    value, share, *often = [binder.bind(each) for each in arguments]
    if not lt.is_numeric(value.type):
        raise binder.error(node, f"PERCENTILE takes a number; got {name_of(value.type)}")
    if often and not lt.is_integer(often[0].type):
        raise binder.error(node, f"PERCENTILE takes a whole number for how often; got {name_of(often[0].type)}")
    found = None
    if is_constant(share):
        found = evaluate(share, Input([], np.zeros(1, np.int64))).to_pylist()[0]
    is_array = isinstance(found, list)
    shares = tuple([None if each is None else float(each) for each in (found if isinstance(found, list) else [found])])
    if not shares or not all(each is not None and 0 <= each <= 1 for each in shares):
        raise binder.error(node, "PERCENTILE takes shares from 0 to 1, the same for all rows")
    kind: DataType = t.ArrayType(lt.DOUBLE) if is_array else lt.DOUBLE
    return [value, *often], kind, (shares if is_array else shares[0],)
