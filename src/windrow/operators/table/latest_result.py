"""The results of windows that fire more than once, as changes."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from windrow.operators.base import Operator
from windrow.operators.table.changes import INSERT, UPDATE_AFTER, UPDATE_BEFORE

_LAST = "last"


class LatestResultOperator(Operator):
    """Tuples behind their key, each with what it changes: those of a window and key follow each other.

    A tuple's timestamp is the last millisecond of its window.

    Args:
        lateness: How long after that the window may fire, in milliseconds of event time.
        by_clock: Whether the window ends by processing time.
    """

    def __init__(self, lateness: int, *, by_clock: bool) -> None:
        self._lateness, self._by_clock = lateness, by_clock

    def process_element(self, value: Any, timestamp: int) -> None:
        state, emit = self.context.state, self.context.output.emit
        row = value[1:]
        last = state.get(_LAST)
        if last is None:
            emit((*row, INSERT), timestamp)
        elif last != row:
            emit((*last, UPDATE_BEFORE), timestamp)
            emit((*row, UPDATE_AFTER), timestamp)
        state.put(_LAST, None, row)
        if not self._by_clock:
            state.event_timers.register(timestamp + self._lateness, state.current_key, None)
        elif (now := self.context.time.processing_time) >= timestamp:
            # The window is over: nothing comes behind this batch. Time has come to it before what fires in it comes.
            state.processing_timers.register(now + 1, state.current_key, None)

    def process_watermark(self, timestamp: int) -> None:
        self.context.state.fire_event_timers(timestamp, self._forget)

    def advance_processing_time(self, now: int) -> None:
        self.context.state.fire_processing_timers(now, self._forget)

    def _forget(self, _time: int, _namespace: Hashable) -> None:
        self.context.state.remove(_LAST)
