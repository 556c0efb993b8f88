"""Joins that end: within windows, an interval of time, the time for which state is kept, or tables read at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from windrow.errors import SqlError
from windrow.expressions.logical_types import BOOLEAN, DayTimeIntervalType, YearMonthIntervalType
from windrow.expressions.nodes import Call, Expression, InputRef, Literal, calls_own
from windrow.sql.calc import calc_of
from windrow.sql.common_columns import common_columns
from windrow.sql.errors import sql_error
from windrow.sql.expression_binder import ExpressionBinder
from windrow.sql.plan import AssignTime, Column, Filter, IntervalJoin, Join, RegularJoin, Relation, WindowColumns
from windrow.sql.scope import Scope

MakeBinder = Callable[[Scope], ExpressionBinder]
_REGULAR = (
    "a join without a bound in time keeps all rows of both sides for ever, and is not supported: join by "
    "window_start and window_end of window table functions, or by an interval of both time attributes, or SET "
    "'table.exec.state.ttl' = '1 h' to the time for which rows are kept"
)

_MONTHS = "a bound of months has no fixed length, and is not supported: write INTERVAL '...' of days to seconds"
_PADDED = "it is NULL where an outer join finds no row"
_WAITS = "it went through a join without a bound in time, in which rows wait for each other"
_BY_CLOCK = (
    "it went through an interval join by processing time, in which rows wait for longer than their event time says; "
    "make windows before the join"
)


@dataclass(frozen=True)
class Regular:
    """Says for how long rows of a join without a bound in time are kept.

    Attributes:
        streaming: Whether they are streams; else tables are read at once, to their ends.
        state_ttl: For so many milliseconds of processing time; None: nothing says it.
    """

    streaming: bool
    state_ttl: int | None

    @property
    def ends(self) -> bool:
        """True if there is such a join, because an end of it is known."""
        return not self.streaming or self.state_ttl is not None


def join(
    left: Relation,
    left_scope: Scope,
    right: Relation,
    right_scope: Scope,
    node: Any,
    binder: MakeBinder,
    regular: Regular,
) -> Relation:
    """The join of two relations.

    Raises:
        SqlError: it has no bound in time, or a form that is not supported.
    """
    scope = left_scope.joined(right_scope)
    error = errors(scope)
    condition = node.args.get("on")
    common = common_columns(node, left.columns, right.columns, error)
    if condition is None and not common and not regular.ends:
        raise error(node, f"this join has no condition: {_REGULAR}")
    inside, count = binder(scope), len(left.columns)
    bound = _all_of([]) if condition is None else inside.condition(condition, "ON")
    if common:
        sides = [
            [InputRef(one, left.columns[one].type), InputRef(count + other, right.columns[other].type)]
            for one, other in common
        ]
        alike = [inside.alike(pair, node, "a join compares") for pair in sides]
        bound = _all_of([Call("=", tuple(pair), BOOLEAN) for pair in alike])
    return joined(left, right, _kind(node, error, regular), bound, node, error, regular)


def joined(
    left: Relation,
    right: Relation,
    kind: str,
    bound: Expression,
    node: Any,
    error: Callable[[Any, str], SqlError],
    regular: Regular,
) -> Relation:
    """The join of two relations by a condition over the columns of both.

    Of an inner join, what functions of the program's own say of its pairs is asked behind it (Flink's
    ``SplitPythonConditionFromJoinRule``).

    Raises:
        SqlError: it has no bound in time.
    """
    parts = _conjuncts(bound)
    asked = [part for part in parts if kind == "INNER" and calls_own(part)]
    if asked:
        others = _all_of([part for part in parts if part not in asked])
        made = joined(left, right, kind, others, node, error, regular)
        return Filter(made.columns, made, _all_of(asked), window=made.window, changes=made.changes)
    count = len(left.columns)
    pairs, rest = equal_pairs(bound, count)
    windowed = _is_windowed(left, right, pairs)
    if windowed:
        return _pairs_join(left, right, kind, pairs, conjunction(rest), left.window, right.window)
    changes = left.changes or right.changes
    bounds = _interval(rest, left, right, count)
    if bounds is None and kind not in ("SEMI", "ANTI") and not changes:
        bounds = _moment(pairs, rest, left, right, count)
    if not regular.streaming and (bounds is None or kind != "INNER"):
        made = _pairs_join(left, right, kind, pairs, conjunction(rest), None, None)
        made.columns = _without_times(made.columns)
        return made
    if bounds is None and regular.state_ttl is not None and (changes or kind != "INNER"):
        return _regular_join(left, right, kind, pairs, conjunction(rest), regular.state_ttl)
    if bounds is None and regular.state_ttl is not None:  # pairs of rows that stay: columns serve them
        columns = _without_times([*left.columns, *right.columns])
        bounds = _Bounds(-regular.state_ttl, regular.state_ttl, by_clock=True, rest=rest)
    elif bounds is None:
        raise error(node, _MONTHS if any(map(_has_months, rest)) else _REGULAR)
    elif kind in ("SEMI", "ANTI"):
        raise error(node, f"a {kind} join within an interval is not supported: take INNER, or a window join")
    else:
        sides = [_alone(left.columns) if kind in ("RIGHT", "FULL") else left.columns]
        sides.append(_alone(right.columns) if kind in ("LEFT", "FULL") else right.columns)
        columns = [_without_rowtime(column) if bounds.by_clock else column for side in sides for column in side]
    return IntervalJoin(
        columns,
        left,
        right,
        [one for one, _ in pairs],
        [other for _, other in pairs],
        bounds.lower,
        bounds.upper,
        conjunction(bounds.rest),
        bounds.by_clock,
        kind,
        left_time=_other_time(left, bounds.times[0]),
        right_time=_other_time(right, bounds.times[1]),
    )


def _alone(columns: Sequence[Column]) -> list[Column]:
    """The columns of a side of which there is no row where none fits."""
    return [
        replace(
            column,
            type=column.type.nullable(),
            rowtime=False,
            proctime=False,
            lost=_PADDED if column.is_time else column.lost,
        )
        for column in columns
    ]


def _regular_join(
    left: Relation, right: Relation, kind: str, pairs: list[tuple[int, int]], condition: Expression | None, ttl: int
) -> RegularJoin:
    """Pairs of rows of any time, which may come and go."""
    of_pairs = _pairs_join(left, right, kind, pairs, condition, None, None)
    changes = left.changes or right.changes or kind not in ("INNER", "SEMI")
    return RegularJoin(
        _without_times(of_pairs.columns),
        left,
        right,
        kind,
        of_pairs.left_keys,
        of_pairs.right_keys,
        condition,
        ttl,
        changes=changes,
    )


def _without_rowtime(column: Column) -> Column:
    return replace(column, rowtime=False, lost=_BY_CLOCK) if column.rowtime else column


def _without_times(columns: Sequence[Column]) -> list[Column]:
    """The columns behind a join in which rows wait for each other however long that takes."""
    return [
        replace(column, rowtime=False, proctime=False, lost=_WAITS) if column.is_time else column for column in columns
    ]


def errors(scope: Scope) -> Callable[[Any, str], SqlError]:
    """Give the function that makes errors about a part of a statement."""
    return lambda node, message: sql_error(scope.text, node, message)


def _kind(node: Any, error: Callable[[Any, str], SqlError], regular: Regular) -> str:
    side, kind = str(node.args.get("side") or "").upper(), str(node.args.get("kind") or "").upper()
    if kind == "CROSS" and regular.ends:
        return "INNER"
    if (
        kind not in ("", "INNER", "OUTER", "SEMI", "ANTI")
        or str(node.args.get("method") or "NATURAL").upper() != "NATURAL"
    ):
        raise error(node, f"a {kind or node.args['method']} JOIN is not supported: {_REGULAR}")
    if kind in ("SEMI", "ANTI"):
        return kind
    return side or "INNER"


def _conjuncts(expression: Expression) -> list[Expression]:
    if isinstance(expression, Call) and expression.name == "AND":
        return [each for operand in expression.operands for each in _conjuncts(operand)]
    return [expression]


def conjunction(parts: list[Expression]) -> Expression | None:
    """All of them together; None: there is none."""
    made: Expression | None = None
    for part in parts:
        made = part if made is None else Call("AND", (made, part), part.type.nullable())
    return made


def _all_of(parts: list[Expression]) -> Expression:
    return conjunction(parts) or Literal(True, BOOLEAN.not_null())


def equal_pairs(condition: Expression, count: int) -> tuple[list[tuple[int, int]], list[Expression]]:
    """Columns of the left and of the right side that have to be equal, and all else."""
    pairs, rest = [], []
    for part in _conjuncts(condition):
        if isinstance(part, Call) and part.name == "=" and all(isinstance(each, InputRef) for each in part.operands):
            first, second = sorted(each.index for each in part.operands if isinstance(each, InputRef))
            if first < count <= second:
                pairs.append((first, second - count))
                continue
        rest.append(part)
    return pairs, rest


def _is_windowed(left: Relation, right: Relation, pairs: list[tuple[int, int]]) -> bool:
    one, other = left.window, right.window
    if one is None or other is None or None in (one.start, one.end, other.start, other.end):
        return False
    return (one.start, other.start) in pairs and (one.end, other.end) in pairs


def _pairs_join(
    left: Relation,
    right: Relation,
    kind: str,
    pairs: list[tuple[int, int]],
    condition: Expression | None,
    of_left: WindowColumns | None,
    of_right: WindowColumns | None,
) -> Join:
    """Pairs of rows in windows of both sides, or of all that there are."""

    def nullable(columns: list[Column]) -> list[Column]:
        return [replace(column, type=column.type.nullable()) for column in columns]

    first = nullable(left.columns) if kind in ("RIGHT", "FULL") else list(left.columns)
    second = nullable(right.columns) if kind in ("LEFT", "FULL") else list(right.columns)
    columns = first if kind in ("SEMI", "ANTI") else [*first, *second]
    window = of_left
    if kind == "RIGHT" and of_right is not None:  # where no row of the left side fits, its window is NULL
        window = _moved(of_right, len(left.columns))
    elif kind == "FULL":
        window = None
    keys, others = [one for one, _ in pairs], [other for _, other in pairs]
    return Join(columns, left, right, kind, keys, others, condition, of_left is not None, window=window)


def _moved(window: WindowColumns, count: int) -> WindowColumns:
    """The window of the right side's columns, which stand behind ``count`` others."""

    def moved(place: int | None) -> int | None:
        return None if place is None else place + count

    partition = tuple([place if place < 0 else place + count for place in window.window.partition])
    of = replace(window.window, partition=partition)
    return WindowColumns(moved(window.start), moved(window.end), moved(window.time), of)


