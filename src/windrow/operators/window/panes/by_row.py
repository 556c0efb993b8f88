"""Hands the contents of windows over from the operator over rows to columns, and back."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from windrow.common.limits import LONG_MAX
from windrow.datastream.window import TimeWindow
from windrow.operators.column_folds.field_fold import Array, Longs
from windrow.operators.window.aligned_windows import AlignedWindows
from windrow.operators.window.panes.kept_panes import Held

if TYPE_CHECKING:  # which makes entries of columns itself, by the modules here
    from windrow.operators.window.aligned_window_operator import AlignedWindowOperator


def keys_of_rows(by_row: AlignedWindowOperator) -> list[Any]:
    """The keys of which the operator over rows has something in memory."""
    buckets: list[Iterable[Any]] = [bucket for _, bucket, _ in by_row.held()]
    buckets += [fire_times.keys for _, fire_times in by_row.held_fire_times()]
    return list(dict.fromkeys(key for bucket in buckets for key in bucket))


def take_from_rows(
    held: Held, by_row: AlignedWindowOperator, at: Longs | None, at_fired: Longs | None
) -> set[int] | None:
    """Take over what the operator over rows has found in state.

    Args:
        held: What windows hold as columns.
        by_row: The operator.
        at: By slot, from which place in the order of arrival on it is there; None: keys of a window stay in their
            order.
        at_fired: The same for windows that have fired.

    Returns:
        The ends of windows among them that have fired; None, and nothing is taken, if it is no fold of columns.
    """
    if by_row.fires_again:
        return None
    windows = held.panes.grid.windows
    taken: list[tuple[int, bool, Longs, list[Array | None]]] = []
    for window, bucket, has_fired in by_row.held():
        if not _is_one_of(windows, window):
            return None
        keys = list(bucket)
        column = held.keys.from_list(keys)
        fields = None if column is None else held.plan.fields_of(list(bucket.values()), keys)
        if fields is None or not held.panes.has_room(fields):
            return None
        taken.append((window.end, has_fired, held.keys.slots_of(column), fields))
    if not all(_is_one_of(windows, window) for window, _ in by_row.held_fire_times()):
        return None
    for end, has_fired, slots, fields in taken:
        of_slots = at_fired if has_fired else at
        places = held.panes.sequence(slots.size) if of_slots is None else of_slots[slots]
        held.panes.add_base(end, slots, places, fields)
    _take_fire_times(held, by_row)
    by_row.let_go()
    return {end for end, has_fired, _, _ in taken if has_fired}


def _take_fire_times(held: Held, by_row: AlignedWindowOperator) -> None:
    fire_times = held.panes.fire_times
    if fire_times is None:
        return
    for window, by_key in by_row.held_fire_times():
        for time, keys in by_key.by_time.items():
            column = held.keys.from_list(keys)
            assert column is not None, "they are keys of elements"
            slots = held.keys.slots_of(column)
            fire_times.put(window.end, slots, np.full(slots.size, time))


def _is_one_of(windows: AlignedWindows, window: TimeWindow) -> bool:
    size, slide, offset = windows
    return window.end - window.start == size and (window.start - offset) % slide == 0 and abs(window.end) < 2**61


def give_to_rows(
    held: Held, by_row: AlignedWindowOperator, first_kept: int, fired_to: int, fired: Collection[int]
) -> None:
    """Give all that windows hold to the operator over rows.

    Args:
        held: What they hold.
        by_row: The operator.
        first_kept: The end of the first window that is not over.
        fired_to: All windows whose last millisecond is no later have fired.
        fired: The ends of others that have.
    """
    windows = held.panes.grid.windows
    for end, accumulators in held.accumulators(held.panes.ends(first_kept, LONG_MAX)):
        by_row.take_over(windows.window(end), accumulators, has_fired=end - 1 <= fired_to or end in fired)
    fire_times = held.panes.fire_times
    if fire_times is None:
        return
    for end in fire_times.ends():
        if end < first_kept:
            continue
        slots, times = fire_times.known(end)
        pairs = zip(held.keys.listed(slots), times.tolist(), strict=True)
        by_row.take_over_fire_times(windows.window(end), pairs)
