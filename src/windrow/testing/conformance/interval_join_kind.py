"""Conformance cases of the kind ``interval_join``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from windrow.datastream.functions import ProcessJoinFunction
from windrow.operators.interval_join import Interval, IntervalJoinOperator
from windrow.testing.conformance.failure import ConformanceFailure, at_step, check, check_error
from windrow.testing.conformance.output_json import check_multiset, expected_json, output_json, records_json
from windrow.testing.conformance.registry import handles
from windrow.testing.conformance.specs import make_key_selector
from windrow.testing.conformance.windows_json import value_of
from windrow.testing.outputs import OutputItem, Record, WatermarkOut
from windrow.testing.two_input_harness import TwoInputOperatorHarness

#: Every case keys by field 0, and all of its elements have the key "key".
KEY_SELECTOR = make_key_selector("field 0")
#: The side outputs of late elements, by the name of their side in cases.
LATE_TAGS = {"left": "late left", "right": "late right"}


class Pair(ProcessJoinFunction):
    """Emits the two values."""

    def process_element(self, left: Any, right: Any, ctx: ProcessJoinFunction.Context) -> Iterable[Any]:
        yield left, right


class CheckContext(ProcessJoinFunction):
    """Emits nothing; fails unless the context tells the timestamps that the values have as their field 1."""

    def process_element(self, left: Any, right: Any, ctx: ProcessJoinFunction.Context) -> Iterable[Any]:
        check("left timestamp in the context", ctx.get_left_timestamp(), left[1])
        check("right timestamp in the context", ctx.get_right_timestamp(), right[1])
        check("timestamp in the context", ctx.get_timestamp(), max(left[1], right[1]))
        return ()


_FUNCTIONS: dict[str, type[ProcessJoinFunction]] = {"join_pair": Pair, "join_check_context": CheckContext}


def join_operator(operator: dict[str, Any]) -> IntervalJoinOperator:
    """The join that a case describes.

    Raises:
        ValueError: its ``function_id`` is not known.
    """
    function_id = operator["function_id"]
    if function_id not in _FUNCTIONS:
        msg = f"function_id {function_id!r} is not known; known are {', '.join(_FUNCTIONS)}"
        raise ValueError(msg)
    interval = Interval.of(
        operator["lower_bound"],
        operator["upper_bound"],
        lower_inclusive=operator["lower_inclusive"],
        upper_inclusive=operator["upper_inclusive"],
    )
    tags = [LATE_TAGS[side] if operator[f"side_output_late_{side}"] else None for side in ("left", "right")]
    return IntervalJoinOperator(_FUNCTIONS[function_id](), interval, *tags)


def check_records(items: Iterable[OutputItem], expected: list[dict[str, Any]]) -> None:
    """Compare records as multisets; cases say nothing of watermarks."""
    records = records_json(item for item in items if isinstance(item, Record))
    check_multiset("records", records, expected_json(expected))


def check_no_late_records(items: Iterable[OutputItem]) -> None:
    """Check that each record's timestamp is above the last watermark before it."""
    watermark = None
    for item in items:
        if isinstance(item, WatermarkOut):
            watermark = item.watermark
        elif isinstance(item, Record) and watermark is not None and item.timestamp <= watermark:
            msg = f"late record: {output_json(item)} came out behind watermark {watermark}"
            raise ConformanceFailure(msg)


def check_late(items: Iterable[tuple[str, Record]], expected: list[dict[str, Any]]) -> None:
    """Compare ``(side, record)`` of the late side outputs as multisets."""
    check_multiset(
        "late side outputs", [{**output_json(record), "side": side} for side, record in items], expected_json(expected)
    )


@handles("interval_join")
def play_interval_join(case: dict[str, Any]) -> None:
    """Play the steps of a case, and check what the join gives and sends to side outputs."""
    player = _Player(case["operator"])
    for number, step in enumerate(case["steps"]):
        with at_step(number, step):
            player.play(step)
    if "expect_side" in case:
        player.check_side(case["expect_side"])
    player.close()


class _Player:
    """One operator after the other, restored from each other's snapshots."""

    def __init__(self, operator: dict[str, Any]) -> None:
        self._spec = operator
        #: Output of operators before the last restart that no step has compared yet.
        self._output: list[OutputItem] = []
        self._late: list[tuple[str, Record]] = []
        #: How many items of the present operator's output were compared.
        self._compared = 0
        self._start(None)

    def play(self, step: dict[str, Any]) -> None:
        """Play a step: an input or a check."""
        if "expect_error" in step:
            check_error(step, lambda: self._input(step))
        else:
            self._input(step)
        for key, expected in step.items():
            match key:
                case "expect":
                    check_records([*self._output, *self._harness.output[self._compared :]], expected)
                    self._output, self._compared = [], len(self._harness.output)
                case "expect_no_late_records":
                    check_no_late_records(self._harness.output)
                case "expect_left_buffer":
                    check("left buffer", self._buffered(0), sorted(expected))
                case "expect_right_buffer":
                    check("right buffer", self._buffered(1), sorted(expected))
                case "expect_each_call":
                    check("function_id", self._spec["function_id"], "join_check_context")

    def check_side(self, expected: list[dict[str, Any]]) -> None:
        """Compare the whole late side outputs so far."""
        check_late([*self._late, *self._late_now()], expected)

    def close(self) -> None:
        """Close the operator."""
        self._harness.close()

    def _input(self, step: dict[str, Any]) -> None:
        harness = self._harness
        for key, value in step.items():
            match key:
                case "left":
                    harness.process_element1(value_of(value["value"]), value["ts"])
                case "right":
                    harness.process_element2(value_of(value["value"]), value["ts"])
                case "left_watermark":
                    harness.process_watermark1(value)
                case "right_watermark":
                    harness.process_watermark2(value)
                case "snapshot_restore":
                    self._restart()
                case "order" | "watermarks" | "message_contains":
                    pass
                case _ if not key.startswith("expect"):
                    msg = f"unknown step {key!r}"
                    raise ConformanceFailure(msg)

    def _start(self, snapshot: bytes | None) -> None:
        self._operator = join_operator(self._spec)
        self._harness = TwoInputOperatorHarness(
            self._operator, KEY_SELECTOR, KEY_SELECTOR, name="interval_join", snapshot=snapshot
        )

    def _restart(self) -> None:
        snapshot = self._harness.snapshot()
        self._output += self._harness.output[self._compared :]
        self._late += self._late_now()
        self._harness.close()
        self._compared = 0
        self._start(snapshot)

    def _late_now(self) -> Iterator[tuple[str, Record]]:
        return ((side, record) for side, tag in LATE_TAGS.items() for record in self._harness.side_output(tag))

    def _buffered(self, side: int) -> list[int]:
        # Flink's buffers are maps from a timestamp to its elements: cases list each timestamp once.
        return sorted(set(self._operator.buffered("key")[side]))
