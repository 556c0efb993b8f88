"""What the operators over rows do where another program has kept windows as columns."""

from __future__ import annotations

from windrow.operators.base import OperatorContext


def entries_of_columns(context: OperatorContext) -> None:
    """Make entries of keys, with their timers, of what is stored as columns, if anything is."""
    columns = context.state.columns
    if columns is not None and columns.are_stored():
        # Here, because it imports Arrow.
        from windrow.operators.window.panes.entries import columns_to_entries

        columns_to_entries(context.state, context.time.watermark)