class _Bounds(NamedTuple):
    """From when to when the right side's time is behind the left one's, in milliseconds.

    Attributes:
        by_clock: Whether that is processing time.
        rest: What else has to be true.
        times: The places of both times, each in its side; None: processing time is no column.
    """

    lower: int
    upper: int
    by_clock: bool
    rest: list[Expression]
    times: tuple[int | None, int | None] = (None, None)


class _Difference(NamedTuple):
    """A comparison as one of right time minus left time with ``value`` milliseconds.

    Attributes:
        is_turned: Whether the left time stands first.
        times: The places of both times, each in its side.
    """

    is_turned: bool
    value: int
    by_clock: bool
    times: tuple[int, int]


def _interval(parts: list[Expression], left: Relation, right: Relation, count: int) -> _Bounds | None:
    """The bounds that comparisons say; None: they say none, or one alone."""
    lower: int | None = None
    upper: int | None = None
    of: _Difference | None = None
    rest: list[Expression] = []
    for part in parts:
        found = _difference(part, ("<", "<=", ">", ">="), left, right, count)
        if found is None or (of is not None and (of.by_clock, of.times) != (found.by_clock, found.times)):
            rest.append(part)
            continue
        of = found
        assert isinstance(part, Call)
        operator = part.name
        if found.is_turned:
            operator = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}[operator]
        value = found.value + {"<": -1, ">": 1}.get(operator, 0)
        if operator in (">", ">="):
            lower = value if lower is None else max(lower, value)
        else:
            upper = value if upper is None else min(upper, value)
    if lower is None or upper is None or of is None:
        return None
    return _Bounds(lower, upper, of.by_clock, rest, (None, None) if of.by_clock else of.times)


