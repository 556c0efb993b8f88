"""Makes entries of keys where another program has kept windows as columns, for the operators over rows."""

from __future__ import annotations

from windrow.state.in_processing_time import InProcessingTime
from windrow.state.keyed import KeyedState


def entries_of_columns(state: KeyedState, watermark: int) -> None:
    """Make entries of keys, with their timers, of what is stored as columns, if anything is.

    Args:
        state: The operator's state.
        watermark: The watermark up to which windows have fired; those of processing time say themselves up to when.
    """
    columns = state.columns
    if columns is None or not columns.are_stored():
        return
    clock = columns.clock()
    if clock is not None and not isinstance(state, InProcessingTime):
        state = InProcessingTime(state)
        watermark = clock
    # Here, because they import Arrow.
    from windrow.operators.window.sessions.kept_sessions import are_sessions, sessions_to_entries
    from windrow.operators.window.stored_elements import KIND

    if columns.description()[0] == KIND:
        from windrow.operators.window.element_entries import elements_to_entries

        elements_to_entries(state, watermark)
    elif are_sessions(columns):
        sessions_to_entries(state)
    else:
        from windrow.operators.window.panes.entries import columns_to_entries

        columns_to_entries(state, watermark)
