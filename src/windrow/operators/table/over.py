"""Aggregates over the rows up to each row, by event time (Flink's ``RowTimeRangeBoundedPrecedingFunction``)."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from windrow.errors import user_function_error
from windrow.operators.base import LATE_RECORDS
from windrow.operators.table.aggregating import AggregatingOperator
from windrow.operators.table.changes import ChangesOperator
from windrow.operators.table.row_aggregates import RowCall
from windrow.operators.waiting import Waiting

#: What is kept of a key: by time its rows that wait and those in its frame, its accumulators, how many rows are in
#: these, the time of the last row that has gone out, and when all of it is forgotten.
ROWS, STATES, COUNT, LAST, CLEAN = "rows", "accumulators", "count", "last", "clean"
#: Before any time that a row has: no row is late.
LONG_AGO = -(2**63)


class OverOperator(AggregatingOperator):
    """Tuples with aggregates behind their fields, in the order of their timestamps, once the watermark is there.

    What is too late is dropped and counted: tuples no later than the watermark, or with a frame of bounded size than
    the last one of their key that has gone out.

    Args:
        calls: The aggregates.
        by_rows: Whether the frame is of so many rows (ROWS); else of so many milliseconds (RANGE), where rows of one
            time have the same result.
        preceding: How many rows before a row are in its frame, or milliseconds; None: all.
    """

    def __init__(self, calls: Sequence[RowCall], *, by_rows: bool, preceding: int | None) -> None:
        super().__init__(calls, retracts=preceding is not None)
        self._by_rows, self._preceding = by_rows, preceding

    def process_element(self, value: Any, timestamp: int) -> None:
        context, state = self.context, self.context.state
        # As in Flink: without a bound the watermark says what is late, with one what has gone out of the key.
        # Before that nothing is late; Flink begins with 0 there, and drops what is not after 1970 began.
        last = context.time.watermark if self._preceding is None else state.get(LAST, default=LONG_AGO)
        if timestamp <= last:
            context.counters[LATE_RECORDS] += 1
            return
        waiting = state.get(ROWS)
        if waiting is None:
            waiting = {}
            state.put(ROWS, None, waiting)
        waiting.setdefault(timestamp, []).append(value)
        state.event_timers.register(timestamp, state.current_key, None)
        if self._preceding is not None and not self._by_rows:
            self._clean_later(timestamp)

    def _clean_later(self, timestamp: int) -> None:
        """Forget the key when no row can be in a frame any more, and some time after that."""
        assert self._preceding is not None
        state, known = self.context.state, self.context.state.get(CLEAN)
        if known is None or known < timestamp + self._preceding + 1:
            clean = timestamp + self._preceding * 3 // 2 + 1
            state.event_timers.register(clean, state.current_key, None)
            state.put(CLEAN, None, clean)

    def process_watermark(self, timestamp: int) -> None:
        self.context.state.fire_event_timers(timestamp, self._fire)

    def waiting(self) -> Waiting | None:
        return Waiting.at(self.context.state.next_event_time())

    def _fire(self, time: int, _namespace: Hashable) -> None:
        state = self.context.state
        clean = state.get(CLEAN)
        if clean is not None and clean <= time:
            for name in (ROWS, STATES, COUNT, LAST, CLEAN):
                state.remove(name)
            return
        waiting = state.get(ROWS, default={})
        if time not in waiting:
            return
        rows = list(waiting[time])  # some of them may leave before the others come
        states = state.get(STATES)
        if states is None:
            states = self._aggregates.create()
            state.put(STATES, None, states)
        try:
            made = self._by_row(waiting, rows, states) if self._by_rows else self._by_time(waiting, time, states)
        except BaseException as error:
            raise user_function_error(self.context.name, rows[0], error) from error
        if self._preceding is not None:
            state.put(LAST, None, time)
        else:
            del waiting[time]
        for row, values in zip(rows, made, strict=True):
            self.context.output.emit((*row[1:], *values), time)

    def _by_row(self, waiting: dict[int, list[Any]], rows: list[Any], states: Any) -> list[tuple[Any, ...]]:
        aggregates, most = self._aggregates, self._preceding
        count = self.context.state.get(COUNT, default=0)
        made = []
        leaving = [] if most is None else _oldest(waiting, max(0, count + len(rows) - most - 1))
        for number, row in enumerate(rows):
            if most is not None and count > most:
                aggregates.retract(states, leaving[number - len(rows)])
            else:
                count += 1
            aggregates.accumulate(states, row)
            made.append(aggregates.values(states))
        if most is not None:
            _drop(waiting, len(leaving))
            self.context.state.put(COUNT, None, count)
        return made

    def _by_time(self, waiting: dict[int, list[Any]], time: int, states: Any) -> list[tuple[Any, ...]]:
        aggregates, rows = self._aggregates, waiting[time]
        if self._preceding is not None:
            for past in sorted(each for each in waiting if time - each > self._preceding):
                for row in waiting.pop(past):
                    aggregates.retract(states, row)
        for row in rows:
            aggregates.accumulate(states, row)
        return [aggregates.values(states)] * len(rows)


def _oldest(waiting: dict[int, list[Any]], count: int) -> list[Any]:
    """The first rows by their time."""
    found: list[Any] = []
    for time in sorted(waiting):
        if len(found) >= count:
            break
        found += waiting[time][: count - len(found)]
    return found


def _drop(waiting: dict[int, list[Any]], count: int) -> None:
    """Forget the first rows by their time."""
    for time in sorted(waiting):
        if not count:
            break
        rows = waiting[time]
        dropped = min(count, len(rows))
        count -= dropped
        if dropped == len(rows):
            del waiting[time]
        else:
            del rows[:dropped]


class RunningOverOperator(AggregatingOperator, ChangesOperator):
    """Tuples with aggregates behind their fields, as they come: by processing time.

    Flink's ``ProcTimeUnboundedPrecedingFunction`` and ``ProcTimeRowsBoundedPrecedingFunction``.

    Args:
        calls: The aggregates.
        preceding: How many tuples before a tuple are in its frame; None: all.
    """

    def __init__(self, calls: Sequence[RowCall], *, preceding: int | None) -> None:
        super().__init__(calls, retracts=preceding is not None)
        self._preceding = preceding

    def _take(self, row: Any, made: list[Any]) -> None:
        state, aggregates = self.context.state, self._aggregates
        states = state.get(STATES)
        if states is None:
            states = aggregates.create()
            state.put(STATES, None, states)
        if self._preceding is not None:
            rows = state.get(ROWS)
            if rows is None:
                rows = []
                state.put(ROWS, None, rows)
            rows.append(row)
            if len(rows) > self._preceding + 1:
                aggregates.retract(states, rows.pop(0))
        aggregates.accumulate(states, row)
        made.append((*row[1:], *aggregates.values(states)))
