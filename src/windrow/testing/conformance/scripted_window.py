"""An assigner, a trigger and a window function that do what a case's script says, and remember how they were called."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from windrow.datastream.output_tag import OutputTag
from windrow.datastream.state import ValueStateDescriptor
from windrow.datastream.window import (
    EventTimeTrigger,
    GlobalWindow,
    MergeCallback,
    MergingWindowAssigner,
    OnMergeContext,
    Trigger,
    TriggerContext,
    TriggerResult,
    Window,
    WindowAssigner,
    WindowAssignerContext,
)
from windrow.operators.window.window_context import WindowContext
from windrow.operators.window.window_functions import InternalWindowFunction
from windrow.testing.conformance.windows_json import window_json, window_of

TRIGGER_STATE = ValueStateDescriptor("trigger-state")
WINDOW_STATE = ValueStateDescriptor("window-state")


@dataclass
class Script:
    """Says what to do from now on, and keeps the calls so far."""

    windows: list[Any] = field(default_factory=list)
    merge: dict[str, Any] | None = None
    #: What each of the trigger's callbacks does, by its name.
    trigger: dict[str, dict[str, Any]] = field(default_factory=dict)
    function: dict[str, Any] = field(default_factory=dict)
    function_clear: dict[str, Any] = field(default_factory=dict)

    assign_calls: list[dict[str, Any]] = field(default_factory=list)
    merge_calls: list[list[Any]] = field(default_factory=list)
    trigger_calls: list[dict[str, Any]] = field(default_factory=list)
    function_calls: list[dict[str, Any]] = field(default_factory=list)
    #: Current times as the function saw them, by callback and domain.
    times: dict[tuple[str, str], list[int]] = field(default_factory=dict)

    def note_times(self, callback: str, context: WindowContext) -> None:
        """Remember what ``context`` says the time is."""
        self.times.setdefault((callback, "event"), []).append(context.current_watermark())
        self.times.setdefault((callback, "processing"), []).append(context.current_processing_time())


class ScriptedAssigner(WindowAssigner[Any, Any]):
    """Assigns the windows of the script."""

    def __init__(self, script: Script, *, event_time: bool) -> None:
        self._script = script
        self._event_time = event_time

    def assign_windows(self, element: Any, timestamp: int, context: WindowAssignerContext) -> list[Any]:
        self._script.assign_calls.append({"value": element, "ts": timestamp})
        return [window_of(window) for window in self._script.windows]

    def get_default_trigger(self, env: Any = None) -> Trigger[Any, Any]:
        return EventTimeTrigger.create()

    def is_event_time(self) -> bool:
        return self._event_time


class ScriptedGlobalAssigner(ScriptedAssigner):
    """Assigns the global window."""

    def assign_windows(self, element: Any, timestamp: int, context: WindowAssignerContext) -> list[Any]:
        super().assign_windows(element, timestamp, context)
        return [GlobalWindow.get()]


class ScriptedMergingAssigner(ScriptedAssigner, MergingWindowAssigner[Any, Any]):
    """Reports the merge of the script, if there is one."""

    def merge_windows(self, windows: Iterable[Any], callback: MergeCallback[Any]) -> None:
        self._script.merge_calls.append([window_json(window) for window in windows])
        merge = self._script.merge
        if merge is not None:
            callback.merge([window_of(source) for source in merge["sources"]], window_of(merge["result"]))


class ScriptedTrigger(Trigger[Any, Window]):
    """Does the actions of the script and returns its result."""

    def __init__(self, script: Script) -> None:
        self._script = script

    def on_element(self, element: Any, timestamp: int, window: Window, ctx: TriggerContext) -> TriggerResult:
        return self._act("on_element", window, ctx, value=element, ts=timestamp)

    def on_event_time(self, time: int, window: Window, ctx: TriggerContext) -> TriggerResult:
        return self._act("on_event_time", window, ctx, time=time)

    def on_processing_time(self, time: int, window: Window, ctx: TriggerContext) -> TriggerResult:
        return self._act("on_processing_time", window, ctx, time=time)

    def can_merge(self) -> bool:
        return True

    def on_merge(self, window: Window, ctx: OnMergeContext) -> None:
        self._act("on_merge", window, ctx)

    def clear(self, window: Window, ctx: TriggerContext) -> None:
        self._act("on_clear", window, ctx)

    def _act(self, callback: str, window: Window, ctx: TriggerContext, **arguments: Any) -> TriggerResult:
        self._script.trigger_calls.append({"callback": callback, "window": window_json(window), **arguments})
        scripted = self._script.trigger.get(callback, {})
        if "only_time" in scripted and scripted["only_time"] != arguments.get("time"):
            return TriggerResult.CONTINUE
        for action in scripted.get("do", ()):
            for name, argument in action.items():
                _do(name, argument, window, ctx)
        return TriggerResult[scripted.get("result", "CONTINUE")]


def _do(action: str, argument: Any, window: Any, ctx: TriggerContext) -> None:
    time = window.end if argument == "window end" else argument
    match action:
        case "register_event_timer":
            ctx.register_event_time_timer(time)
        case "register_processing_timer":
            ctx.register_processing_time_timer(time)
        case "delete_event_timer":
            ctx.delete_event_time_timer(time)
        case "delete_processing_timer":
            ctx.delete_processing_time_timer(time)
        case "set_trigger_state":
            ctx.get_partitioned_state(TRIGGER_STATE).update(argument)
        case "clear_trigger_state":
            ctx.get_partitioned_state(TRIGGER_STATE).clear()
        case _:
            msg = f"unknown action {action!r} of a scripted trigger"
            raise ValueError(msg)


class ScriptedFunction(InternalWindowFunction):
    """Remembers each call with its contents and does what the script says."""

    def __init__(self, script: Script) -> None:
        self._script = script

    def process(self, key: Any, window: Any, context: WindowContext, contents: Any) -> list[Any]:
        script = self._script
        script.function_calls.append({"key": key, "window": window_json(window), "contents": contents})
        script.note_times("function", context)
        if "set_window_state" in script.function:
            state = context.window_state().get_state(WINDOW_STATE)
            state.update(script.function["set_window_state"])
        names = script.function.get("emit_first_input_to_side_outputs", ())
        return [*script.function.get("emit", ()), *((OutputTag(name), contents[0]) for name in names)]

    def clear(self, context: WindowContext) -> None:
        self._script.note_times("function_clear", context)
        if self._script.function_clear.get("clear_window_state"):
            context.window_state().get_state(WINDOW_STATE).clear()