def _moment(
    pairs: Sequence[tuple[int, int]], rest: list[Expression], left: Relation, right: Relation, count: int
) -> _Bounds | None:
    """The bounds of event times that are equal, perhaps with a span added to one; columns that are equal stay keys."""
    for one, other in pairs:
        if left.columns[one].rowtime and right.columns[other].rowtime:
            return _Bounds(0, 0, by_clock=False, rest=rest, times=(one, other))
    for part in rest:
        found = _difference(part, ("=",), left, right, count)
        if found is not None and not found.by_clock:
            others = [each for each in rest if each is not part]
            return _Bounds(found.value, found.value, by_clock=False, rest=others, times=found.times)
    return None


def _difference(
    part: Expression, operators: Sequence[str], left: Relation, right: Relation, count: int
) -> _Difference | None:
    """Read a condition that compares times of both sides; None: it does not."""
    if not isinstance(part, Call) or part.name not in operators:
        return None
    first, second = (_time_plus(each) for each in part.operands)
    if first is None or second is None:
        return None
    is_turned = first[0] < count
    if is_turned is (second[0] < count):
        return None
    (place, added), (other, also_added) = (first, second) if is_turned else (second, first)
    times = left.columns[place], right.columns[other - count]
    if not all(time.is_time for time in times) or times[0].proctime is not times[1].proctime:
        return None
    if type(times[0].type) is not type(times[1].type):  # what one is beside the other says a time zone
        return None
    # left + a OP right + b: right - left turned-OP a - b
    return _Difference(is_turned, added - also_added, times[0].proctime, (place, other - count))


def _other_time(side: Relation, place: int | None) -> int | None:
    """The place of a time if rows of the side may have another one; None: it is the one that a table gave them."""
    if place is None:
        return None
    calc = calc_of(side)
    base, time = calc.base, calc.expressions[place]
    is_own = isinstance(base, AssignTime) and isinstance(time, InputRef) and time.index == base.time
    return None if is_own else place


def _has_months(expression: Expression) -> bool:
    if not isinstance(expression, Call):
        return False
    return any(isinstance(each.type, YearMonthIntervalType) or _has_months(each) for each in expression.operands)


def _time_plus(expression: Expression) -> tuple[int, int] | None:
    """The place of a column, and how many milliseconds are added to it; None: it is no column and fixed span."""
    if isinstance(expression, Call) and expression.name == "CAST_IMPLICIT":
        expression = expression.operands[0]
    if isinstance(expression, Call) and expression.name in ("TIME +", "TIME -"):
        inner, span = expression.operands
        found = _time_plus(inner)
        if found is None or not isinstance(span, Literal) or not isinstance(span.type, DayTimeIntervalType):
            return None
        return found[0], found[1] + (span.value if expression.name == "TIME +" else -span.value)
    return (expression.index, 0) if isinstance(expression, InputRef) else None
