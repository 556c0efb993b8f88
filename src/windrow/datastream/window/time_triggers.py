"""The triggers that fire once, when time passes the end of the window."""

from __future__ import annotations

from typing import Any

from windrow.datastream.window.trigger import OnMergeContext, Trigger, TriggerContext, TriggerResult
from windrow.datastream.window.windows import Window


class EventTimeTrigger(Trigger[Any, Window]):
    """Fires when the watermark passes the end of the window, then for every late element (``EventTimeTrigger``).

    >>> EventTimeTrigger.create()
    EventTimeTrigger()
    """

    @staticmethod
    def create() -> EventTimeTrigger:
        """The trigger; it has no parameters."""
        return EventTimeTrigger()

    def on_element(self, element: Any, timestamp: int, window: Window, ctx: TriggerContext) -> TriggerResult:
        end = window.max_timestamp()
        if end <= ctx.get_current_watermark():
            return TriggerResult.FIRE
        ctx.register_event_time_timer(end)
        return TriggerResult.CONTINUE

    def on_processing_time(self, time: int, window: Window, ctx: TriggerContext) -> TriggerResult:
        return TriggerResult.CONTINUE

    def on_event_time(self, time: int, window: Window, ctx: TriggerContext) -> TriggerResult:
        # Called at the cleanup time too: firing there would emit the window a second time.
        return TriggerResult.FIRE if time == window.max_timestamp() else TriggerResult.CONTINUE

    def can_merge(self) -> bool:
        return True

    def on_merge(self, window: Window, ctx: OnMergeContext) -> None:
        # A window whose end has passed fires with the element that caused the merge; a timer would fire it again.
        end = window.max_timestamp()
        if end > ctx.get_current_watermark():
            ctx.register_event_time_timer(end)

    def clear(self, window: Window, ctx: TriggerContext) -> None:
        ctx.delete_event_time_timer(window.max_timestamp())

    def __repr__(self) -> str:
        return "EventTimeTrigger()"


class ProcessingTimeTrigger(Trigger[Any, Window]):
    """Fires when processing time passes the end of the window (Flink's ``ProcessingTimeTrigger``).

    >>> ProcessingTimeTrigger.create()
    ProcessingTimeTrigger()
    """

    @staticmethod
    def create() -> ProcessingTimeTrigger:
        """The trigger; it has no parameters."""
        return ProcessingTimeTrigger()

    def on_element(self, element: Any, timestamp: int, window: Window, ctx: TriggerContext) -> TriggerResult:
        ctx.register_processing_time_timer(window.max_timestamp())
        return TriggerResult.CONTINUE

    def on_processing_time(self, time: int, window: Window, ctx: TriggerContext) -> TriggerResult:
        return TriggerResult.FIRE

    def on_event_time(self, time: int, window: Window, ctx: TriggerContext) -> TriggerResult:
        return TriggerResult.CONTINUE

    def can_merge(self) -> bool:
        return True

    def on_merge(self, window: Window, ctx: OnMergeContext) -> None:
        end = window.max_timestamp()
        if end > ctx.get_current_processing_time():
            ctx.register_processing_time_timer(end)

    def clear(self, window: Window, ctx: TriggerContext) -> None:
        ctx.delete_processing_time_timer(window.max_timestamp())

    def __repr__(self) -> str:
        return "ProcessingTimeTrigger()"
