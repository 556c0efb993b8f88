"""Operators of a stream connected with a broadcast one: every subtask holds all of the broadcast state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from windrow.common.limits import NO_TIMESTAMP
from windrow.datastream.functions import (
    BaseBroadcastProcessFunction,
    BroadcastProcessFunction,
    KeyedBroadcastProcessFunction,
)
from windrow.datastream.state import BroadcastState, MapStateDescriptor, ReadOnlyBroadcastState, StateDescriptor
from windrow.elements.batch import Batch
from windrow.errors import ConfigurationTypeError
from windrow.operators.base import OperatorContext
from windrow.operators.element_calls import call_with_each, call_with_one
from windrow.operators.function_contexts import KeyedContext
from windrow.operators.timer_operator import TimerOperator
from windrow.operators.two_input_function import TwoInputFunctionOperator
from windrow.state.broadcast import BroadcastStateStore, Contents
from windrow.state.store import KeyedStateStoreView, user_state_name


class _Times(BaseBroadcastProcessFunction.BaseContext):
    """The operator sets ``current_timestamp`` before each call."""

    def __init__(self, context: OperatorContext, states: BroadcastStateStore) -> None:
        self.current_timestamp = NO_TIMESTAMP
        self._operator_context = context
        self._states = states

    def timestamp(self) -> int:
        return self.current_timestamp

    def current_processing_time(self) -> int:
        return self._operator_context.time.processing_time

    def current_watermark(self) -> int:
        return self._operator_context.time.watermark


class _BroadcastContext(_Times, BroadcastProcessFunction.Context):
    def get_broadcast_state(self, state_descriptor: MapStateDescriptor) -> BroadcastState[Any, Any]:
        return self._states.writable(state_descriptor)


class _ReadOnlyContext(_Times, BroadcastProcessFunction.ReadOnlyContext):
    def get_broadcast_state(self, state_descriptor: MapStateDescriptor) -> ReadOnlyBroadcastState[Any, Any]:
        return self._states.read_only(state_descriptor)


class _KeyedBroadcastContext(_BroadcastContext, KeyedBroadcastProcessFunction.Context):
    def apply_to_keyed_state(self, state_descriptor: StateDescriptor, function: Callable[[Any, Any], object]) -> None:
        if not callable(function):
            msg = f"apply_to_keyed_state takes a function of a key and its state; got {function!r}"
            raise ConfigurationTypeError(msg)
        state = self._operator_context.state
        slot = (user_state_name(state_descriptor), None)
        view = KeyedStateStoreView(state).get_partitioned_state(state_descriptor)
        state.load_all()
        keys = [key for key, entry in state.entries() if slot in entry]
        try:
            for key in keys:
                state.set_current_key(key)
                function(state.get_current_key(), view)
        finally:
            state.clear_current_key()


class _KeyedReadOnlyContext(KeyedContext, KeyedBroadcastProcessFunction.OnTimerContext):
    def __init__(self, context: OperatorContext, states: BroadcastStateStore) -> None:
        super().__init__(context)
        self._states = states

    def current_processing_time(self) -> int:
        return self._timers.current_processing_time()

    def current_watermark(self) -> int:
        return self._timers.current_watermark()

    def get_broadcast_state(self, state_descriptor: MapStateDescriptor) -> ReadOnlyBroadcastState[Any, Any]:
        return self._states.read_only(state_descriptor)


class _BroadcastOperator(TwoInputFunctionOperator):
    _element_context: _ReadOnlyContext | _KeyedReadOnlyContext
    _broadcast_context: _BroadcastContext

    def __init__(self, function: BaseBroadcastProcessFunction, descriptors: Sequence[MapStateDescriptor]) -> None:
        super().__init__(function, "process_element", "process_broadcast_element")
        self._descriptors = descriptors

    def open(self, context: OperatorContext) -> None:
        self._states = BroadcastStateStore(self._descriptors, context.name)
        super().open(context)

    def process_element1(self, value: Any, timestamp: int) -> None:
        call_with_one(self.context, self._call1, self._element_context, value, timestamp)

    def process_element2(self, value: Any, timestamp: int) -> None:
        call_with_one(self.context, self._call2, self._broadcast_context, value, timestamp)

    def process_batch1(self, batch: Batch) -> None:
        call_with_each(self.context, self._call1, self._element_context, self.as_seen(batch))

    def process_batch2(self, batch: Batch) -> None:
        call_with_each(self.context, self._call2, self._broadcast_context, self.as_seen(batch))

    def snapshot(self) -> Contents:
        return self._states.snapshot()

    def restore(self, snapshot: Contents) -> None:
        self._states.restore(snapshot)


class BroadcastProcessOperator(_BroadcastOperator):
    """A :class:`BroadcastProcessFunction` (Flink's ``CoBroadcastWithNonKeyedOperator``).

    Args:
        function: The user's function.
        descriptors: The broadcast states there are.
    """

    def __init__(self, function: BroadcastProcessFunction[Any, Any, Any], descriptors: Sequence[MapStateDescriptor]):
        super().__init__(function, descriptors)

    def open(self, context: OperatorContext) -> None:
        super().open(context)
        self._element_context = _ReadOnlyContext(context, self._states)
        self._broadcast_context = _BroadcastContext(context, self._states)


class KeyedBroadcastProcessOperator(TimerOperator, _BroadcastOperator):
    """A :class:`KeyedBroadcastProcessFunction` (Flink's ``CoBroadcastWithKeyedOperator``).

    Args:
        function: The user's function.
        descriptors: The broadcast states there are.
    """

    keyed = True

    def __init__(
        self, function: KeyedBroadcastProcessFunction[Any, Any, Any, Any], descriptors: Sequence[MapStateDescriptor]
    ) -> None:
        super().__init__(function, descriptors)
        self._on_timer = function.on_timer

    def open(self, context: OperatorContext) -> None:
        super().open(context)
        self._element_context = self._timer_context = _KeyedReadOnlyContext(context, self._states)
        self._broadcast_context = _KeyedBroadcastContext(context, self._states)
