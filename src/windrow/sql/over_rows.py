"""Aggregates and ranks OVER rows in any order, of tables that end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from sqlglot import exp

from windrow.expressions import logical_types as lt
from windrow.expressions.logical_types import DayTimeIntervalType
from windrow.expressions.nodes import Call, Expression, InputRef, Literal
from windrow.sql.calc import with_columns
from windrow.sql.errors import nearest, sql_error
from windrow.sql.expression_binder import ExpressionBinder
from windrow.sql.function_calls import AGGREGATES
from windrow.sql.grouping import Grouping
from windrow.sql.plan import AggregateCall, Column, Frame, Ordering, OverRows, Relation
from windrow.sql.scope import Scope

MakeBinder = Callable[[Scope], ExpressionBinder]
_NUMBERS = ("ROW_NUMBER", "RANK", "DENSE_RANK", "NTILE")
_SHARES = ("PERCENT_RANK", "CUME_DIST")
#: What looks at rows by their order, whatever the frame is.
RANKS = frozenset({*_NUMBERS, *_SHARES, "LEAD", "LAG"})


def name_before(window: Any) -> str:
    """The function that stands before OVER, in upper case."""
    inner = window.this
    return str(inner.name if isinstance(inner, exp.Anonymous) else type(inner).__name__).upper()


def asks_for_all_rows(windows: Sequence[Any], is_time: Callable[[Any], bool]) -> bool:
    """Tell if OVER asks for what rows that come by their time do not say: another order, or rows behind a row.

    Args:
        windows: What stands behind OVER.
        is_time: Whether an expression is a time attribute.
    """
    first = windows[0]
    order = (first.args.get("order") or exp.Order()).expressions
    spec = first.args.get("spec")
    by_time = len(order) == 1 and is_time(order[0].this) and not order[0].args.get("desc")
    ends_here = spec is None or (
        spec.args.get("start_side") == "PRECEDING" and spec.args.get("end") in (None, "CURRENT ROW")
    )
    names = {name_before(each) for each in windows}
    of_rows = RANKS - {"LAG"} if names != {"LAG"} else frozenset()
    same = all(
        each.args.get(key) == first.args.get(key) for each in windows for key in ("partition_by", "order", "spec")
    )
    return not (by_time and ends_here and same) or bool(names & of_rows) or ("LAG" in names and len(names) > 1)


def over_rows(
    relation: Relation, scope: Scope, windows: Sequence[Any], written: Sequence[Any], text: str, binder: MakeBinder
) -> tuple[Relation, Callable[[Any], Expression | None]]:
    """The relation with a column for each function, and what finds these columns.

    Args:
        relation: The rows.
        scope: Their columns.
        windows: What stands behind OVER, with names resolved.
        written: The same as it is written.
        text: The statement, for errors.
        binder: Makes a binder for a scope.

    Raises:
        SqlError: there is no such function, or its arguments or frame do not fit.
    """
    inside, made = binder(scope), relation
    found: list[Expression] = []
    for window in windows:
        call, arguments = _call(window, relation, scope, text, binder)
        order = (window.args.get("order") or exp.Order()).expressions
        if call.name in RANKS and not order:
            raise sql_error(text, window, f"{call.name}() OVER takes an ORDER BY")
        keys = [inside.bind(each) for each in window.args.get("partition_by") or ()]
        by = [inside.bind(each.this) for each in order]
        frame = _frame(window, call, by, inside, text)
        made, places = with_columns(made, [*arguments, *keys, *by])
        orders = [
            Ordering(place, bool(each.args.get("desc")), bool(each.args.get("nulls_first")))
            for place, each in zip(places[len(arguments) + len(keys) :], order, strict=True)
        ]
        partition = places[len(arguments) : len(arguments) + len(keys)]
        call = replace(call, arguments=tuple([places[place] for place in call.arguments]))
        columns = [*made.columns, Column(f"$o{len(made.columns)}", call.type)]
        made = OverRows(columns, made, partition, orders, call, frame, window=relation.window)
        found.append(InputRef(len(columns) - 1, call.type))

    def special(node: Any) -> Expression | None:
        return next((column for window, column in zip(written, found, strict=True) if window is node), None)

    return made, special


def _call(
    window: Any, relation: Relation, scope: Scope, text: str, binder: MakeBinder
) -> tuple[AggregateCall, list[Expression]]:
    """Bind a call: what is computed, and of what; its arguments are places among these."""
    name, inner = name_before(window), window.this
    if isinstance(inner, exp.Filter):
        raise sql_error(text, window, "FILTER is not supported with OVER: aggregate CASE WHEN ... THEN ... END")
    if name in RANKS and window.args.get("spec"):
        raise sql_error(text, window, f"{name}() OVER takes no frame: leave ROWS or RANGE out")
    grouping = Grouping(relation, scope, text, binder, never_empty=_is_never_empty(window))
    if name in ("LEAD", "LAG"):
        grouping.lag(inner)
        (call,) = grouping.calls
        return replace(call, name=name), grouping.arguments
    if name in RANKS:
        kind = (lt.BIGINT if name in _NUMBERS else lt.DOUBLE).not_null()
        return AggregateCall(name, (), kind, options=_buckets(name, inner, text, binder(scope))), []
    if name not in AGGREGATES and grouping.own(inner) is None:
        raise sql_error(text, window, f"there is no function {name} for OVER: {nearest(name, [*AGGREGATES, *RANKS])}")
    grouping.aggregate(inner)
    (call,) = grouping.calls
    return call, grouping.arguments


def _is_never_empty(window: Any) -> bool:
    """Tell if both ends of a frame are said by words: then it has the row itself, and NULL comes of values alone."""
    spec = window.args.get("spec")
    ends = [] if spec is None else [spec.args.get("start"), spec.args.get("end")]
    return all(each in (None, "UNBOUNDED", "CURRENT ROW") for each in ends)


def _buckets(name: str, node: Any, text: str, binder: ExpressionBinder) -> tuple[Any, ...]:
    """Of NTILE how many parts there are; the others take nothing."""
    bound = [binder.bind(each) for each in node.expressions]
    if name != "NTILE":
        if bound:
            raise sql_error(text, node, f"{name} takes no arguments")
        return ()
    count = bound[0].value if len(bound) == 1 and isinstance(bound[0], Literal) else None
    if not isinstance(count, int) or count < 1:
        raise sql_error(text, node, "NTILE takes a number of parts, 1 or more, the same for all rows")
    return (count,)


def _frame(window: Any, call: AggregateCall, order: Sequence[Expression], binder: ExpressionBinder, text: str) -> Frame:
    spec = window.args.get("spec")
    if spec is None:
        return Frame(False, None, 0 if order else None)
    by_rows = str(spec.args.get("kind")).upper() == "ROWS"
    bounds: list[Any] = []
    for which, usual in (("start", None), ("end", "CURRENT ROW")):
        bound, side = spec.args.get(which) or usual, spec.args.get(f"{which}_side")
        if bound == "UNBOUNDED":
            bounds.append(None)
        elif bound == "CURRENT ROW":
            bounds.append(0)
        else:
            value = _distance(binder.bind(bound), order, by_rows=by_rows)
            if value is None:
                takes = (
                    "a number of rows" if by_rows else "a number or an interval that fits the one column of ORDER BY"
                )
                raise sql_error(text, window, f"{'ROWS' if by_rows else 'RANGE'} takes {takes} before {side}")
            bounds.append(-value if side == "PRECEDING" else value)
    return Frame(by_rows, *bounds)


def _distance(bound: Expression, order: Sequence[Expression], *, by_rows: bool) -> Any:
    """Read how many rows, or how far from a row's value, a frame goes; None: the expression does not say it."""
    if isinstance(bound, Call) and bound.name.startswith("CAST") and isinstance(bound.operands[0], Literal):
        bound = bound.operands[0]
    if not isinstance(bound, Literal) or bound.value is None:
        return None
    is_span = isinstance(bound.type, DayTimeIntervalType)
    if by_rows:
        return bound.value if isinstance(bound.value, int) and not is_span else None
    fits = len(order) == 1 and (lt.is_timestamp(order[0].type) if is_span else lt.is_numeric(order[0].type))
    return bound.value if fits else None
