"""Entries of keys out of what is kept as columns: for operators over rows."""

from __future__ import annotations

from windrow.common.limits import LONG_MAX
from windrow.operators.window.contents import CONTENTS
from windrow.operators.window.early_firing import FireTimesByKey
from windrow.operators.window.panes.fire_times import FireTimes
from windrow.operators.window.panes.kept_panes import KeptPanes, read
from windrow.operators.window.panes.placing import first_end_kept
from windrow.state.keyed import KeyedState


def columns_to_entries(state: KeyedState, watermark: int) -> None:
    """Make entries and timers, as the operators over rows keep them, of what is stored as columns.

    Args:
        state: The operator's state.
        watermark: The watermark up to which windows have fired.
    """
    columns = state.columns
    if columns is None or not columns.are_stored():
        return
    kept = read(columns)
    held, lateness = kept.held, kept.lateness
    first_kept = first_end_kept(kept.windows, watermark, lateness)
    register_each = state.event_timers.register_each
    for end, accumulators in held.accumulators(held.panes.ends(first_kept, LONG_MAX)):
        window = kept.windows.window(end)
        slot = (CONTENTS, window)
        for key, accumulator in accumulators.items():
            state.entry_of(key)[slot] = accumulator
        if end - 1 > watermark and end not in kept.fired:
            register_each(end - 1, accumulators, window)
        over = min(end - 1 + lateness, LONG_MAX)
        if end - 1 < over < LONG_MAX:  # else it fires and is over at once, or is never cleaned up
            register_each(over, accumulators, window)
    if held.panes.fire_times is not None:
        _fire_times_to_entries(state, kept, held.panes.fire_times, watermark)
    columns.clear()


def _fire_times_to_entries(state: KeyedState, kept: KeptPanes, fire_times: FireTimes, watermark: int) -> None:
    """The same for the times at which windows fire before their end."""
    first_kept = first_end_kept(kept.windows, watermark, kept.lateness)
    for end in fire_times.ends():
        if end < first_kept:
            continue
        slots, times = fire_times.known(end)
        by_key = FireTimesByKey()
        for key, time in zip(kept.held.keys.listed(slots), times.tolist(), strict=True):
            by_key.add(key, time)
        ends = end - 1 > watermark and end not in kept.fired
        by_key.store(fire_times.early, kept.windows.window(end), state, ends=ends)
