"""The nodes of an expression, once names and types are known."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from windrow.table.data_types import DataType

#: The names of calls of the program's own functions, which are their option; the second may give others each time.
USER, USER_DRAWS = "USER", "USER_DRAWS"
USERS = frozenset({USER, USER_DRAWS})
#: What ARRAY_AGG is told that leaves NULL out.
IGNORE_NULLS = "IGNORE NULLS"
#: The name of aggregates of the program's own, whose options are the function and the types of its arguments.
USER_AGGREGATE = "USER_AGGREGATE"
#: The functions that give something else each time: what has them and is named twice is made twice.
DRAWS_LOTS = frozenset({"RAND", "RAND_INTEGER", "UUID", USER_DRAWS})


@dataclass(frozen=True)
class InputRef:
    """A column of the input, by its place."""

    index: int
    type: DataType


@dataclass(frozen=True)
class Literal:
    """A value that stands in the text, as Arrow gives it to Python; None is NULL."""

    value: Any
    type: DataType


@dataclass(frozen=True)
class Timestamp:
    """The timestamp of the element itself, in milliseconds: that of a window's result is the window's last one."""

    type: DataType


@dataclass(frozen=True)
class Call:
    """A function of other expressions.

    Attributes:
        name: The function's name in :mod:`windrow.expressions.functions`.
        operands: What it is called with.
        type: The type of its result.
        options: What its kernel has to know besides: units of time, the session's time zone.
    """

    name: str
    operands: tuple[Expression, ...]
    type: DataType
    options: tuple[Any, ...] = field(default=())


Expression: TypeAlias = InputRef | Literal | Timestamp | Call


def walk(expression: Expression) -> Iterator[Expression]:
    """The expression and all in it."""
    yield expression
    if isinstance(expression, Call):
        for operand in expression.operands:
            yield from walk(operand)


def calls_own(expression: Expression) -> bool:
    """Tell whether it calls a function of the program's own."""
    return any(isinstance(each, Call) and each.name in USERS for each in walk(expression))


def is_constant(expression: Expression) -> bool:
    """Tell whether it has one value for all rows of a batch.

    Example:
        >>> from windrow.expressions.logical_types import INT
        >>> is_constant(Literal(1, INT)), is_constant(InputRef(0, INT)), is_constant(Call("RAND", (), INT))
        (True, False, False)
    """
    return not any(
        isinstance(each, InputRef | Timestamp) or (isinstance(each, Call) and each.name in USERS | DRAWS_LOTS)
        for each in walk(expression)
    )


def shared(expressions: Sequence[Expression]) -> tuple[list[Expression], frozenset[int]]:
    """The expressions with one object for calls that are equal, and the ``id`` of each that stands in several places.

    Calls that may give something else each time, and those of the program's own functions, stay as they are.

    Example:
        >>> from windrow.expressions.logical_types import INT
        >>> twice = [Call("-", (InputRef(0, INT),), INT) for _ in range(2)]
        >>> (one, other), repeated = shared(twice)
        >>> one is other, repeated == {id(one)}
        (True, True)
    """
    known: dict[Expression, Expression] = {}
    repeated: set[int] = set()

    def of(expression: Expression) -> Expression:
        if not isinstance(expression, Call):
            return expression
        made = replace(expression, operands=tuple([of(each) for each in expression.operands]))
        if any(isinstance(each, Call) and each.name in USERS | DRAWS_LOTS for each in walk(made)):
            return made
        found = known.setdefault(made, made)
        if found is not made:
            repeated.add(id(found))
        return found

    return [of(each) for each in expressions], frozenset(repeated)


def references(expressions: Sequence[Expression]) -> set[int]:
    """The places of the columns that are used."""
    return {each.index for expression in expressions for each in walk(expression) if isinstance(each, InputRef)}


def rewritten(expression: Expression, change: Callable[[Expression], Expression | None]) -> Expression:
    """The expression with parts put in place of others, from the outside in; None leaves a part as it is."""
    changed = change(expression)
    if changed is not None:
        return changed
    if isinstance(expression, Call):
        return replace(expression, operands=tuple([rewritten(each, change) for each in expression.operands]))
    return expression


def substituted(expression: Expression, columns: Sequence[Expression]) -> Expression:
    """The expression over what its input's columns are made of."""
    return rewritten(expression, lambda each: columns[each.index] if isinstance(each, InputRef) else None)


def shifted(expression: Expression, offset: int) -> Expression:
    """The expression over an input whose columns stand ``offset`` places further on."""
    return rewritten(
        expression, lambda each: replace(each, index=each.index + offset) if isinstance(each, InputRef) else None
    )
