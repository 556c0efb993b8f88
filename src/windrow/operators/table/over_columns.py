"""Aggregates over the rows up to each row, by event time, on columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from windrow.elements.batch import Batch
from windrow.operators.base import LATE_RECORDS
from windrow.operators.column_folds.field_fold import Array, Longs
from windrow.operators.column_folds.runs import Runs, accumulate, runs_of
from windrow.operators.table.by_time import ByTime
from windrow.operators.table.calc import arrays_of, tuples_of
from windrow.operators.table.column_accumulators import (
    ColumnAccumulator,
    Lives,
    Values,
    column_accumulator,
    wider,
)
from windrow.operators.table.frame_calls import has_frames
from windrow.operators.table.held_rows import HeldRows
from windrow.operators.table.keyed_columns import KeyedColumnsOperator
from windrow.operators.table.lag_columns import Lagged, has_lag
from windrow.operators.table.over import CLEAN, COUNT, LAST, LONG_AGO, ROWS, STATES, OverOperator
from windrow.operators.table.over_frames import OverFrames, RunTimes
from windrow.operators.table.row_aggregates import RowCall
from windrow.state.keyed import Entry
from windrow.table.data_types import DataType

_ROWS, _STATES, _COUNT, _LAST, _CLEAN = ((name, None) for name in (ROWS, STATES, COUNT, LAST, CLEAN))
#: Rows that came in columns come behind those of one time that were stored: these have the numbers of their timers.
_IN_COLUMNS = 1 << 62
#: So many rows more than twice those that are needed are kept.
_FORGOTTEN = 1 << 16
#: Times and ranges are less: what is computed of them stays within 64 bits.
_FAR = 1 << 61


class OverColumnsOperator(KeyedColumnsOperator, OverOperator):
    """Does what an :class:`OverOperator` does, on columns.

    Args:
        types: The types of the tuples' fields.
        calls: The aggregates, each of which has a form on columns.
        by_rows: Whether the frame is of so many rows (ROWS); else of so many milliseconds (RANGE).
        preceding: How many rows before a row are in its frame, or milliseconds; None: all.
    """

    def __init__(
        self, types: Sequence[DataType], calls: Sequence[RowCall], *, by_rows: bool, preceding: int | None
    ) -> None:
        results = [*types[1:], *[call.type for call in calls]]
        super().__init__(types, results, calls, by_rows=by_rows, preceding=preceding)
        self._calls = list(calls)

    @staticmethod
    def takes(types: Sequence[DataType], calls: Sequence[RowCall], preceding: int | None) -> bool:
        """Tell whether there is a form on columns for each of some aggregates over such a frame."""
        if preceding is None:
            return all(_accumulator(call, types) is not None for call in calls)
        return preceding < _FAR and all(has_frames(call, types) for call in calls)

    def _begin(self) -> None:
        self._held = HeldRows(tuples_of(self._types).schema)
        #: By the numbers of rows, their slots, their times, and in which order rows of one time come.
        self._slot_of: Longs = np.zeros(0, np.int64)
        self._time_of: Longs = np.zeros(0, np.int64)
        self._number_of: Longs = np.zeros(0, np.int64)
        #: How many rows have come.
        self._came = 0
        #: The numbers of rows that wait, and slots that may be forgotten.
        self._waiting, self._cleans = ByTime(), ByTime()
        #: By slot, whether the key is stored, whether it has had results, for which time, and when it is forgotten.
        self._known: Array = np.zeros(0, np.bool_)
        self._begun: Array = np.zeros(0, np.bool_)
        self._last: Longs = np.zeros(0, np.int64)
        self._clean: Longs = np.zeros(0, np.int64)
        #: The frames, where they have a bound; else what all rows come to.
        self._frames: OverFrames | None = None
        self._all: list[ColumnAccumulator] = []
        if self._preceding is None:
            made = [_accumulator(call, self._types) for call in self._calls]
            self._all = [each for each in made if each is not None]
        else:
            self._frames = OverFrames(self._calls, self._types, by_rows=self._by_rows, preceding=self._preceding)

    def _widen(self, count: int) -> None:
        self._known, self._begun = wider(self._known, count, False), wider(self._begun, count, False)
        self._last, self._clean = wider(self._last, count, LONG_AGO), wider(self._clean, count, LONG_AGO)
        for call in self._all:
            call.widen(count)
        if self._frames is not None:
            self._frames.widen(count)

    def _rows_in(self, entry: Entry) -> int:
        return sum(map(len, entry.get(_ROWS, {}).values()))

    def _load(self, slots: Longs, keys: Sequence[Any], entries: Sequence[Entry]) -> None:
        timers, frames = self.context.state.event_timers, self._frames
        first = self._held.count
        rows: list[Any] = []
        found: list[tuple[int, int, int, bool]] = []  # of each row its slot, its time, its number, whether it waits
        for slot, key, entry in zip(slots.tolist(), keys, entries, strict=True):
            last = entry.get(_LAST, LONG_AGO)
            for time, of_time in sorted(entry.get(_ROWS, {}).items()):
                waits = time > last
                number = (timers.take(time, key, None) or 0) if waits else 0
                found += [(slot, time, number, waits)] * len(of_time)
                rows += of_time
            clean = entry.get(_CLEAN)
            if clean is not None:
                timers.delete(clean, key, None)
        self._known[slots] = True
        self._last[slots] = [entry.get(_LAST, LONG_AGO) for entry in entries]
        self._begun[slots] = [_STATES in entry for entry in entries]
        self._clean[slots] = [entry.get(_CLEAN, LONG_AGO) for entry in entries]
        cleaned = slots[self._clean[slots] != LONG_AGO]
        self._cleans.add(self._clean[cleaned], cleaned)
        if rows:
            fields = [
                pa.array(values, kind)
                for values, kind in zip(zip(*rows, strict=True), self._held.schema.types, strict=True)
            ]
            of_rows, times, numbers, waits = (np.array(each) for each in zip(*found, strict=True))
            self._add(fields, of_rows, times, numbers)
            waiting = np.flatnonzero(waits)
            self._waiting.add(times[waiting], first + waiting)
        begun = slots[self._begun[slots]]
        states = [entry[_STATES] for entry in entries if _STATES in entry]
        if frames is not None:
            past = first + np.flatnonzero(~waits) if rows else np.zeros(0, np.int64)
            sizes = np.bincount(np.searchsorted(begun, self._slot_of[past]), minlength=begun.size)
            frames.load(begun, past, sizes, states)
        for place, call in enumerate(self._all):
            call.load(begun, [each[place] for each in states])

    def _take(self, batch: Batch, slots: Longs) -> bool:
        times = batch.timestamp_array()
        is_range = self._preceding is not None and not self._by_rows
        if is_range and (int(times.min()) <= -_FAR or int(times.max()) >= _FAR):
            return False
        limits: Any = self.context.time.watermark if self._preceding is None else self._last[slots]
        fields = arrays_of(batch, self._types)
        is_late = times <= limits
        late = int(np.count_nonzero(is_late))
        if late:
            self.context.counters[LATE_RECORDS] += late
            chosen = np.flatnonzero(~is_late)
            slots, times, fields = slots[chosen], times[chosen], [field.take(pa.array(chosen)) for field in fields]
        if times.size:
            first = self._held.count
            self._add(fields, slots, times, _IN_COLUMNS + self._came + np.arange(times.size))
            self._came += times.size
            self._waiting.add(times, np.arange(first, self._held.count))
            self._known[slots] = True
            if is_range:
                self._put_off(slots, times)
        return True

    def _add(self, fields: Sequence[pa.Array], slots: Longs, times: Longs, numbers: Longs) -> None:
        start, stop = self._held.count, self._held.count + times.size
        self._held.add(pa.RecordBatch.from_arrays(list(fields), schema=self._held.schema))
        self._slot_of, self._time_of = wider(self._slot_of, stop, 0), wider(self._time_of, stop, 0)
        self._number_of = wider(self._number_of, stop, 0)
        self._slot_of[start:stop], self._time_of[start:stop], self._number_of[start:stop] = slots, times, numbers
        if self._frames is not None:
            self._frames.add(fields)

    def _put_off(self, slots: Longs, times: Longs) -> None:
        """Forget keys as the operator over rows does: each row that is half a range behind the last one puts it off."""
        preceding = self._preceding
        assert preceding is not None
        runs = runs_of(slots)
        times = times[runs.order]
        latest = times.copy()
        accumulate(np.maximum, latest, runs)
        found = RunTimes(latest, np.repeat(np.arange(runs.slots.size), runs.ends - runs.starts + 1))
        cleans = self._clean[runs.slots]
        changing: Longs = np.arange(runs.slots.size)
        while changing.size:
            known = cleans[changing]
            limits = np.where(known == LONG_AGO, -_FAR, known - preceding)
            at = found.first(changing, limits)
            is_found = at <= runs.ends[changing]
            changing = changing[is_found]
            cleans[changing] = times[at[is_found]] + (preceding * 3 // 2 + 1)
        changed = cleans != self._clean[runs.slots]
        self._clean[runs.slots] = cleans
        self._cleans.add(cleans[changed], runs.slots[changed])

    def _fire_columns(self, watermark: int) -> None:
        due = self._waiting.take(watermark)
        if due.size:
            self._fire_rows(due)
        # Rows of a key are always before the time at which it is forgotten.
        slots = np.unique(self._cleans.take(watermark))
        slots = slots[(self._clean[slots] != LONG_AGO) & (self._clean[slots] <= watermark)]
        if slots.size:
            self._known[slots] = self._begun[slots] = False
            self._last[slots] = self._clean[slots] = LONG_AGO
            assert self._frames is not None
            self._frames.forget(slots)
        in_frames = 0 if self._frames is None else self._frames.count
        if self._held.count > 2 * (self._waiting.count + in_frames) + _FORGOTTEN:
            self._forget_rows()

    def _fire_rows(self, due: Longs) -> None:
        """Give results for rows by their time, and of one time as they came."""
        times, numbers = self._time_of[due], self._number_of[due]
        if int(numbers.min()) < _IN_COLUMNS:
            order = np.lexsort((numbers, times))
            due, times = due[order], times[order]
        slots = self._slot_of[due]
        runs = runs_of(slots)
        ordered = times[runs.order]
        is_first = np.empty(due.size, np.bool_)
        np.not_equal(ordered[1:], ordered[:-1], out=is_first[1:])
        is_first[runs.starts] = True
        firsts = np.flatnonzero(is_first)
        sizes = np.diff(firsts, append=due.size)
        # Back to the order of time: those of one key and time stand where the first of them does.
        standing = np.zeros(due.size, np.int64)
        standing[runs.order[firsts]] = sizes
        begin = (np.cumsum(standing) - standing)[runs.order[firsts]]
        out = np.empty(due.size, np.int64)
        out[np.arange(due.size) + np.repeat(begin - firsts, sizes)] = np.arange(due.size)
        rows = self._held.take(due[runs.order[out]])
        if self._frames is None:
            results = self._of_all(due, runs)
            results_of = out if self._by_rows else np.repeat(firsts + sizes - 1, sizes)[out]
        else:
            results = self._frames.results(due[runs.order], runs, firsts, self._time_of)
            results_of = out if self._by_rows else np.repeat(np.arange(firsts.size), sizes)[out]
        self._begun[runs.slots] = True
        if self._frames is not None:
            self._last[runs.slots] = ordered[runs.ends]
        arrays = [
            Values(found.numbers[results_of], None if found.valid is None else found.valid[results_of]).array(call.type)
            for found, call in zip(results, self._calls, strict=True)
        ]
        self._emit([*rows.columns[1:], *arrays], ordered[out])

    def _of_all(self, due: Longs, runs: Runs) -> list[Values]:
        fields = self._held.take(due).columns
        lives = Lives(runs, ~self._begun[runs.slots], None, None)
        return [call.add(lives, fields).behind for call in self._all]

    def _forget_rows(self) -> None:
        """Keep the rows that wait and those in frames."""
        kept = self._waiting.numbers()
        if self._frames is not None:
            kept = np.concatenate([kept, self._frames.all_rows()])
        kept.sort()
        self._held.keep(kept)
        self._slot_of, self._time_of, self._number_of = (
            each[kept] for each in (self._slot_of, self._time_of, self._number_of)
        )
        self._waiting.renumber(kept)
        if self._frames is not None:
            self._frames.keep(kept)

    def _next_time(self) -> int | None:
        if self._index is None:
            return None
        times = [self._waiting.next_time(), self._cleans.next_time()]
        return min((time for time in times if time is not None), default=None)

    def _give_back(self, keys: Sequence[Any]) -> None:
        known, state = self._known[: len(keys)], self.context.state
        if not state.is_empty() or state.stored_keys():
            for slot in np.flatnonzero(~known).tolist():
                state.entry_of(keys[slot]).clear()
        slots = np.flatnonzero(known)
        entries: dict[int, Entry] = {}
        for slot in slots.tolist():
            entries[slot] = entry = state.entry_of(keys[slot])
            entry.clear()
            entry[_ROWS] = {}
        self._give_rows_back(keys, entries)
        begun = slots[self._begun[slots]]
        if self._frames is None:
            of_calls = [call.states(begun) for call in self._all]
            sizes = begun
        else:
            of_calls, sizes = self._frames.states(begun), self._frames.rows(begun)[1]
        of_begun = zip(begun.tolist(), self._last[begun].tolist(), sizes.tolist(), strict=True)
        for place, (slot, last, size) in enumerate(of_begun):
            entry = entries[slot]
            entry[_STATES] = [states[place] for states in of_calls]
            if self._frames is not None:
                entry[_LAST] = last
                if self._by_rows:
                    entry[_COUNT] = size
        cleaned = slots[self._clean[slots] != LONG_AGO]
        for slot, time in zip(cleaned.tolist(), self._clean[cleaned].tolist(), strict=True):
            entries[slot][_CLEAN] = time
            state.event_timers.register(time, keys[slot], None)

    def _give_rows_back(self, keys: Sequence[Any], entries: dict[int, Entry]) -> None:
        """Store rows that wait and those in frames, by slot and time; those that wait have timers."""
        timers = self.context.state.event_timers
        past: Longs = np.zeros(0, np.int64)
        if self._frames is not None:
            past, _ = self._frames.rows(np.array(list(entries), np.int64))
        waiting = self._waiting.numbers()
        waiting = waiting[np.argsort(self._number_of[waiting], kind="stable")]
        both = np.concatenate([past, waiting])
        rows = tuples_of(self._types).rows(self._held.take(both))
        of_rows, times, numbers = (each[both].tolist() for each in (self._slot_of, self._time_of, self._number_of))
        for place, (slot, time, number, row) in enumerate(zip(of_rows, times, numbers, rows, strict=True)):
            entries[slot][_ROWS].setdefault(time, []).append(row)
            if place < past.size:
                continue
            if number < _IN_COLUMNS:
                timers.put_back(time, keys[slot], None, number)
            else:
                timers.register(time, keys[slot], None)


def _accumulator(call: RowCall, types: Sequence[DataType]) -> ColumnAccumulator | None:
    return Lagged(call) if has_lag(call, types) else column_accumulator(call, types, retracts=False)
