"""Aggregates of groups whose results change with each row, on columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa

from windrow.common.exponential_backoff import ExponentialBackoff
from windrow.elements.batch import Batch
from windrow.elements.columns import Columns
from windrow.expressions.logical_types import arrow_of
from windrow.operators.column_folds.field_fold import Array, Longs
from windrow.operators.column_folds.kept_results import KeptResults, Results, Stored
from windrow.operators.column_folds.key_index import IntKeyIndex, KeyIndex, key_column, key_index
from windrow.operators.column_folds.result_form import GroupForm
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
from windrow.operators.table.group_aggregate import ENTRY, ROWS, GroupAggregateOperator, put_older_groups
from windrow.operators.table.row_aggregates import RowCall
from windrow.state.kept_columns import KeptColumns
from windrow.table.changelog_mode import ROW_KIND
from windrow.table.data_types import DataType

if TYPE_CHECKING:
    from windrow.elements.shape import Shape

#: Of so few rows each is counted by itself.
_FEW = 32
#: After so many failures in a row columns are tried once in 2^8 batches.
_MOST_FAILURES = 8


class _Held(NamedTuple):
    """The state of groups, as columns."""

    keys: KeyIndex
    calls: list[ColumnAccumulator]


class GroupColumnsOperator(GroupAggregateOperator):
    """Does what a :class:`GroupAggregateOperator` does, on columns.

    What groups have come to is in arrays, which state keeps as columns where it can (``state.columns``), as it keeps
    the results of a running reduce. When a batch comes that has to be done row by row (rows, keys that are NULL, what
    takes back a row that its group has not) it goes to the keys' entries, and comes back with rows in columns.

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
        #: By slot, whether it is another thing than when state was stored.
        self._changed = np.zeros(0, np.bool_)
        self._kept = KeptResults()
        self._backoff = ExponentialBackoff(_MOST_FAILURES)

    def takes_columns(self, shape: Shape) -> bool:
        return True

    def forecast(self, shape: Shape | None) -> Forecast:
        return super().forecast(shape) if shape is None else Forecast(True, shape=self._shape())

    def process_batch(self, batch: Batch) -> None:
        if not len(batch):
            return
        self._show()
        is_many = self._held is not None or len(batch) >= _FEW
        if self.context.columns_of(batch) is not None and is_many and self._backoff.is_due():
            made = self._changes(batch)
            self._backoff.note(success=made is not None)
            if made is not None:
                if len(made):
                    self.context.output.emit_batch(made)
                return
        self._move_to_rows()
        with self._by_key(batch.keys or ()):
            super().process_batch(batch)

    def store_state(self) -> None:
        columns = self.context.state.columns
        if columns is None:
            self._move_to_rows()
        elif columns.is_taken_up:
            if not self._keep(columns):
                self._move_to_rows()
                self._kept.keep_runs(columns)
            size = 0 if self._held is None else sum(array.nbytes for array in self._arrays(self._held))
            if not self._kept.keep_within_bounds(columns, size):
                self._forget()

    def _keep(self, columns: KeptColumns) -> bool:
        """Store groups as columns; False if they have to be stored by key."""
        held = self._held
        if held is None:
            return False
        if not self._kept.runs:
            held = self._without_dead(held)
        arrays = [self._rows, *[array for call in held.calls for array in call.stored()]]
        results = Results(self._form(), held.keys, arrays)
        by_key = self.context.state.stored_keys()
        stored = self._kept.store(results, np.flatnonzero(self._changed), columns, by_key)
        if stored is Stored.IN_RUNS:
            self._forget()
        self._changed[:] = False
        return stored is not Stored.BY_KEY

    def _without_dead(self, held: _Held) -> _Held:
        """Forget the keys of groups without rows, if they are most of them."""
        alive = np.flatnonzero(self._rows[: held.keys.count])
        if 2 * alive.size >= held.keys.count:
            return held
        arrays = [array[alive] for array in self._arrays(held)]
        held.keys.keep(alive)
        self._kept.forget()
        self._held = fresh = self._new(held.keys)
        self._put(fresh, np.arange(alive.size), arrays)
        self._changed[: alive.size] = True
        return fresh

    def _show(self) -> None:
        """Go on with what state has as columns: what is in memory, or, if another has written since, what is stored."""
        columns = self.context.state.columns
        if columns is None or columns.is_taken_up or columns.take_up():
            return
        self._held = None
        results = self._kept.read(columns)
        form = self._form()
        forms = [*self._kept.runs.forms(), *([] if results is None else [results.form])]
        if not all(form.goes_on_with(each) for each in forms):
            self._make_entries(columns)
            self._kept.read(columns)  # there is nothing any more
        elif results is not None:
            self._held = self._new(results.keys)
            self._put(self._held, np.arange(results.keys.count), results.fields)
            self._changed[:] = False

    def _new(self, keys: KeyIndex) -> _Held:
        self._rows, self._changed = self._rows[:0], self._changed[:0]
        return _Held(keys, self._accumulators())

    def _accumulators(self) -> list[ColumnAccumulator]:
        calls = [column_accumulator(call, self._types, retracts=self._retracts) for call in self._calls]
        return [call for call in calls if call is not None]

    def _form(self) -> GroupForm:
        aggregates = [(call.kind, arrow_of(call.call.type)) for call in self._accumulators()]
        return GroupForm(aggregates, retracts=self._retracts)

    def _arrays(self, held: _Held) -> list[Array]:
        return [self._rows, *[array for call in held.calls for array in call.arrays()]]

    def _put(self, held: _Held, slots: Longs, arrays: Iterable[Array]) -> None:
        """Have what was stored in some slots."""
        self._widen(held)
        stored = iter(arrays)
        self._rows[slots] = next(stored)
        for call in held.calls:
            call.put(slots, stored)

    def _widen(self, held: _Held) -> None:
        """Make room for all keys."""
        count = held.keys.count
        self._rows, self._changed = wider(self._rows, count, 0), wider(self._changed, count, False)
        for call in held.calls:
            call.widen(count)

    def _forget(self) -> None:
        self._held = None
        self._kept.forget()

    def _shape(self) -> Shape:
        return tuples_of([*self._types[1 : self._end], *[call.type for call in self._calls], ROW_KIND])

    def _changes(self, batch: Batch) -> Batch | None:
        """Make the changes of a batch's rows; None, and nothing has changed, if that takes Python."""
        keys = batch.key_columns
        if keys is None:
            return None
        if self._held is None:
            index = key_index(keys.shape)
            if index is None:
                return None
            self._held = self._new(index)
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
        self._changed[lives.runs.slots] = True
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
        if held.keys.count == known:
            return
        self._widen(held)
        state = self.context.state
        new: Longs = np.arange(known, held.keys.count)
        if not state.is_empty() or state.stored_keys():
            new = self._fetch_entries(held, new)
        columns, runs = state.columns, self._kept.runs
        if not runs or columns is None or not isinstance(held.keys, IntKeyIndex) or not new.size:
            return
        found = runs.fields_of(self._form(), held.keys.column(new), columns)
        assert found is not None, "what has another form was stored by key"
        for places, fields in found:
            self._put(held, new[places], [values for values in fields if values is not None])
            self._changed[new[places]] = True

    def _fetch_entries(self, held: _Held, new: Longs) -> Longs:
        """Take over the entries of keys; gives the slots of keys without any."""
        state, keys = self.context.state, held.keys.listed(new)
        state.expect(keys)
        entries = [state.entry_of(key) for key in keys]
        known = [ENTRY in entry or ROWS in entry for entry in entries]
        found = [(slot, entry) for slot, entry in zip(new.tolist(), entries, strict=True) if ENTRY in entry]
        if found:
            slots, states = np.array([slot for slot, _ in found], np.int64), [entry[ENTRY] for _, entry in found]
            self._rows[slots] = [entry.get(ROWS, 1) for _, entry in found]
            for number, call in enumerate(held.calls):
                call.load(slots, [each[number] for each in states])
        slots_of_entries = new[np.array(known, np.bool_)]
        self._changed[slots_of_entries] = True
        if state.columns is not None:  # else entries are what is stored
            for entry in entries:
                entry.pop(ENTRY, None)
                entry.pop(ROWS, None)
        return new[~np.array(known, np.bool_)]

    def _move_to_rows(self) -> None:
        """Let keyed state have what groups have come to."""
        held, self._held = self._held, None
        self._kept.forget()
        if held is None or not held.keys.count:
            return
        rows = self._rows[: held.keys.count]
        slots, entry_of = np.flatnonzero(rows), self.context.state.entry_of
        of_calls = [call.states(slots) for call in held.calls]
        for key, count, *states in zip(held.keys.listed(slots), rows[slots].tolist(), *of_calls, strict=True):
            entry = entry_of(key)
            entry[ENTRY] = states
            if self._retracts:
                entry[ROWS] = count
        self._say_over(held.keys.listed(np.flatnonzero(rows == 0)))

    def _say_over(self, keys: Sequence[Any]) -> None:
        """Say in entries of keys that these have no group, if runs have what it was before."""
        state, columns, runs = self.context.state, self.context.state.columns, self._kept.runs
        before = runs.results_of(keys, columns) if runs and columns is not None else [None] * len(keys)
        for key, group in zip(keys, before, strict=True):
            entry = state.entry_of(key)
            entry.pop(ENTRY, None)
            if group is not None and group[0]:
                entry[ROWS] = 0
            else:
                entry.pop(ROWS, None)

    @contextmanager
    def _by_key(self, keys: Iterable[Any]) -> Iterator[None]:
        """Have what runs have of some keys in their entries; behind it, entries say which of them have no group."""
        state, columns, runs = self.context.state, self.context.state.columns, self._kept.runs
        if not runs or columns is None:
            yield
            return
        distinct = list(dict.fromkeys(keys))
        state.expect(distinct)
        absent = [key for key in distinct if not {ENTRY, ROWS} & state.entry_of(key).keys()]
        found = zip(absent, runs.results_of(absent, columns), strict=True)
        for key, group in found:
            if group is not None:
                put_older_groups(state, [key], [group])
        yield
        self._say_over([key for key in distinct if ENTRY not in state.entry_of(key)])
