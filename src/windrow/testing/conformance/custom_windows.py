"""The assigners and triggers that cases describe in words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from windrow.datastream.window import (
    EventTimeSessionWindows,
    MergeCallback,
    OnMergeContext,
    SessionWindowTimeGapExtractor,
    TimeWindow,
    Trigger,
    TriggerContext,
    TriggerResult,
    Window,
    WindowAssignerContext,
)


class TableGap(SessionWindowTimeGapExtractor):
    """Session gaps from a table of rules, of which the first that matches wins; 0 if none does."""

    def __init__(self, rules: list[dict[str, Any]]) -> None:
        self._rules = rules

    def extract(self, element: Any) -> int:
        gaps = (int(rule["gap"]) for rule in self._rules if self._matches(rule, element))
        return next(gaps, 0)

    @staticmethod
    def _matches(rule: dict[str, Any], element: Any) -> bool:
        if rule.get("any"):
            return True
        if "value" in rule:
            return bool(rule["value"] == element)
        fields = {int(name.removeprefix("field")): value for name, value in rule.items() if name.startswith("field")}
        return all(element[position] == value for position, value in fields.items())


class PointSessionWindows(EventTimeSessionWindows):
    """Event-time sessions in which an element whose field 1 is 33 covers no time at all: [ts, ts)."""

    def assign_windows(self, element: Any, timestamp: int, context: WindowAssignerContext) -> list[TimeWindow]:
        if isinstance(element, tuple) and element[1] == 33:
            return [TimeWindow(timestamp, timestamp)]
        return super().assign_windows(element, timestamp, context)


class NonEagerlyMergingWindows(EventTimeSessionWindows):
    """A misbehaving assigner: only windows that begin within the earliest one merge, into one that ends 1 later."""

    def merge_windows(self, windows: Iterable[TimeWindow], callback: MergeCallback[TimeWindow]) -> None:
        windows = list(windows)
        earliest = min(windows, key=lambda window: window.start)
        group = [window for window in windows if earliest.start <= window.start < earliest.end]
        if len(group) > 1:
            callback.merge(group, TimeWindow(earliest.start, earliest.end + 1))


class FireEverytimeTrigger(Trigger[Any, Window]):
    """Fires whenever it is asked, and keeps nothing."""

    def on_element(self, element: Any, timestamp: int, window: Window, ctx: TriggerContext) -> TriggerResult:
        return TriggerResult.FIRE

    def on_processing_time(self, time: int, window: Window, ctx: TriggerContext) -> TriggerResult:
        return TriggerResult.FIRE

    def on_event_time(self, time: int, window: Window, ctx: TriggerContext) -> TriggerResult:
        return TriggerResult.FIRE

    def can_merge(self) -> bool:
        return True

    def on_merge(self, window: Window, ctx: OnMergeContext) -> None:
        """Nothing is kept."""

    def clear(self, window: Window, ctx: TriggerContext) -> None:
        """Nothing is kept."""


class EventTimeTriggerAccumGC(Trigger[Any, TimeWindow]):
    """Fires and purges at the window's end and again ``cleanup`` milliseconds later."""

    def __init__(self, cleanup: int) -> None:
        self._cleanup = cleanup

    def on_element(self, element: Any, timestamp: int, window: TimeWindow, ctx: TriggerContext) -> TriggerResult:
        if window.max_timestamp() <= ctx.get_current_watermark():
            return TriggerResult.FIRE
        ctx.register_event_time_timer(window.max_timestamp())
        return TriggerResult.CONTINUE

    def on_processing_time(self, time: int, window: TimeWindow, ctx: TriggerContext) -> TriggerResult:
        return TriggerResult.CONTINUE

    def on_event_time(self, time: int, window: TimeWindow, ctx: TriggerContext) -> TriggerResult:
        end = window.max_timestamp()
        return TriggerResult.FIRE_AND_PURGE if time in (end, end + self._cleanup) else TriggerResult.CONTINUE

    def can_merge(self) -> bool:
        return True

    def on_merge(self, window: TimeWindow, ctx: OnMergeContext) -> None:
        ctx.register_event_time_timer(window.max_timestamp())

    def clear(self, window: TimeWindow, ctx: TriggerContext) -> None:
        ctx.delete_event_time_timer(window.max_timestamp())
