"""Finds the functions and gaps that sessions of columns can be made with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from windrow.datastream.functions import AggregateFunction
from windrow.datastream.window import DynamicEventTimeSessionWindows, SessionWindowTimeGapExtractor
from windrow.elements.batch import Batch
from windrow.elements.columns import Columns
from windrow.elements.shape import Shape
from windrow.operators.column_folds.field_fold import Longs
from windrow.operators.column_folds.fold_plan import FoldPlan
from windrow.operators.column_folds.planning import of_fold
from windrow.operators.column_function import ColumnFunction
from windrow.operators.window.incremental import Incremental
from windrow.operators.window.panes.planning import plan_of
from windrow.tracing.fold_tracing import trace_aggregate
from windrow.tracing.outcome import NotTraceable
from windrow.tracing.tracer import trace_timestamps

if TYPE_CHECKING:  # whose neighbour makes entries of columns, by the modules here
    from windrow.operators.window.session_window_operator import SessionAssigner

#: A gap of as many milliseconds, and a time as far from 1970, are left to Python.
FAR = 2**60


def plan_for(incremental: Incremental, shape: Shape) -> FoldPlan | NotTraceable:
    """Plan what becomes of elements of a shape in sessions, which merge."""
    function = incremental.function
    if not isinstance(function, AggregateFunction):
        plan = plan_of(incremental, shape)
        keeps_one = not isinstance(plan, NotTraceable) and plan.chooses
        return NotTraceable("keeps one of its elements whole") if keeps_one else plan
    traced = trace_aggregate(function, shape)
    if not isinstance(traced, NotTraceable) and not traced.merges:
        return NotTraceable("merges accumulators in another way than it adds elements")
    return traced if isinstance(traced, NotTraceable) else of_fold(traced)


class Gaps:
    """The gaps behind elements, as numbers.

    Args:
        operator: The operator's name, for a warning.
        assigner: Knows the gap.
        columns: Whether the function that says it may be computed on columns.
    """

    def __init__(self, operator: str, assigner: SessionAssigner, *, columns: bool) -> None:
        self._assigner = assigner
        self._on_columns: ColumnFunction | None = None
        if isinstance(assigner, DynamicEventTimeSessionWindows):
            self._on_columns = ColumnFunction(operator, extractor_of(assigner), "trace_timestamps", enabled=columns)

    @property
    def only(self) -> int | None:
        """The gap, if it is the same after all elements."""
        assigner = self._assigner
        return None if isinstance(assigner, DynamicEventTimeSessionWindows) else assigner.session_gap

    def after(self, elements: Columns) -> Longs | int | None:
        """The gap after each element, or after all of them; None if Python has to be asked."""
        assigner = self._assigner
        if not isinstance(assigner, DynamicEventTimeSessionWindows) or self._on_columns is None:
            gap = self.only
            return gap if gap is not None and gap < FAR else None
        try:
            found = self._on_columns.of(
                Batch(elements, ()), lambda rows: [assigner.gap_after(value) for value in rows.elements]
            )
        except Exception:  # it is raised again where its element comes
            return None
        if found is None:
            return None
        gaps: Any = found.numbers(0)
        if gaps is None or int(gaps.min()) <= 0 or int(gaps.max()) >= FAR:
            return None
        return np.asarray(gaps, np.int64)


def extractor_of(assigner: DynamicEventTimeSessionWindows) -> Any:
    """The function that says the gap after an element."""
    extractor = assigner.gap_extractor
    return extractor.extract if isinstance(extractor, SessionWindowTimeGapExtractor) else extractor


def why_not(incremental: Incremental, assigner: SessionAssigner, shape: Shape) -> FoldPlan | NotTraceable:
    """The plan for elements of a shape, or why there is none: of the function, or of the gap."""
    plan = plan_for(incremental, shape)
    if isinstance(plan, NotTraceable) or not isinstance(assigner, DynamicEventTimeSessionWindows):
        return plan
    gap = trace_timestamps(extractor_of(assigner), shape)
    return NotTraceable(f"for the gap {gap.reason}") if isinstance(gap, NotTraceable) else plan
