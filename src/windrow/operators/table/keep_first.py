"""The first row of each key by time, once it is known (Flink's ``RowTimeDeduplicateKeepFirstRowFunction``)."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from windrow.operators.base import LATE_RECORDS, Operator
from windrow.operators.waiting import Waiting

#: What is kept of a key: its row that waits, with its time, and whether one has gone out.
WAITING, EMITTED = "waiting", "emitted"


class KeepFirstOperator(Operator):
    """The tuple of each key with the least timestamp, followed by the number 1, when the watermark has reached it.

    What comes later than the watermark is dropped and counted.
    """

    def process_element(self, value: Any, timestamp: int) -> None:
        context, state = self.context, self.context.state
        if timestamp < context.time.watermark:
            context.counters[LATE_RECORDS] += 1
            return
        if state.get(EMITTED):
            return
        waiting = state.get(WAITING)
        if waiting is not None:
            if waiting[0] <= timestamp:
                return
            state.event_timers.delete(waiting[0], state.current_key, None)
        state.put(WAITING, None, (timestamp, value[1:]))
        state.event_timers.register(timestamp, state.current_key, None)

    def process_watermark(self, timestamp: int) -> None:
        self.context.state.fire_event_timers(timestamp, self._fire)

    def waiting(self) -> Waiting | None:
        return Waiting.at(self.context.state.next_event_time())

    def _fire(self, time: int, _namespace: Hashable) -> None:
        state = self.context.state
        waiting = state.get(WAITING)
        if waiting is None:
            return
        state.remove(WAITING)
        state.put(EMITTED, None, value=True)
        self.context.output.emit((*waiting[1], 1), time)


class KeepFirstByClockOperator(Operator):
    """The tuple of each key that comes first, followed by the number 1, at once (by processing time)."""

    def process_element(self, value: Any, timestamp: int) -> None:
        state = self.context.state
        if not state.get(EMITTED):
            state.put(EMITTED, None, value=True)
            self.context.output.emit((*value[1:], 1), timestamp)
