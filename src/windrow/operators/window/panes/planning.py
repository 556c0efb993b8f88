"""From the function of a window to a plan of what becomes of each field."""

from __future__ import annotations

from windrow.datastream.functions import AggregateFunction
from windrow.elements.shape import Shape
from windrow.operators.aggregations import FieldAggregator
from windrow.operators.column_folds.field_folds import FieldFolds
from windrow.operators.column_folds.fold_plan import FoldPlan
from windrow.operators.column_folds.planning import of_aggregation, of_fold
from windrow.operators.window.incremental import Incremental
from windrow.tracing.fold_tracing import trace_aggregate, trace_reduce
from windrow.tracing.outcome import NotTraceable


def plan_of(incremental: Incremental, shape: Shape) -> FoldPlan | NotTraceable:
    """Plan what becomes of elements of a shape; says why, if the function has to be called for each of them."""
    function = incremental.function
    if isinstance(function, FieldFolds):
        return function.plan(shape)
    if isinstance(function, FieldAggregator):
        return of_aggregation(function, shape)
    if isinstance(function, AggregateFunction):
        traced = trace_aggregate(function, shape)
    else:
        traced = trace_reduce(incremental.add, shape)
    return traced if isinstance(traced, NotTraceable) else of_fold(traced)
