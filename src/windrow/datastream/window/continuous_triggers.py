"""The triggers that fire at a regular interval until the window ends."""

from __future__ import annotations

from typing import Any

from windrow.common.time import to_millis
from windrow.common.typeinfo import Types
from windrow.datastream.state import ReducingStateDescriptor
from windrow.datastream.window.arguments import TimeSpan
from windrow.datastream.window.trigger import OnMergeContext, Trigger, TriggerContext, TriggerResult
from windrow.datastream.window.windows import Window
from windrow.errors import ConfigurationError


def _earlier(left: int, right: int) -> int:
    return min(left, right)


#: When the trigger fires next; of merged windows the earliest counts.
_FIRE_TIME = ReducingStateDescriptor("fire-time", _earlier, Types.LONG())


def interval_start(timestamp: int, interval: int) -> int:
    """The last multiple of ``interval`` towards zero: Java's remainder has the sign of the dividend."""
    return timestamp - timestamp % interval if timestamp >= 0 else timestamp + -timestamp % interval


class _ContinuousTrigger(Trigger[Any, Window]):
    def __init__(self, interval: TimeSpan) -> None:
        self.interval = to_millis(interval, "interval")
        if self.interval <= 0:
            msg = f"{type(self).__name__} needs interval > 0, but got {self.interval} ms"
            raise ConfigurationError(msg)

    def can_merge(self) -> bool:
        return True

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.interval})"

    def _next_fire_time(self, after: int, window: Window) -> int:
        return min(after + self.interval, window.max_timestamp())


class ContinuousEventTimeTrigger(_ContinuousTrigger):
    """Fires whenever the watermark passes a multiple of an interval, and at the window's end.

    The semantics are those of Flink's ``ContinuousEventTimeTrigger``: the first time follows the timestamp of the
    window's first element, no time lies beyond the window's end, and a late element fires at once.

    >>> ContinuousEventTimeTrigger.of(1000)
    ContinuousEventTimeTrigger(1000)
    """

    @staticmethod
    def of(interval: TimeSpan) -> ContinuousEventTimeTrigger:
        """Fire every ``interval``: a ``Time``, ``Duration``, ``timedelta`` or a number of milliseconds.

        Raises:
            ConfigurationError: unless the interval is positive.
        """
        return ContinuousEventTimeTrigger(interval)

    def on_element(self, element: Any, timestamp: int, window: Window, ctx: TriggerContext) -> TriggerResult:
        end = window.max_timestamp()
        if end <= ctx.get_current_watermark():
            return TriggerResult.FIRE
        ctx.register_event_time_timer(end)
        if ctx.get_partitioned_state(_FIRE_TIME).get() is None:
            self._schedule(interval_start(timestamp, self.interval), window, ctx)
        return TriggerResult.CONTINUE

    def on_processing_time(self, time: int, window: Window, ctx: TriggerContext) -> TriggerResult:
        return TriggerResult.CONTINUE

    def on_event_time(self, time: int, window: Window, ctx: TriggerContext) -> TriggerResult:
        if time == window.max_timestamp():
            return TriggerResult.FIRE
        fire_time = ctx.get_partitioned_state(_FIRE_TIME)
        if fire_time.get() != time:
            return TriggerResult.CONTINUE
        fire_time.clear()
        self._schedule(time, window, ctx)
        return TriggerResult.FIRE

    def on_merge(self, window: Window, ctx: OnMergeContext) -> None:
        ctx.merge_partitioned_state(_FIRE_TIME)
        time = ctx.get_partitioned_state(_FIRE_TIME).get()
        if time is not None:
            ctx.register_event_time_timer(time)

    def clear(self, window: Window, ctx: TriggerContext) -> None:
        fire_time = ctx.get_partitioned_state(_FIRE_TIME)
        time = fire_time.get()
        if time is not None:
            ctx.delete_event_time_timer(time)
            fire_time.clear()

    def _schedule(self, after: int, window: Window, ctx: TriggerContext) -> None:
        time = self._next_fire_time(after, window)
        ctx.get_partitioned_state(_FIRE_TIME).add(time)
        ctx.register_event_time_timer(time)


class ContinuousProcessingTimeTrigger(_ContinuousTrigger):
    """Fires whenever processing time passes a multiple of an interval (Flink's ``ContinuousProcessingTimeTrigger``).

    The first time follows the processing time of the window's first element; no time lies beyond the window's end.

    >>> ContinuousProcessingTimeTrigger.of(1000)
    ContinuousProcessingTimeTrigger(1000)
    """

    @staticmethod
    def of(interval: TimeSpan) -> ContinuousProcessingTimeTrigger:
        """Fire every ``interval``: a ``Time``, ``Duration``, ``timedelta`` or a number of milliseconds.

        Raises:
            ConfigurationError: unless the interval is positive.
        """
        return ContinuousProcessingTimeTrigger(interval)

    def on_element(self, element: Any, timestamp: int, window: Window, ctx: TriggerContext) -> TriggerResult:
        if ctx.get_partitioned_state(_FIRE_TIME).get() is None:
            self._schedule(interval_start(ctx.get_current_processing_time(), self.interval), window, ctx)
        return TriggerResult.CONTINUE

    def on_processing_time(self, time: int, window: Window, ctx: TriggerContext) -> TriggerResult:
        if time == window.max_timestamp():
            # The last time: the next one would be this one again, and due at once.
            return TriggerResult.FIRE
        fire_time = ctx.get_partitioned_state(_FIRE_TIME)
        if fire_time.get() != time:
            return TriggerResult.CONTINUE
        fire_time.clear()
        self._schedule(time, window, ctx)
        return TriggerResult.FIRE

    def on_event_time(self, time: int, window: Window, ctx: TriggerContext) -> TriggerResult:
        return TriggerResult.CONTINUE

    def on_merge(self, window: Window, ctx: OnMergeContext) -> None:
        ctx.merge_partitioned_state(_FIRE_TIME)
        time = ctx.get_partitioned_state(_FIRE_TIME).get()
        if time is not None:
            ctx.register_processing_time_timer(time)

    def clear(self, window: Window, ctx: TriggerContext) -> None:
        fire_time = ctx.get_partitioned_state(_FIRE_TIME)
        time = fire_time.get()
        if time is not None:
            ctx.delete_processing_time_timer(time)
            fire_time.clear()

    def _schedule(self, after: int, window: Window, ctx: TriggerContext) -> None:
        time = self._next_fire_time(after, window)
        ctx.get_partitioned_state(_FIRE_TIME).add(time)
        ctx.register_processing_time_timer(time)
