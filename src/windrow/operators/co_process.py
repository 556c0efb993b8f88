"""Operators of process functions on two connected streams, which share state and timers if both are keyed."""

from __future__ import annotations

from typing import Any

from windrow.datastream.functions import CoProcessFunction, KeyedCoProcessFunction
from windrow.elements.batch import Batch
from windrow.operators.base import OperatorContext
from windrow.operators.element_calls import call_with_each, call_with_one
from windrow.operators.function_contexts import ElementContext, KeyedContext
from windrow.operators.timer_operator import TimerOperator
from windrow.operators.two_input_function import TwoInputFunctionOperator


class _CoContext(ElementContext, CoProcessFunction.Context):
    """The context where not both streams are keyed."""


class _KeyedCoContext(KeyedContext, KeyedCoProcessFunction.OnTimerContext, CoProcessFunction.OnTimerContext):
    """The context on two keyed streams."""


class _CoProcessElementOperator(TwoInputFunctionOperator):
    _context: ElementContext | KeyedContext

    def __init__(self, function: CoProcessFunction | KeyedCoProcessFunction) -> None:
        super().__init__(function, "process_element1", "process_element2")

    def process_element1(self, value: Any, timestamp: int) -> None:
        call_with_one(self.context, self._call1, self._context, value, timestamp)

    def process_element2(self, value: Any, timestamp: int) -> None:
        call_with_one(self.context, self._call2, self._context, value, timestamp)

    def process_batch1(self, batch: Batch) -> None:
        call_with_each(self.context, self._call1, self._context, self.as_seen(batch))

    def process_batch2(self, batch: Batch) -> None:
        call_with_each(self.context, self._call2, self._context, self.as_seen(batch))


class CoProcessOperator(_CoProcessElementOperator):
    """A :class:`CoProcessFunction` on streams of which not both are keyed (Flink's ``CoProcessOperator``)."""

    def open(self, context: OperatorContext) -> None:
        super().open(context)
        self._context = _CoContext(context)


class KeyedCoProcessOperator(TimerOperator, _CoProcessElementOperator):
    """A function on two keyed streams (Flink's ``KeyedCoProcessOperator``, and its legacy one)."""

    keyed = True

    def __init__(self, function: CoProcessFunction | KeyedCoProcessFunction) -> None:
        super().__init__(function)
        self._on_timer = function.on_timer

    def open(self, context: OperatorContext) -> None:
        super().open(context)
        self._context = self._timer_context = _KeyedCoContext(context)
