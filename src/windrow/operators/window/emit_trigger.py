"""The trigger of windows that give results before and after their end (Flink's ``EventTimeTriggers`` of its SQL)."""

from __future__ import annotations

from typing import Any

from windrow.common.typeinfo import Types
from windrow.datastream.state import ValueStateDescriptor
from windrow.datastream.window import Trigger, TriggerContext, TriggerResult, Window

_NEXT = ValueStateDescriptor("next-fire", Types.LONG())
_ENDED = ValueStateDescriptor("fired-at-end", Types.BOOLEAN())


class EmitTrigger(Trigger[Any, Window]):
    """Fires at the window's end, and besides so long after each other by processing time.

    Args:
        early: Until the window's end, in milliseconds; 0: with each element; None: not before its end.
        late: The same for elements behind it; None: with each of them.
        by_clock: Whether the end of the window is one of processing time, behind which nothing comes.
    """

    def __init__(self, early: int | None, late: int | None, *, by_clock: bool) -> None:
        self.early = early
        self.late = None if by_clock else late or None  # each late element fires anyway
        self.by_clock = by_clock

    def __repr__(self) -> str:
        return f"EmitTrigger({self.early}, {self.late})"

    def on_element(self, element: Any, timestamp: int, window: Window, ctx: TriggerContext) -> TriggerResult:
        end = window.max_timestamp()
        if self.by_clock:
            ctx.register_processing_time_timer(end)
            return self._soon(self.early, ctx)
        if self._has_ended(ctx):
            return self._soon(self.late, ctx)
        if end <= ctx.get_current_watermark():
            return TriggerResult.FIRE
        ctx.register_event_time_timer(end)
        return self._soon(self.early, ctx)

    def _has_ended(self, ctx: TriggerContext) -> bool:
        return self.late is not None and bool(ctx.get_partitioned_state(_ENDED).value())

    @staticmethod
    def _soon(delay: int | None, ctx: TriggerContext) -> TriggerResult:
        if delay == 0:
            return TriggerResult.FIRE
        after = ctx.get_partitioned_state(_NEXT)
        if delay is not None and after.value() is None:
            time = ctx.get_current_processing_time() + delay
            after.update(time)
            ctx.register_processing_time_timer(time)
        return TriggerResult.CONTINUE

    def on_processing_time(self, time: int, window: Window, ctx: TriggerContext) -> TriggerResult:
        if self.by_clock and time == window.max_timestamp():
            return TriggerResult.FIRE
        delay = self.late if self._has_ended(ctx) else self.early
        after = ctx.get_partitioned_state(_NEXT)
        if not delay or after.value() != time:
            return TriggerResult.CONTINUE
        after.update(time + delay)
        ctx.register_processing_time_timer(time + delay)
        return TriggerResult.FIRE

    def on_event_time(self, time: int, window: Window, ctx: TriggerContext) -> TriggerResult:
        if time != window.max_timestamp() or self._has_ended(ctx):
            return TriggerResult.CONTINUE
        if self.late is not None:
            ctx.get_partitioned_state(_ENDED).update(value=True)
        return TriggerResult.FIRE

    def on_merge(self, window: Window, ctx: Any) -> None:
        """Sessions do not fire early."""
        raise NotImplementedError

    def clear(self, window: Window, ctx: TriggerContext) -> None:
        if self.by_clock:
            ctx.delete_processing_time_timer(window.max_timestamp())
        else:
            ctx.delete_event_time_timer(window.max_timestamp())
        after = ctx.get_partitioned_state(_NEXT)
        time = after.value()
        if time is not None:
            ctx.delete_processing_time_timer(time)
            after.clear()
        if self.late is not None:
            ctx.get_partitioned_state(_ENDED).clear()
