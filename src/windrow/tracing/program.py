"""The paths of a traced function as steps: at each question what has to be computed that is not there yet."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from windrow.tracing.expressions import Expression, Kind, Operand, kind_of
from windrow.tracing.kernels import KERNELS
from windrow.tracing.tree import Branch, InPython, Tree
from windrow.tracing.values import Ints


class Held:
    """A constant as kernels take it.

    Args:
        value: The constant; an integer as :class:`Ints`.
    """

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


Step = tuple[Expression, Callable[..., Any], Sequence["Expression | Held"], Sequence[Expression]]


@dataclass
class Block:
    """Computes what comes before a question, or before a result.

    Args:
        loads: Fields that are needed here first.
        reused: What an earlier block has loaded or computed.
        steps: What each operation gives, its kernel, what it takes, and what nobody needs behind it: memory that is
            still in the processor's cache is so used again.
    """

    loads: Sequence[Expression]
    reused: Sequence[Expression]
    steps: Sequence[Step]


@dataclass
class Result(Block):
    """A result: for each field what is passed on (a column's number), or its kind and what it is."""

    fields: Sequence[tuple[int | None, Kind, Expression | Held]]


@dataclass
class Question(Block):
    """A question and its sides.

    Args:
        condition: It.
        positive: What is done where it is true.
        negative: What is done elsewhere.
        at_once: Whether both sides are computed for all rows where they are needed for some of them: that is faster,
            but a side may fail for rows that do not take it. It is tried until it fails.
    """

    condition: Expression
    positive: Part
    negative: Part
    at_once: bool


@dataclass
class End:
    """A path that is left to Python."""

    reason: str


Part = Result | Question | End


class Program:
    """The steps of a tree.

    Args:
        tree: The paths through a function.
        passed: For each field of a result whether it is passed on as it came.
    """

    def __init__(self, tree: Tree, passed: Sequence[bool]) -> None:
        self._passed = passed
        # Columns come and go by the dozen with each batch. Freeing something large makes glibc keep their memory; else
        # it gives it back to the system and faults its pages in again: twice to five times the time of a kernel.
        np.empty(1 << 20)
        self._kinds: set[Kind] = set()
        self._held: dict[tuple[type, Any], Held] = {}
        self.start = self._part(tree, frozenset())
        #: Whether NumPy's warnings about floats, which Python does not give, have to be kept silent.
        self.has_floats = Kind.FLOAT in self._kinds
        #: The constants, for a frame to begin with.
        self.constants: dict[Expression | Held, Any] = {each: each.value for each in self._held.values()}

    def _part(self, tree: Tree, known: frozenset[Expression]) -> Part:
        if isinstance(tree, InPython):
            return End(tree.reason)
        if isinstance(tree, Branch):
            loads, reused, steps = self._ordered((*tree.checks, tree.condition), known)
            known |= {*loads, *(made for made, _, _ in steps)}
            positive, negative = self._part(tree.positive, known), self._part(tree.negative, known)
            at_once = all(map(_can_be_tried, (positive, negative)))
            wanted = {tree.condition, *_reused(positive), *_reused(negative)}
            return Question(loads, reused, _released(steps, wanted), tree.condition, positive, negative, at_once)
        fields: list[tuple[int | None, Kind, Expression | Held]] = []
        for operand, is_passed in zip(tree.fields, self._passed, strict=True):
            index = operand.arguments[0] if is_passed and isinstance(operand, Expression) else None
            fields.append((index, kind_of(operand), self._key(operand)))
        computed = [key for index, _, key in fields if index is None and isinstance(key, Expression)]
        loads, reused, steps = self._ordered((*tree.checks, *computed), known)
        return Result(loads, reused, _released(steps, set(computed)), fields)

    def _ordered(self, wanted: Iterable[Expression], known: frozenset[Expression]) -> tuple[Any, Any, Any]:
        loads: dict[Expression, None] = {}
        reused: dict[Expression, None] = {}
        steps: dict[Expression, Any] = {}

        def visit(expression: Expression) -> None:
            if expression in known:
                reused[expression] = None
            elif expression.operation == "input":
                loads[expression] = None
            elif expression not in steps:
                self._kinds.update(map(kind_of, (expression, *expression.arguments)))
                for argument in expression.arguments:
                    if isinstance(argument, Expression):
                        visit(argument)
                keys = tuple(map(self._key, expression.arguments))
                steps[expression] = (expression, KERNELS[expression.operation], keys)

        for each in wanted:
            visit(each)
        return tuple(loads), tuple(reused), tuple(steps.values())

    def _key(self, operand: Operand) -> Expression | Held:
        if isinstance(operand, Expression):
            return operand
        value = Ints(operand) if type(operand) is int else operand
        key = type(operand), operand.hex() if isinstance(operand, float) else operand
        return self._held.setdefault(key, Held(value))


def _reused(part: Part) -> set[Expression]:
    """Give the expressions that a part and those behind it use and that were computed before it."""
    if isinstance(part, End):
        return set()
    found = set(part.reused)
    return found | _reused(part.positive) | _reused(part.negative) if isinstance(part, Question) else found


def _released(steps: Sequence[Any], wanted: set[Expression]) -> list[Step]:
    """The steps, each with what it is the last one to need of what they have made."""
    made = {step[0] for step in steps}
    kept = set(wanted)
    released: list[Step] = []
    for each, kernel, arguments in reversed(steps):
        over = [used for used in dict.fromkeys((each, *arguments)) if used in made and used not in kept]
        kept.update(over)
        released.append((each, kernel, arguments, tuple(over)))
    return released[::-1]


def _can_be_tried(part: Part) -> bool:
    """Tell whether a side may be computed for all rows: numbers only, and not what is left to Python anyway."""
    match part:
        case Result():
            return all(index is None and kind is not Kind.STR for index, kind, _ in part.fields)
        case Question():
            return part.at_once
    return False
