"""Conformance cases of kind ``window_contract``: what a window operator owes its assigner, trigger and function."""

from __future__ import annotations

from operator import add
from typing import Any

from windrow.datastream.window import CountEvictor
from windrow.operators.base import Operator
from windrow.operators.window.contents import CONTENTS, IncrementalContents, ListContents
from windrow.operators.window.evicting_window_operator import EvictingWindowOperator
from windrow.operators.window.incremental import Incremental
from windrow.operators.window.merging_window_set import MERGING_WINDOWS
from windrow.operators.window.window_operator import WindowOperator
from windrow.testing.base_harness import StateEntry
from windrow.testing.conformance.failure import ConformanceFailure, at_step, check, check_error
from windrow.testing.conformance.output_json import check_multiset, expected_json, records_json
from windrow.testing.conformance.registry import handles
from windrow.testing.conformance.scripted_window import (
    Script,
    ScriptedAssigner,
    ScriptedFunction,
    ScriptedGlobalAssigner,
    ScriptedMergingAssigner,
    ScriptedTrigger,
)
from windrow.testing.conformance.windows_json import timestamp_of
from windrow.testing.harness import OperatorHarness

_LATE = "late"
#: Keys that say more about another key of their step.
_MODIFIERS = ("expect_error", "message_contains", "order", "reset_script")
_CALLBACKS = ("on_element", "on_event_time", "on_processing_time", "on_merge", "on_clear")


@handles("window_contract")
def play_contract(case: dict[str, Any]) -> None:
    """Play a case on each of its operators."""
    for operator in case["operator"]["operators"]:
        player = _Player(case["operator"], operator)
        try:
            for number, step in enumerate(case["steps"]):
                with at_step(number, step):
                    player.play(step)
        except ConformanceFailure as failure:
            msg = f"{operator}: {failure}"
            raise ConformanceFailure(msg) from failure


