"""Operators of process functions on two connected streams, which share state and timers if both are keyed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from windrow.datastream.functions import CoProcessFunction, KeyedCoProcessFunction
from windrow.errors import user_function_error
from windrow.operators.base import OperatorContext
from windrow.operators.function_contexts import ElementContext, KeyedContext
from windrow.operators.results import emit_results
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
        self._process(self._call1, value, timestamp)

    def process_element2(self, value: Any, timestamp: int) -> None:
        self._process(self._call2, value, timestamp)

    def _process(self, call: Callable[..., Any], value: Any, timestamp: int) -> None:
        self._context.current_timestamp = timestamp
        try:
            emit_results(self.context, call(value, self._context), timestamp)
        except BaseException as error:
            raise user_function_error(self.context.name, value, error) from error


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
