"""From a traced reduce or aggregate function, or a built-in aggregation, to a plan of what becomes of each field."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa

from windrow.elements.columns import Columns
from windrow.elements.shape import DataclassShape, RowShape, ScalarShape, Shape, TupleShape
from windrow.operators.aggregations import ComparableAggregator, FieldAggregator, SumAggregator
from windrow.operators.column_folds.choosing import NEVER, NEVER_LAST
from windrow.operators.column_folds.field_fold import FieldFold
from windrow.operators.column_folds.fold_plan import Column, FoldPlan, field_fold
from windrow.tracing.folds import Fold, FoldKind, are_ordinary
from windrow.tracing.outcome import NotTraceable


def of_fold(fold: Fold) -> FoldPlan | NotTraceable:
    """The plan for a traced function."""
    if fold.choice is not None:
        choice = fold.choice
        return _choosing(
            fold.shape,
            lambda elements: choice.key.evaluate(elements.fields)[0],
            choice.key.shape.types[0],
            greatest=choice.greatest,
            first=choice.first,
        )
    if fold.shape.declared is not None and any(kind not in _KEPT for kind in fold.kinds):
        return NotTraceable("combines fields that are more than their columns")
    folds = []
    for number, (kind, of) in enumerate(zip(fold.kinds, fold.shape.types, strict=True)):
        initial = None if fold.initial is None else fold.initial[number]
        if (
            kind in (FoldKind.MIN, FoldKind.MAX)
            and isinstance(initial, float)
            and not are_ordinary(np.array([initial]))
        ):
            return NotTraceable(f"begins field {number} with {initial}")
        folded = field_fold(kind.value, of, initial)
        if folded is None:
            return NotTraceable(f"makes the {kind.value} of field {number}, which is of type {of}")
        folds.append(folded)

    def evaluate(elements: Columns) -> Sequence[Column]:
        return fold.inputs.evaluate(elements.fields)

    sources = fold.inputs.passed_on
    if fold.result is None:
        return FoldPlan(fold.shape, folds, evaluate, fold.initial, sources=sources)
    return FoldPlan(fold.shape, folds, evaluate, fold.initial, fold.result.columns, fold.result.shape, sources=sources)


_KEPT = frozenset({FoldKind.FIRST, FoldKind.LAST})


def of_aggregation(function: FieldAggregator, shape: Shape) -> FoldPlan | NotTraceable:
    """The plan for a sum, a least or a greatest value of one field of elements of a shape."""
    kind = _kind(function)
    number = _number_of(function.position, shape)
    if number is not None and isinstance(function, ComparableAggregator) and function.whole_element:
        return _choosing(
            shape,
            lambda elements: elements.fields[number],
            shape.types[number],
            greatest=function.greatest,
            first=function.keeps_first,
        )
    if kind is None or number is None:
        return NotTraceable("keeps one of its elements whole" if kind is None else "has no such field")
    if shape.declared is not None and any(shape.converts):
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
        columns: Sequence[Column] = elements.fields
        return columns

    return FoldPlan(replace(shape, types=tuple(types), declared=None), folds, evaluate)


def _choosing(
    shape: Shape, key_of: Callable[[Columns], Column], of: pa.DataType, *, greatest: bool, first: bool
) -> FoldPlan | NotTraceable:
    """The plan for a function that keeps one of its elements whole: its fields, its key, and when it came."""
    if isinstance(shape, ScalarShape):
        return NotTraceable("keeps one of its elements whole, which are no more than their key")
    key = field_fold("greatest" if greatest else "least", of)
    if key is None:
        return NotTraceable(f"compares keys of type {of}")
    fields = [field_fold("chosen", each) for each in shape.types]
    missing = next((number for number, fold in enumerate(fields) if fold is None), None)
    if missing is not None:
        return NotTraceable(f"keeps field {missing}, which is of type {shape.types[missing]}")
    came = FieldFold("came", np.dtype(np.int64), identity=NEVER if first else NEVER_LAST)

    def evaluate(elements: Columns) -> Sequence[Column]:
        return [*elements.fields, key_of(elements), None]

    return FoldPlan(shape, [*[fold for fold in fields if fold is not None], key, came], evaluate)


def _kind(function: FieldAggregator) -> str | None:
    if isinstance(function, SumAggregator):
        return "sum"
    if isinstance(function, ComparableAggregator) and not function.whole_element:
        return "max" if function.greatest else "min"
    return None


def _number_of(position: int | str, shape: Shape) -> int | None:
    """Find the number of the column that a field of an element is; None if there is none."""
    if isinstance(position, str):
        names = list(shape.names) if isinstance(shape, DataclassShape) else None
        if isinstance(shape, RowShape) and shape.field_names is not None:
            names = list(shape.field_names)
        return names.index(position) if names is not None and names.count(position) == 1 else None
    if isinstance(shape, TupleShape | RowShape):
        return position if 0 <= position < len(shape.types) else None
    return 0 if isinstance(shape, ScalarShape) and position == 0 else None


def of_plain_fields(plan: FoldPlan) -> FoldPlan | NotTraceable:
    """The plan, if what it keeps is numbers, truth values and text, and fields are no more than their columns."""
    # Behind the folds of fields may be those that say which element is kept whole.
    for fold, kind in zip(plan.folds, plan.shape.types, strict=not plan.chooses):
        if fold.dtype.hasobject and kind != pa.string():
            return NotTraceable(f"keeps the {fold.kind} of a field of type {kind}")
    if plan.shape.declared is not None:
        return NotTraceable("keeps fields that are more than their columns")
    return plan
