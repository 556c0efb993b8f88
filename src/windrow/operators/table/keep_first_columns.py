"""The first row of each key by time, on columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from windrow.elements.batch import Batch
from windrow.expressions.logical_types import BIGINT
from windrow.operators.base import LATE_RECORDS
from windrow.operators.column_folds.field_fold import Array, Longs
from windrow.operators.column_folds.runs import runs_of
from windrow.operators.table.calc import arrays_of, tuples_of
from windrow.operators.table.column_accumulators import wider
from windrow.operators.table.held_rows import HeldRows
from windrow.operators.table.keep_first import EMITTED, WAITING, KeepFirstOperator
from windrow.operators.table.keyed_columns import KeyedColumnsOperator
from windrow.state.keyed import Entry
from windrow.table.data_types import DataType

_WAITING, _EMITTED = (WAITING, None), (EMITTED, None)
#: Rows that came in columns come behind those of one time that were stored: these have the numbers of their timers.
_IN_COLUMNS = 1 << 62
#: So many rows more than twice those that wait are kept.
_FORGOTTEN = 1 << 16


class KeepFirstColumnsOperator(KeyedColumnsOperator, KeepFirstOperator):
    """Does what a :class:`KeepFirstOperator` does, on columns.

    Args:
        types: The types of the tuples' fields.
    """

    def __init__(self, types: Sequence[DataType]) -> None:
        super().__init__(types, [*types[1:], BIGINT.not_null()])

    def _begin(self) -> None:
        #: By slot: whether the key's row has gone out, whether one waits, its time, and which one it was of all.
        self._has_emitted: Array = np.zeros(0, np.bool_)
        self._waits: Array = np.zeros(0, np.bool_)
        self._times: Longs = np.zeros(0, np.int64)
        self._numbers: Longs = np.zeros(0, np.int64)
        #: By slot, the number of the row that waits.
        self._row: Longs = np.zeros(0, np.int64)
        self._rows = HeldRows(tuples_of(self._types[1:]).schema)
        #: The slots of which rows wait, each once.
        self._slots_that_wait: Longs = np.zeros(0, np.int64)
        #: How many rows have come.
        self._came = 0

    def _widen(self, count: int) -> None:
        self._has_emitted, self._waits = wider(self._has_emitted, count, False), wider(self._waits, count, False)
        self._times, self._numbers = wider(self._times, count, 0), wider(self._numbers, count, 0)
        self._row = wider(self._row, count, 0)

    def _load(self, slots: Longs, keys: Sequence[Any], entries: Sequence[Entry]) -> None:
        self._has_emitted[slots] = [_EMITTED in entry for entry in entries]
        waiting = [
            (slot, key, *entry[_WAITING])
            for slot, key, entry in zip(slots.tolist(), keys, entries, strict=True)
            if _WAITING in entry
        ]
        if not waiting:
            return
        timers = self.context.state.event_timers
        of_slots, of_keys, times, rows = zip(*waiting, strict=True)
        numbers = [timers.take(time, key, None) or 0 for time, key in zip(times, of_keys, strict=True)]
        schema = self._rows.schema
        fields = [pa.array(values, kind) for values, kind in zip(zip(*rows, strict=True), schema.types, strict=True)]
        self._wait(np.array(of_slots), np.array(times), np.array(numbers), fields)

    def _wait(self, slots: Longs, times: Longs, numbers: Longs, fields: Sequence[pa.Array]) -> None:
        """Let rows wait, each of another key, in place of those that do."""
        new = slots[~self._waits[slots]]
        self._slots_that_wait = np.concatenate([self._slots_that_wait, new])
        self._waits[slots], self._times[slots], self._numbers[slots] = True, times, numbers
        self._row[slots] = np.arange(self._rows.count, self._rows.count + slots.size)
        self._rows.add(pa.RecordBatch.from_arrays(list(fields), schema=self._rows.schema))
        if self._rows.count > 2 * self._slots_that_wait.size + _FORGOTTEN:
            waiting = self._slots_that_wait[np.argsort(self._row[self._slots_that_wait])]
            self._rows.keep(self._row[waiting])
            self._row[waiting] = np.arange(waiting.size)

    def _take(self, batch: Batch, slots: Longs) -> bool:
        times = batch.timestamp_array()
        is_late = times < self.context.time.watermark
        late = int(np.count_nonzero(is_late))
        if late:
            self.context.counters[LATE_RECORDS] += late
        # Of a key whose row has gone out there is no other one.
        is_first = ~is_late & ~self._has_emitted[slots] & (~self._waits[slots] | (times < self._times[slots]))
        chosen = np.flatnonzero(is_first)
        if chosen.size:
            chosen = chosen[np.argsort(times[chosen], kind="stable")]
            runs = runs_of(slots[chosen])
            chosen = chosen[runs.order[runs.starts]]
            places = pa.array(chosen)
            fields = [field.take(places) for field in arrays_of(batch, self._types)[1:]]
            self._wait(runs.slots, times[chosen], _IN_COLUMNS + self._came + chosen, fields)
        self._came += len(batch)
        return True

    def _fire_columns(self, watermark: int) -> None:
        waiting = self._slots_that_wait
        is_due = self._times[waiting] <= watermark
        due = waiting[is_due]
        if not due.size:
            return
        due = due[np.lexsort((self._numbers[due], self._times[due]))]
        self._slots_that_wait = waiting[~is_due]
        self._waits[due], self._has_emitted[due] = False, True
        rows = self._rows.take(self._row[due])
        self._emit([*rows.columns, pa.array(np.ones(due.size, np.int64))], self._times[due])

    def _next_time(self) -> int | None:
        if self._index is None or not self._slots_that_wait.size:
            return None
        return int(self._times[self._slots_that_wait].min())

    def _give_back(self, keys: Sequence[Any]) -> None:
        state = self.context.state
        for slot in np.flatnonzero(self._has_emitted[: len(keys)]).tolist():
            entry = state.entry_of(keys[slot])
            entry.pop(_WAITING, None)
            entry[_EMITTED] = True
        slots = self._slots_that_wait[np.argsort(self._numbers[self._slots_that_wait])]
        times = self._times[slots].tolist()
        rows = tuples_of(self._types[1:]).rows(self._rows.take(self._row[slots]))
        numbers = self._numbers[slots].tolist()
        for slot, time, row, number in zip(slots.tolist(), times, rows, numbers, strict=True):
            key = keys[slot]
            state.entry_of(key)[_WAITING] = (time, row)
            if number < _IN_COLUMNS:
                state.event_timers.put_back(time, key, None, number)
            else:
                state.event_timers.register(time, key, None)
