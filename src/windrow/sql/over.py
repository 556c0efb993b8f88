"""Aggregates OVER the rows up to each row."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlglot import exp

from windrow.expressions.logical_types import DayTimeIntervalType
from windrow.expressions.nodes import Expression, InputRef, Literal
from windrow.sql.errors import nearest, sql_error
from windrow.sql.expression_binder import ExpressionBinder
from windrow.sql.function_calls import AGGREGATES
from windrow.sql.grouping import Grouping
from windrow.sql.plan import Column, Over, Project, Relation
from windrow.sql.scope import Scope

Special = Callable[[Any], Expression | None]
#: What looks at rows by their order, whatever the frame is.
_OF_ORDER = frozenset({"LAG", "RANK", "DENSE_RANK"})
_FRAMES = "it takes ROWS or RANGE BETWEEN ... PRECEDING AND CURRENT ROW"


def with_names(windows: Sequence[Any], select: Any, text: str) -> list[Any]:
    """The windows behind OVER, with what the WINDOW clause says in place of names.

    Raises:
        SqlError: there is no window of a name, or it is not taken as it is.
    """
    named = {each.this.name: each for each in select.args.get("windows") or ()}
    return [_resolved(window, named, text) for window in windows]


def _resolved(window: Any, named: Mapping[str, Any], text: str) -> Any:
    """A window with what the one that it names says; that one may name another one."""
    name = window.args.get("alias")
    if name is None:
        return window
    if name.name not in named:
        raise sql_error(text, window, f"there is no window {name.name!r}: {nearest(name.name, named)}")
    others = {other: each for other, each in named.items() if other != name.name}
    full = _resolved(named[name.name], others, text).copy()
    for key, part in (("partition_by", "PARTITION BY"), ("order", "ORDER BY"), ("spec", "a frame")):
        own = window.args.get(key)
        if not own:
            continue
        if full.args.get(key) or key == "partition_by":
            message = f"the window {name.name!r} takes no {part.removeprefix('a ')} here: write the window in full"
            raise sql_error(text, window, message)
        full.set(key, own.copy())
    full.set("this", window.this)
    return full


def over(
    relation: Relation,
    scope: Scope,
    windows: Sequence[Any],
    written: Sequence[Any],
    text: str,
    binder: Callable[[Scope], ExpressionBinder],
    *,
    streaming: bool,
) -> tuple[Relation, Special]:
    """The relation with a column for each aggregate, and what finds these columns.

    Args:
        relation: The rows.
        scope: Their columns.
        windows: What stands behind OVER, with names resolved.
        written: The same as it is written.
        text: The statement, for errors.
        binder: Makes a binder for a scope.
        streaming: Whether it is a stream that is read.

    Raises:
        SqlError: it is no aggregate, or there is no such frame.
    """
    inside = binder(scope)
    for each in windows:
        inner = each.this
        if isinstance(inner, exp.Filter):
            raise sql_error(text, each, "FILTER is not supported with OVER: aggregate CASE WHEN ... THEN ... END")
        name = _name(inner)
        if name in _OF_ORDER:
            _check_of_order(name, each, text)
        elif name not in AGGREGATES and inside.own_aggregate(inner) is None:
            message = f"{name}() OVER (...) is not supported: there are aggregates, ROW_NUMBER(), LAG(), RANK()"
            raise sql_error(text, each, message)
        if any(each.args.get(key) != windows[0].args.get(key) for key in ("partition_by", "order")):
            message = "all aggregates of a SELECT have one PARTITION BY and ORDER BY: take others in a query around it"
            raise sql_error(text, each, message)
    found: list[tuple[Any, InputRef]] = []
    for frame in _frames(windows):
        lags = not streaming and any(_name(windows[place].this) == "LAG" for place in frame)
        relation, results = _of_frame(relation, scope, [windows[place] for place in frame], text, binder, lags=lags)
        found += zip([written[place] for place in frame], results, strict=True)

    def special(node: Any) -> Expression | None:
        return next((column for window, column in found if window is node), None)

    return relation, special


def _frames(windows: Sequence[Any]) -> list[list[int]]:
    """The places of windows that have one frame together."""
    frames: list[tuple[Any, list[int]]] = []
    for place, window in enumerate(windows):
        spec = window.args.get("spec")
        found = next((places for known, places in frames if known == spec), None)
        if found is None:
            frames.append((spec, [place]))
        else:
            found.append(place)
    return [places for _, places in frames]


def _of_frame(
    relation: Relation,
    scope: Scope,
    windows: Sequence[Any],
    text: str,
    binder: Callable[[Scope], ExpressionBinder],
    *,
    lags: bool,
) -> tuple[Relation, list[InputRef]]:
    """The relation with a column for each aggregate of one frame, and where they are.

    Args:
        relation: The rows.
        scope: Their columns; the relation may have more of them, behind these.
        windows: What stands behind OVER.
        text: The statement, for errors.
        binder: Makes a binder for a scope.
        lags: Whether rows of one time are taken one by one, as LAG does in batch mode.
    """
    first, inside = windows[0], binder(scope)
    time = _time(first, inside, relation, text)
    by_rows, preceding = _frame(first, inside, text)
    by_rows = by_rows or lags
    grouping = Grouping(relation, scope, text, binder, never_empty=preceding is None)
    results = [_taken(grouping, each.this) for each in windows]
    count = len(relation.columns)
    expressions: list[Expression] = [InputRef(place, column.type) for place, column in enumerate(relation.columns)]
    partition = [_placed(inside.bind(each), expressions) for each in first.args.get("partition_by") or ()]
    places = [_placed(each, expressions) for each in grouping.arguments]
    calls = [replace(call, arguments=tuple([places[place] for place in call.arguments])) for call in grouping.calls]
    named = [column.name[:2] for column in relation.columns]
    computed = [Column(f"$w{place}", each.type) for place, each in enumerate(expressions[count:], named.count("$w"))]
    columns = [*relation.columns, *computed]
    given: Relation = relation
    if len(expressions) > count:
        given = Project(columns, relation, expressions, window=relation.window, changes=relation.changes)
    made = [Column(f"$o{place}", call.type) for place, call in enumerate(calls, named.count("$o"))]
    result = Over([*columns, *made], given, partition, time, calls, by_rows, preceding, window=relation.window)
    return result, [InputRef(each.index + len(columns), each.type) for each in results]


def _name(inner: Any) -> str:
    return str(inner.name if isinstance(inner, exp.Anonymous) else type(inner).__name__).upper()


def _check_of_order(name: str, window: Any, text: str) -> None:
    """Refuse a frame where the order alone says what is looked at."""
    if window.args.get("spec"):
        raise sql_error(text, window, f"{name}() OVER takes no frame: leave ROWS or RANGE out")


def _taken(grouping: Grouping, node: Any) -> InputRef:
    """The place of what stands before OVER; ranks by time are the number of rows up to it, as in Flink's streams."""
    name = _name(node)
    if name == "LAG":
        return grouping.lag(node)
    if name in _OF_ORDER:
        if node.expressions:
            raise grouping.error(node, f"{name} takes no arguments")
        return grouping.aggregate(exp.Anonymous(this="COUNT", expressions=[exp.Star()]))
    return grouping.aggregate(node)


