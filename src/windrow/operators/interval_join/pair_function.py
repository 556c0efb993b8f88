"""A join function on columns of pairs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from windrow.elements.columns import Columns
from windrow.elements.shape import LONG, Shape
from windrow.operators.column_function import ColumnFunction
from windrow.operators.interval_join.column_pairs import ColumnPairs
from windrow.operators.interval_join.growing import Longs
from windrow.tracing.outcome import NotExact, NotTraceable
from windrow.tracing.results import TracedResults, trace_results
from windrow.tracing.tracer import Traced


class TimesOfPair:
    """Stands for the context of a pair in a trace."""

    def __init__(self, left: Any, right: Any, latest: Any) -> None:
        self._left, self._right, self._latest = left, right, latest

    def get_left_timestamp(self) -> Any:
        """Stand for the left element's timestamp."""
        return self._left

    def get_right_timestamp(self) -> Any:
        """Stand for the right element's timestamp."""
        return self._right

    def get_timestamp(self) -> Any:
        """Stand for the greater of the two."""
        return self._latest


def trace_pairs(function: Callable[..., Any], left: Shape, right: Shape) -> TracedResults | NotTraceable:
    """Trace the method of a join function for elements of these shapes."""
    return trace_results(function, [left, right, LONG, LONG, LONG], lambda given: [*given[:2], TimesOfPair(*given[2:])])


class PairColumns(NamedTuple):
    """Pairs, as columns that are made when somebody asks for them.

    Args:
        left: Gives the values of a field of the left elements.
        right: The same for the right ones.
        left_times: Their timestamps.
        right_times: The same for the right ones.
        latest: The greater of the two.
    """

    left: Callable[[int], Any]
    right: Callable[[int], Any]
    left_times: Longs
    right_times: Longs
    latest: Longs


class PairFunction:
    """Computes a join function on columns, once it is known for some pairs that Python gives the same.

    Args:
        operator: The operator's name, for the warning.
        function: The method of the join function.
        of_columns: The join function if it takes columns by itself.
    """

    def __init__(self, operator: str, function: Callable[..., Any], of_columns: ColumnPairs | None = None) -> None:
        self._function = function
        self._of_columns = of_columns
        self._checked = ColumnFunction(operator, function)
        self._traced: dict[tuple[Shape, Shape], TracedResults | None] = {}
        self._is_off = False

    def results(
        self, shapes: tuple[Shape, Shape], found: PairColumns, expected: Callable[[], Sequence[Any]]
    ) -> tuple[Columns, Longs] | None:
        """The results and their timestamps; None: the function has to be called for each pair.

        Args:
            shapes: What left and right elements are made of.
            found: The pairs.
            expected: Gives what Python makes of them, which is compared with the first results.
        """
        if self._of_columns is not None:
            return self._of_columns.of_columns(found)
        if self._is_off:
            return None
        if shapes not in self._traced:
            traced = trace_pairs(self._function, *shapes)
            self._traced[shapes] = None if isinstance(traced, NotTraceable) else traced
        function = self._traced[shapes]
        if function is None:
            return None
        try:
            made = _computed(function, (len(shapes[0].types), len(shapes[1].types)), found)
        except NotExact:
            return None
        if not self._checked.is_checked:
            given = expected()
            if (given or made[1].size) and not self._checked.check(made[0], given):
                self._is_off = True
                return None
        return made


def _computed(function: TracedResults, widths: tuple[int, int], found: PairColumns) -> tuple[Columns, Longs]:
    times, chosen = found.latest, None
    if function.has_result is not None:
        columns = function.has_result.evaluate(_inputs(function.has_result, widths, found, None))
        chosen = np.flatnonzero(np.asarray(columns[0]))
        times = times[chosen]
    columns = function.result.evaluate(_inputs(function.result, widths, found, chosen))
    return Columns.of(function.result.shape, columns), times


def _inputs(traced: Traced, widths: tuple[int, int], found: PairColumns, chosen: Longs | None) -> list[Any]:
    """The columns of the elements, then three of timestamps; something as long for those that nobody looks at."""
    left, right = widths
    columns: list[Any] = []
    for number in range(left + right + 3):
        if number not in traced.inputs:
            column = found.latest
        elif number < left:
            column = found.left(number)
        elif number < left + right:
            column = found.right(number - left)
        else:
            column = (found.left_times, found.right_times, found.latest)[number - left - right]
        columns.append(column if chosen is None else column.take(chosen))
    return columns
