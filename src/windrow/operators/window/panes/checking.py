"""The first elements that are combined on columns are combined by the function as well: what differs is not trusted."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from windrow.elements.columns import Columns
from windrow.operators.column_folds.field_fold import Array, FieldFold, magnitude
from windrow.operators.column_folds.fold_plan import FoldPlan, KeysDiffer
from windrow.operators.column_folds.key_index import KeyIndex, key_column, key_index
from windrow.operators.column_function import same
from windrow.operators.window.incremental import Incremental
from windrow.operators.window.panes.partials import Partials

#: So many elements at most are combined both ways.
CHECKED = 1 << 10


class FoldCheck:
    """Compares what columns give with what a function gives, once.

    Args:
        incremental: The function.
    """

    def __init__(self, incremental: Incremental) -> None:
        self._start, self._add = incremental.start, incremental.add
        self._is_done = False
        #: Whether both have given the same, as far as anybody has looked.
        self.agrees = True

    def look(self, operator: str, plan: FoldPlan, keys: Columns, elements: Columns) -> bool:
        """Look at the first elements of a batch, unless some were looked at: False if the function has to be called.

        Args:
            operator: The operator's name, for the warning.
            plan: How elements are combined on columns.
            keys: The elements' keys.
            elements: The elements.
        """
        if self._is_done or not self.agrees:
            return self.agrees
        few, index = elements.part(0, CHECKED), key_index(keys.shape)
        column = None if index is None else key_column(keys.part(0, CHECKED), index)
        if index is None or column is None:
            return True
        try:
            inputs = plan.inputs(few, column)
        except KeysDiffer:
            return True
        if inputs is None or not _has_room(plan.folds, inputs):
            return True  # these are combined by the function
        self._is_done = True
        slots = index.slots_of(column)
        given = _on_columns(plan, index, slots, inputs)
        by_slot: dict[int, Any] = {}
        try:
            for slot, element in zip(slots.tolist(), few.shape.rows(few.batch), strict=True):
                by_slot[slot] = self._add(by_slot[slot], element) if slot in by_slot else self._start(element)
        except Exception:  # it is raised again where its element comes
            self.agrees = False
            return False
        expected = [by_slot[slot] for slot in range(index.count)]
        if not same(given, expected):
            self.agrees = False
            at = next(
                slot for slot, pair in enumerate(zip(given, expected, strict=True)) if not same(pair[:1], pair[1:])
            )
            key = index.listed(np.array([at]))[0]
            warnings.warn(
                f"operator {operator!r}: combined on columns the elements of key {key!r} give {given[at]!r}, by its "
                f"function {expected[at]!r}; it is called for each element from now on. Results are right; please "
                "report this",
                RuntimeWarning,
                stacklevel=2,
            )
        return self.agrees


def _has_room(folds: Sequence[FieldFold], inputs: Sequence[Array | None]) -> bool:
    """Tell whether no sum can leave 64 bits."""
    sums = [array for fold, array in zip(folds, inputs, strict=True) if fold.kind == "sum" and array is not None]
    return all(magnitude(array) * array.size < 2**63 for array in sums if array.dtype.kind == "i")


def _on_columns(plan: FoldPlan, keys: KeyIndex, slots: Any, inputs: Sequence[Array | None]) -> list[Any]:
    partials = Partials(plan.folds, needs_last=False, width=keys.count)
    row = partials.new_row()
    partials.add(slots + row * partials.width, np.arange(slots.size), inputs)
    everything = np.arange(keys.count)
    return plan.accumulators(
        [
            keys.column(everything) if fold.kind == "key" else values
            for fold, values in zip(plan.folds, partials.row(row).fields, strict=True)
        ]
    )
