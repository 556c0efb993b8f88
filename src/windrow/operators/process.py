"""Operators of process functions: with the element's timestamp, and on keyed streams with state and timers."""

from __future__ import annotations

from typing import Any

from windrow.datastream.functions import KeyedProcessFunction, ProcessFunction
from windrow.errors import user_function_error
from windrow.operators.base import OperatorContext
from windrow.operators.function_contexts import ElementContext, KeyedContext
from windrow.operators.results import emit_results
from windrow.operators.timer_operator import TimerOperator
from windrow.operators.user_function import UserFunctionOperator


class _ProcessElementOperator(UserFunctionOperator):
    _context: ElementContext | KeyedContext

    def __init__(self, function: ProcessFunction | KeyedProcessFunction) -> None:
        super().__init__(function, "process_element")

    def process_element(self, value: Any, timestamp: int) -> None:
        self._context.current_timestamp = timestamp
        try:
            emit_results(self.context, self._call(value, self._context), timestamp)
        except BaseException as error:
            raise user_function_error(self.context.name, value, error) from error


class ProcessOperator(_ProcessElementOperator):
    """A :class:`ProcessFunction` on a stream without keys (Flink's ``ProcessOperator``)."""

    def open(self, context: OperatorContext) -> None:
        super().open(context)
        self._context = ElementContext(context)


class KeyedProcessOperator(TimerOperator, _ProcessElementOperator):
    """A :class:`KeyedProcessFunction` (Flink's ``KeyedProcessOperator``)."""

    def __init__(self, function: KeyedProcessFunction) -> None:
        super().__init__(function)
        self._on_timer = function.on_timer

    def open(self, context: OperatorContext) -> None:
        super().open(context)
        self._context = self._timer_context = KeyedContext(context)
