"""The triggers of the global window: one that never fires, one that fires when the stream has ended."""

from __future__ import annotations

from typing import Any

from windrow.datastream.window.trigger import OnMergeContext, Trigger, TriggerContext, TriggerResult
from windrow.datastream.window.windows import GlobalWindow


class NeverTrigger(Trigger[Any, GlobalWindow]):
    """Never fires (Flink's ``GlobalWindows.NeverTrigger``)."""

    def on_element(self, element: Any, timestamp: int, window: GlobalWindow, ctx: TriggerContext) -> TriggerResult:
        return TriggerResult.CONTINUE

    def on_processing_time(self, time: int, window: GlobalWindow, ctx: TriggerContext) -> TriggerResult:
        return TriggerResult.CONTINUE

    def on_event_time(self, time: int, window: GlobalWindow, ctx: TriggerContext) -> TriggerResult:
        return TriggerResult.CONTINUE

    def on_merge(self, window: GlobalWindow, ctx: OnMergeContext) -> None:
        """The global window is never merged."""

    def clear(self, window: GlobalWindow, ctx: TriggerContext) -> None:
        """There is nothing to remove."""

    def __repr__(self) -> str:
        return "NeverTrigger()"


class EndOfStreamTrigger(NeverTrigger):
    """Fires once, when the watermark that ends the stream comes (Flink's ``GlobalWindows.EndOfStreamTrigger``)."""

    def on_element(self, element: Any, timestamp: int, window: GlobalWindow, ctx: TriggerContext) -> TriggerResult:
        ctx.register_event_time_timer(window.max_timestamp())
        return TriggerResult.CONTINUE

    def on_event_time(self, time: int, window: GlobalWindow, ctx: TriggerContext) -> TriggerResult:
        return TriggerResult.FIRE if time == window.max_timestamp() else TriggerResult.CONTINUE

    def __repr__(self) -> str:
        return "EndOfStreamTrigger()"
