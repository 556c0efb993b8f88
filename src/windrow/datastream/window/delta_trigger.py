"""The trigger that fires when elements have moved far enough."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from windrow.common.typeinfo import Types
from windrow.datastream.state import ValueStateDescriptor
from windrow.datastream.window.arguments import check_threshold
from windrow.datastream.window.delta import DeltaFunction, delta_callable
from windrow.datastream.window.trigger import OnMergeContext, Trigger, TriggerContext, TriggerResult
from windrow.datastream.window.windows import Window
from windrow.errors import UsageError

_LAST_ELEMENT = ValueStateDescriptor("last-element", Types.PICKLED_BYTE_ARRAY())


class DeltaTrigger(Trigger[Any, Window]):
    """Fires when the delta to the element that fired last exceeds a threshold (Flink's ``DeltaTrigger``).

    The first element of a window fires nothing. It cannot be used with merging windows.

    >>> every_100_metres = DeltaTrigger.of(100.0, lambda old, new: new["metres"] - old["metres"])
    """

    def __init__(self, threshold: float, delta_function: DeltaFunction | Callable[[Any, Any], float]) -> None:
        self.threshold = check_threshold(threshold, "DeltaTrigger")
        self._delta = delta_callable(delta_function)

    @staticmethod
    def of(threshold: float, delta_function: DeltaFunction | Callable[[Any, Any], float]) -> DeltaTrigger:
        """Fire when ``delta_function(last fired element, element)`` is more than ``threshold``.

        Args:
            threshold: what a delta must exceed.
            delta_function: a :class:`~windrow.datastream.window.DeltaFunction` or a function of the old and the new
                element.
        """
        return DeltaTrigger(threshold, delta_function)

    def on_element(self, element: Any, timestamp: int, window: Window, ctx: TriggerContext) -> TriggerResult:
        last_element = ctx.get_partitioned_state(_LAST_ELEMENT)
        last = last_element.value()
        if last is None:
            last_element.update(element)
            return TriggerResult.CONTINUE
        if self._delta(last, element) > self.threshold:
            last_element.update(element)
            return TriggerResult.FIRE
        return TriggerResult.CONTINUE

    def on_processing_time(self, time: int, window: Window, ctx: TriggerContext) -> TriggerResult:
        return TriggerResult.CONTINUE

    def on_event_time(self, time: int, window: Window, ctx: TriggerContext) -> TriggerResult:
        return TriggerResult.CONTINUE

    def on_merge(self, window: Window, ctx: OnMergeContext) -> None:
        msg = "DeltaTrigger cannot be used with merging windows: which element fired last cannot be merged"
        raise UsageError(msg)

    def clear(self, window: Window, ctx: TriggerContext) -> None:
        ctx.get_partitioned_state(_LAST_ELEMENT).clear()

    def __repr__(self) -> str:
        return f"DeltaTrigger({self._delta!r}, {self.threshold})"
