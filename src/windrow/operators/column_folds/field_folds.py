"""Tuples that are combined field by field: sums, least and greatest values, first ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from windrow.datastream.functions import ReduceFunction

if TYPE_CHECKING:
    from windrow.elements.shape import Shape
    from windrow.operators.column_folds.fold_plan import FoldPlan
    from windrow.tracing.outcome import NotTraceable

_HALF = 1 << 63


class FieldFolds(ReduceFunction):
    """Combines tuples by what becomes of each field: ``first``, ``sum``, ``min``, ``max``.

    A ``sum`` wraps around at 64 bits, as Java's does; an ``exact`` one does not.

    Args:
        kinds: What becomes of each field.
        of_key: How many of the first fields follow from the key.

    Example:
        >>> FieldFolds(["first", "sum", "max"]).reduce(("a", 1, 5), ("a", 2, 4))
        ('a', 3, 5)
    """

    def __init__(self, kinds: Sequence[str], of_key: int = 0) -> None:
        self.kinds = list(kinds)
        self._of_key = of_key

    def reduce(self, value1: Any, value2: Any) -> Any:
        made = []
        for kind, one, other in zip(self.kinds, value1, value2, strict=True):
            if kind == "first":
                made.append(one)
            elif kind in ("sum", "exact"):
                total = one + other
                if kind == "sum" and isinstance(total, int) and not -_HALF <= total < _HALF:
                    total = (total + _HALF) % (2 * _HALF) - _HALF
                made.append(total)
            else:
                made.append(_least_or_greatest(kind, one, other))
        return tuple(made)

    def plan(self, shape: Shape) -> FoldPlan | NotTraceable:
        """Give the plan by which columns of tuples are combined."""
        from windrow.operators.column_folds.fold_plan import FoldPlan, field_fold
        from windrow.tracing.outcome import NotTraceable

        folds = []
        for number, (kind, of) in enumerate(zip(self.kinds, shape.types, strict=True)):
            fold = field_fold("sum" if kind == "exact" else kind, of)
            if fold is None:
                return NotTraceable(f"makes the {kind} of field {number}, which is of type {of}")
            folds.append(fold)
        return FoldPlan(shape, folds, lambda elements: elements.batch.columns, of_key=self._of_key)


def _least_or_greatest(kind: str, one: Any, other: Any) -> Any:
    """The lesser or greater one; NULL is none of them."""
    if one is None or other is None:
        return other if one is None else one
    if kind == "min":
        return other if other < one else one
    return other if other > one else one
