"""The key of rows, as one column."""

from __future__ import annotations

from collections.abc import Sequence

from windrow.expressions import logical_types as lt
from windrow.expressions.logical_types import BIGINT
from windrow.expressions.nodes import Call, Expression, Literal


def key_of(keys: Sequence[Expression]) -> Expression:
    """One value for some: the number or text itself, where it is one, since windows find these on columns."""
    if not keys:
        return Literal(0, BIGINT.not_null())
    if len(keys) == 1 and lt.is_integer(keys[0].type):
        return Call("CAST", (keys[0],), lt.with_nullability(BIGINT, lt.may_be_null(keys[0].type)), ("UTC",))
    if len(keys) == 1 and lt.is_text(keys[0].type):
        return keys[0]
    return Call("$KEY", tuple(keys), lt.STRING.not_null())
