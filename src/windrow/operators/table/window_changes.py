"""Aggregates of windows whose rows may be taken back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from windrow.datastream.functions import AggregateFunction, RuntimeContext
from windrow.operators.table.accumulators import Accumulators
from windrow.operators.table.changes import TAKES_BACK
from windrow.operators.table.row_aggregates import RowCall


class ChangedRowAggregates(AggregateFunction):
    """Keeps the rows of a window, whose last field is their kind, and folds them when it is over.

    Results are tuples: the fields that stay as in the first row, the aggregates, the least values of some fields, also
    of rows that were taken back, and how many rows are left, which is below 0 where rows were taken back that came too
    late.

    Args:
        first: How many fields stay as in the first row.
        calls: The aggregates.
        least: Places of fields of which the least value follows, as sessions' starts are.

    Raises:
        SqlError: an aggregate is one that cannot be.

    Example:
        >>> from windrow.operators.table.changes import INSERT, UPDATE_AFTER, UPDATE_BEFORE
        >>> from windrow.table.data_types import IntType
        >>> sums, kept = ChangedRowAggregates(1, [RowCall("SUM", (1,), IntType())]), []
        >>> for row in ("a", 3, INSERT), ("a", 3, UPDATE_BEFORE), ("a", 5, UPDATE_AFTER):
        ...     kept = sums.add(row, kept)
        >>> sums.get_result(kept)
        ('a', 5, 1)
    """

    def __init__(self, first: int, calls: Sequence[RowCall], least: Sequence[int] = ()) -> None:
        for call in calls:
            call.check()
        self._first, self._least = first, list(least)
        self._aggregates = Accumulators(calls, retracts=True)

    def open(self, runtime_context: RuntimeContext) -> None:
        self._aggregates.open_in(runtime_context, runtime_context.get_task_name())

    def close(self) -> None:
        self._aggregates.close()

    def create_accumulator(self) -> Any:
        return []

    def add(self, value: Any, accumulator: Any) -> Any:
        accumulator.append(value)
        return accumulator

    def get_result(self, accumulator: Any) -> Any:
        states, count = self._aggregates.create(), 0
        for row in accumulator:
            if row[-1] in TAKES_BACK:
                self._aggregates.retract(states, row)
                count -= 1
            else:
                self._aggregates.accumulate(states, row)
                count += 1
        least = [min(row[place] for row in accumulator) for place in self._least]
        return (*accumulator[0][: self._first], *self._aggregates.values(states), *least, count)

    def merge(self, acc_a: Any, acc_b: Any) -> Any:
        acc_a.extend(acc_b)
        return acc_a
