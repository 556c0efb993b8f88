"""Gives out what windows over columns hold when they fire."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from windrow.elements.batch import Batch, taken
from windrow.errors import user_function_error
from windrow.operators.column_folds.field_fold import Longs
from windrow.operators.window.fired_function import Fired, FiredFunction, present
from windrow.operators.window.panes.firings import Firings, by_end
from windrow.operators.window.window_functions import UserFunctionAdapter
from windrow.tracing.outcome import NotExact

if TYPE_CHECKING:
    from windrow.operators.base import OperatorContext
    from windrow.operators.window.aligned_window_operator import AlignedWindowOperator
    from windrow.operators.window.panes.due_windows import Due
    from windrow.operators.window.panes.kept_panes import Held

#: So many results wait at most until the windows that they are of fire together: a batch costs some forty calls of
#: NumPy. Of a window function, which may give many for each, fewer.
_TOGETHER, _FOR_FUNCTIONS = 1 << 16, 1 << 12


class PaneResults:
    """Emits results, or what the window function makes of them.

    Args:
        context: The operator's.
        by_row: The operator over rows, whose window function is called.
    """

    def __init__(self, context: OperatorContext, by_row: AlignedWindowOperator) -> None:
        self._context = context
        self._by_row = by_row
        #: What is called with each result; None: they are emitted.
        self._function: FiredFunction | None = None
        if isinstance(by_row.function, UserFunctionAdapter):
            self._function = FiredFunction(context, by_row.function, per_window_state=True)

    def most_together(self) -> int:
        """Of how many results windows fire together."""
        return _TOGETHER if self._function is None else _FOR_FUNCTIONS

    def of_windows(self, held: Held, due: Due) -> None:
        """Give the results of windows that end, by their ends.

        Raises:
            NotExact: Python has to make them; none was given.
        """
        fields = [held.keys.column(due.slots) if field is None else field for field in due.fields]
        self._give(held, due.slots, held.plan.results(fields), due.ends)

    def of_firings(self, held: Held, found: Firings) -> None:
        """Give the results of what fires early, and empty it if the trigger purges.

        Raises:
            NotExact: Python has to make them; none was given.
        """
        results = held.plan.results(found.fields)
        most = self.most_together()
        purges = self._by_row.purges_early
        order = found.firsts() if purges else found.order
        for start in range(0, order.size, most):
            at = order[start : start + most]
            self._give(held, found.slots.take(at), taken(results, at), found.ends.take(at))
        if purges:
            for end, slots in by_end(found.slots.take(order), found.ends.take(order)):
                held.panes.purge(end, slots)

    def of_late(self, held: Held, slots: Longs, values: Sequence[Sequence[Any]], times: Longs) -> None:
        """Give the results for late elements: of the values of the folds of one key each, at the last milliseconds."""
        plan = held.plan
        fields: list[Any] = [
            held.keys.column(slots)
            if fold.kind == "key"
            else np.fromiter([each[number] for each in values], fold.dtype, slots.size)
            for number, fold in enumerate(plan.folds)
        ]
        results: Sequence[Any]
        try:
            results = plan.results(fields)
        except NotExact:
            try:
                results = [self._by_row.result_of(each) for each in plan.accumulators(fields)]
            except Exception as error:
                raise user_function_error(self._context.name, None, error) from error
        self._give(held, slots, results, times + 1)

    def _give(self, held: Held, slots: Longs, results: Sequence[Any], ends: Longs) -> None:
        chosen = present(results)
        if chosen is not None:
            results, slots, ends = taken(results, chosen), slots[chosen], ends[chosen]
        if self._function is None:
            self._context.output.emit_batch(Batch(results, ends - 1))
        else:
            fired = Fired(held.keys, slots, ends - self._by_row.windows.size, ends)
            self._context.output.emit_batch(self._function.results(fired, results))
