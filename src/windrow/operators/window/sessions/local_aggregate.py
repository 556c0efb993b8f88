"""Sessions of columns: combining the elements of a key that are in one session before the exchange."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from windrow.common.limits import LONG_MAX, MIN_WATERMARK
from windrow.elements.batch import Batch
from windrow.elements.columns import Columns
from windrow.operators.column_folds.field_fold import COMBINES, Array, Longs
from windrow.operators.column_folds.fold_plan import FoldPlan
from windrow.operators.column_folds.radix import stable_order
from windrow.operators.local_aggregate import Combined, WatermarkAt
from windrow.operators.window.incremental import Incremental
from windrow.operators.window.panes.placing import Mask
from windrow.operators.window.panes.window_aggregate import Arriving, WindowAggregate, is_worth
from windrow.operators.window.sessions.grouping import apart
from windrow.operators.window.sessions.parts import as_parts
from windrow.operators.window.sessions.planning import FAR, plan_for
from windrow.tracing.outcome import NotTraceable

#: Keys are their own slots if there are no more numbers between the least and the greatest of them.
_WIDEST = 1 << 18
#: The slots of so many others are known.
_MOST_KEYS = 1 << 18


class SessionAggregate(WindowAggregate):
    """Combines elements of one key that are in one session, if no session that has fired touches any of them.

    So it is for an element whose timestamp is behind the watermark that its own channel has there: the receiver's is no
    greater, as long as the channel counts, and what has fired at it ends before such an element. In time each of these
    elements follows another one within the gap, so none of them fires before all of them have come.

    The first of them to come stands for all others, from the earliest timestamp of all to the latest one
    (:class:`~windrow.operators.window.session.SessionPart`). Where a last value is asked for, and a control event or an
    element that stands elsewhere comes between them, the last one to come stands for itself, so that none is behind it
    that came before: elements of other channels come with control events. What a first value is depends on how sessions
    have merged, so only one that is the key is combined. Sessions that end together may come in another order.

    Args:
        gap: The gap behind each element, in milliseconds.
        incremental: The function that combines elements.
        any_order: Whether floats may be added up in any order.
    """

    def __init__(self, gap: int, incremental: Incremental, *, any_order: bool = False) -> None:
        super().__init__(incremental, any_order=any_order)
        self._gap = gap

    def _of(self, arriving: Arriving, watermarks: Sequence[WatermarkAt]) -> Combined | None:
        count = len(arriving.batch)
        is_open = _behind(arriving.times, watermarks)
        runs = _KeyRuns.of(self._slots(arriving), arriving.times, self._gap, is_open)
        # Where elements are alone it is seen before anything is combined.
        if runs is None or not is_worth(count - runs.order.size + runs.first.size, count):
            return None
        last, is_apart = runs.standing, np.zeros(runs.first.size, np.bool_)
        if arriving.kinds_of_one():
            last = np.maximum.reduceat(runs.order, runs.first)
            between = ~is_open  # elements by themselves, and what else comes between two elements
            between[[position for position, _ in watermarks if position < count]] = True
            before = np.cumsum(between)
            is_apart = (before.take(runs.standing) != before.take(last)) | runs.have_between(last)
        is_left = ~is_open
        is_left[runs.standing] = is_left[last[is_apart]] = True
        left = np.flatnonzero(is_left)
        if not is_worth(left.size, count):
            return None
        return Combined(_parts(arriving, runs, _Last(last, is_apart), left), left)

    def _slots(self, arriving: Arriving) -> Longs:
        """A number for each key."""
        keys = arriving.keys
        if isinstance(keys, np.ndarray):
            least = int(keys.min())
            if int(keys.max()) - least < _WIDEST:
                slots: Longs = keys - least
                return slots
        found = arriving.known_keys.slots_of(keys)
        if arriving.known_keys.count > _MOST_KEYS:
            self._forget_keys()
        return found

    def _traced(self, shape: Any) -> FoldPlan | NotTraceable:
        return plan_for(self._incremental, shape)

    def _may_keep(self, wanted: set[str]) -> bool:
        return "first" not in wanted

    def _are_safe(self, times: Longs) -> bool:
        return bool(times.min() > -FAR and times.max() < FAR)


class _Last(NamedTuple):
    """The elements with the last values of runs."""

    #: The last element of each run; where none is asked for, the one that stands for it.
    elements: Longs
    #: Whether it stands for itself.
    is_apart: Mask


class _KeyRuns(NamedTuple):
    """Elements of one key each, of which each follows another one within the gap."""

    #: The elements, run by run, by time.
    order: Longs
    #: Where runs begin in this order, and the slots of their keys.
    first: Longs
    slots: Longs
    #: Their earliest and latest timestamps.
    since: Longs
    until: Longs
    #: The element of each that came first.
    standing: Longs

    @staticmethod
    def of(slots: Longs, times: Longs, gap: int, chosen: Mask) -> _KeyRuns | None:
        """Find them among chosen elements; None if there are none, or if slots and times are too far apart."""
        some = None if chosen.all() else np.flatnonzero(chosen)
        if some is not None:
            slots, times = slots.take(some), times.take(some)
        numbers = apart(slots, times, times + gap) if times.size else None
        if numbers is None:
            return None
        order = stable_order(numbers)
        in_order = numbers.take(order)
        begins = np.ones(times.size, np.bool_)
        np.greater(in_order[1:] - in_order[:-1], gap, out=begins[1:])
        first = np.flatnonzero(begins)
        behind = np.append(first[1:], times.size)
        firsts = order.take(first)
        since, until = times.take(firsts), times.take(order.take(behind - 1))
        order = order if some is None else some.take(order)
        return _KeyRuns(order, first, slots.take(firsts), since, until, np.minimum.reduceat(order, first))

    def have_between(self, last: Longs) -> Mask:
        """Tell of each run whether the last element of another run of its key came between its first and its last."""
        numbers = self.slots * (int(last.max()) + 1) + last
        by_last: Longs | None = None
        if not (numbers[1:] > numbers[:-1]).all():  # runs that follow each other in time mostly come so
            by_last = np.argsort(numbers)
        slots, standing, last = (
            column if by_last is None else column.take(by_last) for column in (self.slots, self.standing, last)
        )
        found = np.zeros(last.size, np.bool_)
        found[1:] = (slots[1:] == slots[:-1]) & (last[:-1] > standing[1:])
        if by_last is None:
            return found
        of_runs = np.empty_like(found)
        of_runs[by_last] = found
        return of_runs


def _parts(arriving: Arriving, runs: _KeyRuns, last: _Last, left: Longs) -> Batch:
    """Make the batch of the elements that are left, some of which stand for others."""
    batch = arriving.batch
    places = np.empty(len(batch), np.int64)
    places[left] = np.arange(left.size)
    at = places.take(runs.standing)
    taken, fields = arriving.left(left)
    for number, (fold, values) in enumerate(zip(arriving.plan.folds, arriving.inputs(), strict=True)):
        if values is not None:
            given = values
            if fold.kind in ("sum", "count") and last.is_apart.any():
                given = values.copy()
                given[last.elements[last.is_apart]] = -0.0  # they stand for themselves
            folded: Array = COMBINES[fold.kind].reduceat(given.take(runs.order), runs.first)
            of_left = values.take(left)
            of_left[at] = folded
            fields[number] = arriving.column(of_left, number)
        elif fold.kind == "last":
            indexes = left.copy()
            indexes[at] = np.where(last.is_apart, runs.standing, last.elements)
            fields[number] = arriving.of_one(number, indexes)
    reaches, timestamps = np.zeros(left.size, np.int64), taken.timestamp_array().copy()
    reaches[at], timestamps[at] = runs.until - runs.since, runs.since
    return Batch(as_parts(Columns.of(arriving.shape, fields), reaches), timestamps, taken.keys)


def _behind(times: Longs, watermarks: Sequence[WatermarkAt]) -> Mask:
    """Tell of each element whether it touches no session that has fired when it comes."""
    behind = np.zeros(times.size, np.bool_)
    for (start, watermark), (stop, _) in pairwise([*watermarks, WatermarkAt(times.size, 0)]):
        # Of a channel whose watermark is not known nothing is known, and at the end of time all is late.
        if start < stop and watermark not in (MIN_WATERMARK, LONG_MAX):
            np.greater(times[start:stop], watermark + 1, out=behind[start:stop])
    return behind
