"""Conformance cases of the kinds ``window`` and ``evicting_window``."""

from __future__ import annotations

from typing import Any

from windrow.operators.window.aligned_window_operator import AlignedWindowOperator
from windrow.operators.window.by_clock import ByClock
from windrow.operators.window.contents import CONTENTS
from windrow.operators.window.session_window_operator import SessionWindowOperator
from windrow.operators.window.spec import WindowSpec, build
from windrow.testing.conformance.failure import ConformanceFailure, at_step, check, check_error
from windrow.testing.conformance.output_json import check_multiset, check_output, expected_json, records_json
from windrow.testing.conformance.registry import handles
from windrow.testing.conformance.specs import make_assigner, make_evictor, make_key_selector, make_trigger
from windrow.testing.conformance.window_functions import function_of
from windrow.testing.conformance.windows_json import value_json, value_of, window_of
from windrow.testing.harness import OperatorHarness
from windrow.testing.outputs import OutputItem, Record

#: The side output of late elements.
LATE = "late"


@handles("window", "evicting_window")
def play_window(case: dict[str, Any]) -> None:
    """Play a case; where the operator for many elements at a time applies, on that and on the generic one."""
    operator = build(window_spec(case["operator"]), columns=False)
    is_aligned = isinstance(operator, AlignedWindowOperator | SessionWindowOperator | ByClock)
    for aligned in (True, False) if is_aligned else (False,):
        player = _Player(case["operator"], aligned=aligned)
        for number, step in enumerate(case["steps"]):
            with at_step(number, step):
                player.play(step)
        if "expect_side" in case:
            player.check_side(case["expect_side"])
        player.close()


def window_spec(operator: dict[str, Any]) -> WindowSpec:
    """The window operation that a case describes."""
    function = function_of(operator)
    is_reducing = operator["state"] == "reducing"
    if is_reducing != (function.reduce is not None):
        msg = f"function_id {operator['function_id']!r} does not go with state {operator['state']!r}"
        raise ConformanceFailure(msg)
    return WindowSpec(
        make_assigner(operator["assigner"]),
        make_trigger(operator["trigger"]),
        make_evictor(operator.get("evictor")),
        operator["allowed_lateness"],
        LATE if operator["side_output_late"] else None,
        incremental=function.reduce,
        function=function.function,
        name=operator["kind"],
    )


class _Player:
    """One operator after the other, restored from each other's snapshots."""

    def __init__(self, operator: dict[str, Any], *, aligned: bool) -> None:
        self._operator = operator
        self._aligned = aligned
        self._output: list[OutputItem] = []
        self._side: list[Record] = []
        self._harness = self._make(None)

    def play(self, step: dict[str, Any]) -> None:
        """Play a step: an input or a check."""
        if "expect_error" in step:
            check_error(step, lambda: self._input(step))
        else:
            self._input(step)
        for key, expected in step.items():
            match key:
                case "expect":
                    check_output(self._take_output(), expected, step.get("order", "any"))
                case "expect_side":
                    self.check_side(expected)
                case "expect_window_state":
                    self._check_window_state(expected)

    def check_side(self, expected: list[dict[str, Any]]) -> None:
        """Compare the whole late side output so far."""
        actual = [*self._side, *self._harness.side_output(LATE)]
        check_multiset("late side output", records_json(actual), expected_json(expected))

    def close(self) -> None:
        """Close the operator."""
        self._harness.close()

    def _make(self, snapshot: bytes | None) -> OperatorHarness:
        operator = build(window_spec(self._operator), aligned=self._aligned)
        key_selector = make_key_selector(self._operator["key"])
        return OperatorHarness(operator, key_selector, name=self._operator["kind"], snapshot=snapshot)

    def _input(self, step: dict[str, Any]) -> None:
        for key, value in step.items():
            match key:
                case "element":
                    self._harness.process_element(value_of(value["value"]), value["ts"])
                case "watermark":
                    self._harness.process_watermark(value)
                case "processing_time":
                    self._harness.set_processing_time(value)
                case "snapshot_restore":
                    self._restart()
                case "order" | "message_contains":
                    pass
                case _ if not key.startswith("expect"):
                    msg = f"unknown step {key!r}"
                    raise ConformanceFailure(msg)

    def _restart(self) -> None:
        snapshot = self._harness.snapshot()
        self._output += self._harness.take_output()
        self._side += self._harness.side_output(LATE)
        self._harness.close()
        self._harness = self._make(snapshot)

    def _take_output(self) -> list[OutputItem]:
        taken = [*self._output, *self._harness.take_output()]
        self._output = []
        return taken

    def _check_window_state(self, expected: dict[str, Any]) -> None:
        place = (value_of(expected["key"]), CONTENTS, window_of(expected["window"]))
        stored = [entry.value for entry in self._harness.state_entries() if entry[:3] == place]
        contents = stored[0] if stored else []
        is_buffer = self._operator["evictor"] is not None
        check(
            "window contents", value_json([e.value for e in contents] if is_buffer else contents), expected["contents"]
        )
