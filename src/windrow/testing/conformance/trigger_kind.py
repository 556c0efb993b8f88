"""Conformance cases of kind ``trigger``: a trigger alone, with one key and no window operator."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from windrow.common.limits import LONG_MIN
from windrow.datastream.window import OnMergeContext, PurgingTrigger, Trigger, TriggerContext, TriggerResult
from windrow.operators.base import OperatorContext, Time
from windrow.operators.window.trigger_context import OperatorTriggerContext
from windrow.state.keyed import KeyedState
from windrow.state.timer_queue import TimerQueue
from windrow.testing.conformance.failure import ConformanceFailure, at_step, check
from windrow.testing.conformance.registry import handles
from windrow.testing.conformance.specs import AnyTrigger, make_trigger
from windrow.testing.conformance.windows_json import timestamp_of, value_of, window_json, window_of

Step = dict[str, Any]
_CALLBACKS = ("on_element", "on_processing_time", "on_event_time", "can_merge", "on_merge", "clear")


@handles("trigger")
def run_trigger_case(case: dict[str, Any]) -> None:
    """Play one case.

    Raises:
        ConformanceFailure: it does not hold.
    """
    player = _Player(case["operator"]["trigger"])
    for number, step in enumerate(case["steps"]):
        with at_step(number, step):
            player.play(step)


class _ScriptedTrigger(Trigger[Any, Any]):
    """Does what the latest script step of a callback says, and counts its calls."""

    def __init__(self) -> None:
        self.scripts: dict[str, Step] = {}
        self.calls: list[tuple[str, Any]] = []

    def on_element(self, element: Any, timestamp: int, window: Any, ctx: TriggerContext) -> TriggerResult:
        return self._called("on_element", window, ctx)

    def on_processing_time(self, time: int, window: Any, ctx: TriggerContext) -> TriggerResult:
        return self._called("on_processing_time", window, ctx)

    def on_event_time(self, time: int, window: Any, ctx: TriggerContext) -> TriggerResult:
        return self._called("on_event_time", window, ctx)

    def can_merge(self) -> bool:
        return True

    def on_merge(self, window: Any, ctx: OnMergeContext) -> None:
        self._called("on_merge", window, ctx)

    def clear(self, window: Any, ctx: TriggerContext) -> None:
        self._called("clear", window, ctx)

    def _called(self, callback: str, window: Any, ctx: TriggerContext) -> TriggerResult:
        self.calls.append((callback, window))
        script = self.scripts.get(callback, {})
        for time in script.get("register_event_timers", ()):
            ctx.register_event_time_timer(time)
        for time in script.get("register_processing_timers", ()):
            ctx.register_processing_time_timer(time)
        return TriggerResult[script.get("result", "CONTINUE")]


class _NoOutput:
    """A trigger emits nothing; whatever asks for an output is told so."""

    def __getattr__(self, name: str) -> Any:
        msg = f"a trigger case has no output to {name} to"
        raise ConformanceFailure(msg)


class _Player:
    def __init__(self, spec: Step) -> None:
        self._scripted = _ScriptedTrigger()
        self._trigger = self._make(spec)
        self._state = KeyedState()
        self._state.set_current_key("key")
        self._time = Time(LONG_MIN, LONG_MIN)
        operator = OperatorContext("trigger", _NoOutput(), self._time, self._state, runtime_context=None)
        self._context = OperatorTriggerContext(operator)

    def _make(self, spec: Step) -> AnyTrigger:
        if spec["type"] == "PurgingTrigger" and spec["inner"]["type"] == "Scripted":
            return PurgingTrigger.of(self._scripted)
        return make_trigger(spec)

    def play(self, step: Step) -> None:
        plays: dict[str, Callable[[Step], None]] = {
            "element": self._element,
            "watermark": self._watermark,
            "processing_time": self._processing_time,
            "clear": self._clear,
            "merge": self._merge,
            "invoke_event_time": self._invoke_event_time,
            "script": self._script,
            "expect_counts": self._check_counts,
            "expect_can_merge": self._check_can_merge,
            "expect_inner_calls": self._check_inner_calls,
            "expect_overrides_all_trigger_methods": self._check_overrides,
        }
        for name, method in plays.items():
            if name in step:
                method(step)
                return
        msg = f"cases of kind trigger have no such step: {sorted(step)}"
        raise ConformanceFailure(msg)

    def _element(self, step: Step) -> None:
        element = step["element"]
        window = self._enter(element["window"])
        result = self._trigger.on_element(
            value_of(element["value"]), timestamp_of(element["ts"]), window, self._context
        )
        if "expect_result" in step:
            check("result", result.name, step["expect_result"])

    def _watermark(self, step: Step) -> None:
        due = _take_due(self._state.event_timers, step["watermark"])
        self._time.watermark = step["watermark"]
        self._fire(due, self._trigger.on_event_time, step)

    def _processing_time(self, step: Step) -> None:
        due = _take_due(self._state.processing_timers, step["processing_time"])
        self._time.processing_time = step["processing_time"]
        self._fire(due, self._trigger.on_processing_time, step)

    def _fire(self, due: list[tuple[int, Any]], callback: Callable[..., TriggerResult], step: Step) -> None:
        firings = []
        for time, window in due:
            self._context.window = window
            result = callback(time, window, self._context)
            firings.append({"window": window_json(window), "result": result.name})
        if "expect_firings" in step:
            _check_firings(firings, step["expect_firings"], step["match"])

    def _clear(self, step: Step) -> None:
        self._trigger.clear(self._enter(step["clear"]), self._context)

    def _merge(self, step: Step) -> None:
        sources = [window_of(window) for window in step["merge"]["sources"]]
        target = self._enter(step["merge"]["target"])
        self._context.merged_windows = sources
        self._trigger.on_merge(target, self._context)
        for source in sources:
            self._context.window = source
            self._trigger.clear(source, self._context)

    def _invoke_event_time(self, step: Step) -> None:
        given = step["invoke_event_time"]
        self._trigger.on_event_time(given["time"], self._enter(given["window"]), self._context)

    def _enter(self, window: Any) -> Any:
        self._context.window = window_of(window)
        return self._context.window

    def _script(self, step: Step) -> None:
        self._scripted.scripts[step["script"]["callback"]] = step["script"]

    def _check_counts(self, step: Step) -> None:
        windows: dict[str, list[Any]] = {
            "state_entries": [namespace for _, namespace in self._state.entry],
            "event_timers": [window for _, _, window in self._state.event_timers],
            "processing_timers": [window for _, _, window in self._state.processing_timers],
        }
        expected = step["expect_counts"]
        for name in windows.keys() & expected.keys():
            check(name, len(windows[name]), expected[name])
        for of_window in expected.get("per_window", ()):
            window = window_of(of_window["window"])
            for name in windows.keys() & of_window.keys():
                check(f"{name} of {window}", windows[name].count(window), of_window[name])

    def _check_can_merge(self, step: Step) -> None:
        check("can merge", self._trigger.can_merge(), step["expect_can_merge"])

    def _check_inner_calls(self, step: Step) -> None:
        expected = step["expect_inner_calls"]
        windows = [window for callback, window in self._scripted.calls if callback == expected["callback"]]
        if "window" in expected:
            windows = [window for window in windows if window == window_of(expected["window"])]
        check("calls", len(windows), expected["times"])

    def _check_overrides(self, step: Step) -> None:
        missing = [name for name in _CALLBACKS if name not in vars(type(self._trigger))]
        check("overrides every callback", not missing, step["expect_overrides_all_trigger_methods"])


def _take_due(timers: TimerQueue, limit: int) -> list[tuple[int, Any]]:
    due = []
    while (timer := timers.pop_due(limit)) is not None:
        due.append((timer[0], timer[2]))
    return due


def _check_firings(firings: list[Step], expected: list[Step], match: str) -> None:
    if match == "exact" and not expected:
        # The source demands "not exactly one" here.
        check("exactly one firing", len(firings) == 1, False)
    elif match == "exact":
        check("firings", Counter(map(_shown, firings)), Counter(map(_shown, expected)))
    else:
        for firing in expected:
            results = {shown["result"] for shown in firings if shown["window"] == firing["window"]}
            check(f"results of {firing['window']}", results, {firing["result"]})


def _shown(firing: Step) -> str:
    return f"{firing['window']} {firing['result']}"
