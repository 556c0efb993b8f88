"""Rows of few slots as lists of arrays, the lines: what NumPy's calls cost is most of what is done with them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from windrow.operators.column_folds.field_fold import Array, FieldFold, Longs
from windrow.operators.window.panes.partials import Row

#: The first places, then the last ones if they are there, then the fields that are no keys.
Lines: TypeAlias = list[Array]
_KINDS = frozenset({"key", "sum", "count", "min", "max", "first", "last"})


class Packing:
    """The lines of a row: which there are, and in which order.

    Args:
        folds: What becomes of each field; no element is kept whole.
        needs_last: Whether there are last places.
    """

    def __init__(self, folds: Sequence[FieldFold], *, needs_last: bool) -> None:
        self.folds = folds
        self.needs_last = needs_last
        self._kinds = [fold.kind for fold in folds if fold.kind != "key"]

    @staticmethod
    def of(folds: Sequence[FieldFold], *, needs_last: bool) -> Packing | None:
        """Give the lines of rows with these folds; None if one of the elements is kept whole."""
        return Packing(folds, needs_last=needs_last) if _KINDS.issuperset(fold.kind for fold in folds) else None

    def lines(self, row: Row) -> Lines:
        """The lines of a row: views, not copies."""
        fields = [values for fold, values in zip(self.folds, row.fields, strict=True) if fold.kind != "key"]
        return [row.first, row.last, *fields] if self.needs_last else [row.first, *fields]

    def merge(self, earlier: Lines, later: Lines) -> None:
        """Merge what comes later into what was there, as rows are merged."""
        comes_last: Array | None = None
        line = 1
        if self.needs_last:
            comes_last = later[1] >= earlier[1]
            np.maximum(earlier[1], later[1], out=earlier[1])
            line = 2
        for kind, values, added in zip(self._kinds, earlier[line:], later[line:], strict=True):
            match kind:
                case "sum" | "count":
                    np.add(values, added, out=values)
                case "last":
                    assert comes_last is not None, "windows overlap"
                    np.copyto(values, added, where=comes_last)
                case "first":
                    np.copyto(values, added, where=later[0] < earlier[0])
                case "min":
                    np.minimum(values, added, out=values)
                case "max":
                    np.maximum(values, added, out=values)
        np.minimum(earlier[0], later[0], out=earlier[0])

    def merge_at(self, lines: Lines, slots: Longs, later: Lines) -> None:
        """Merge what comes later in some slots, each of which is there once, into the lines of a row."""
        merged = taken(lines, slots)
        self.merge(merged, later)
        put(lines, slots, merged)


def taken(lines: Lines, slots: Longs) -> Lines:
    """Give the values in some slots, line by line."""
    return [line.take(slots) for line in lines]


def put(lines: Lines, slots: Longs, values: Lines) -> None:
    """Have values in some slots, each of which is there once."""
    for line, held in zip(lines, values, strict=True):
        line[slots] = held
