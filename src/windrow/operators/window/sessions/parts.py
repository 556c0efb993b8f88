"""Elements that stand for several of one session: they reach beyond their own gap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from windrow.elements.batch import Batch
from windrow.elements.columns import Columns
from windrow.elements.shape import Shape
from windrow.operators.column_folds.field_fold import Longs
from windrow.operators.column_folds.local_accumulators import LocalAccumulatorShape
from windrow.operators.window.session import SessionPart


@dataclass(frozen=True)
class PartShape(Shape):
    """A :class:`~windrow.operators.window.session.SessionPart`: the fields of an element, and how far it reaches.

    Example:
        >>> from windrow.elements.shape import LONG
        >>> PartShape.of(LONG).rows(pa.record_batch({"f0": [7], "f1": [4000]}))
        [SessionPart(element=7, reach=4000, is_local=False)]
    """

    #: What the element itself is made of.
    inner: Shape | None = None

    @staticmethod
    def of(inner: Shape) -> PartShape:
        """The shape of what was combined of elements of the shape ``inner``."""
        declared = None if inner.declared is None else (*inner.declared, None)
        return PartShape((*inner.types, pa.int64()), declared, inner)

    def elements(self, columns: Sequence[list[Any]], count: int) -> list[Any]:
        *fields, reaches = columns
        assert self.inner is not None, "made by of()"
        elements, is_local = self.inner.elements(fields, count), isinstance(self.inner, LocalAccumulatorShape)
        return [SessionPart(element, reach, is_local) for element, reach in zip(elements, reaches, strict=True)]

    @property
    def never_changes(self) -> bool:
        return self.inner is not None and self.inner.never_changes


def are_parts(batch: Batch) -> bool:
    """Tell whether the elements of a batch reach beyond their own gap."""
    return batch.columns is not None and isinstance(batch.columns.shape, PartShape)


def are_local_parts(batch: Batch) -> bool:
    """Tell whether they are what elements of an aggregate function have come to."""
    shape = None if batch.columns is None else batch.columns.shape
    return isinstance(shape, PartShape) and isinstance(shape.inner, LocalAccumulatorShape)


def as_parts(elements: Columns, reaches: Longs) -> Columns:
    """Elements that reach as many milliseconds beyond their own gap."""
    return Columns.of(PartShape.of(elements.shape), [*elements.fields, reaches])


def all_parts(batch: Batch) -> Batch:
    """Elements as they are among such, if they are columns."""
    elements = batch.columns
    if elements is None or are_parts(batch):
        return batch
    return Batch(as_parts(elements, np.zeros(len(batch), np.int64)), batch.timestamps, batch.keys)


def parted(elements: Columns) -> tuple[Columns, Longs | None]:
    """The elements themselves, and how far they reach; None: none does.

    Example:
        >>> from windrow.elements.shape import LONG
        >>> numbers = Columns.of(LONG, [np.array([7, 8])])
        >>> list(parted(as_parts(numbers, np.array([4000, 0])))[0])
        [7, 8]
    """
    shape = elements.shape
    if not isinstance(shape, PartShape) or shape.inner is None:
        return elements, None
    *fields, _ = elements.fields
    reaches = elements.numbers(len(fields))
    assert reaches is not None, "each reaches somewhere"
    return Columns.of(shape.inner, fields), reaches
