"""The triggers around another one: one purges when it fires, one fires after some processing time at the latest."""

from __future__ import annotations

from typing import Any

from windrow.common.time import to_millis
from windrow.common.typeinfo import Types
from windrow.datastream.state import ValueStateDescriptor
from windrow.datastream.window.arguments import TimeSpan, part, whole_number
from windrow.datastream.window.trigger import OnMergeContext, Trigger, TriggerContext, TriggerResult
from windrow.errors import UsageError

_TIMEOUT = ValueStateDescriptor("timeout", Types.LONG())


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


class ProcessingTimeoutTrigger(Trigger[Any, Any]):
    """Fires when another trigger fires, or a timeout after an element (Flink's ``ProcessingTimeoutTrigger``).

    The timeout runs in processing time, from the first element since the last firing. Every timer fires, those of the
    nested trigger too. It cannot be used with merging windows.

    >>> from windrow.common.time import Time
    >>> from windrow.datastream.window import CountTrigger
    >>> ProcessingTimeoutTrigger.of(CountTrigger.of(100), Time.seconds(5))
    ProcessingTimeoutTrigger(CountTrigger(100), 5000)
    """

    def __init__(
        self,
        nested_trigger: Trigger[Any, Any],
        timeout: TimeSpan,
        reset_timer_on_new_record: bool = False,
        should_clear_on_timeout: bool = True,
    ) -> None:
        self.nested_trigger: Trigger[Any, Any] = part(nested_trigger, Trigger, "nested_trigger", type(self).__name__)
        self.timeout = whole_number(to_millis(timeout, "timeout"), 0, "timeout", type(self).__name__)
        self.reset_timer_on_new_record = reset_timer_on_new_record
        self.should_clear_on_timeout = should_clear_on_timeout

    @staticmethod
    def of(
        nested_trigger: Trigger[Any, Any],
        timeout: TimeSpan,
        reset_timer_on_new_record: bool = False,
        should_clear_on_timeout: bool = True,
    ) -> ProcessingTimeoutTrigger:
        """Fire when ``nested_trigger`` fires, at the latest after ``timeout``.

        Args:
            nested_trigger: the trigger to limit.
            timeout: a ``Time``, ``Duration``, ``timedelta`` or a number of milliseconds.
            reset_timer_on_new_record: whether each element starts the timeout anew.
            should_clear_on_timeout: whether the state of this and the nested trigger is cleared when a timer fires.
        """
        return ProcessingTimeoutTrigger(nested_trigger, timeout, reset_timer_on_new_record, should_clear_on_timeout)

    def on_element(self, element: Any, timestamp: int, window: Any, ctx: TriggerContext) -> TriggerResult:
        result = self.nested_trigger.on_element(element, timestamp, window, ctx)
        if result.is_fire():
            self.clear(window, ctx)
            return result
        timeout = ctx.get_partitioned_state(_TIMEOUT)
        due = timeout.value()
        if due is not None and self.reset_timer_on_new_record:
            ctx.delete_processing_time_timer(due)
            due = None
        if due is None:
            due = ctx.get_current_processing_time() + self.timeout
            timeout.update(due)
            ctx.register_processing_time_timer(due)
        return result

    def on_processing_time(self, time: int, window: Any, ctx: TriggerContext) -> TriggerResult:
        return self._fire(self.nested_trigger.on_processing_time(time, window, ctx), window, ctx)

    def on_event_time(self, time: int, window: Any, ctx: TriggerContext) -> TriggerResult:
        return self._fire(self.nested_trigger.on_event_time(time, window, ctx), window, ctx)

    def on_merge(self, window: Any, ctx: OnMergeContext) -> None:
        msg = "ProcessingTimeoutTrigger cannot be used with merging windows: a timeout cannot be merged"
        raise UsageError(msg)

    def clear(self, window: Any, ctx: TriggerContext) -> None:
        timeout = ctx.get_partitioned_state(_TIMEOUT)
        due = timeout.value()
        if due is not None:
            ctx.delete_processing_time_timer(due)
            timeout.clear()
        self.nested_trigger.clear(window, ctx)

    def __repr__(self) -> str:
        return f"ProcessingTimeoutTrigger({self.nested_trigger!r}, {self.timeout})"

    def _fire(self, nested_result: TriggerResult, window: Any, ctx: TriggerContext) -> TriggerResult:
        if self.should_clear_on_timeout:
            self.clear(window, ctx)
        return TriggerResult.FIRE_AND_PURGE if nested_result.is_purge() else TriggerResult.FIRE
