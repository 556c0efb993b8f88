"""The trigger that fires for every so many elements."""

from __future__ import annotations

from typing import Any

from windrow.datastream.window.arguments import whole_number
from windrow.datastream.window.descriptors import COUNT
from windrow.datastream.window.trigger import OnMergeContext, Trigger, TriggerContext, TriggerResult
from windrow.datastream.window.windows import Window


class CountTrigger(Trigger[Any, Window]):
    """Fires when ``max_count`` elements have come since it last fired (Flink's ``CountTrigger``).

    The contents stay: use :class:`~windrow.datastream.window.PurgingTrigger` to start from nothing.

    >>> CountTrigger.of(3)
    CountTrigger(3)
    """

    def __init__(self, max_count: int) -> None:
        self.max_count = whole_number(max_count, 1, "max_count", "CountTrigger")

    @staticmethod
    def of(max_count: int) -> CountTrigger:
        """Fire for every ``max_count`` elements of a window.

        Raises:
            ConfigurationError: if ``max_count`` is less than 1.
            ConfigurationTypeError: if it is not a whole number.
        """
        return CountTrigger(max_count)

    def on_element(self, element: Any, timestamp: int, window: Window, ctx: TriggerContext) -> TriggerResult:
        count = ctx.get_partitioned_state(COUNT)
        count.add(1)
        if count.get() >= self.max_count:
            count.clear()
            return TriggerResult.FIRE
        return TriggerResult.CONTINUE

    def on_processing_time(self, time: int, window: Window, ctx: TriggerContext) -> TriggerResult:
        return TriggerResult.CONTINUE

    def on_event_time(self, time: int, window: Window, ctx: TriggerContext) -> TriggerResult:
        return TriggerResult.CONTINUE

    def can_merge(self) -> bool:
        return True

    def on_merge(self, window: Window, ctx: OnMergeContext) -> None:
        ctx.merge_partitioned_state(COUNT)

    def clear(self, window: Window, ctx: TriggerContext) -> None:
        ctx.get_partitioned_state(COUNT).clear()

    def __repr__(self) -> str:
        return f"CountTrigger({self.max_count})"
