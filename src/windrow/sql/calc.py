"""Projections and filters that follow each other as one, and what a condition says of the number of a row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from windrow.expressions import logical_types as lt
from windrow.expressions.nodes import (
    DRAWS_LOTS,
    USERS,
    Call,
    Expression,
    InputRef,
    Literal,
    references,
    substituted,
    walk,
)
from windrow.sql.plan import Column, Filter, Project, Relation, RowNumber

#: Functions whose results differ, or that cost more than to keep them.
_CALLED_ONCE = DRAWS_LOTS | USERS
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


@dataclass
class Calc:
    """Expressions over the columns of a relation, for the rows that a condition chooses."""

    base: Relation
    expressions: list[Expression]
    condition: Expression | None

    def references(self) -> set[int]:
        """The places of the base's columns that are used."""
        condition = [] if self.condition is None else [self.condition]
        return references([*self.expressions, *condition])


def calc_of(relation: Relation) -> Calc:
    """A relation as expressions over the first one below that is no projection and no filter."""
    if isinstance(relation, Project):
        below = calc_of(relation.input)
        if _would_call_again(below, relation.expressions):
            return Calc(relation.input, relation.expressions, None)
        return Calc(
            below.base, [substituted(each, below.expressions) for each in relation.expressions], below.condition
        )
    if isinstance(relation, Filter):
        below = calc_of(relation.input)
        if _would_call_again(below, [relation.condition, *identity(relation.input).expressions]):
            return Calc(relation.input, identity(relation.input).expressions, relation.condition)
        condition = substituted(relation.condition, below.expressions)
        return Calc(below.base, below.expressions, conjunction([below.condition, condition]))
    return identity(relation)


def _would_call_again(below: Calc, expressions: Sequence[Expression]) -> bool:
    """Tell if a function that draws lots, or is the program's own, would be called for each mention of its result."""
    used = Counter(part.index for expression in expressions for part in walk(expression) if isinstance(part, InputRef))
    return any(
        isinstance(part, Call) and part.name in _CALLED_ONCE
        for index, times in used.items()
        if times > 1
        for part in walk(below.expressions[index])
    )


def identity(relation: Relation) -> Calc:
    """All columns of a relation as they are."""
    return Calc(relation, [InputRef(place, column.type) for place, column in enumerate(relation.columns)], None)


def with_columns(relation: Relation, wanted: Sequence[Expression]) -> tuple[Relation, list[int]]:
    """The relation with what is wanted behind its columns, where it is none of them, and the places of all of it."""
    expressions = identity(relation).expressions
    count = len(expressions)
    for each in wanted:
        if each not in expressions:
            expressions.append(each)
    places = [expressions.index(each) for each in wanted]
    if len(expressions) == count:
        return relation, places
    more = [Column(f"$a{place}", each.type) for place, each in enumerate(expressions[count:])]
    columns = [*relation.columns, *more]
    return Project(columns, relation, expressions, window=relation.window, changes=relation.changes), places


def conjuncts(condition: Expression | None) -> list[Expression]:
    """Split a condition into those that all have to be true for it to be."""
    if condition is None:
        return []
    if isinstance(condition, Call) and condition.name == "AND":
        return [each for operand in condition.operands for each in conjuncts(operand)]
    return [condition]


def conjunction(parts: list[Expression | None]) -> Expression | None:
    """All of them together; None: there is none."""
    made: Expression | None = None
    for part in parts:
        if part is not None:
            made = part if made is None else Call("AND", (made, part), lt.BOOLEAN)
    return made


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
