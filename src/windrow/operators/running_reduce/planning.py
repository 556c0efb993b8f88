"""From a reduce function or a built-in aggregation to a plan of what becomes of each field."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pyarrow as pa

from windrow.elements.columns import Columns
from windrow.elements.shape import DataclassShape, RowShape, ScalarShape, Shape, TupleShape
from windrow.operators.aggregations import ComparableAggregator, FieldAggregator, SumAggregator
from windrow.operators.column_folds.fold_plan import Column, FoldPlan, field_fold
from windrow.operators.column_folds.planning import of_fold
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
        plan = _of_aggregation(function, shape)
    else:
        traced = trace_reduce(call, shape)
        plan = traced if isinstance(traced, NotTraceable) else of_fold(traced)
    if not isinstance(plan, NotTraceable):
        for fold, kind in zip(plan.folds, plan.shape.types, strict=True):
            if fold.dtype.hasobject and kind != pa.string():
                return NotTraceable(f"keeps the {fold.kind} of a field of type {kind}")
        if plan.shape.declared is not None:
            return NotTraceable("keeps fields that are more than their columns")
    return plan


def _of_aggregation(function: FieldAggregator, shape: Shape) -> FoldPlan | NotTraceable:
    kind = _kind(function)
    number = _number_of(function.position, shape)
    if kind is None or number is None:
        return NotTraceable("keeps one of its elements whole" if kind is None else "has no such field")
    if shape.declared is not None and any(shape._converts):
        return NotTraceable("keeps fields that are more than their columns")
    types = list(shape.types)
    folds = []
    for index, of in enumerate(types):
        wanted = kind if index == number else "first"
        folded = field_fold(wanted, of)
        if folded is None:
            return NotTraceable(f"makes the {wanted} of field {index}, which is of type {of}")
        folds.append(folded)
    if folds[number].dtype.kind == "i":
        types[number] = pa.int64()  # a sum of short integers may be a long one

    def evaluate(elements: Columns) -> Sequence[Column]:
        columns: Sequence[Column] = elements.batch.columns
        return columns

    return FoldPlan(replace(shape, types=tuple(types), declared=None), folds, evaluate)


def _kind(function: FieldAggregator) -> str | None:
    if isinstance(function, SumAggregator):
        return "sum"
    if isinstance(function, ComparableAggregator) and not function.whole_element:
        return "max" if function.greatest else "min"
    return None


def _number_of(position: int | str, shape: Shape) -> int | None:
    """Which column a field of an element is; None if there is none."""
    if isinstance(position, str):
        names = list(shape.names) if isinstance(shape, DataclassShape) else None
        if isinstance(shape, RowShape) and shape.field_names is not None:
            names = list(shape.field_names)
        return names.index(position) if names is not None and names.count(position) == 1 else None
    if isinstance(shape, TupleShape | RowShape):
        return position if 0 <= position < len(shape.types) else None
    return 0 if isinstance(shape, ScalarShape) and position == 0 else None
