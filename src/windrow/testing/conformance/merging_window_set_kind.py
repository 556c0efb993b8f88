"""Conformance cases of kind ``merging_window_set``: the in-flight windows of one key."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable
from dataclasses import dataclass
from typing import Any

from windrow.datastream.window import MergingWindowAssigner
from windrow.operators.window.merging_window_set import MERGING_WINDOWS, MergingWindowSet
from windrow.state.keyed import KeyedState
from windrow.testing.conformance.failure import ConformanceFailure, at_step, check, check_error
from windrow.testing.conformance.registry import handles
from windrow.testing.conformance.specs import make_assigner
from windrow.testing.conformance.windows_json import window_json, window_of


@handles("merging_window_set")
def run_merging_window_set_case(case: dict[str, Any]) -> None:
    """Play one case.

    Raises:
        ConformanceFailure: it does not hold.
    """
    player = _Player(case["operator"])
    for number, step in enumerate(case["steps"]):
        with at_step(number, step):
            player.play(step)


class _CountingState(KeyedState):
    """Keyed state that counts how often the list of windows is written to it."""

    writes = 0

    def put(self, name: str, namespace: Hashable, value: Any) -> None:
        self.writes += 1
        super().put(name, namespace, value)


@dataclass(frozen=True)
class _MergeCall:
    target: Any
    sources: Collection[Any]
    state_window: Any
    merged_state_windows: Collection[Any]


class _Player:
    def __init__(self, operator: dict[str, Any]) -> None:
        assigner = make_assigner(operator["assigner"])
        if not isinstance(assigner, MergingWindowAssigner):
            msg = f"{assigner!r} merges no windows"
            raise ConformanceFailure(msg)
        self._state = _CountingState()
        self._state.set_current_key("key")
        restored = {window_of(window): window_of(state) for window, state in operator.get("restored") or ()}
        if restored:
            self._state.entry[(MERGING_WINDOWS, None)] = restored
        self._set = MergingWindowSet(assigner, self._state)
        self._last_added: Any = None
        self._calls: list[_MergeCall] = []

    def play(self, step: dict[str, Any]) -> None:
        plays: dict[str, Callable[[dict[str, Any]], None]] = {
            "add": self._add,
            "state_window": self._check_state_window,
            "retire": self._retire,
            "persist": self._persist,
        }
        for name, method in plays.items():
            if name in step:
                method(step)
                return
        msg = f"cases of kind merging_window_set have no such step: {sorted(step)}"
        raise ConformanceFailure(msg)

    def _add(self, step: dict[str, Any]) -> None:
        self._calls.clear()
        if "expect_error" in step:
            check_error(step, lambda: self._set.add_window(window_of(step["add"]), self._record))
            return
        self._last_added = self._set.add_window(window_of(step["add"]), self._record)
        if "expect_window" in step:
            check("representative", window_json(self._last_added), step["expect_window"])
        if "expect_merge" not in step:
            return
        expected = step["expect_merge"]
        check("merge calls", len(self._calls), 0 if expected is None else 1)
        if expected is not None:
            _check_call(self._calls[0], expected)

    def _record(self, target: Any, sources: Collection[Any], state_window: Any, merged: Collection[Any]) -> None:
        self._calls.append(_MergeCall(target, sources, state_window, merged))

    def _check_state_window(self, step: dict[str, Any]) -> None:
        asked = step["state_window"]
        window = self._last_added if isinstance(asked, str) and asked != "global" else window_of(asked)
        found = self._set.get_state_window(window)
        shown = None if found is None else window_json(found)
        if "expect" in step:
            check("state window", shown, step["expect"])
        if "expect_any_of" in step:
            _check_any_of("state window", shown, step["expect_any_of"])
        if step.get("expect_not_null"):
            check("there is a state window", shown is not None, True)

    def _retire(self, step: dict[str, Any]) -> None:
        if "expect_error" in step:
            check_error(step, lambda: self._set.retire_window(window_of(step["retire"])))
        else:
            self._set.retire_window(window_of(step["retire"]))

    def _persist(self, step: dict[str, Any]) -> None:
        self._state.writes = 0
        self._set.persist()
        if "expect_writes" in step:
            check("writes of the windows", self._state.writes, step["expect_writes"])
        if "expect_persisted" in step:
            stored = self._state.get(MERGING_WINDOWS, None, {})
            pairs = [[window_json(window), window_json(state)] for window, state in stored.items()]
            check("windows stored", sorted(pairs), sorted(step["expect_persisted"]))


def _check_call(call: _MergeCall, expected: dict[str, Any]) -> None:
    merged = sorted(map(window_json, call.merged_state_windows))
    actual = {
        "target": window_json(call.target),
        "state_window": window_json(call.state_window),
        "sources": sorted(map(window_json, call.sources)),
        "merged_state_windows": merged,
    }
    for name, value in expected.items():
        if name == "target_not_in_merged_state_windows":
            check(name, call.target not in call.merged_state_windows, value)
        elif name.endswith("_any_of"):
            argument = name.removesuffix("_any_of")
            _check_any_of(argument, actual[argument], [_unordered(argument, choice) for choice in value])
        else:
            check(name, actual[name], _unordered(name, value))


def _unordered(argument: str, windows: Any) -> Any:
    return sorted(windows) if argument in {"sources", "merged_state_windows"} else windows


def _check_any_of(what: str, actual: Any, choices: list[Any]) -> None:
    if actual not in choices:
        msg = f"{what}: expected one of {choices}, got {actual}"
        raise ConformanceFailure(msg)
