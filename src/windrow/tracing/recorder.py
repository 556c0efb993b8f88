"""The record of one run of a function with proxies: the questions it asks, and the operations that may raise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from windrow.tracing.expressions import Expression, Graph, Kind, Operand
from windrow.tracing.outcome import Refused

#: Operations that raise for some values: they are evaluated wherever the function calls for them, used or not.
_MAY_RAISE = frozenset(
    {
        *("floor_divide", "modulo", "true_divide", "float_floor_divide", "float_modulo", "float_divide"),
        *("shift_left", "shift_right", "int_of_float", "round_float", "floor", "ceil", "float_of_int", "text_item"),
        *("text_part", "int_of_text", "float_of_text"),
        "square_root",
    }
)
#: Those among them that raise for no value when their right side is a constant, other than 0 or negative.
_SAFE_BY_CONSTANTS = frozenset(
    {
        *("floor_divide", "modulo", "float_floor_divide", "float_modulo", "float_divide", "shift_left", "shift_right"),
    }
)


class Recorder:
    """Records what a function does in one run.

    Args:
        graph: Makes the expressions; shared by all runs of a trace.
        decisions: The answers to the first questions; every later one is answered with True.
        limit: How many questions a run may ask.
        may_format: Whether the function has a ``%`` that might be the one of text.
    """

    def __init__(self, graph: Graph, decisions: Sequence[bool], limit: int, may_format: bool = False) -> None:
        self.graph = graph
        self.may_format = may_format
        self.questions: list[Expression] = []
        self.decisions: list[bool] = list(decisions)
        #: Behind how many questions each operation is met that may raise.
        self.checks: list[list[Expression]] = [[]]
        #: The first reason to give up, also where somebody between it and the trace has swallowed the exception.
        self.refusal: str | None = None
        self._limit = limit
        self._checked: set[Expression] = set()
        self._answers: dict[Expression, bool] = {}

    def apply(self, operation: str, kind: Kind, *arguments: Operand) -> Expression:
        """Record an operation."""
        made = self.graph.apply(operation, kind, *arguments)
        if operation in _MAY_RAISE and made not in self._checked and not _is_safe(operation, arguments):
            self._checked.add(made)
            self.checks[-1].append(made)
        return made

    def ask(self, condition: Expression) -> bool:
        """Choose the side of a branch that this run takes."""
        known = self._answers.get(condition)
        if known is not None:
            return known
        self.graph.touch(condition)
        number = len(self.questions)
        if number >= self._limit:
            self.refuse("asks too many questions")
        if number == len(self.decisions):
            self.decisions.append(True)
        self.questions.append(condition)
        self.checks.append([])
        answer = self._answers[condition] = self.decisions[number]
        return answer

    def known(self, condition: Expression) -> bool | None:
        """The answer that this run has been given, if it has asked."""
        return self._answers.get(condition)

    def refuse(self, reason: str) -> NoReturn:
        """End the trace.

        Raises:
            Refused: always.
        """
        self.refusal = self.refusal or reason
        raise Refused(reason)


def _is_safe(operation: str, arguments: Sequence[Operand]) -> bool:
    """Tell whether an operation raises for no value: its right side is a constant, or it converts a mere field."""
    last = arguments[-1]
    if operation == "float_of_int":
        return isinstance(last, Expression) and last.operation == "input"
    if isinstance(last, Expression) or operation not in _SAFE_BY_CONSTANTS:
        return False
    return last >= 0 if operation.startswith("shift") else bool(last)  # type: ignore[operator]
