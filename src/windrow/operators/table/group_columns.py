"""Aggregates of groups whose results change with each row, on columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa

from windrow.common.rarer_tries import RarerTries
from windrow.elements.batch import Batch
from windrow.elements.columns import Columns
from windrow.operators.column_folds.field_fold import Longs
from windrow.operators.column_folds.key_index import KeyIndex, key_column, key_index
from windrow.operators.column_folds.runs import Runs, runs_of
from windrow.operators.forecast import Forecast
from windrow.operators.table.calc import arrays_of, tuples_of
from windrow.operators.table.changes import DELETE, INSERT, TAKES_BACK, UPDATE_AFTER, UPDATE_BEFORE
from windrow.operators.table.column_accumulators import (
    ColumnAccumulator,
    Lives,
    Step,
    column_accumulator,
    lives_of,
    running_sums,
    wider,
)
from windrow.operators.table.group_aggregate import COUNT, STATES, GroupAggregateOperator
from windrow.operators.table.row_aggregates import RowCall
from windrow.table.changelog_mode import ROW_KIND
from windrow.table.data_types import DataType

if TYPE_CHECKING:
    from windrow.elements.shape import Shape

#: Of so few rows each is counted by itself.
_FEW = 32
#: After so many failures in a row columns are tried once in 2^8 batches.
_MOST_FAILURES = 8
_ENTRY, _ROWS = (STATES, None), (COUNT, None)


class _Held(NamedTuple):
    """What groups have come to, as columns."""

    keys: KeyIndex
    calls: list[ColumnAccumulator]


class GroupColumnsOperator(GroupAggregateOperator):
    """Does what a :class:`GroupAggregateOperator` does, on columns.

    What groups have come to is in arrays from their first row in columns on until state is stored: then it is with
    their keys, as it is of rows. So it is when a batch comes that has to be done row by row (rows, keys that are NULL,
    what takes back a row that its group has not).

    Args:
        keys: How many fields, behind the first one, are the group's keys.
        calls: The aggregates, each of which has a form on columns.
        types: The types of the tuples' fields.
        retracts: Whether the last field of tuples is their kind; else all are insertions.
    """

    def __init__(self, keys: int, calls: Sequence[RowCall], types: Sequence[DataType], *, retracts: bool) -> None:
        super().__init__(keys, calls, retracts=retracts)
        self._calls, self._types = list(calls), list(types)
        self._held: _Held | None = None
        #: By slot, how many rows the group has; one for all of them if none is ever taken back.
        self._rows: Longs = np.zeros(0, np.int64)
        self._tries = RarerTries(_MOST_FAILURES)

    def takes_columns(self, shape: Shape) -> bool:
        return True

    def forecast(self, shape: Shape | None) -> Forecast:
        return super().forecast(shape) if shape is None else Forecast(True, shape=self._shape())

    def process_batch(self, batch: Batch) -> None:
        if not len(batch):
            return
        is_many = self._held is not None or len(batch) >= _FEW
        if self.context.columns and batch.columns is not None and is_many and self._tries.is_due():
            made = self._changes(batch)
            self._tries.note(success=made is not None)
            if made is not None:
                if len(made):
                    self.context.output.emit_batch(made)
                return
        self._move_to_rows()
        super().process_batch(batch)

    def store_state(self) -> None:
        self._move_to_rows()

    def _shape(self) -> Shape:
        return tuples_of([*self._types[1 : self._end], *[call.type for call in self._calls], ROW_KIND])

    def _changes(self, batch: Batch) -> Batch | None:
        """What the rows of a batch change; None, and nothing is, if that takes Python."""
        keys = batch.key_columns
        if keys is None:
            return None
        if self._held is None:
            index = key_index(keys.shape)
            if index is None:
                return None
            calls = [column_accumulator(call, self._types, retracts=self._retracts) for call in self._calls]
            self._held = _Held(index, [call for call in calls if call is not None])
            self._rows = self._rows[:0]
        held = self._held
        column = key_column(keys, held.keys)
        if column is None:
            return None
        known = held.keys.count
        slots = held.keys.slots_of(column)
        self._fetch(held, known)
        runs = runs_of(slots)
        fields = arrays_of(batch, self._types)
        lives = self._lives(runs, fields)
        if lives is None:
            return None
        steps = [call.add(lives, fields) for call in held.calls]
        return self._batch(batch, fields, lives, steps)

    def _lives(self, runs: Runs, fields: Sequence[pa.Array]) -> Lives | None:
        """The groups of some rows, counted; None, and nothing is counted, if they take back what is not there."""
        had = self._rows[runs.slots]
        if not self._retracts:
            self._rows[runs.slots] = 1
            return Lives(runs, had == 0, None, None)
        signs = np.where(np.isin(np.asarray(fields[-1])[runs.order], TAKES_BACK), -1, 1)
        rows = running_sums(signs, had, runs)
        if int(rows.min()) < 0:
            return None
        self._rows[runs.slots] = rows[runs.ends]
        return lives_of(runs, signs, rows)

    def _batch(self, batch: Batch, fields: Sequence[pa.Array], lives: Lives, steps: Sequence[Step]) -> Batch:
        """An insertion for a group's first row, a deletion for its last, the old and the new row for changes."""
        differs = np.zeros(len(batch), np.bool_)
        for step in steps:
            differs |= step.differs
        is_first = np.zeros(len(batch), np.bool_)
        is_first[lives.runs.starts] = lives.are_new
        counts = np.where(differs, 2, 0)
        counts[is_first] = 1
        if lives.are_over is not None:
            counts[lives.are_over] = 1
        # Back to the order of arrival: of which row each result is, where it stands in runs, and what it is.
        places = np.empty(len(batch), np.int64)
        places[lives.runs.order] = np.arange(len(batch))
        of_rows = np.repeat(np.arange(len(batch)), counts[places])
        of_runs = places[of_rows]
        firsts, is_pair = is_first[of_runs], np.zeros(of_rows.size, np.bool_)
        is_pair[1:] = of_rows[1:] == of_rows[:-1]
        kinds = np.where(firsts, INSERT, np.where(is_pair, UPDATE_AFTER, UPDATE_BEFORE)).astype(np.int8)
        if lives.are_over is not None:
            kinds[lives.are_over[of_runs]] = DELETE
        is_old = ~firsts & ~is_pair
        arrays = [field.take(pa.array(of_rows)) for field in fields[1 : self._end]]
        chosen = pa.array(np.where(is_old, of_runs, of_runs + len(batch)))
        for call, step in zip(self._calls, steps, strict=True):
            both = pa.concat_arrays([step.before.array(call.type), step.behind.array(call.type)])
            arrays.append(both.take(chosen))
        arrays.append(pa.array(kinds))
        return Batch(Columns.of(self._shape(), arrays), batch.timestamp_array()[of_rows])

    def _fetch(self, held: _Held, known: int) -> None:
        """Take over what new keys have come to."""
        count = held.keys.count
        if count == known:
            return
        self._rows = wider(self._rows, count, 0)
        for call in held.calls:
            call.widen(count)
        state = self.context.state
        if state.is_empty() and not state.stored_keys():
            return
        new: Longs = np.arange(known, count)
        keys = held.keys.listed(new)
        state.expect(keys)
        entries = [state.entry_of(key) for key in keys]
        found = [(slot, entry) for slot, entry in zip(new.tolist(), entries, strict=True) if _ENTRY in entry]
        if not found:
            return
        slots, states = np.array([slot for slot, _ in found], np.int64), [entry[_ENTRY] for _, entry in found]
        self._rows[slots] = [entry.get(_ROWS, 1) for _, entry in found]
        for number, call in enumerate(held.calls):
            call.load(slots, [each[number] for each in states])

    def _move_to_rows(self) -> None:
        """Let keyed state have what groups have come to."""
        held, self._held = self._held, None
        if held is None or not held.keys.count:
            return
        rows = self._rows[: held.keys.count]
        slots, entry_of = np.flatnonzero(rows), self.context.state.entry_of
        of_calls = [call.states(slots) for call in held.calls]
        for key, count, *states in zip(held.keys.listed(slots), rows[slots].tolist(), *of_calls, strict=True):
            entry = entry_of(key)
            entry[_ENTRY] = states
            if self._retracts:
                entry[_ROWS] = count
        for key in held.keys.listed(np.flatnonzero(rows == 0)):
            entry = entry_of(key)
            entry.pop(_ENTRY, None)
            entry.pop(_ROWS, None)
