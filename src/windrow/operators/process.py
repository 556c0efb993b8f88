"""Operators of process functions: with the element's timestamp, and on keyed streams with state and timers."""

from __future__ import annotations

from typing import Any

from windrow.datastream.functions import KeyedProcessFunction, ProcessFunction
from windrow.elements.batch import Batch
from windrow.operators.base import OperatorContext
from windrow.operators.element_calls import call_with_each, call_with_one
from windrow.operators.function_contexts import ElementContext, KeyedContext
from windrow.operators.timer_operator import TimerOperator
from windrow.operators.user_function import UserFunctionOperator


class _ProcessElementOperator(UserFunctionOperator):
    _context: ElementContext | KeyedContext

    def __init__(self, function: ProcessFunction | KeyedProcessFunction) -> None:
        super().__init__(function, "process_element")

    def process_element(self, value: Any, timestamp: int) -> None:
        call_with_one(self.context, self._call, self._context, value, timestamp)

    def process_batch(self, batch: Batch) -> None:
        call_with_each(self.context, self._call, self._context, batch)


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


class BootstrapOperator(KeyedProcessOperator):
    """Makes state for another job (Flink's ``KeyedStateBootstrapOperator``): its timers stay for that one."""

    def process_watermark(self, timestamp: int) -> None:
        """No time passes."""

    def advance_processing_time(self, now: int) -> None:
        """No time passes."""
