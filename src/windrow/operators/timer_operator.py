"""Calls a user function's ``on_timer`` when its timers are due."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any

from windrow.common.limits import NO_TIMESTAMP
from windrow.datastream.time_domain import TimeDomain
from windrow.errors import user_function_error
from windrow.operators.base import Operator
from windrow.operators.function_contexts import KeyedContext
from windrow.operators.results import emit_results
from windrow.operators.waiting import Waiting


class TimerOperator(Operator):
    """Base of operators whose function sets timers (Flink's ``Triggerable``). Subclasses set both fields.

    What an event-time timer emits carries the timer's time, what a processing-time timer emits has no timestamp.
    """

    _on_timer: Callable[[int, Any], Iterable[Any] | None]
    _timer_context: KeyedContext

    def process_watermark(self, timestamp: int) -> None:
        self.context.state.fire_event_timers(timestamp, self._on_event_time)

    def advance_processing_time(self, now: int) -> None:
        self.context.state.fire_processing_timers(now, self._on_processing_time)

    def waiting(self) -> Waiting | None:
        return Waiting.at(self.context.state.next_event_time())

    def _on_event_time(self, time: int, _namespace: Hashable) -> None:
        self._fire(time, TimeDomain.EVENT_TIME, time)

    def _on_processing_time(self, time: int, _namespace: Hashable) -> None:
        self._fire(time, TimeDomain.PROCESSING_TIME, NO_TIMESTAMP)

    def _fire(self, time: int, domain: TimeDomain, timestamp: int) -> None:
        context = self._timer_context
        context.current_timestamp, context.current_domain = time, domain
        try:
            emit_results(self.context, self._on_timer(time, context), timestamp)
        except BaseException as error:
            timer = _Timer(time, context.get_current_key())
            raise user_function_error(self.context.name, timer, error) from error


class _Timer:
    """Stands for the element in the error of an ``on_timer``."""

    def __init__(self, time: int, key: Any) -> None:
        self._text = f"(none: the timer of key {key!r} at {time} fired)"

    def __repr__(self) -> str:
        return self._text
