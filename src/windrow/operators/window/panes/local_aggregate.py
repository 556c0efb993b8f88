"""Windows of columns: combining the elements of a key and a pane before the exchange."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from windrow.common.limits import LONG_MAX, LONG_MIN, MIN_WATERMARK
from windrow.common.rarer_tries import RarerTries
from windrow.elements.batch import Batch
from windrow.elements.columns import Columns
from windrow.elements.shape import ScalarShape, Shape
from windrow.operators.column_folds.field_fold import FieldFold, Longs, magnitude
from windrow.operators.column_folds.fold_plan import FoldPlan, array_of, equal_columns
from windrow.operators.column_folds.key_index import KeyIndex, key_column, key_index
from windrow.operators.local_aggregate import Combined, WatermarkAt
from windrow.operators.window.aligned_windows import AlignedWindows
from windrow.operators.window.incremental import Incremental
from windrow.operators.window.panes.checking import FoldCheck
from windrow.operators.window.panes.pane_windows import Grid
from windrow.operators.window.panes.planning import plan_of
from windrow.tracing.outcome import NotExact, NotTraceable

#: What a field has of one element.
_OF_ONE = frozenset({"first", "last"})
#: What is left of a batch is worth the work, if it is no more than this share of the elements.
_WORTH = 0.6
#: After so many failures in a row it is tried once in 2^6 batches.
_MOST_FAILURES = 6
#: Arrays of a batch have at most so many entries for each of its elements, and the keys of so many are known.
_CELLS, _MOST_KEYS = 8, 1 << 18
#: No window of a time that is further from 1970 is looked at.
_NO_PANE = 2**62


class PaneAggregate:
    """Combines elements of one key and one pane, which are in the same windows, if all of these are still to fire.

    The watermark of the elements' own channel says so: the receiver's is no greater, as long as the channel counts. So
    what the receiver does with late elements, it does with each of them.

    An element of a batch stands for all others of its key and pane, in its own place: the first of them, or, where a
    last value is asked for, the last. So the receiver finds first and last values, sums, and least and greatest
    integers as if all elements came, however those of other channels come between; but not both first and last values,
    unless one is the key, and nothing of floats that depends on the order, as a NaN does. Where windows are several
    panes, a first or last value may come from any, and only one that is the key is combined.

    In windows of processing time elements are in the same windows if no watermark and no turn of the clock is between
    them, whatever their timestamps are, and none is late.

    Args:
        windows: Which windows there are.
        incremental: The function that combines elements.
        by_clock: Whether they are windows of processing time.
    """

    def __init__(self, windows: AlignedWindows, incremental: Incremental, *, by_clock: bool = False) -> None:
        self._grid = Grid.of(windows)
        self._by_clock = by_clock
        self._incremental = incremental
        self._check = FoldCheck(incremental)
        self._shape: Shape | None = None
        #: For elements of this shape; None: they cannot be combined.
        self._plan: FoldPlan | None = None
        self._keys: KeyIndex | None = None
        self._tries = RarerTries(_MOST_FAILURES)

    def takes(self, shape: Shape, key: Shape) -> bool:
        return self._plan_for(shape) is not None and key_index(key) is not None

    def combined(self, batch: Batch, watermarks: Sequence[WatermarkAt]) -> Combined | None:
        if not self._tries.is_due():
            return None
        found = self._combined(batch, watermarks)
        self._tries.note(success=found is not None)
        return found

    def _combined(self, batch: Batch, watermarks: Sequence[WatermarkAt]) -> Combined | None:
        elements, keys = batch.columns, batch.key_columns
        if elements is None or keys is None or not len(batch):
            return None
        times = batch.timestamp_array()
        if not self._by_clock and not self._grid.windows.are_safe(times):
            return None
        if isinstance(elements.shape, ScalarShape) and elements.null_count(0):
            return None  # behind a None a window begins anew
        if elements.shape != self._shape:
            self._shape, self._plan, self._keys = elements.shape, self._plan_for(elements.shape), key_index(keys.shape)
        plan, index = self._plan, self._keys
        column = None if plan is None or index is None else key_column(keys, index)
        if plan is None or index is None or column is None:
            return None
        if not self._check.look("local aggregate", plan, keys, elements):
            return None
        places = self._places(index, column, times, watermarks)
        if places is None:
            return None
        try:
            columns = plan.evaluate(elements)
        except NotExact:
            return None
        stands_last = self._stands_last(plan, columns, column)
        if stands_last is None:
            return None
        numbers = np.arange(places.size)
        cells = int(places.max()) + 1
        stands = np.empty(cells, np.int64)
        if stands_last:
            stands[places] = numbers  # of several for one place the last one stays
        else:
            stands[places[::-1].copy()] = numbers[::-1].copy()
        standing = np.flatnonzero(stands.take(places) == numbers)
        if standing.size > _WORTH * len(batch):
            return None
        left = batch.take(standing)
        assert left.columns is not None, "some columns are columns"
        fields: list[Any] = list(left.columns.fields)
        kept = places.take(standing)
        for number, (fold, values) in enumerate(zip(plan.folds, columns, strict=True)):
            if fold.kind not in _OF_ONE:
                found = _folded(fold, values, places, cells)
                if found is None:
                    return None
                fields[number] = found.take(kept)
                if elements.shape.dtypes is None:  # of columns that stay NumPy's all fields are
                    fields[number] = pa.array(fields[number]).cast(elements.shape.types[number])
        combined = Batch(Columns.of(elements.shape, fields), left.timestamps, left.keys)
        return Combined(combined, standing)

    def _stands_last(self, plan: FoldPlan, columns: Sequence[Any], keys: Any) -> bool | None:
        """Whether the last of some elements stands for them, and not the first; None: none can."""
        wanted = {
            fold.kind
            for fold, values in zip(plan.folds, columns, strict=True)
            if fold.kind in _OF_ONE and not equal_columns(values, keys)
        }
        if not wanted:
            return False
        return None if self._grid.panes > 1 or len(wanted) > 1 else wanted == {"last"}

    def _plan_for(self, shape: Shape) -> FoldPlan | None:
        plan = plan_of(self._incremental, shape)
        if isinstance(plan, NotTraceable) or not plan.gives_elements or plan.chooses or not _gives(plan, shape):
            return None
        kinds = [fold.kind for fold in plan.folds]
        if "count" in kinds or any(fold.dtype.kind == "f" and fold.kind not in _OF_ONE for fold in plan.folds):
            return None
        # One of the fields may be the key.
        first, last = kinds.count("first"), kinds.count("last")
        most = 1 if self._grid.panes > 1 else max(first, last) + 1
        return plan if first + last <= most else None

    def _places(self, index: KeyIndex, keys: Any, times: Longs, watermarks: Sequence[WatermarkAt]) -> Longs | None:
        """A number for each key and pane, and for each element that is to be left as it is; None: they are too many."""
        slots = index.slots_of(keys)
        width = index.count
        panes = _segments(times.size, watermarks) if self._by_clock else self._grid.panes_of(times)
        least, greatest = int(panes.min()), int(panes.max())
        cells = (greatest - least + 1) * width
        if cells > max(_CELLS * times.size, 1024) or width > _MOST_KEYS:
            self._shape = None  # and keys that were there long ago are forgotten
            return None
        places: Longs = (panes - least) * width + slots
        if not self._by_clock:
            fixed = self._fixed(panes, watermarks)
            if fixed.size:
                places[fixed] = np.arange(cells, cells + fixed.size)
        return places

    def _fixed(self, panes: Longs, watermarks: Sequence[WatermarkAt]) -> Longs:
        """The elements of which a window may have fired when they come."""
        steps: list[tuple[int, int]] = []
        for position, watermark in watermarks:
            first_open = self._first_pane_open(watermark)
            if not steps or first_open > steps[-1][1] or steps[-1][1] == _NO_PANE:
                steps.append((position, first_open))
        found = []
        for (start, first_open), (stop, _) in pairwise([*steps, (panes.size, 0)]):
            found.append(np.flatnonzero(panes[start:stop] < first_open) + start)
        return np.concatenate(found)

    def _first_pane_open(self, watermark: int) -> int:
        if watermark in (MIN_WATERMARK, LONG_MAX):  # nothing is known of the channel, or it is over
            return _NO_PANE
        windows = self._grid.windows
        first_open = windows.first_end_after(watermark)
        pane = self._grid.first_pane(first_open - windows.slide) + self._grid.panes
        return max(min(pane, _NO_PANE), LONG_MIN)


def _gives(plan: FoldPlan, shape: Shape) -> bool:
    """Whether accumulators are elements of this shape."""
    if plan.shape == shape:
        return True
    # Declared types say how values are made of what a column has: of what is folded it has to be the value.
    plain = all(made is None for fold, made in zip(plan.folds, shape.converts, strict=True) if fold.kind not in _OF_ONE)
    return plain and shape.declared is not None and replace(shape, declared=None) == plan.shape


def _segments(count: int, watermarks: Sequence[WatermarkAt]) -> Longs:
    """For each element how many different places at or before it something else than an element stands at."""
    starts = np.zeros(count, np.int64)
    starts[[position for position, _ in watermarks if 0 < position < count]] = 1
    return np.cumsum(starts)


def _folded(fold: FieldFold, values: Any, places: Longs, cells: int) -> npt.NDArray[Any] | None:
    """Sums, least or greatest values by place; None if that takes Python."""
    array = array_of(values, fold)
    if array is None:
        return None
    if fold.kind == "sum" and magnitude(array) * array.size >= 2**63:
        return None
    found = np.full(cells, fold.identity, fold.dtype)
    fold.add(found, places, array)
    return found
