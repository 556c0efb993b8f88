"""Conformance cases of kind ``assigner``: a window assigner alone."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from windrow.datastream.window import MergeCallback, MergingWindowAssigner, WindowAssignerContext
from windrow.testing.conformance.failure import ConformanceFailure, at_step, check, check_error
from windrow.testing.conformance.registry import handles
from windrow.testing.conformance.specs import AnyAssigner, make_assigner
from windrow.testing.conformance.windows_json import timestamp_of, value_of, window_json, window_of

Step = dict[str, Any]


@handles("assigner")
def run_assigner_case(case: dict[str, Any]) -> None:
    """Play one case.

    Raises:
        ConformanceFailure: it does not hold.
    """
    spec = case["operator"]["assigner"]
    player = _Player(None if spec is None else make_assigner(spec))
    for number, step in enumerate(case["steps"]):
        with at_step(number, step):
            player.play(step)


class _Context(WindowAssignerContext):
    def __init__(self, processing_time: int) -> None:
        self._processing_time = processing_time

    def get_current_processing_time(self) -> int:
        return self._processing_time

    def get_runtime_context(self) -> Any:
        return self

    def get_index_of_this_subtask(self) -> int:
        """All that an assigner asks the runtime context for here: where to draw a random stagger from."""
        return 0


class _Merges(MergeCallback[Any]):
    def __init__(self) -> None:
        self.reported: list[tuple[list[Any], Any]] = []

    def merge(self, to_be_merged: Collection[Any], merge_result: Any) -> None:
        self.reported.append((sorted(map(window_json, set(to_be_merged))), window_json(merge_result)))


class _Player:
    def __init__(self, assigner: AnyAssigner | None) -> None:
        self._constructed = assigner

    @property
    def _assigner(self) -> AnyAssigner:
        if self._constructed is None:
            msg = "the case has constructed no assigner yet"
            raise ConformanceFailure(msg)
        return self._constructed

    def play(self, step: Step) -> None:
        if "assign" in step:
            self._assign(step)
        elif "merge" in step:
            self._merge(step)
        elif "construct" in step:
            self._construct(step)
        elif "expect_property" in step:
            check(step["expect_property"], self._property(step["expect_property"]), step["equals"])
        else:
            msg = f"cases of kind assigner have no such step: {sorted(step)}"
            raise ConformanceFailure(msg)

    def _assign(self, step: Step) -> None:
        element = step["assign"]
        context = _Context(element.get("processing_time", 0))
        value, timestamp = value_of(element["value"]), timestamp_of(element["ts"])
        if "expect_error" in step:
            check_error(step, lambda: self._assigner.assign_windows(value, timestamp, context))
            return
        windows = [window_json(window) for window in self._assigner.assign_windows(value, timestamp, context)]
        check("windows", sorted(windows), sorted(step["expect_windows"]))

    def _merge(self, step: Step) -> None:
        assigner = self._assigner
        if not isinstance(assigner, MergingWindowAssigner):
            msg = f"{assigner!r} merges no windows"
            raise ConformanceFailure(msg)
        merges = _Merges()
        assigner.merge_windows([window_of(window) for window in step["merge"]], merges)
        expected = [(sorted(merge["sources"]), merge["result"]) for merge in step["expect_merges"]]
        check("merges", sorted(merges.reported), sorted(expected))

    def _construct(self, step: Step) -> None:
        if "expect_error" in step:
            check_error(step, lambda: make_assigner(step["construct"]))
        else:
            self._constructed = make_assigner(step["construct"])

    def _property(self, name: str) -> Any:
        if name == "is_event_time":
            return self._assigner.is_event_time()
        if name == "default_trigger":
            return type(self._assigner.get_default_trigger()).__name__
        if name == "window_type":
            return type(self._assigner.get_window_serializer()).__name__.removesuffix("Serializer")
        msg = f"assigners have no such property: {name}"
        raise ConformanceFailure(msg)
