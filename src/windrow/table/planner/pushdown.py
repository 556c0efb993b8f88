"""Chooses rows of each side, and takes columns of them, before they are pairs, where that gives the same pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from windrow.expressions.logical_types import BOOLEAN, may_be_null
from windrow.expressions.nodes import (
    DRAWS_LOTS,
    USERS,
    Call,
    Expression,
    InputRef,
    references,
    shifted,
    substituted,
    walk,
)
from windrow.sql.calc import Calc, conjunction, conjuncts
from windrow.sql.plan import Filter, IntervalJoin, Join, Project, RegularJoin, Relation
from windrow.table.planner.calls import MOMENTARY

#: Functions that are called where they stand: their results differ, or they are the program's own.
_STAYING = DRAWS_LOTS | USERS | MOMENTARY


def before_pairs(calc: Calc) -> Calc:
    """Let a join have no rows, and no columns, that are not needed behind it.

    Flink's planner does the same. Conditions on the columns of one side are asked of that side's rows, if it is an
    inner join: pairs are those for which all conditions are true. Columns that nobody uses stay behind.

    Args:
        calc: Expressions, and a condition, over any relation.

    Returns:
        The same rows, over another join; ``calc`` itself where there is nothing to be gained, or no join.
    """
    join = calc.base
    if not isinstance(join, Join | IntervalJoin | RegularJoin) or join.kind in ("SEMI", "ANTI"):
        return calc
    width = len(join.left.columns)
    of_sides: tuple[list[Expression], list[Expression]] = [], []
    behind, within = conjuncts(calc.condition), conjuncts(join.condition)
    if join.kind == "INNER":
        behind, within = (_rest(parts, width, of_sides) for parts in (behind, within))
        for side, keys, of_side in zip(join.inputs, (join.left_keys, join.right_keys), of_sides, strict=True):
            of_side += [_is_not_null(side, key) for key in keys if may_be_null(side.columns[key].type)]
    rest = Calc(join, calc.expressions, conjunction([*behind]))
    kept = _needed(rest, join, within)
    if len(kept) == len(join.columns) and not any(of_sides):
        return calc
    places = {place: number for number, place in enumerate(kept)}
    columns: list[Expression] = [
        InputRef(places.get(place, place), column.type) for place, column in enumerate(join.columns)
    ]
    of_left = [place for place in kept if place < width]
    of_right = [place - width for place in kept if place >= width]
    condition = conjunction([substituted(each, columns) for each in within])
    narrow = replace(
        join,
        columns=[join.columns[place] for place in kept],
        left=_side(join.left, of_left, of_sides[0], join.left_keys),
        right=_side(join.right, of_right, of_sides[1], join.right_keys),
        left_keys=[of_left.index(place) for place in join.left_keys],
        right_keys=[of_right.index(place) for place in join.right_keys],
        condition=condition,
        window=None,
        key=None,
    )
    if isinstance(narrow, IntervalJoin):
        first, second = (
            None if time is None else of_side.index(time)
            for time, of_side in zip(_times(narrow), (of_left, of_right), strict=True)
        )
        narrow = replace(narrow, left_time=first, right_time=second)
    expressions = [substituted(each, columns) for each in calc.expressions]
    return Calc(narrow, expressions, conjunction([substituted(each, columns) for each in behind]))


def _rest(
    parts: Sequence[Expression], width: int, of_sides: tuple[list[Expression], list[Expression]]
) -> list[Expression]:
    """The conditions that are not of one side alone; the others are added to those of their side."""
    rest = []
    for part in parts:
        used = references([part])
        stays = not used or any(isinstance(each, Call) and each.name in _STAYING for each in walk(part))
        if not stays and max(used) < width:
            of_sides[0].append(part)
        elif not stays and min(used) >= width:
            of_sides[1].append(shifted(part, -width))
        else:
            rest.append(part)
    return rest


def _is_not_null(side: Relation, key: int) -> Expression:
    """Express that a key is not NULL: a row without one has no partner."""
    return Call("IS NOT NULL", (InputRef(key, side.columns[key].type),), BOOLEAN)


def _needed(calc: Calc, join: Join | IntervalJoin | RegularJoin, within: Sequence[Expression]) -> list[int]:
    """The places of the columns that are used, in order; each side has one at least."""
    width = len(join.left.columns)
    used = calc.references() | references(within)
    sides = (join.left, join.left_keys, 0), (join.right, join.right_keys, width)
    for (side, keys, first), time in zip(sides, _times(join), strict=True):
        needed = set(keys) if time is None else {*keys, time}
        if side.window is not None:
            needed |= {place for place in (side.window.start, side.window.end) if place is not None}
        used |= {first + place for place in needed or {0}}
    return sorted(used)


def _times(join: Join | IntervalJoin | RegularJoin) -> tuple[int | None, int | None]:
    """The places of both sides' times, where rows get them for the join."""
    return (join.left_time, join.right_time) if isinstance(join, IntervalJoin) else (None, None)


def _side(side: Relation, kept: Sequence[int], conditions: Sequence[Expression], keys: Sequence[int]) -> Relation:
    """The chosen rows of a side, and its columns that are kept."""
    condition = conjunction([*conditions])
    columns, window = side.columns, side.window
    if condition is not None:
        side = Filter(columns, side, condition, window=window, changes=side.changes)
        asked = {part.operands[0] for part in conditions if isinstance(part, Call) and part.name == "IS NOT NULL"}
        there = {part.index for part in asked if isinstance(part, InputRef)}.intersection(keys)
        columns = [
            replace(column, type=column.type.not_null()) if place in there else column
            for place, column in enumerate(columns)
        ]
    elif len(kept) == len(columns):
        return side
    places = {place: number for number, place in enumerate(kept)}
    if window is not None:
        start, end, time = (
            None if place is None else places.get(place) for place in (window.start, window.end, window.time)
        )
        window = replace(window, start=start, end=end, time=time)
    expressions: list[Expression] = [InputRef(place, columns[place].type) for place in kept]
    return Project([columns[place] for place in kept], side, expressions, window=window, changes=side.changes)
