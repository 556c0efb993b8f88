"""Maps and filters behind each other as one loop over rows, whose code is made for their chain.

An element goes through all of the functions before the next one does, while it is in the processor's cache, and there
is no list between two operators. Nobody must see that functions are called in another order: they compute and do
nothing else (``Reach.computes``), and elements never change. What comes in between, an error or an element of a class
whose methods may do more, leaves the loop: what is left of the batch goes through one operator after the other, so that
each function is called once with each element, and errors are those of the operators by themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import compress
from operator import length_hint
from types import TracebackType
from typing import Any, NamedTuple

import numpy as np

from windrow.common.unchangeable import all_never_change
from windrow.elements.batch import Batch, in_parts
from windrow.operators.base import Operator
from windrow.operators.reach import PLAIN
from windrow.operators.simple import NO_RESULT, FilterOperator, MapOperator

RowOperator = MapOperator | FilterOperator

#: Smaller batches go through the operators by themselves: what surrounds a loop costs as much as it saves.
FEWEST = 64


def may_join(operator: Operator) -> bool:
    """Tell whether an operator, which is open, can be a part of a pass."""
    return isinstance(operator, RowOperator) and operator.reach.computes


class OnePass:
    """The work of several operators, each of which gives its results to the next one alone.

    Args:
        operators: Two or more; :func:`may_join` is true of each.
    """

    def __init__(self, operators: Sequence[Operator]) -> None:
        self._operators = [operator for operator in operators if isinstance(operator, RowOperator)]
        self._loop = _Loop(self._operators)
        #: Whether the operators have looked at what functions give first, which they do by themselves.
        self._has_begun = False
        #: Whether there were elements of a class whose methods may do more than compute.
        self._is_off = False

    def process_batch(self, batch: Batch) -> None:
        """Do what ``process_batch`` of the operators does, and emit what the last one gives."""
        first = self._operators[0]
        if not self._may_take(batch):
            first.process_batch(batch)
            return
        if batch.columns is not None:
            found = first.by_columns(batch)
            if found is not None:
                first.context.output.emit_batch(found)
                return
        self._operators[-1].context.output.emit_batch(self._made(batch))

    def _may_take(self, batch: Batch) -> bool:
        if self._is_off or len(batch) < FEWEST or batch.keys is not None:
            return False
        self._has_begun = self._has_begun or all(operator.has_begun for operator in self._operators)
        if not self._has_begun:
            return False
        columns = batch.columns
        if columns is not None:
            # What a filter has seen as rows stays columns behind it.
            is_map = isinstance(self._operators[0], MapOperator)
            return is_map and columns.untouched and columns.shape.never_changes
        return all_never_change(batch.elements) and self._operators[0].reach.ends_at(batch.elements)

    def _made(self, batch: Batch) -> Batch:
        """Give what the operators make of a batch, by rows."""
        made: list[Any] = []
        dropped: list[int] = []
        done = 0
        for part in in_parts(batch.elements):
            values = part if isinstance(part, list) else list(part)
            remaining = iter(values)
            failed: _Failed | None = None
            left: tuple[int, Any] | None = None
            try:
                left = self._loop.run(remaining, made, dropped)
            except BaseException as error:
                failed = self._loop.failed(error)
            done += len(values) - length_hint(remaining)
            if failed is not None:
                self._fail(batch, done, failed)
            if left is not None:
                self._is_off = True
                rest = self._rest(batch, done, *left)
                stamps = _stamps(batch.slice(0, done - 1), dropped)
                return Batch([*made, *rest.elements], [*Batch(made, stamps).timestamp_list(), *rest.timestamp_list()])
        return Batch(made, _stamps(batch, dropped))

    def _fail(self, batch: Batch, done: int, failed: _Failed) -> None:
        """Raise what the operators by themselves raise: the error of an earlier one, if it fails at what is to come."""
        if isinstance(failed.error, Exception):
            self._behind(batch, done, failed.operator)
        self._operators[failed.operator].raise_for(failed.value, failed.result, failed.error)

    def _rest(self, batch: Batch, done: int, number: int, value: Any) -> Batch:
        """Give what is made of an element that is about to go into an operator, and of what is behind it."""
        behind = self._behind(batch, done, number)
        stamp = batch.timestamp_list()[done - 1]
        rest = Batch([value, *behind.elements], [stamp, *behind.timestamp_list()])
        for operator in self._operators[number:]:
            rest = operator.by_rows(rest)
        return rest

    def _behind(self, batch: Batch, done: int, number: int) -> Batch:
        """Give what the operators before one make of the elements behind the first ``done``."""
        behind = batch.slice(done, len(batch)).rows_apart()
        for operator in self._operators[:number]:
            behind = operator.by_rows(behind)
        return behind


def _stamps(batch: Batch, dropped: Sequence[int]) -> Any:
    """The timestamps of what was not dropped; ``dropped``: before each dropped one, how many were not."""
    stamps = batch.timestamps
    if not dropped:
        return stamps
    keep = np.ones(len(batch), np.bool_)
    keep[np.array(dropped) + np.arange(len(dropped))] = False
    return stamps[keep] if isinstance(stamps, np.ndarray) else list(compress(stamps, keep.tolist()))


class _Failed(NamedTuple):
    """An error in a loop.

    Attributes:
        operator: The place of the operator that was at work.
        value: The element that it was given.
        result: What its function gave, whose truth Python has asked; ``NO_RESULT``: a function or method was called.
        error: The error.
    """

    operator: int
    value: Any
    result: Any
    error: BaseException


class _Loop:
    """The code of a loop. Each call has a line of its own: so the line of an error says which operator was at work.

    ``run(values, made, dropped)`` adds what is made of all values, and for each one that a filter drops how many were
    made before. So those that pass, most often more, cost nothing. It gives None at the end of the values, or the
    place of an operator and the element that it should be given, which is of another class than plain ones.
    """

    def __init__(self, operators: Sequence[RowOperator]) -> None:
        names: dict[str, Any] = {"__name__": __name__, "plain": PLAIN}
        lines = ["def run(values, made, dropped):"]
        #: Of each line the operator, the variable with its element, and that with the result whose truth is asked.
        self._lines: dict[int, tuple[int, str, str]] = {}
        value = "value_0"

        def add(line: str, number: int, result: str = "") -> None:
            lines.append(line)
            self._lines[len(lines)] = number, value, result

        add(f"  for {value} in values:", 0)
        for number, operator in enumerate(operators):
            names[f"call_{number}"] = operator.plain_call
            if number and operator.reach.asks_objects:
                add(f"    if type({value}) not in plain: return {number}, {value}", number)
            if isinstance(operator, FilterOperator):
                add(f"    result = call_{number}({value})", number)
                add("    if not result:", number, "result")
                add("      dropped.append(len(made))", number)
                add("      continue", number)
            else:
                add(f"    value_{number + 1} = call_{number}({value})", number)
                value = f"value_{number + 1}"
        add(f"    made.append({value})", len(operators) - 1)
        exec(compile("\n".join(lines), "<one pass>", "exec"), names)
        self.run: Callable[..., tuple[int, Any] | None] = names["run"]

    def failed(self, error: BaseException) -> _Failed:
        """Say which operator was at work, and on what."""
        found = self._frame(error.__traceback__)
        if found is None:  # somebody's signal, before the loop has begun
            return _Failed(0, None, NO_RESULT, error)
        number, value, result = self._lines.get(found.tb_lineno, (0, "value_0", ""))
        variables = found.tb_frame.f_locals
        asked = variables.get(result, NO_RESULT) if found.tb_next is None else NO_RESULT
        return _Failed(number, variables.get(value), asked, error)

    def _frame(self, traceback: TracebackType | None) -> TracebackType | None:
        code = self.run.__code__
        while traceback is not None and traceback.tb_frame.f_code is not code:
            traceback = traceback.tb_next
        return traceback
