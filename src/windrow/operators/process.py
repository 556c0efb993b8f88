"""Operators of process functions: with the element's timestamp, and on keyed streams with state and timers."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from windrow.common.limits import NO_TIMESTAMP
from windrow.datastream.functions import KeyedProcessFunction, ProcessFunction
from windrow.datastream.time_domain import TimeDomain
from windrow.datastream.timerservice import TimerService
from windrow.errors import user_function_error
from windrow.operators.base import OperatorContext
from windrow.operators.timers import OperatorTimerService
from windrow.operators.user_function import UserFunctionOperator, emit_results


class _ElementContext(ProcessFunction.Context):
    """One object for all elements: the operator sets its timestamp before each call."""

    def __init__(self, timers: TimerService) -> None:
        self.current_timestamp = NO_TIMESTAMP
        self._timers = timers

    def timer_service(self) -> TimerService:
        return self._timers

    def timestamp(self) -> int:
        return self.current_timestamp


class _KeyedContext(KeyedProcessFunction.OnTimerContext):
    def __init__(self, context: OperatorContext) -> None:
        self.current_timestamp = NO_TIMESTAMP
        self.current_domain = TimeDomain.EVENT_TIME
        self._timers = OperatorTimerService(context)
        self._state = context.state

    def timer_service(self) -> TimerService:
        return self._timers

    def timestamp(self) -> int:
        return self.current_timestamp

    def get_current_key(self) -> Any:
        return self._state.current_key

    def time_domain(self) -> TimeDomain:
        return self.current_domain


class ProcessOperator(UserFunctionOperator):
    """A :class:`ProcessFunction` on a stream without keys (Flink's ``ProcessOperator``)."""

    def __init__(self, function: ProcessFunction) -> None:
        super().__init__(function, "process_element")

    def open(self, context: OperatorContext) -> None:
        super().open(context)
        self._context = _ElementContext(OperatorTimerService(context, keyed=False))

    def process_element(self, value: Any, timestamp: int) -> None:
        self._context.current_timestamp = timestamp
        try:
            emit_results(self._call(value, self._context), timestamp, self.context.output)
        except Exception as error:
            raise user_function_error(self.context.name, value, error) from error


class KeyedProcessOperator(UserFunctionOperator):
    """A :class:`KeyedProcessFunction` (Flink's ``KeyedProcessOperator``).

    What an event-time timer emits carries the timer's time, what a processing-time timer emits has no timestamp.
    """

    def __init__(self, function: KeyedProcessFunction) -> None:
        super().__init__(function, "process_element")
        self._on_timer = function.on_timer

    def open(self, context: OperatorContext) -> None:
        super().open(context)
        self._context = _KeyedContext(context)

    def process_element(self, value: Any, timestamp: int) -> None:
        self._context.current_timestamp = timestamp
        try:
            emit_results(self._call(value, self._context), timestamp, self.context.output)
        except Exception as error:
            raise user_function_error(self.context.name, value, error) from error

    def process_watermark(self, timestamp: int) -> None:
        self.context.state.fire_event_timers(timestamp, self._on_event_time)

    def advance_processing_time(self, now: int) -> None:
        self.context.state.fire_processing_timers(now, self._on_processing_time)

    def _on_event_time(self, time: int, _namespace: Hashable) -> None:
        self._fire(time, TimeDomain.EVENT_TIME, time)

    def _on_processing_time(self, time: int, _namespace: Hashable) -> None:
        self._fire(time, TimeDomain.PROCESSING_TIME, NO_TIMESTAMP)

    def _fire(self, time: int, domain: TimeDomain, timestamp: int) -> None:
        context = self._context
        context.current_timestamp, context.current_domain = time, domain
        try:
            emit_results(self._on_timer(time, context), timestamp, self.context.output)
        except Exception as error:
            timer = _Timer(time, context.get_current_key())
            raise user_function_error(self.context.name, timer, error) from error


class _Timer:
    """Stands for the element in the error of an ``on_timer``."""

    def __init__(self, time: int, key: Any) -> None:
        self._text = f"(none: the timer of key {key!r} at {time} fired)"

    def __repr__(self) -> str:
        return self._text
