"""Entries of keys out of elements that are stored as columns: for operators that keep them by window and key."""

from __future__ import annotations

from windrow.common.copies import copied
from windrow.common.limits import LONG_MAX
from windrow.operators.window.contents import CONTENTS
from windrow.operators.window.stored_elements import elements_of_windows
from windrow.state.keyed import KeyedState


def elements_to_entries(state: KeyedState, watermark: int) -> None:
    """Make a list for each open window and key, and their timers, as the operators that list elements keep them.

    Args:
        state: The operator's state, which has elements as columns.
        watermark: The watermark up to which windows have fired.
    """
    columns = state.columns
    if columns is None or not columns.are_stored():
        return
    windows, lateness, kept = elements_of_windows(columns, watermark)
    kept.as_rows()
    own = copied if kept.rows_may_change() else None
    register_each = state.event_timers.register_each
    for end in kept.ends(LONG_MAX):
        window = windows.window(end)
        slot = (CONTENTS, window)
        found = kept.window(end)
        for key, elements in found.items():
            listed = list(elements) if own is None else [own(element) for element in elements]
            # What an entry has of a window was there before.
            entry = state.entry_of(key)
            entry[slot] = [*entry.get(slot, ()), *listed]
        over = min(end - 1 + lateness, LONG_MAX)
        register_each(end - 1, found.keys, window)
        if end - 1 < over < LONG_MAX:  # else it fires and is over at once, or is never cleaned up
            register_each(over, found.keys, window)
    columns.clear()
