"""The trigger that fires for every so many elements."""

from __future__ import annotations

from typing import Any

from windrow.common.typeinfo import Types
from windrow.datastream.state import ReducingStateDescriptor
from windrow.datastream.window.arguments import whole_number
from windrow.datastream.window.trigger import OnMergeContext, Trigger, TriggerContext, TriggerResult
from windrow.datastream.window.windows import Window


def _add(left: int, right: int) -> int:
    return left + right


#: How many elements a window has received; counts of merged windows add up.
COUNT = ReducingStateDescriptor("count", _add, Types.LONG())


class CountTrigger(Trigger[Any, Window]):
    """Fires when ``window_size`` elements have come since it last fired (Flink's ``CountTrigger``).

    The contents stay: use :class:`~windrow.datastream.window.PurgingTrigger` to start from nothing.

    >>> CountTrigger.of(3)
    CountTrigger(3)
    """

    def __init__(self, window_size: int) -> None:
        self.window_size = whole_number(window_size, 1, "window_size", "CountTrigger")

    @staticmethod
    def of(window_size: int) -> CountTrigger:
        """Fire for every ``window_size`` elements of a window.

        Raises:
            ConfigurationError: if ``window_size`` is less than 1.
            ConfigurationTypeError: if it is not a whole number.
        """
        return CountTrigger(window_size)

    def on_element(self, element: Any, timestamp: int, window: Window, ctx: TriggerContext) -> TriggerResult:
        count = ctx.get_partitioned_state(COUNT)
        count.add(1)
        if count.get() >= self.window_size:
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
        return f"CountTrigger({self.window_size})"
