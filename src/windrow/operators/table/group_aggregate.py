"""Aggregates of groups whose results change with each row (Flink's ``GroupAggFunction``)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from windrow.elements.batch import Batch
from windrow.operators.table.aggregating import AggregatingOperator
from windrow.operators.table.changes import DELETE, INSERT, TAKES_BACK, UPDATE_AFTER, UPDATE_BEFORE, ChangesOperator
from windrow.operators.table.row_aggregates import RowCall
from windrow.state.keyed import KeyedState

if TYPE_CHECKING:
    from windrow.state.kept_columns import KeptColumns

#: What is kept of a key: how many rows it has, where they may be taken back, and its accumulators.
COUNT, STATES = "rows", "accumulators"


#: Their names in entries.
ENTRY, ROWS = (STATES, None), (COUNT, None)


class GroupAggregateOperator(AggregatingOperator, ChangesOperator):
    """The keys and aggregates of a group as they become with each tuple, and the kind of the change behind them.

    The first tuple of a group gives an insertion, each other one that changes something the old row and the new one,
    and when a group has no tuples any more its row is deleted.

    Args:
        keys: How many fields, behind the first one, are the group's keys.
        calls: The aggregates.
        retracts: Whether the last field of tuples is their kind; else all are insertions.
    """

    def __init__(self, keys: int, calls: Sequence[RowCall], *, retracts: bool) -> None:
        super().__init__(calls, retracts=retracts)
        self._end = 1 + keys
        self._retracts = retracts

    def process_batch(self, batch: Batch) -> None:
        columns = self.context.state.columns
        if columns is not None and not columns.is_taken_up:
            columns.take_up()
            if columns.are_stored():  # by an operator over columns, which is not here any more
                self._make_entries(columns)
        super().process_batch(batch)

    def _make_entries(self, columns: KeptColumns) -> None:
        """Make entries of all that is stored as columns."""
        # Here, because it imports Arrow.
        from windrow.operators.column_folds.kept_results import stored_results

        state, without_group = self.context.state, list[Any]()
        for _form, keys, groups in stored_results(columns):
            without_group += put_older_groups(state, keys, groups)
        forget_groups(state, without_group)
        columns.clear()

    def _take(self, row: Any, made: list[Any]) -> None:
        state, aggregates = self.context.state, self._aggregates
        takes_back = self._retracts and row[-1] in TAKES_BACK
        states, count = state.get(STATES), state.get(COUNT, default=0)
        head = row[1 : self._end]
        is_first = states is None
        if is_first:
            if takes_back:
                return  # what was never there
            states = aggregates.create()
            state.put(STATES, None, states)
        old = () if is_first else aggregates.values(states)
        if takes_back:
            aggregates.retract(states, row)
        else:
            aggregates.accumulate(states, row)
        if self._retracts:
            count += -1 if takes_back else 1
            if not count:
                state.remove(STATES)
                state.remove(COUNT)
                made.append((*head, *old, DELETE))
                return
            state.put(COUNT, None, count)
        new = aggregates.values(states)
        if is_first:
            made.append((*head, *new, INSERT))
        elif new != old:
            made += [(*head, *old, UPDATE_BEFORE), (*head, *new, UPDATE_AFTER)]


def put_older_groups(
    state: KeyedState, keys: Iterable[Any], groups: Iterable[tuple[int | None, list[Any]]]
) -> list[Any]:
    """Let the entries of those keys have what groups have come to that have nothing yet; gives those without a group.

    Args:
        state: Where entries are.
        keys: The groups' keys.
        groups: How many rows each has, None if none is ever taken back, and the states of its accumulators. Without
            rows it is none, and older groups of the key are none, too.
    """
    entry_of = state.entry_of
    without_group = []
    for key, (count, states) in zip(keys, groups, strict=True):
        entry = entry_of(key)
        if ENTRY in entry:
            continue
        rows = None if count is None else entry.setdefault(ROWS, count)
        if rows != 0:
            entry[ENTRY] = states
        else:
            without_group.append(key)
    return without_group


def forget_groups(state: KeyedState, keys: Iterable[Any]) -> None:
    """Have no entries of keys without a group: there is nothing older any more."""
    for key in keys:
        entry = state.entry_of(key)
        if ENTRY not in entry:
            entry.pop(ROWS, None)
