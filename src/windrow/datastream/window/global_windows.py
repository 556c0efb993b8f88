"""Global windows: all elements of a key are in one window, and a trigger decides what happens to it."""

from __future__ import annotations

from typing import Any

from windrow.datastream.window.assigner import WindowAssigner, WindowAssignerContext
from windrow.datastream.window.serializers import GlobalWindowSerializer
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


_GLOBAL = (GlobalWindow.get(),)


class GlobalWindows(WindowAssigner[Any, GlobalWindow]):
    """Puts every element into the global window (Flink's ``GlobalWindows``).

    Nothing ever fires unless a trigger is given, or the assigner was made by
    :meth:`create_with_end_of_stream_trigger`.

    >>> GlobalWindows.create()
    GlobalWindows(trigger=NeverTrigger)
    """

    def __init__(self, default_trigger: Trigger[Any, GlobalWindow] | None = None) -> None:
        self._default_trigger = NeverTrigger() if default_trigger is None else default_trigger

    @staticmethod
    def create() -> GlobalWindows:
        """The global window, to be used with a trigger of your own."""
        return GlobalWindows()

    @staticmethod
    def create_with_end_of_stream_trigger() -> GlobalWindows:
        """The global window that fires once, when the stream has ended."""
        return GlobalWindows(EndOfStreamTrigger())

    def assign_windows(self, element: Any, timestamp: int, context: WindowAssignerContext) -> tuple[GlobalWindow, ...]:
        return _GLOBAL

    def get_default_trigger(self, env: Any = None) -> Trigger[Any, GlobalWindow]:
        return self._default_trigger

    def get_window_serializer(self) -> GlobalWindowSerializer:
        return GlobalWindowSerializer()

    def is_event_time(self) -> bool:
        return False

    def __repr__(self) -> str:
        return f"GlobalWindows(trigger={type(self._default_trigger).__name__})"
