"""Operators of process functions: with the element's timestamp, and on keyed streams with state and timers."""

from __future__ import annotations

from operator import length_hint
from typing import Any

from windrow.datastream.functions import KeyedProcessFunction, ProcessFunction
from windrow.elements.batch import Batch
from windrow.errors import user_function_error
from windrow.operators.base import OperatorContext
from windrow.operators.function_contexts import ElementContext, KeyedContext
from windrow.operators.results import emit_results
from windrow.operators.timer_operator import TimerOperator
from windrow.operators.user_function import UserFunctionOperator
from windrow.state.keyed import NO_KEY


class _ProcessElementOperator(UserFunctionOperator):
    _context: ElementContext | KeyedContext

    def __init__(self, function: ProcessFunction | KeyedProcessFunction) -> None:
        super().__init__(function, "process_element")

    def process_element(self, value: Any, timestamp: int) -> None:
        state = self.context.state
        keys = None if state.current_key is NO_KEY else [state.current_key]
        self.process_batch(Batch([value], [timestamp], keys))

    def process_batch(self, batch: Batch) -> None:
        if batch.keys is None:
            self.context.state.clear_current_key()
            process = self._process_without_keys
        else:
            self.context.state.expect(batch.keys)
            process = self._process_with_keys
        for part in batch.in_parts():
            process(part)

    def _process_without_keys(self, batch: Batch) -> None:
        context, element_context, call = self.context, self._context, self._call
        value = None
        try:
            for value, timestamp in zip(batch.elements, batch.timestamp_list(), strict=True):
                element_context.current_timestamp = timestamp
                results = call(value, element_context)
                if results is not None:
                    emit_results(context, results, timestamp)
        except BaseException as error:
            raise user_function_error(context.name, value, error) from error

    def _process_with_keys(self, batch: Batch) -> None:
        context, element_context, call, state = self.context, self._context, self._call, self.context.state
        entries, bring_in = state.entries_in_memory, state.entry_of
        values, keys = batch.elements, batch.keys
        assert keys is not None, "of a keyed stream"
        remaining = iter(values)
        try:
            # An element is taken before its key is looked at: how many are left says where it was that failed.
            for value, timestamp, key, entry in zip(
                remaining, batch.timestamp_list(), keys, map(entries.get, keys), strict=True
            ):
                # What set_current_key does, without a call.
                state.current_key = key
                state.entry = bring_in(key) if entry is None else entry
                element_context.current_timestamp = timestamp
                results = call(value, element_context)
                if results is not None:
                    emit_results(context, results, timestamp)
        except BaseException as error:
            raise user_function_error(context.name, values[-1 - length_hint(remaining)], error) from error


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
