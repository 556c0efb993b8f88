"""Windows of columns: combining the elements of a key and a pane before the exchange."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from windrow.common.limits import LONG_MAX, LONG_MIN, MIN_WATERMARK
from windrow.elements.batch import Batch
from windrow.elements.columns import Columns
from windrow.elements.shape import Shape
from windrow.operators.column_folds.field_fold import Longs
from windrow.operators.column_folds.fold_plan import FoldPlan
from windrow.operators.local_aggregate import Combined, WatermarkAt
from windrow.operators.window.aligned_windows import AlignedWindows
from windrow.operators.window.early_firing import EarlyFiring
from windrow.operators.window.incremental import Incremental
from windrow.operators.window.panes.pane_windows import Grid
from windrow.operators.window.panes.planning import plan_of
from windrow.operators.window.panes.window_aggregate import Arriving, WindowAggregate, is_worth
from windrow.tracing.outcome import NotTraceable

#: Arrays of a batch have at most so many entries for each of its elements, and the keys of so many are known.
_CELLS, _MOST_KEYS = 8, 1 << 18
#: No window of a time that is further from 1970 is looked at.
_NO_PANE = 2**62


class PaneAggregate(WindowAggregate):
    """Combines elements of one key and one pane, which are in the same windows, if all of these are still to fire.

    The watermark of the elements' own channel says so: the receiver's is no greater, as long as the channel counts. So
    what the receiver does with late elements, it does with each of them.

    An element of a batch stands for all others of its key and pane, in its own place: the first of them, or, where a
    last value is asked for, the last. So the receiver finds first and last values, sums, and least and greatest
    integers as if all elements came, however those of other channels come between; but not both first and last values,
    unless one is the key, and nothing of floats that depends on the order, as a NaN does. Where windows are several
    panes, a first or last value may come from any, and only one that is the key is combined.

    In windows of processing time elements are in the same windows if no watermark and no turn of the clock is between
    them, whatever their timestamps are, and none is late. Nor are elements combined with such a thing between them
    where it may make windows fire before their end; and if the time of that depends on when the first element was,
    that one stands for the others.

    Args:
        windows: Which windows there are.
        incremental: The function that combines elements.
        by_clock: Whether they are windows of processing time.
        any_order: Whether floats may be added up in any order.
        early: When windows fire before their end; None: they do not.
    """

    def __init__(
        self,
        windows: AlignedWindows,
        incremental: Incremental,
        *,
        by_clock: bool = False,
        any_order: bool = False,
        early: EarlyFiring | None = None,
    ) -> None:
        super().__init__(incremental, any_order=any_order)
        self._grid = Grid.of(windows)
        self._by_clock = by_clock
        self._early = early

    def _of(self, arriving: Arriving, watermarks: Sequence[WatermarkAt]) -> Combined | None:
        batch, plan = arriving.batch, arriving.plan
        places = self._places(arriving, watermarks)
        if places is None:
            return None
        stands_last = arriving.kinds_of_one() == {"last"}
        numbers = np.arange(places.size)
        cells = int(places.max()) + 1
        stands = np.empty(cells, np.int64)
        if stands_last:
            stands[places] = numbers  # of several for one place the last one stays
        else:
            stands[places[::-1].copy()] = numbers[::-1].copy()
        standing = np.flatnonzero(stands.take(places) == numbers)
        if not is_worth(standing.size, len(batch)):
            return None
        inputs = arriving.inputs()
        left, fields = arriving.left(standing)
        kept = places.take(standing)
        for number, (fold, values) in enumerate(zip(plan.folds, inputs, strict=True)):
            if values is not None:
                found = np.full(cells, fold.identity, fold.dtype)
                fold.add(found, places, values)
                fields[number] = arriving.column(found.take(kept), number)
        return Combined(Batch(Columns.of(arriving.shape, fields), left.timestamps, left.keys), standing)

    def _traced(self, shape: Shape) -> FoldPlan | NotTraceable:
        return plan_of(self._incremental, shape)

    def _may_keep(self, wanted: set[str]) -> bool:
        if self._early is not None and not (self._early.by_clock or self._by_clock) and "last" in wanted:
            return False
        return not wanted or (self._grid.panes == 1 and len(wanted) == 1)

    def _are_safe(self, times: Longs) -> bool:
        return self._by_clock or bool(self._grid.windows.are_safe(times))

    def _places(self, arriving: Arriving, watermarks: Sequence[WatermarkAt]) -> Longs | None:
        """A number for each key and pane, and for each element that is to be left as it is; None: they are too many."""
        times, index = arriving.times, arriving.known_keys
        slots = index.slots_of(arriving.keys)
        width = index.count
        panes = _segments(times.size, watermarks) if self._by_clock else self._grid.panes_of(times)
        least, greatest = int(panes.min()), int(panes.max())
        span = greatest - least + 1
        cells = span * width
        parts = None if self._early is None or self._by_clock else _segments(times.size, watermarks)
        if parts is not None:
            cells *= int(parts[-1]) + 1
        if cells > max(_CELLS * times.size, 1024) or width > _MOST_KEYS:
            self._forget_keys()
            return None
        relative = panes - least if parts is None else parts * span + (panes - least)
        places: Longs = relative * width + slots
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


def _segments(count: int, watermarks: Sequence[WatermarkAt]) -> Longs:
    """For each element how many different places at or before it something else than an element stands at."""
    starts = np.zeros(count, np.int64)
    starts[[position for position, _ in watermarks if 0 < position < count]] = 1
    return np.cumsum(starts)