class _Player:
    """One operator and the script of its parts."""

    def __init__(self, config: dict[str, Any], kind: str) -> None:
        self._config = config
        self._kind = kind
        self._script = Script()
        self._harness = self._make(None)

    def play(self, step: dict[str, Any]) -> None:
        """Play a step: settings, inputs and checks, in the order in which they are written."""
        for key, value in step.items():
            method = getattr(self, f"_{key}", None)
            if key in _CALLBACKS:
                self._script.trigger[key] = value
            elif method is not None:
                method(step)
            elif key not in _MODIFIERS:
                msg = f"unknown step {key!r}"
                raise ConformanceFailure(msg)

    def _make(self, snapshot: bytes | None) -> OperatorHarness:
        return OperatorHarness(self._operator(), lambda value: value, name=self._kind, snapshot=snapshot)

    def _operator(self) -> Operator:
        config = self._config
        assigner = self._assigner()
        trigger, function = ScriptedTrigger(self._script), ScriptedFunction(self._script)
        lateness = config["allowed_lateness"]
        late_tag = _LATE if config["side_output_late"] else None
        if self._kind == "evicting_window":
            evictor = CountEvictor.of(config["evictor"]["count"], config["evictor"].get("evict_after", False))
            return EvictingWindowOperator(assigner, trigger, evictor, function, lateness, late_tag)
        is_list = config["state"] == "list"
        contents = ListContents() if is_list else IncrementalContents(Incremental.of(add))
        return WindowOperator(assigner, trigger, contents, function, lateness, late_tag)

    def _assigner(self) -> ScriptedAssigner:
        config = self._config["assigner"]
        if config["type"] == "ScriptedGlobal":
            kind: type[ScriptedAssigner] = ScriptedGlobalAssigner
        else:
            kind = ScriptedMergingAssigner if config["merging"] else ScriptedAssigner
        return kind(self._script, event_time=config["is_event_time"])

    # Settings

    def _assign(self, step: dict[str, Any]) -> None:
        self._script.windows = step["assign"]

    def _merge_script(self, step: dict[str, Any]) -> None:
        self._script.merge = step["merge_script"]

    def _function_does(self, step: dict[str, Any]) -> None:
        self._script.function = step["function_does"]

    def _function_clear_does(self, step: dict[str, Any]) -> None:
        self._script.function_clear = step["function_clear_does"]

    # Inputs

    def _element(self, step: dict[str, Any]) -> None:
        element = step["element"]
        merge_calls_before = len(self._script.merge_calls)
        if "expect_error" in step:
            check_error(step, lambda: self._harness.process_element(element["value"], element["ts"]))
        else:
            self._harness.process_element(element["value"], element["ts"])
        if self._script.merge is not None and "expect_windows" in self._script.merge:
            for call in self._script.merge_calls[merge_calls_before:]:
                check_multiset("windows to merge", call, self._script.merge["expect_windows"])

    def _watermark(self, step: dict[str, Any]) -> None:
        self._harness.process_watermark(step["watermark"])

    def _processing_time(self, step: dict[str, Any]) -> None:
        self._harness.set_processing_time(step["processing_time"])

    def _snapshot_restore(self, step: dict[str, Any]) -> None:
        snapshot = self._harness.snapshot()
        self._harness.close()
        if step.get("reset_script"):
            self._script = Script()
        self._harness = self._make(snapshot)

    # Checks

    def _expect_function_calls(self, step: dict[str, Any]) -> None:
        check_multiset("function calls", self._script.function_calls, step["expect_function_calls"])

    def _expect_trigger_calls(self, step: dict[str, Any]) -> None:
        _check_times("trigger calls", self._script.trigger_calls, step["expect_trigger_calls"])

    def _expect_assign_calls(self, step: dict[str, Any]) -> None:
        _check_times("assigner calls", self._script.assign_calls, step["expect_assign_calls"])

    def _expect_merge_calls(self, step: dict[str, Any]) -> None:
        expected = step["expect_merge_calls"]
        calls = [_sorted_windows(call) for call in self._script.merge_calls]
        if "times" in expected:
            check("number of merge calls", len(calls), expected["times"])
        if "includes" in expected and _sorted_windows(expected["includes"]) not in calls:
            msg = f"no merge call with {expected['includes']}; there were {calls}"
            raise ConformanceFailure(msg)

    def _expect_counts(self, step: dict[str, Any]) -> None:
        harness = self._harness
        for what, expected in step["expect_counts"].items():
            match what:
                case "state_entries":
                    check(what, _count_entries(harness.state_entries()), expected)
                case "event_timers":
                    check(what, harness.num_event_timers(), expected)
                case "processing_timers":
                    check(what, harness.num_processing_timers(), expected)
                case _:
                    msg = f"unknown count {what!r}"
                    raise ConformanceFailure(msg)

    def _expect_records(self, step: dict[str, Any]) -> None:
        check("records", records_json(self._harness.records()), expected_json(step["expect_records"]))

    def _expect_all_output(self, step: dict[str, Any]) -> None:
        check("output", records_json(self._harness.output), expected_json(step["expect_all_output"]))

    def _expect_side(self, step: dict[str, Any]) -> None:
        check_multiset("late side output", self._side(_LATE), expected_json(step["expect_side"]))

    def _expect_named_side(self, step: dict[str, Any]) -> None:
        for name, expected in step["expect_named_side"].items():
            check(f"side output {name!r}", self._side(name), expected_json(expected))

    def _side(self, name: str) -> list[dict[str, Any]]:
        return records_json(self._harness.side_output(name))

    def _expect_context_time(self, step: dict[str, Any]) -> None:
        expected = step["expect_context_time"]
        times = self._script.times.get((expected["callback"], expected["domain"]), [])
        check(f"{expected['domain']} time in {expected['callback']}", times, expected["values"])


def _check_times(what: str, calls: list[dict[str, Any]], expected: dict[str, Any]) -> None:
    wanted = {name: value for name, value in expected.items() if name != "times"}
    if "ts" in wanted:
        wanted["ts"] = timestamp_of(wanted["ts"])
    matching = [call for call in calls if all(call.get(name) == value for name, value in wanted.items())]
    check(f"number of {what}", len(matching), expected["times"])


def _sorted_windows(windows: list[Any]) -> list[Any]:
    return sorted(windows, key=str)


def _count_entries(entries: list[StateEntry]) -> int:
    """The table counts trigger state and function state of a key and window as one entry."""
    kept = [entry for entry in entries if entry.name in (CONTENTS, MERGING_WINDOWS)]
    others = {(entry.key, entry.namespace) for entry in entries if entry.name not in (CONTENTS, MERGING_WINDOWS)}
    return len(kept) + len(others)
