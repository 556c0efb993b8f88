"""Stores by key what an operator keeps as columns, so that its state can be dealt out anew."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from windrow.operators.base import Operator
from windrow.operators.column_folds.kept_results import are_results, stored_results
from windrow.operators.column_folds.result_form import GroupForm
from windrow.operators.interval_join.column_operator import ColumnJoinOperator
from windrow.operators.interval_join.entries import buffers_to_entries
from windrow.operators.interval_join.operator import IntervalJoinOperator
from windrow.operators.reduce import put_older_results
from windrow.operators.table.group_aggregate import forget_groups, put_older_groups
from windrow.operators.window.stored_columns import entries_of_columns
from windrow.state.keyed import KeyedState


def store_by_key(operator: Operator, state: KeyedState, watermark: int, flush: Callable[[], None]) -> None:
    """Make entries and timers, as operators over rows keep them, of all tables of columns.

    Args:
        operator: Whose state it is; it need not be open.
        state: The state, attached to one subtask.
        watermark: The operator's watermark when it was stored.
        flush: Writes the entries that were made so far and attaches the state again: there may be more of them than
            memory has room for.
    """
    columns = state.columns
    if columns is None or not columns.are_stored():
        return
    if isinstance(operator, IntervalJoinOperator | ColumnJoinOperator):
        buffers_to_entries(state, operator.interval)
    elif not results_to_entries(state, flush):
        entries_of_columns(state, watermark)


def results_to_entries(state: KeyedState, flush: Callable[[], None] = lambda: None) -> bool:
    """Make entries of the results of a running reduce or of groups, if these are stored as columns; tell whether."""
    columns = state.columns
    if columns is None or not are_results(columns):
        return False
    without_group: list[Any] = []
    for form, keys, results in stored_results(columns):
        if isinstance(form, GroupForm):
            without_group += put_older_groups(state, keys, results)
        else:
            put_older_results(state, keys, results)
        flush()
    forget_groups(state, without_group)
    if columns.are_stored():
        columns.clear()
    return True
