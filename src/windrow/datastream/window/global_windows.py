"""Global windows: all elements of a key are in one window, and a trigger decides what happens to it."""

from __future__ import annotations

from typing import Any

from windrow.datastream.window.assigner import WindowAssigner, WindowAssignerContext
from windrow.datastream.window.global_triggers import EndOfStreamTrigger, NeverTrigger
from windrow.datastream.window.serializers import GlobalWindowSerializer
from windrow.datastream.window.trigger import Trigger
from windrow.datastream.window.windows import GlobalWindow

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
