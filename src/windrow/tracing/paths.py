"""Running a function with stand-ins once for each way through it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from windrow.common.types import Row
from windrow.tracing.expressions import Expression, Graph, Kind, Operand
from windrow.tracing.outcome import Refused
from windrow.tracing.proxies import operand_of
from windrow.tracing.recorder import Recorder
from windrow.tracing.records import ObjectRecord, RowRecord
from windrow.tracing.tree import Branch, InPython, Leaf, Tree, leaves

#: How many ways through a function are followed, and how many questions one way may ask.
_MOST_PATHS, _MOST_QUESTIONS = 32, 24


@dataclass
class _Run:
    recorder: Recorder
    end: Leaf | InPython


class Explorer:
    """Follows all ways through a function.

    Args:
        graph: Makes the expressions.
        call: Calls the function with stand-ins that a recorder is given to.
        may_format: Whether the function has a ``%`` that might be the one of text.
    """

    def __init__(self, graph: Graph, call: Callable[[Recorder], Any], may_format: bool) -> None:
        self._graph = graph
        self._may_format = may_format
        self._call = call
        self._runs = 0

    def explore(self) -> Tree:
        """The ways through the function.

        Raises:
            Refused: there are too many, or the function does what columns cannot.
        """
        tree = self._grow(self._run([]), 0)
        if not leaves(tree):
            assert isinstance(tree, InPython | Branch)
            msg = f"ends in an error: {_first_reason(tree)}"
            raise Refused(msg)
        return tree

    def _grow(self, run: _Run, depth: int) -> Tree:
        recorder = run.recorder
        if depth == len(recorder.questions):
            if isinstance(run.end, InPython):
                return run.end
            return Leaf(tuple(recorder.checks[depth]), run.end.fields, run.end.form)
        condition, decision = recorder.questions[depth], recorder.decisions[depth]
        this = self._grow(run, depth + 1)
        other_run = self._run([*recorder.decisions[:depth], not decision])
        if other_run.recorder.questions[: depth + 1] != recorder.questions[: depth + 1]:
            msg = "does not do the same each time"
            raise Refused(msg)
        other = self._grow(other_run, depth + 1)
        positive, negative = (this, other) if decision else (other, this)
        return Branch(tuple(recorder.checks[depth]), condition, positive, negative)

    def _run(self, decisions: Sequence[bool]) -> _Run:
        self._runs += 1
        if self._runs > _MOST_PATHS:
            msg = f"has more than {_MOST_PATHS} ways through it"
            raise Refused(msg)
        recorder = Recorder(self._graph, decisions, _MOST_QUESTIONS, self._may_format)
        try:
            result = self._call(recorder)
            form, fields = form_of(result)
            end: Leaf | InPython = Leaf((), tuple([_answered(recorder, each) for each in fields]), form)
        except Refused:
            raise
        except Exception as error:  # whatever it is: on rows that come here, Python raises it again
            end = InPython(f"{type(error).__name__}: {error}")
        if recorder.refusal is not None:
            raise Refused(recorder.refusal)
        return _Run(recorder, end)


def form_of(result: Any) -> tuple[tuple[Any, ...], list[Operand]]:
    """Find the form of a result, as in :class:`Leaf`, and what it is made of.

    Raises:
        Refused: it does not fit columns.
    """
    match result:
        case RowRecord():
            names = None if result._names is None else tuple(result._names)
            return (Row, names), _operands(result._values)
        case ObjectRecord():
            return (result._kind,), _operands(list(result._values.values()))
        case tuple() if type(result) is tuple:
            return (tuple,), _operands(result)
    return (), _operands([result])


def _operands(values: Sequence[Any]) -> list[Operand]:
    found = []
    for value in values:
        operand = operand_of(value)
        if operand is None:
            msg = f"gives {'None' if value is None else f'a {type(value).__name__} where a column needs a plain value'}"
            raise Refused(msg)
        found.append(operand)
    if not found:
        msg = "gives something without fields"
        raise Refused(msg)
    return found


def _answered(recorder: Recorder, operand: Operand) -> Operand:
    """The answer instead of the question, where the path has got one."""
    if isinstance(operand, Expression) and operand.kind is Kind.BOOL:
        answer = recorder.known(operand)
        if answer is not None:
            return answer
    return operand


def _first_reason(tree: Tree) -> str:
    while isinstance(tree, Branch):
        tree = tree.positive
    return tree.reason if isinstance(tree, InPython) else ""
