"""Stores by key what an operator keeps as columns, so that its state can be dealt out anew."""

from __future__ import annotations

from windrow.operators.base import Operator
from windrow.operators.column_folds.kept_results import SECTION as RESULTS
from windrow.operators.column_folds.kept_results import read_results
from windrow.operators.interval_join.column_operator import ColumnJoinOperator
from windrow.operators.interval_join.entries import buffers_to_entries
from windrow.operators.interval_join.operator import IntervalJoinOperator
from windrow.operators.reduce import put_results
from windrow.operators.window.stored_columns import entries_of_columns
from windrow.state.keyed import KeyedState


def store_by_key(operator: Operator, state: KeyedState, watermark: int) -> None:
    """Make entries and timers, as operators over rows keep them, of all tables of columns.

    Args:
        operator: Whose state it is; it need not be open.
        state: The state, attached to one subtask.
        watermark: The operator's watermark when it was stored.
    """
    columns = state.columns
    if columns is None or not columns.are_stored():
        return
    if isinstance(operator, IntervalJoinOperator | ColumnJoinOperator):
        buffers_to_entries(state, operator.interval)
    elif not results_to_entries(state):
        entries_of_columns(state, watermark)


def results_to_entries(state: KeyedState) -> bool:
    """Make entries of the results of a running reduce, if that is what is stored as columns; tell whether it is."""
    columns = state.columns
    if columns is None or {section for section, _ in columns.names} != {RESULTS}:
        return False
    put_results(state, *read_results(columns).listed())
    columns.clear()
    return True
