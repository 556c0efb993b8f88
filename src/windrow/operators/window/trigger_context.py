"""The contexts that triggers, assigners and evictors are handed, over the operator's own time, state and timers."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from windrow.datastream.state import StateDescriptor
from windrow.datastream.window import EvictorContext, OnMergeContext, Window, WindowAssignerContext
from windrow.errors import UsageError
from windrow.operators.base import OperatorContext
from windrow.operators.timers import time_of_timer
from windrow.state.view_of import view_of
from windrow.state.views import MergingStateView

#: So many views of a trigger's state are kept.
_MOST_VIEWS = 256
#: Stands before the names of a trigger's state.
TRIGGER_PREFIX = "trigger."


class OperatorTriggerContext(OnMergeContext):
    """One context for all windows: the operator sets :attr:`window` before each call of the trigger."""

    def __init__(self, operator_context: OperatorContext) -> None:
        self._operator = operator_context
        self.window: Any = None
        #: The windows that were merged into :attr:`window`; meaningful inside ``on_merge`` only.
        self.merged_windows: Collection[Window] = ()
        #: By descriptor and window the state that was asked for; a view belongs to no key.
        self._views: dict[tuple[int, Any], tuple[StateDescriptor, Any]] = {}

    def get_current_processing_time(self) -> int:
        return self._operator.time.processing_time

    def get_metric_group(self) -> Any:
        return self._operator.runtime_context.get_metrics_group()

    def get_current_watermark(self) -> int:
        return self._operator.time.watermark

    def register_processing_time_timer(self, time: int) -> None:
        state = self._operator.state
        if type(time) is not int:
            time = time_of_timer(time, self._operator.name)
        state.processing_timers.register(time, state.current_key, self.window)

    def register_event_time_timer(self, time: int) -> None:
        state = self._operator.state
        if type(time) is not int:
            time = time_of_timer(time, self._operator.name)
        state.event_timers.register(time, state.current_key, self.window)

    def delete_processing_time_timer(self, time: int) -> None:
        state = self._operator.state
        state.processing_timers.delete(time, state.current_key, self.window)

    def delete_event_time_timer(self, time: int) -> None:
        state = self._operator.state
        state.event_timers.delete(time, state.current_key, self.window)

    def get_partitioned_state(self, state_descriptor: StateDescriptor) -> Any:
        # A trigger asks for the same state at each element, and most elements come to windows that others have come to.
        slot = id(state_descriptor), self.window
        known = self._views.get(slot)
        if known is None or known[0] is not state_descriptor:
            if len(self._views) >= _MOST_VIEWS:
                self._views.clear()
            known = self._views[slot] = state_descriptor, self._view(state_descriptor)
        return known[1]

    def merge_partitioned_state(self, state_descriptor: StateDescriptor) -> None:
        view = self._view(state_descriptor)
        if not isinstance(view, MergingStateView):
            msg = (
                f"a trigger of operator {self._operator.name!r} merges {state_descriptor!r}, but only reducing,"
                " aggregating and list state can be merged"
            )
            raise UsageError(msg)
        view.merge_namespaces(self.window, self.merged_windows)

    def _view(self, state_descriptor: StateDescriptor) -> Any:
        # A prefix of its own: the state of the window function, of the same name perhaps, has this namespace too.
        return view_of(self._operator.state, state_descriptor, TRIGGER_PREFIX + state_descriptor.name, self.window)


class OperatorAssignerContext(WindowAssignerContext):
    """The operator's time and runtime context, as a window assigner may ask for them."""

    def __init__(self, operator_context: OperatorContext) -> None:
        self._operator = operator_context

    def get_current_processing_time(self) -> int:
        return self._operator.time.processing_time

    def get_runtime_context(self) -> Any:
        return self._operator.runtime_context


class OperatorEvictorContext(EvictorContext):
    """The operator's time and metrics, as an evictor may ask for them."""

    def __init__(self, operator_context: OperatorContext) -> None:
        self._operator = operator_context

    def get_current_processing_time(self) -> int:
        return self._operator.time.processing_time

    def get_metric_group(self) -> Any:
        return self._operator.runtime_context.get_metrics_group()

    def get_current_watermark(self) -> int:
        return self._operator.time.watermark
