"""Evaluating a traced function on columns: each row takes its own path, and an expression is computed once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from windrow.tracing.expressions import Expression, Kind
from windrow.tracing.outcome import NotExact
from windrow.tracing.program import Block, End, Held, Part, Program, Question, Result
from windrow.tracing.values import Column, interleaved, loaded, spread, taken


class Frame:
    """Some rows, and what is computed of them so far.

    Args:
        program: What is computed.
        columns: The columns of all rows, by their numbers.
        length: How many rows these are.
        outer: The rows that these are chosen from, if they are.
        indexes: Which of them.
    """

    __slots__ = ("_columns", "_indexes", "_outer", "_program", "_values", "length")

    def __init__(
        self,
        program: Program,
        columns: Sequence[Column] | Mapping[int, Column],
        length: int,
        outer: Frame | None = None,
        indexes: NDArray[np.int64] | None = None,
    ) -> None:
        self.length = length
        self._program = program
        self._columns = columns
        self._outer = outer
        self._indexes = indexes
        self._values: dict[Expression | Held, Any] = dict(program.constants)

    def results(self, part: Part) -> list[Column]:
        """The columns of the results.

        Raises:
            NotExact: Python has to compute them.
        """
        if isinstance(part, End):
            raise NotExact(part.reason)
        self._compute(part)
        if isinstance(part, Result):
            return [self._column(*field) for field in part.fields]
        condition = self._values[part.condition]
        if condition.all():
            return self.results(part.positive)
        if not condition.any():
            return self.results(part.negative)
        if part.at_once:
            try:
                return self._at_once(part, condition)
            except NotExact:
                part.at_once = False
        return self._split(part, condition)

    def _at_once(self, part: Question, condition: Any) -> list[Column]:
        sides = zip(self.results(part.positive), self.results(part.negative), strict=True)
        return [one if one is other else np.where(condition, one, other) for one, other in sides]

    def _split(self, part: Question, condition: Any) -> list[Column]:
        positive_rows, negative_rows = np.flatnonzero(condition), np.flatnonzero(~condition)
        positive = self._chosen(positive_rows).results(part.positive)
        negative = self._chosen(negative_rows).results(part.negative)
        sides = zip(positive, negative, strict=True)
        return [interleaved(one, positive_rows, other, negative_rows) for one, other in sides]

    def _chosen(self, indexes: NDArray[np.int64]) -> Frame:
        return Frame(self._program, self._columns, len(indexes), self, indexes)

    def _compute(self, block: Block) -> None:
        values = self._values
        for expression in block.loads:
            if expression not in values:
                values[expression] = self._loaded(expression)
        if self._outer is not None:
            for expression in block.reused:
                if expression not in values:
                    values[expression] = self._loaded(expression)
        for made, kernel, arguments, over in block.steps:
            if made not in values:
                values[made] = kernel(*[values[argument] for argument in arguments])
            for each in over:
                values.pop(each, None)

    def _loaded(self, expression: Expression) -> Any:
        """A field, or what has been computed for the rows that these are chosen from."""
        outer = self._outer
        if outer is None or self._indexes is None:
            return loaded(self._columns[expression.arguments[0]], expression.kind)
        found = outer._values.get(expression)
        if found is None:
            found = outer._values[expression] = outer._loaded(expression)
        return taken(found, self._indexes)

    def _passed_on(self, index: int) -> Column:
        if self._outer is None or self._indexes is None:
            return self._columns[index]
        column: Column = taken(self._outer._passed_on(index), self._indexes)
        return column

    def _column(self, index: int | None, kind: Kind, key: Expression | Held) -> Column:
        if index is not None:
            return self._passed_on(index)
        column = spread(self._values[key], kind, self.length)
        return pa.array(column) if kind is Kind.STR and not isinstance(column, pa.Array) else column
