"""The trigger that empties a window whenever another trigger fires it."""

from __future__ import annotations

from typing import Any

from windrow.datastream.window.arguments import part
from windrow.datastream.window.trigger import OnMergeContext, Trigger, TriggerContext, TriggerResult


class PurgingTrigger(Trigger[Any, Any]):
    """Turns every FIRE of another trigger into FIRE_AND_PURGE (Flink's ``PurgingTrigger``).

    >>> from windrow.datastream.window import CountTrigger
    >>> PurgingTrigger.of(CountTrigger.of(3))
    PurgingTrigger(CountTrigger(3))
    """

    def __init__(self, nested_trigger: Trigger[Any, Any]) -> None:
        self.nested_trigger: Trigger[Any, Any] = part(nested_trigger, Trigger, "nested_trigger", "PurgingTrigger")

    @staticmethod
    def of(nested_trigger: Trigger[Any, Any]) -> PurgingTrigger:
        """Do what ``nested_trigger`` does, and purge when it fires."""
        return PurgingTrigger(nested_trigger)

    def on_element(self, element: Any, timestamp: int, window: Any, ctx: TriggerContext) -> TriggerResult:
        return _purging(self.nested_trigger.on_element(element, timestamp, window, ctx))

    def on_processing_time(self, time: int, window: Any, ctx: TriggerContext) -> TriggerResult:
        return _purging(self.nested_trigger.on_processing_time(time, window, ctx))

    def on_event_time(self, time: int, window: Any, ctx: TriggerContext) -> TriggerResult:
        return _purging(self.nested_trigger.on_event_time(time, window, ctx))

    def can_merge(self) -> bool:
        return self.nested_trigger.can_merge()

    def on_merge(self, window: Any, ctx: OnMergeContext) -> None:
        self.nested_trigger.on_merge(window, ctx)

    def clear(self, window: Any, ctx: TriggerContext) -> None:
        self.nested_trigger.clear(window, ctx)

    def __repr__(self) -> str:
        return f"PurgingTrigger({self.nested_trigger!r})"


def _purging(result: TriggerResult) -> TriggerResult:
    return TriggerResult.FIRE_AND_PURGE if result is TriggerResult.FIRE else result
