"""From a traced reduce or aggregate function to a plan of what becomes of each field."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from windrow.elements.columns import Columns
from windrow.operators.column_folds.fold_plan import Column, FoldPlan, field_fold
from windrow.tracing.folds import Fold, FoldKind, are_ordinary
from windrow.tracing.outcome import NotTraceable


def of_fold(fold: Fold) -> FoldPlan | NotTraceable:
    """The plan for a traced function."""
    if fold.choice is not None:
        return NotTraceable("keeps one of its elements whole")
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
        return fold.inputs.evaluate(elements.batch.columns)

    if fold.result is None:
        return FoldPlan(fold.shape, folds, evaluate, fold.initial)
    return FoldPlan(fold.shape, folds, evaluate, fold.initial, fold.result.columns, fold.result.shape)


_KEPT = frozenset({FoldKind.FIRST, FoldKind.LAST})
