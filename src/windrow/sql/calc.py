"""Projections and filters that follow each other as one (Flink's ``Calc``)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from windrow.expressions import logical_types as lt
from windrow.expressions.nodes import DRAWS_LOTS, USERS, Call, Expression, InputRef, references, substituted, walk
from windrow.sql.plan import Column, Filter, Project, Relation

#: Functions whose results differ, or that cost more than to keep them.
_CALLED_ONCE = DRAWS_LOTS | USERS


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
