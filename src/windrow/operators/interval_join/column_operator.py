"""An interval join over columns, with the operator over rows behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa

from windrow.common.limits import NO_TIMESTAMP
from windrow.elements.batch import Batch
from windrow.elements.columns import Columns
from windrow.elements.inference import columns_from
from windrow.elements.shape import Shape
from windrow.operators.base import OperatorContext, TwoInputOperator
from windrow.operators.column_folds.key_index import key_column, key_index
from windrow.operators.forecast import ROWS_IN, Forecast
from windrow.operators.interval_join.column_buffers import ColumnBuffers
from windrow.operators.interval_join.growing import Longs, are_numbers
from windrow.operators.interval_join.interval import Interval
from windrow.operators.interval_join.kept_buffers import KeptBuffers, buffers_by_key, read_buffers
from windrow.operators.interval_join.operator import Buffers, IntervalJoinOperator
from windrow.operators.interval_join.pair_function import PairColumns, PairFunction, trace_pairs
from windrow.operators.interval_join.pairs import pairs
from windrow.operators.interval_join.side_columns import SideColumns
from windrow.state.kept_columns import KEPT_BYTES, KeptColumns
from windrow.tracing.outcome import NotTraceable

_LEFT, _RIGHT = 0, 1
#: More elements than so many are kept by key: each costs some 300 bytes of memory when it is moved to rows.
_MOST_ELEMENTS = 1 << 20
#: Of what is hardly ever moved so many bytes are in memory, and the rest in state alone: two subtasks in a process may
#: stay there together.
_MOST_BYTES = KEPT_BYTES // 2
#: When failures are this many more than successes, columns are tried once in 2^8 batches.
_MOST_FAILURES = 8


class ColumnJoinOperator(TwoInputOperator):
    """Does what an :class:`IntervalJoinOperator` does, on columns as far as it can.

    A key's buffers are in columns, or else with the operator over rows. They are taken over from there when the key's
    first element comes in columns; all go back when a batch comes that cannot be columns (rows, numbers that are null,
    elements of another shape), and when they are stored and are too much, or cannot be kept as columns. State has
    columns as columns (``state.columns``): they are in memory in the next batch, if nobody else has written since. Of a
    function that takes columns by itself they are never too much: what came first leaves memory, and comes back with
    its key.
    Pairs and their order are the same. Where the function cannot be computed on columns it is called for each pair.

    Args:
        by_row: The operator over rows.
    """

    def __init__(self, by_row: IntervalJoinOperator) -> None:
        self._by_row = by_row
        self._buffers: ColumnBuffers | None = None
        self._kept = KeptBuffers()
        self._failed = 0
        self._passed_over = 0

    @property
    def interval(self) -> Interval:
        """The interval of times in which elements join."""
        return self._by_row.interval

    def takes_columns(self, shape: Shape) -> bool:
        return True

    def forecast_of(self, first: Shape | None, second: Shape | None) -> Forecast:
        if first is None or second is None:
            return Forecast(False, ROWS_IN)
        if self._by_row.of_columns is not None:
            return Forecast(True, shape=self._by_row.of_columns.result_shape)
        traced = trace_pairs(self._by_row.call, first, second)
        if isinstance(traced, NotTraceable):
            return Forecast(False, f"its function {traced.reason}")
        return Forecast(True, shape=traced.result.shape)

    def open(self, context: OperatorContext) -> None:
        super().open(context)
        self._by_row.open(context)
        self._function = PairFunction(context.name, self._by_row.call, self._by_row.of_columns)

    def close(self) -> None:
        self._by_row.close()

    def process_element1(self, value: Any, timestamp: int) -> None:
        self._show()
        self._move_to_rows()
        self._by_row.process_element1(value, timestamp)

    def process_element2(self, value: Any, timestamp: int) -> None:
        self._show()
        self._move_to_rows()
        self._by_row.process_element2(value, timestamp)

    def process_batch1(self, batch: Batch) -> None:
        if not self._process(_LEFT, batch):
            self._by_row.process_batch1(batch)

    def process_batch2(self, batch: Batch) -> None:
        if not self._process(_RIGHT, batch):
            self._by_row.process_batch2(batch)

    def process_watermark(self, timestamp: int) -> None:
        self._show()
        self._by_row.process_watermark(timestamp)
        if self._buffers is not None:
            limits = self._by_row.limits(timestamp)
            self._buffers.expire(limits)
            self._kept.expire(limits)

    def store_state(self) -> None:
        columns = self.context.state.columns
        if columns is None:
            self._move_to_rows()
        elif columns.is_taken_up and not self._keep(columns):
            self._move_to_rows()
            if columns.are_stored():
                columns.clear()
        self._by_row.store_state()

    def _keep(self, columns: KeptColumns) -> bool:
        """Store buffers as columns; False if they have to be stored by key."""
        buffers = self._buffers
        most_bytes = None if self._by_row.of_columns is None else _MOST_BYTES
        if buffers is None or (most_bytes is None and buffers.count > _MOST_ELEMENTS):
            return False
        if not self._kept.keep(buffers, columns, most_bytes):
            return False
        if not columns.may_stay(buffers.nbytes + self._kept.nbytes):
            self._buffers = None
            self._kept.forget()
        return True

    def _show(self) -> None:
        """Go on with what state has as columns: what is in memory, or, if another has written since, what is stored."""
        columns = self.context.state.columns
        if columns is None or columns.is_taken_up or columns.take_up():
            return
        self._buffers = None
        self._kept.forget()
        if not columns.are_stored():
            return
        if self.context.columns:
            keys, sides = self._kept.read(columns)
            buffers = ColumnBuffers(keys)
            if buffers.put(sides):
                self._buffers = buffers
                return
            self._kept.forget()
        for key, of_key in buffers_by_key(*read_buffers(columns)):
            self._by_row.put(key, of_key)
        columns.clear()

    def _process(self, which: int, batch: Batch) -> bool:
        """Join elements of a side; False if the operator over rows has to: it has all that is held then."""
        self._show()
        elements = self.context.columns_of(batch)
        keys = batch.key_columns
        if elements is not None and keys is not None:
            if self._passed_over:
                self._passed_over -= 1
            elif not len(batch) or self._process_columns(which, keys, elements, batch.timestamp_array()):
                self._failed = max(self._failed - 1, 0)
                return True
            else:
                # By more than a success takes back: one side may always fail, and the other never.
                self._failed = min(self._failed + 2, _MOST_FAILURES)
                self._passed_over = (1 << self._failed) - 1
        self._move_to_rows()
        return False

    def _process_columns(self, which: int, keys: Columns, elements: Columns, times: Longs) -> bool:
        elements = Columns(elements.batch, plain(elements.shape))
        if int(times.min()) == NO_TIMESTAMP or not self._can_be_held(elements):
            return False
        if self._buffers is None:
            index = key_index(keys.shape)
            if index is None:
                return False
            self._buffers = ColumnBuffers(index)
        buffers = self._buffers
        side = buffers.sides[which]
        column = key_column(keys, buffers.keys)
        if column is None or (side is not None and side.shape != elements.shape):
            return False
        late, not_late = None, self._by_row.not_late()
        if int(times.min()) < not_late:
            is_late = times < not_late
            late, on_time = np.flatnonzero(is_late), np.flatnonzero(~is_late)
            late_elements, late_times = elements.batch.take(pa.array(late)), times[late]
            elements = Columns(elements.batch.take(pa.array(on_time)), elements.shape)
            column, times = column.take(on_time), times[on_time]
        if times.size:
            known = buffers.keys.count
            slots = buffers.keys.slots_of(column)
            if not buffers.has_room(times) or not self._fetch(buffers, known):
                return False
            if not self._kept.complete(buffers, 1 - which, slots, self.context.state.columns):
                return False
            # What was fetched may be of other times, or of another shape.
            side = buffers.sides[which]
            if not buffers.has_room(times) or (side is not None and side.shape != elements.shape):
                return False
        if late is not None:
            for value, timestamp in zip(elements.shape.rows(late_elements), late_times.tolist(), strict=True):
                self._by_row.skip(which == _LEFT, value, timestamp)
        if times.size:
            numbers, order = buffers.ordered(slots, times)
            starts, counts = buffers.met(1 - which, numbers, order, *self._by_row.reach(which == _LEFT))
            other = buffers.sides[1 - which]
            if other is not None:
                for indexes, met in pairs(starts, counts):
                    self._emit(which, elements, times, indexes, other, other.places(met))
            buffers.add(which, elements, times, numbers, order)
        return True

    def _can_be_held(self, elements: Columns) -> bool:
        """Tell whether elements can be held: no number is null, or the function takes columns by itself, and nulls."""
        if self._by_row.of_columns is not None:
            return True
        return not any(column.null_count for column in elements.batch.columns if are_numbers(column.type))

    def _emit(
        self, which: int, elements: Columns, times: Longs, indexes: Longs, other: SideColumns, places: Longs
    ) -> None:
        """Emit what becomes of pairs: elements by their indexes, and those of the other side by their places."""
        own_times, other_times = times[indexes], other.times(places)

        def own_field(number: int) -> Any:
            column = elements.batch.column(number)
            is_plain = are_numbers(column.type) and not column.null_count
            return (column.to_numpy() if is_plain else column).take(indexes)

        def other_field(number: int) -> Any:
            return other.field(number, places)

        def expected() -> Sequence[Any]:
            rows = pair_rows(elements, indexes), pair_rows(other, places)
            left, right = rows if which == _LEFT else rows[::-1]
            return self._by_row.results_of(left, right, left_times.tolist(), right_times.tolist())

        latest = np.maximum(own_times, other_times)
        if which == _LEFT:
            shapes, left_times, right_times = (elements.shape, other.shape), own_times, other_times
            found = PairColumns(own_field, other_field, own_times, other_times, latest)
        else:
            shapes, left_times, right_times = (other.shape, elements.shape), other_times, own_times
            found = PairColumns(other_field, own_field, other_times, own_times, latest)
        made = self._function.results(shapes, found, expected)
        if made is not None:
            if made[1].size:
                self.context.output.emit_batch(Batch(*made))
            return
        self._call_each(which, elements, times, indexes, other, places)

    def _call_each(
        self, which: int, elements: Columns, times: Longs, indexes: Longs, other: SideColumns, places: Longs
    ) -> None:
        """Call the function for each pair."""
        may_change = not (elements.shape.never_changes and other.shape.never_changes)
        own, met, met_times = pair_rows(elements, indexes), pair_rows(other, places), other.times(places).tolist()
        own_times = times[indexes].tolist()
        begins = np.flatnonzero(np.diff(indexes, prepend=-1)).tolist()
        for begin, end in zip(begins, [*begins[1:], indexes.size], strict=True):
            others, other_times = met[begin:end], met_times[begin:end]
            self._by_row.join_each(
                which == _LEFT, own[begin], own_times[begin], others, other_times, may_change=may_change
            )

    def _fetch(self, buffers: ColumnBuffers, known: int) -> bool:
        """Take over what new keys have buffered; False if that cannot be columns: it is back with the rows then."""
        slots = range(known, buffers.keys.count)
        if not slots or self._by_row.holds_nothing():
            return True
        keys = buffers.keys.listed(np.arange(known, buffers.keys.count))
        taken: list[tuple[int, Any, Buffers]] = []
        is_short = True
        for slot, key in zip(slots, keys, strict=True):
            found = self._by_row.taken(key)
            if found is None:
                is_short = False
                break
            if found[0] or found[2]:
                taken.append((slot, key, found))
        if not is_short or not self._hold(buffers, taken):
            for _, key, found in taken:
                self._by_row.put(key, found)
            return False
        return True

    def _hold(self, buffers: ColumnBuffers, taken: Sequence[tuple[int, Any, Buffers]]) -> bool:
        """Put what keys have buffered into columns; False, and nothing is done, if it does not fit."""
        made: list[tuple[int, Columns, Longs, Longs]] = []
        for which in (_LEFT, _RIGHT):
            values = [value for _, _, found in taken for value in found[2 * which + 1]]
            if not values:
                continue
            columns = columns_from(values)
            side = buffers.sides[which]
            if columns is None or not self._can_be_held(columns) or (side is not None and side.shape != columns.shape):
                return False
            times = np.array([time for _, _, found in taken for time in found[2 * which]], np.int64)
            slots = np.repeat([slot for slot, _, _ in taken], [len(found[2 * which]) for _, _, found in taken])
            made.append((which, columns, times, slots))
        if made and not buffers.has_room(np.concatenate([times for _, _, times, _ in made])):
            return False
        for which, columns, times, slots in made:
            numbers, order = buffers.ordered(slots, times)
            buffers.add(which, columns, times, numbers, order)
        return True

    def _move_to_rows(self) -> None:
        """Let the operator over rows have all that is held, and what has left memory."""
        buffers, self._buffers = self._buffers, None
        if buffers is None:
            self._kept.forget()
            return
        left = buffers_by_key(buffers.keys, self._kept.left(buffers, self.context.state.columns))
        self._kept.forget()
        found: dict[int, Buffers] = {}
        for which, side in enumerate(buffers.held()):
            if side is None or not len(side):
                continue
            slots, times, rows = side.by_slot()
            begins = np.flatnonzero(np.diff(slots, prepend=-1))
            ends = [*begins[1:].tolist(), len(rows)]
            for slot, begin, end in zip(slots[begins].tolist(), begins.tolist(), ends, strict=True):
                of_key = found.setdefault(slot, ([], [], [], []))
                of_key[2 * which].extend(times[begin:end])
                of_key[2 * which + 1].extend(rows[begin:end])
        keys = buffers.keys.listed(np.fromiter(found, np.int64, len(found)))
        by_key = dict(zip(keys, found.values(), strict=True))
        for key, of_key in left:
            by_key[key] = merged(of_key, by_key[key]) if key in by_key else of_key
        for key, of_key in by_key.items():
            self._by_row.put(key, of_key)


def plain(shape: Shape) -> Shape:
    """The same shape without declared types, if its values are those that Arrow gives."""
    if shape.declared is None or any(shape.converts):
        return shape
    return replace(shape, declared=None)


def pair_rows(elements: Columns | SideColumns, indexes: Longs) -> list[Any]:
    """The elements of pairs; one that is in several of them is one object."""
    distinct, of_pair = np.unique(indexes, return_inverse=True)
    if isinstance(elements, SideColumns):
        rows = elements.rows(distinct)
    else:
        rows = elements.shape.rows(elements.batch.take(pa.array(distinct)))
    return [rows[index] for index in of_pair.tolist()]


def merged(before: Buffers, behind: Buffers) -> Buffers:
    """Join two parts of what a key has buffered, of which one came before the other."""
    found: list[list[Any]] = []
    for times, values in (
        (before[0] + behind[0], before[1] + behind[1]),
        (before[2] + behind[2], before[3] + behind[3]),
    ):
        order = sorted(range(len(times)), key=times.__getitem__)
        found += [[times[at] for at in order], [values[at] for at in order]]
    return found[0], found[1], found[2], found[3]
