"""Joins of windows and within intervals, as streams."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from windrow.common.time import Time
from windrow.datastream.streams.program import factory
from windrow.datastream.streams.two_inputs import two_inputs
from windrow.datastream.window import TumblingEventTimeWindows
from windrow.expressions.logical_types import BIGINT
from windrow.expressions.nodes import Expression, InputRef, Literal, substituted
from windrow.operators.interval_join import Interval, interval_join_operator
from windrow.operators.table.by_clock import join_by_clock, outer_join_by_clock
from windrow.operators.table.changelog_join import ChangelogJoinOperator
from windrow.operators.table.joins import Condition, PairsWithin, WindowJoin
from windrow.operators.table.outer_interval import OuterIntervalJoin
from windrow.operators.watermarks.delayed import DelayedWatermarksOperator
from windrow.sql.plan import IntervalJoin, Join, RegularJoin, Relation
from windrow.table.planner.by_clock import refuse_by_clock, refuse_in_batch
from windrow.table.planner.changelogs import fields_of, kind_of
from windrow.table.planner.keys import key_of
from windrow.table.planner.moments import in_milliseconds, last_moment

if TYPE_CHECKING:
    from windrow.datastream.streams.data_stream import DataStream
    from windrow.table.planner.lowering import Lowering


def _side(
    lowering: Lowering,
    relation: Relation,
    keys: Sequence[int],
    time: Expression | None = None,
    key: Expression | None = None,
) -> DataStream:
    """The rows of one side of a join, behind their key: that of some columns, or ``key`` over all of them."""
    calc = lowering.columns_of(relation)
    of_keys = key_of([calc.expressions[place] for place in keys])
    if key is not None:
        of_keys = substituted(key, calc.expressions)
    if time is not None:
        time = substituted(time, calc.expressions)
    fields = [of_keys, *calc.expressions, *kind_of(calc.base)]
    return lowering.calculated(lowering.stream(calc.base), fields_of(calc.base), fields, calc.condition, time)


def joined(lowering: Lowering, relation: Join | IntervalJoin | RegularJoin) -> DataStream:
    """Pairs of rows, by the kind of join."""
    match relation:
        case Join():
            return window_join(lowering, relation)
        case IntervalJoin():
            return interval_join(lowering, relation)
    return regular_join(lowering, relation)


def window_join(lowering: Lowering, relation: Join) -> DataStream:
    """Pairs of rows in the same windows, or of all rows.

    Raises:
        ConfigurationError: these are windows of processing time.
    """
    sides, of_sides = [], _keys_beside_windows(relation)
    for side, keys in zip((relation.left, relation.right), of_sides, strict=True):
        if not relation.windowed:  # all rows have one time, so they are in one window
            sides.append(_side(lowering, side, keys, Literal(0, BIGINT.not_null())))
            continue
        assert side.window is not None
        assert side.window.end is not None
        refuse_by_clock(side.window.window, "a join of windows")
        end = InputRef(side.window.end, side.columns[side.window.end].type)
        time = last_moment(end, side.window.window)
        sides.append(_side(lowering, side, keys, time, None if keys else in_milliseconds(time)))
    condition, width = _condition(relation), len(relation.left.columns)
    if relation.kind == "INNER":
        # Rows of one window have one time, so pairs of a window are those within no time at all.
        pairs = PairsWithin(condition, of_sides[0], width)
        make = factory(interval_join_operator, pairs, Interval(0, 0), None, None, True)
        return two_inputs("Window Join", sides[0].key_by(0), sides[1].key_by(0), make, None)
    function = WindowJoin(relation.kind, of_sides, (width, len(relation.right.columns)), condition)
    both = sides[0].co_group(sides[1]).where(0).equal_to(0)
    return both.window(TumblingEventTimeWindows.of(Time.milliseconds(1))).apply(function)


def interval_join(lowering: Lowering, relation: IntervalJoin) -> DataStream:
    """Pairs of rows whose times are within an interval of each other.

    Raises:
        ConfigurationError: these are processing times, and tables are read at once.
    """
    left, right = (
        _side(lowering, side, keys, None if time is None else InputRef(time, side.columns[time].type)).key_by(0)
        for side, keys, time in (
            (relation.left, relation.left_keys, relation.left_time),
            (relation.right, relation.right_keys, relation.right_time),
        )
    )
    # Of a pair the older time may be so much below the watermark; as in Flink both stay time attributes.
    delay = factory(DelayedWatermarksOperator, max(relation.upper, -relation.lower))
    if relation.by_clock:
        refuse_in_batch(lowering.streaming, "intervals of processing time")
    if relation.kind != "INNER":
        outer = OuterIntervalJoin(
            relation.kind,
            (relation.lower, relation.upper),
            (relation.left_keys, relation.right_keys),
            (len(relation.left.columns), len(relation.right.columns)),
            _condition(relation),
        )
        if relation.by_clock:
            make = factory(outer_join_by_clock, outer)
            return two_inputs("Interval Join", left, right, make, None, uses_processing_time=True)
        made = left.connect(right).process(outer)
        return made._transform("Watermark Delay", delay, None, stateless=True, convert=False)
    function = PairsWithin(_condition(relation), relation.left_keys, len(relation.left.columns))
    if relation.by_clock:
        interval = Interval.of(relation.lower, relation.upper, lower_inclusive=True, upper_inclusive=True)
        make = factory(join_by_clock, function, interval)
        return two_inputs("Interval Join", left, right, make, None, uses_processing_time=True)
    bounds = Time.milliseconds(relation.lower), Time.milliseconds(relation.upper)
    pairs = left.interval_join(right).between(*bounds).process(function)
    return pairs._transform("Watermark Delay", delay, None, stateless=True, convert=False)


def regular_join(lowering: Lowering, relation: RegularJoin) -> DataStream:
    """Pairs that come and go with the rows of both sides."""
    left, right = relation.left, relation.right
    make = partial(
        ChangelogJoinOperator,
        relation.kind,
        (relation.left_keys, relation.right_keys),
        (len(left.columns), len(right.columns)),
        _condition(relation),
        changes=(left.changes, right.changes),
        kinds=relation.changes,
        ttl=relation.ttl,
    )
    first, second = (
        _side(lowering, side, keys).key_by(0)
        for side, keys in ((left, relation.left_keys), (right, relation.right_keys))
    )
    return two_inputs("Join", first, second, factory(make), None, uses_processing_time=True)


def _condition(relation: Join | IntervalJoin | RegularJoin) -> Condition:
    types = [column.type for column in (*relation.left.columns, *relation.right.columns)]
    return Condition(types, relation.condition)


def _keys_beside_windows(relation: Join) -> tuple[list[int], list[int]]:
    """The keys of both sides without those that are equal in any case, because windows are.

    Rows of one time are of windows with one end. Those of a session may begin at several times.
    """
    if not relation.windowed:
        return relation.left_keys, relation.right_keys
    left, right = relation.left.window, relation.right.window
    assert left is not None
    assert right is not None
    ends = (left.end, right.end)
    implied = {ends} if left.window.kind == "SESSION" else {ends, (left.start, right.start)}
    pairs = list(zip(relation.left_keys, relation.right_keys, strict=True))
    kept = [pair for pair in pairs if pair not in implied]
    return [pair[0] for pair in kept], [pair[1] for pair in kept]
