"""Evaluating the paths of a traced function on columns: each row takes its own, and an expression is computed once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from windrow.tracing.expressions import Expression, Kind, Operand, kind_of
from windrow.tracing.kernels import KERNELS
from windrow.tracing.outcome import NotExact
from windrow.tracing.tree import InPython, Leaf, Tree
from windrow.tracing.values import Column, Ints, interleaved, loaded, spread, taken


class Frame:
    """Some rows, and what is computed of them so far.

    Args:
        columns: The columns of all rows.
        length: How many rows these are.
        outer: The rows that these are chosen from, if they are.
        indexes: Which of them.
    """

    __slots__ = ("_columns", "_indexes", "_outer", "_values", "length")

    def __init__(
        self,
        columns: Sequence[Column],
        length: int,
        outer: Frame | None = None,
        indexes: NDArray[np.int64] | None = None,
    ) -> None:
        self.length = length
        self._columns = columns
        self._outer = outer
        self._indexes = indexes
        self._values: dict[Expression, Any] = {}

    def value(self, operand: Operand) -> Any:
        """The values of an operand, as kernels take them.

        Raises:
            NotExact: Python has to compute them.
        """
        if not isinstance(operand, Expression):
            return Ints(operand) if type(operand) is int else operand
        found = self._values.get(operand)
        if found is None:
            found = self._values[operand] = self._made(operand)
        return found

    def passed_on(self, index: int) -> Column:
        """A column as it came, for these rows."""
        if self._outer is None or self._indexes is None:
            return self._columns[index]
        return taken(self._outer.passed_on(index), self._indexes)

    def chosen(self, indexes: NDArray[np.int64]) -> Frame:
        """Some of these rows."""
        return Frame(self._columns, len(indexes), self, indexes)

    def _made(self, expression: Expression) -> Any:
        outer = self._outer
        if outer is not None and self._indexes is not None:
            if expression.operation == "input" or expression in outer._values:
                return taken(outer.value(expression), self._indexes)
            above = outer._outer
            while above is not None and expression not in above._values:
                above = above._outer
            if above is not None:
                return taken(outer.value(expression), self._indexes)
        if expression.operation == "input":
            return loaded(self._columns[expression.arguments[0]], expression.kind)
        return KERNELS[expression.operation](*[self.value(argument) for argument in expression.arguments])


def evaluated(tree: Tree, frame: Frame, passed: Sequence[bool]) -> list[Column]:
    """The columns of the results.

    Args:
        tree: The paths.
        frame: The rows; not none.
        passed: For each field of a result, whether it is passed on as it came.

    Raises:
        NotExact: Python has to compute them.
    """
    if isinstance(tree, InPython):
        raise NotExact(tree.reason)
    for check in tree.checks:
        frame.value(check)
    if isinstance(tree, Leaf):
        return [_column(frame, *each) for each in zip(tree.fields, passed, strict=True)]
    condition = frame.value(tree.condition)
    if isinstance(condition, bool | np.bool_) or condition.all():
        return evaluated(tree.positive if np.all(condition) else tree.negative, frame, passed)
    if not condition.any():
        return evaluated(tree.negative, frame, passed)
    positive_rows, negative_rows = np.flatnonzero(condition), np.flatnonzero(~condition)
    positive = evaluated(tree.positive, frame.chosen(positive_rows), passed)
    negative = evaluated(tree.negative, frame.chosen(negative_rows), passed)
    return [
        interleaved(one, positive_rows, other, negative_rows) for one, other in zip(positive, negative, strict=True)
    ]


def _column(frame: Frame, operand: Operand, passed: bool) -> Column:
    if passed and isinstance(operand, Expression):
        return frame.passed_on(operand.arguments[0])
    kind = kind_of(operand)
    column = spread(frame.value(operand), kind, frame.length)
    return column if kind is not Kind.STR else _text(column)


def _text(column: Any) -> pa.Array:
    return column if isinstance(column, pa.Array) else pa.array(column)
