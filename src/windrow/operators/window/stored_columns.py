"""What the operators over rows do where another program has kept windows as columns."""

from __future__ import annotations

from windrow.operators.base import OperatorContext


def entries_of_columns(context: OperatorContext) -> None:
    """Make entries of keys, with their timers, of what is stored as columns, if anything is."""
    columns = context.state.columns
    if columns is None or not columns.are_stored():
        return
    # Here, because they import Arrow.
    from windrow.operators.window.sessions.kept_sessions import are_sessions, sessions_to_entries
    from windrow.operators.window.stored_elements import KIND

    if columns.description()[0] == KIND:
        from windrow.operators.window.element_entries import elements_to_entries

        elements_to_entries(context.state, context.time.watermark)
    elif are_sessions(columns):
        sessions_to_entries(context.state)
    else:
        from windrow.operators.window.panes.entries import columns_to_entries

        columns_to_entries(context.state, context.time.watermark)
