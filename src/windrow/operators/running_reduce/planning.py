"""From a reduce function or a built-in aggregation to a plan of what becomes of each field."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from windrow.elements.shape import Shape
from windrow.operators.aggregations import FieldAggregator
from windrow.operators.column_folds.fold_plan import FoldPlan
from windrow.operators.column_folds.planning import of_aggregation, of_fold, of_plain_fields
from windrow.tracing.fold_tracing import trace_reduce
from windrow.tracing.outcome import NotTraceable


def plan_of(function: Any, call: Callable[[Any, Any], Any], shape: Shape) -> FoldPlan | NotTraceable:
    """Plan what becomes of elements of a shape; says why, if the function has to be called for each of them.

    Args:
        function: What the program has given, or a built-in aggregation.
        call: Its method.
        shape: What an element is made of.
    """
    if isinstance(function, FieldAggregator):
        plan = of_aggregation(function, shape)
    else:
        traced = trace_reduce(call, shape)
        plan = traced if isinstance(traced, NotTraceable) else of_fold(traced)
    return plan if isinstance(plan, NotTraceable) else of_plain_fields(plan)