def _placed(expression: Expression, expressions: list[Expression]) -> int:
    if expression not in expressions:
        expressions.append(expression)
    return expressions.index(expression)


def _time(window: Any, binder: ExpressionBinder, relation: Relation, text: str) -> int:
    order = (window.args.get("order") or exp.Order()).expressions
    bound = binder.bind(order[0].this) if len(order) == 1 else None
    if not isinstance(bound, InputRef) or not relation.columns[bound.index].is_time:
        times = [column.name for column in relation.columns if column.is_time]
        known = f"time attributes are {', '.join(times)}" if times else "there is none here"
        raise sql_error(text, window, f"the window can only be ordered by a single time attribute: {known}")
    if order[0].args.get("desc"):
        raise sql_error(text, window, "the window can only be ordered in ascending mode: leave DESC out")
    return bound.index


def _frame(window: Any, binder: ExpressionBinder, text: str) -> tuple[bool, int | None]:
    """Read a frame: whether it is of rows, and how far it goes back; None: as far as there is something."""
    spec = window.args.get("spec")
    if spec is None:
        return False, None
    start, by_rows = spec.args.get("start"), str(spec.args.get("kind")).upper() == "ROWS"
    if spec.args.get("start_side") != "PRECEDING" or spec.args.get("end") not in (None, "CURRENT ROW"):
        raise sql_error(
            text, window, f"a frame that ends elsewhere than at the current row is not supported: {_FRAMES}"
        )
    if start == "UNBOUNDED":
        return by_rows, None
    bound = binder.bind(start)
    if by_rows and isinstance(bound, Literal) and isinstance(bound.value, int) and not _is_span(bound):
        return True, bound.value
    if not by_rows and isinstance(bound, Literal) and _is_span(bound):
        return False, int(bound.value)
    takes = "a number of rows" if by_rows else "an interval of days to seconds"
    raise sql_error(text, window, f"{'ROWS' if by_rows else 'RANGE'} takes {takes} before PRECEDING")


def _is_span(bound: Literal) -> bool:
    return isinstance(bound.type, DayTimeIntervalType)
