"""Show process functions an element or a timer. One object serves all: the operator brings it up to date."""

from __future__ import annotations

from typing import Any

from windrow.common.limits import NO_TIMESTAMP
from windrow.common.unchangeable import ATOMS
from windrow.datastream.functions import KeyedProcessFunction, ProcessFunction
from windrow.datastream.time_domain import TimeDomain
from windrow.datastream.timerservice import TimerService
from windrow.operators.base import OperatorContext
from windrow.operators.timers import OperatorTimerService


class ElementContext(ProcessFunction.Context):
    """The context on streams without keys; the operator sets ``current_timestamp`` before each call."""

    def __init__(self, context: OperatorContext) -> None:
        self.current_timestamp = NO_TIMESTAMP
        self._timers = OperatorTimerService(context, keyed=False)

    def timer_service(self) -> TimerService:
        return self._timers

    def timestamp(self) -> int:
        return self.current_timestamp


class KeyedContext(KeyedProcessFunction.OnTimerContext):
    """The context on keyed streams, of elements and of timers; for these ``current_domain`` is set too."""

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
        key = self._state.current_key
        return key if type(key) in ATOMS else self._state.get_current_key()

    def time_domain(self) -> TimeDomain:
        return self.current_domain
