"""Functions of JSON whose calls have words among their arguments: what is returned, and what where there is nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from windrow.expressions import logical_types as lt
from windrow.expressions.casts import can_cast
from windrow.expressions.evaluation import Input, evaluate
from windrow.expressions.kernels.json import RETURNS, OnNothing
from windrow.expressions.kernels.json_made import has_json, is_json
from windrow.expressions.logical_types import name_of
from windrow.expressions.nodes import Call, Expression, Literal
from windrow.sql.raw_json import is_raw_json, raw_json
from windrow.sql.type_names import type_of
from windrow.table.data_types import DataType

if TYPE_CHECKING:
    from windrow.sql.expression_binder import ExpressionBinder

_NULL, _FALSE = OnNothing("NULL"), OnNothing("FALSE")


def json_call(binder: ExpressionBinder, node: Any) -> Expression:
    """``JSON_VALUE(text, path RETURNING INT NULL ON EMPTY ...)`` and its like.

    Raises:
        SqlError: arguments do not fit, or there is no such type behind RETURNING.
    """
    name = node.name
    operands = [binder.bind(each) for each in node.expressions]
    for place, operand in enumerate(operands):
        if not lt.is_text(operand.type):
            raise binder.error(node, f"argument {place + 1} of {name} takes text; got {name_of(operand.type)}")
    if len(operands) != 2:
        raise binder.error(node, f"{name} takes 2 arguments; got {len(operands)}")
    if name == "JSON_EXISTS":
        return Call(name, tuple(operands), lt.BOOLEAN, (_on_nothing(binder, node, "error", lt.BOOLEAN, _FALSE),))
    kind: DataType = lt.STRING
    returning = node.args.get("returning")
    if returning is not None:
        kind = type_of(returning, binder.text)
        if type(kind) not in RETURNS:
            message = "RETURNING takes STRING, INT, DOUBLE or BOOLEAN, which JSON_VALUE gives: CAST its result"
            raise binder.error(node, f"{message}; got {name_of(kind)}")
    options = [_on_nothing(binder, node, key, kind, _NULL) for key in ("empty", "error")]
    if name == "JSON_QUERY":
        return Call(name, tuple(operands), kind, (*options, node.args.get("wrapper") or ""))
    return Call(name, tuple(operands), kind, tuple(options))


def json_made(binder: ExpressionBinder, node: Any) -> Expression:
    """``JSON_OBJECT(KEY 'a' VALUE b)`` and ``JSON_ARRAY(a, b)``: what is JSON made by one of them is a part as it is.

    Raises:
        SqlError: a key is no constant text, or there is no JSON for values of a type.
    """
    name = node.name
    keys = [binder.bind(each) for each in node.args.get("keys") or ()]
    for key, written in zip(keys, node.args.get("keys") or (), strict=True):
        if not isinstance(key, Literal) or not lt.is_text(key.type) or key.value is None:
            raise binder.error(written, f"{name} takes constant texts as keys: KEY 'name' VALUE value")
    values = [raw_json(binder, each) if is_raw_json(binder, each) else binder.bind(each) for each in node.expressions]
    for value, written in zip(values, node.expressions, strict=True):
        if not has_json(value.type):
            raise binder.error(written, f"{name}: there is no JSON for {name_of(value.type)}: CAST it AS STRING")
    names = tuple([str(key.value) for key in keys if isinstance(key, Literal)])
    are_json = tuple([is_json(value) for value in values])
    absent = node.args["on_null"] == "ABSENT"
    return Call(name, tuple(values), lt.STRING.not_null(), (names, are_json, absent))


def _on_nothing(binder: ExpressionBinder, node: Any, key: str, kind: DataType, otherwise: OnNothing) -> OnNothing:
    does, written = node.args.get(key), node.args.get(f"{key}_default")
    if not does:
        return otherwise
    if written is None:
        return OnNothing(does)
    default = binder.bind(written)
    if not isinstance(default, Literal) or not can_cast(default.type, kind):
        raise binder.error(node, f"DEFAULT ON {key.upper()} takes a constant {name_of(kind)}, as 'none' or 0 is")
    value = evaluate(binder.cast_to(default, kind), Input([], np.zeros(1, np.int64)))
    return OnNothing(does, value.to_pylist()[0])
