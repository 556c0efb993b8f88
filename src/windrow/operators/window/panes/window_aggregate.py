"""Combining the elements of a key before the exchange in front of windows: what all kinds of windows have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa

from windrow.common.exponential_backoff import ExponentialBackoff
from windrow.elements.batch import Batch
from windrow.elements.columns import Columns
from windrow.elements.fields import take
from windrow.elements.shape import ScalarShape, Shape
from windrow.operators.column_folds.field_fold import Array, FieldFold, Longs, magnitude
from windrow.operators.column_folds.fold_plan import FoldPlan, array_of
from windrow.operators.column_folds.key_index import KeyIndex, key_column, key_index
from windrow.operators.local_aggregate import Combined, WatermarkAt
from windrow.operators.window.incremental import Incremental
from windrow.operators.window.panes.checking import FoldCheck
from windrow.tracing.outcome import NotExact, NotTraceable

#: What a field has of one element.
OF_ONE = frozenset({"first", "last"})
#: What is left of a batch is worth the work, if it is no more than this share of the elements.
_WORTH = 0.6
#: After so many failures in a row it is tried once in 2^6 batches.
_MOST_FAILURES = 6


@dataclass(frozen=True)
class Arriving:
    """Elements that may be combined."""

    batch: Batch
    elements: Columns
    keys: Any
    times: Longs
    plan: FoldPlan
    known_keys: KeyIndex

    def kinds_of_one(self) -> set[str]:
        """Of first and last values those that are asked for, where the field is not the key."""
        key_columns = self.batch.key_columns
        assert key_columns is not None, "what is combined has keys"
        # What has the same values in one chunk may have others in the next one: a key has the field's own array.
        are_key = [number for number, field in enumerate(self.elements.fields) if field is key_columns.fields[0]]
        return _kinds_of_one(self.plan, are_key)

    def inputs(self) -> list[Array | None]:
        """The arrays that are summed, or of which the least or greatest values are looked for; None for other fields.

        Raises:
            NotExact: That takes Python.
        """
        columns = zip(self.plan.folds, self.folded, strict=True)
        return [None if fold.kind in OF_ONE else _exact(fold, values) for fold, values in columns]

    @cached_property
    def folded(self) -> Sequence[Any]:
        """The columns that are folded. Raises NotExact where that takes Python."""
        return self.plan.evaluate(self.elements)

    @property
    def shape(self) -> Shape:
        """The shape of what elements come to: what they are made of themselves, or local accumulators."""
        return self.elements.shape if self.plan.gives_elements else self.plan.local_shape(self.elements.shape)

    def left(self, standing: Longs) -> tuple[Batch, list[Any]]:
        """The elements at these places, and what each of them comes to by itself: columns, None where it is folded.

        Raises:
            NotExact: That takes Python.
        """
        if self.plan.gives_elements:
            left = self.batch.take(standing)
            assert left.columns is not None, "some columns are columns"
            return left, list(left.columns.fields)
        columns = self.batch.key_columns
        assert columns is not None, "what is combined has keys"
        keys = Columns.of(columns.shape, [take(field, standing) for field in columns.fields])
        # A field that is the key stays the same array.
        known = {id(field): left for field, left in zip(columns.fields, keys.fields, strict=True)}
        folds = zip(self.plan.folds, self.folded, strict=True)
        fields = [
            known[id(field)] if id(field) in known else self.of_one(number, standing) if fold.kind in OF_ONE else None
            for number, (fold, field) in enumerate(folds)
        ]
        return Batch([None] * standing.size, self.batch.timestamp_array().take(standing), keys), fields

    def of_one(self, field: int, places: Longs) -> Any:
        """The column of a first or last value, which is that of the elements at these places."""
        values = take(self.folded[field], places)
        return values if self.plan.gives_elements else self.column(values, field)

    def column(self, values: Any, field: int) -> Any:
        """Turn values into a column of the type that this field has."""
        shape = self.shape
        if shape.dtypes is not None and isinstance(values, np.ndarray):
            return values  # of columns that stay NumPy's all fields are
        column = values if isinstance(values, pa.Array) else pa.array(values)
        return column if column.type == shape.types[field] else column.cast(shape.types[field])


class WindowAggregate(ABC):
    """Combines elements of one key that are in the same windows.

    Args:
        incremental: The function that combines elements.
        any_order: Whether floats may be added up in any order.
    """

    def __init__(self, incremental: Incremental, *, any_order: bool = False) -> None:
        self._incremental = incremental
        self._any_order = any_order
        self._check = FoldCheck(incremental)
        self._shape: Shape | None = None
        #: For elements of this shape; None: they cannot be combined.
        self._plan: FoldPlan | None = None
        self._keys: KeyIndex | None = None
        self._backoff = ExponentialBackoff(_MOST_FAILURES)

    def takes(self, shape: Shape, key: Shape, are_key: Collection[int]) -> bool:
        """Tell whether elements of a shape can be combined, as the protocol says."""
        plan = self._plan_for(shape)
        return plan is not None and key_index(key) is not None and self._may_keep(_kinds_of_one(plan, are_key))

    def shape_of(self, shape: Shape) -> Shape:
        """Tell what elements come to, as the protocol says."""
        plan = self._plan_for(shape)
        return shape if plan is None or plan.gives_elements else plan.local_shape(shape)

    def combined(self, batch: Batch, watermarks: Sequence[WatermarkAt]) -> Combined | None:
        """Combine the elements of a batch, as :class:`~windrow.operators.local_aggregate.LocalAggregate` says."""
        if not self._backoff.is_due():
            return None
        found = self._combined(batch, watermarks)
        self._backoff.note(success=found is not None)
        return found

    def _combined(self, batch: Batch, watermarks: Sequence[WatermarkAt]) -> Combined | None:
        elements, keys = batch.columns, batch.key_columns
        if elements is None or keys is None or not len(batch):
            return None
        times = batch.timestamp_array()
        if not self._are_safe(times):
            return None
        if isinstance(elements.shape, ScalarShape) and elements.null_count(0):
            return None  # behind a None a window begins anew
        if elements.shape != self._shape:
            self._shape, self._plan, self._keys = elements.shape, self._plan_for(elements.shape), None
        if self._keys is None:
            self._keys = key_index(keys.shape)
        plan, index = self._plan, self._keys
        column = None if plan is None or index is None else key_column(keys, index)
        if plan is None or index is None or column is None:
            return None
        if not self._check.look("local aggregate", plan, keys, elements):
            return None
        arriving = Arriving(batch, elements, column, times, plan, index)
        try:
            return self._of(arriving, watermarks) if self._may_keep(arriving.kinds_of_one()) else None
        except NotExact:
            return None

    def _plan_for(self, shape: Shape) -> FoldPlan | None:
        plan = self._traced(shape)
        if isinstance(plan, NotTraceable) or plan.chooses or not self._may_cross(plan, shape):
            return None
        if self._any_order:
            plan = plan.in_any_order()
        return None if any(_has_an_order(fold) for fold in plan.folds) else plan

    def _may_cross(self, plan: FoldPlan, shape: Shape) -> bool:
        """Tell whether what elements come to is an element, or a local accumulator of an aggregate function."""
        if plan.gives_elements:
            return _gives(plan, shape) and all(fold.kind != "count" for fold in plan.folds)
        return plan.initial is not None and self._incremental.empty is not None

    def _forget_keys(self) -> None:
        """Be done with the slots of keys: there are too many."""
        self._keys = None

    @abstractmethod
    def _traced(self, shape: Shape) -> FoldPlan | NotTraceable:
        """Plan how elements of a shape are combined, if their function can be traced."""

    @abstractmethod
    def _may_keep(self, wanted: set[str]) -> bool:
        """Tell whether elements can be combined if first values are asked for, last ones, or both."""

    @abstractmethod
    def _are_safe(self, times: Longs) -> bool:
        """Tell whether no window of elements with these times is beyond the end of time."""

    @abstractmethod
    def _of(self, arriving: Arriving, watermarks: Sequence[WatermarkAt]) -> Combined | None:
        """Combine elements; None: it cannot be done, or is not worth it. Raises NotExact where it takes Python."""


def _kinds_of_one(plan: FoldPlan, are_key: Collection[int]) -> set[str]:
    """Of first and last values those that are asked for, of fields that neither are the key nor follow from it."""
    # An aggregate function has no first values: what stays as it is it begins with.
    asked_for = OF_ONE if plan.initial is None else {"last"}
    return {
        fold.kind
        for number, (fold, source) in enumerate(zip(plan.folds, plan.sources, strict=True))
        if fold.kind in asked_for and number >= plan.of_key and source not in are_key
    }


def _has_an_order(fold: FieldFold) -> bool:
    """Tell whether folding parts and then these may give something else than folding all; a NaN has a place."""
    if fold.dtype.kind != "f" or fold.kind in OF_ONE:
        return False
    return fold.kind != "sum" or fold.ordered


def is_worth(left: int, count: int) -> bool:
    """Tell whether combining is worth it if so many of so many elements are left."""
    return left <= _WORTH * count


def _exact(fold: FieldFold, values: Any) -> Array:
    array = array_of(values, fold)
    is_whole = fold.kind == "sum" and fold.dtype.kind == "i"
    if array is None or (is_whole and magnitude(array) * array.size >= 2**63):
        msg = "a sum may leave 64 bits, or a value is null"
        raise NotExact(msg)
    return array


def _gives(plan: FoldPlan, shape: Shape) -> bool:
    """Tell whether accumulators are elements of this shape."""
    if plan.shape == shape:
        return True
    # Declared types say how values are made of what a column has: of what is folded it has to be the value.
    plain = all(made is None for fold, made in zip(plan.folds, shape.converts, strict=True) if fold.kind not in OF_ONE)
    return plain and shape.declared is not None and replace(shape, declared=None) == plan.shape
