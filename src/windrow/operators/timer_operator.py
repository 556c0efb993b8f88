"""Calls a user function's ``on_timer`` when its timers are due."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from windrow.common.limits import NO_TIMESTAMP
from windrow.datastream.time_domain import TimeDomain
from windrow.errors import user_function_error
from windrow.operators.base import Operator
from windrow.operators.function_contexts import KeyedContext
from windrow.operators.results import emit_results
from windrow.operators.waiting import Waiting
from windrow.state.timer_queue import FiringTimer


class TimerOperator(Operator):
    """Base of operators whose function sets timers (Flink's ``Triggerable``). Subclasses set both fields.

    What an event-time timer emits carries the timer's time, what a processing-time timer emits has no timestamp.
    """

    _on_timer: Callable[[int, Any], Iterable[Any] | None]
    _timer_context: KeyedContext

    def process_watermark(self, timestamp: int) -> None:
        self._fire(self.context.state.firing_event_timers(timestamp), TimeDomain.EVENT_TIME)

    def advance_processing_time(self, now: int) -> None:
        self._fire(self.context.state.firing_processing_timers(now), TimeDomain.PROCESSING_TIME)

    def waiting(self) -> Waiting | None:
        return Waiting.at(self.context.state.next_event_time())

    def _fire(self, timers: Iterable[FiringTimer], domain: TimeDomain) -> None:
        operator, context, on_timer, state = self.context, self._timer_context, self._on_timer, self.context.state
        is_event_time = domain is TimeDomain.EVENT_TIME
        waiting, slots = state.entry_when_asked(), state.slots()
        context.current_domain = domain
        for time, key, _, slot in timers:
            if waiting is None:
                state.set_current_key(key)
            else:
                state.current_key, state.entry = key, waiting
                state.current_slot = slots.slot_of(key) if slot is None and slots is not None else slot
            context.current_timestamp = time
            try:
                results = on_timer(time, context)
                if results is not None:
                    emit_results(operator, results, time if is_event_time else NO_TIMESTAMP)
            except BaseException as error:
                timer = _Timer(time, context.get_current_key())
                raise user_function_error(operator.name, timer, error) from error


class _Timer:
    """Stands for the element in the error of an ``on_timer``."""

    def __init__(self, time: int, key: Any) -> None:
        self._text = f"(none: the timer of key {key!r} at {time} fired)"

    def __repr__(self) -> str:
        return self._text
