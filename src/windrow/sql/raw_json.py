"""``JSON(text)``: text that is JSON already, among the values of JSON_OBJECT and JSON_ARRAY."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlglot import exp

from windrow.expressions import logical_types as lt
from windrow.expressions.logical_types import name_of
from windrow.expressions.nodes import Call, Expression

if TYPE_CHECKING:
    from windrow.sql.expression_binder import ExpressionBinder

NAME = "JSON"


def is_raw_json(binder: ExpressionBinder, node: Any) -> bool:
    """Tell whether it is a call of JSON, and of no function of the program's own."""
    return isinstance(node, exp.Anonymous) and node.name.upper() == NAME and NAME not in binder.system_functions


def raw_json(binder: ExpressionBinder, node: Any) -> Expression:
    """The call, where it may stand.

    Raises:
        SqlError: it does not take one text.
    """
    operands = [binder.bind(each) for each in node.expressions]
    if len(operands) != 1:
        raise binder.error(node, f"JSON takes 1 argument; got {len(operands)}")
    if isinstance(operands[0].type, lt.NullType):
        operands = [binder.cast_to(operands[0], lt.STRING)]
    if not lt.is_text(operands[0].type):
        raise binder.error(node, f"argument 1 of JSON takes text; got {name_of(operands[0].type)}")
    return Call(NAME, tuple(operands), lt.STRING)


def refuse(binder: ExpressionBinder, node: Any) -> Expression:
    """Refuse it where it may not stand.

    Raises:
        SqlError: always.
    """
    raise binder.error(
        node, "JSON(text) is a value of JSON_OBJECT or JSON_ARRAY itself: write JSON_OBJECT(KEY 'a' VALUE JSON(text))"
    )
