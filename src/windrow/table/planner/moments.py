"""Times of windows, as expressions."""

from __future__ import annotations

from windrow.expressions import logical_types as lt
from windrow.expressions.logical_types import BIGINT, DAY_TIME
from windrow.expressions.nodes import Call, Expression, Literal
from windrow.sql.plan import Window

_LONG = BIGINT.not_null()


def last_moment(end: Expression, window: Window) -> Expression:
    """The last millisecond of a window, of its end as rows have it."""
    if window.zone is not None:
        return Call("$LAST_MOMENT", (end,), lt.TIMESTAMP_LTZ_3, (window.zone,))
    return Call("TIME -", (end, Literal(1, DAY_TIME.not_null())), end.type)


def in_milliseconds(time: Expression) -> Expression:
    """A time as a whole number."""
    return Call("/", (Call("$TICKS", (time,), _LONG), Literal(1000, _LONG)), _LONG)
