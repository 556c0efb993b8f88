"""Conditions on the number that a row has in an order (Flink's ``Rank``): the rows that they choose."""

from __future__ import annotations

from dataclasses import dataclass

from windrow.expressions.nodes import Call, Expression, InputRef, Literal, references
from windrow.sql.calc import calc_of, conjunction, conjuncts
from windrow.sql.plan import Filter, Relation, RowNumber

_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


@dataclass(frozen=True)
class RankRange:
    """The rows that a condition chooses by their number.

    Attributes:
        most: The greatest number; None: there is none.
        rest: What the condition says besides.
    """

    least: int
    most: int | None
    rest: Expression | None


def rank_range(condition: Expression | None, number: int) -> RankRange:
    """Read the range of numbers, and all else that a condition says, where a column has the number of a row."""
    least, most = 1, None
    rest: list[Expression | None] = []
    for part in conjuncts(condition):
        bounds = _bounds(part, number)
        if bounds is None:
            rest.append(part)
            continue
        low, high = bounds
        least = max(least, low)
        most = high if most is None or (high is not None and high < most) else most
    return RankRange(least, most, conjunction(rest))


def _bounds(part: Expression, number: int) -> tuple[int, int | None] | None:
    if not isinstance(part, Call) or part.name not in ("=", *_MIRRORED) or len(part.operands) != 2:
        return None
    operands = [each.operands[0] if isinstance(each, Call) and "CAST" in each.name else each for each in part.operands]
    name = part.name
    if isinstance(operands[0], Literal):
        operands = operands[::-1]
        name = _MIRRORED.get(name, name)
    column, limit = operands
    if not isinstance(column, InputRef) or column.index != number or not isinstance(limit, Literal):
        return None
    value = limit.value
    if not isinstance(value, int):
        return None
    return {"=": (value, value), "<=": (1, value), "<": (1, value - 1), ">=": (value, None), ">": (value + 1, None)}[
        name
    ]


def asks_for_numbers(condition: Expression | None, base: RowNumber) -> bool:
    """Tell whether a condition chooses rows by their number."""
    return condition is not None and len(base.columns) - 1 in references([condition])


def is_by_event_time(base: RowNumber) -> bool:
    """Tell whether rows are numbered by their event time alone."""
    return len(base.order) == 1 and base.input.columns[base.order[0].index].rowtime


def is_by_time(base: RowNumber) -> bool:
    """Tell whether rows are numbered by a time attribute alone."""
    return len(base.order) == 1 and base.input.columns[base.order[0].index].is_time


def is_in_windows(base: RowNumber) -> bool:
    """Tell whether rows are numbered in windows, whose results come once."""
    window = base.input.window
    return window is not None and window.end is not None and {window.start, window.end} <= set(base.partition)


def keeps_first(base: RowNumber, chosen: RankRange) -> bool:
    """Tell whether the first row of each key by time is chosen: then it stays; of event time, when it is known."""
    ascending = is_by_time(base) and not base.order[0].descending
    return ascending and (chosen.least, chosen.most) == (1, 1) and not base.input.changes


def filtered(relation: Relation, condition: Expression, *, streaming: bool) -> Filter:
    """The rows for which a condition is true; those of a stream that it chooses by their number change."""
    made = Filter(relation.columns, relation, condition, window=relation.window, changes=relation.changes)
    calc = calc_of(made)
    base = calc.base
    if not isinstance(base, RowNumber) or not streaming or is_in_windows(base):
        return made
    if asks_for_numbers(calc.condition, base):
        made.changes = not keeps_first(base, rank_range(calc.condition, len(base.columns) - 1))
    return made
