"""The kinds of cases that are played through Spark queries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from windrow.connectors.iterator_source import SourceBatch
from windrow.graph.partitioners import KeyGroupPartitioner
from windrow.graph.transformations import (
    OneInputTransformation,
    PartitionTransformation,
    SourceTransformation,
    Transformation,
    TwoInputTransformation,
)
from windrow.operators.window.spec import build
from windrow.testing.conformance.failure import ConformanceFailure
from windrow.testing.conformance.interval_join_kind import (
    KEY_SELECTOR,
    LATE_TAGS,
    check_late,
    check_no_late_records,
    check_records,
    join_operator,
)
from windrow.testing.conformance.output_json import check_multiset, check_output, expected_json, records_json
from windrow.testing.conformance.spark_script import SparkCase
from windrow.testing.conformance.specs import make_key_selector
from windrow.testing.conformance.window_kinds import LATE, window_spec
from windrow.testing.conformance.windows_json import timestamp_of, value_of
from windrow.testing.outputs import OutputItem, Record


class WindowCase(SparkCase):
    """One source, keys, a window."""

    sources = 1
    side_tags = (LATE,)

    def __init__(self, operator: dict[str, Any]) -> None:
        self._operator = operator

    def inputs(self, step: dict[str, Any]) -> Iterator[tuple[int, SourceBatch]]:
        for key, value in step.items():
            match key:
                case "element":
                    yield 0, _element(value)
                case "watermark":
                    yield 0, SourceBatch((), (), watermark=value)
                case "processing_time":
                    yield 0, SourceBatch((), (), processing_time=value)
                case "snapshot_restore" | "order" | "message_contains":
                    pass
                case _ if not key.startswith("expect"):
                    raise _unknown(key)

    def operator(self, sources: Sequence[SourceTransformation]) -> Transformation:
        keyed = _keyed(10, sources[0], make_key_selector(self._operator["key"]))
        spec = window_spec(self._operator)
        return OneInputTransformation(11, "window", [keyed], factory=partial(build, spec), stateless=False)

    def check_output(self, since_last: Sequence[OutputItem], all_items: Sequence[OutputItem], step: Any) -> None:
        if "expect" in step:
            check_output(since_last, step["expect"], step.get("order", "any"))

    def check_side(self, records: Mapping[str, Sequence[Record]], expected: list[dict[str, Any]]) -> None:
        check_multiset("late side output", records_json(records[LATE]), expected_json(expected))


class IntervalJoinCase(SparkCase):
    """Two sources, keys, an interval join."""

    sources = 2
    side_tags = tuple(LATE_TAGS.values())

    def __init__(self, operator: dict[str, Any]) -> None:
        self._operator = operator

    def inputs(self, step: dict[str, Any]) -> Iterator[tuple[int, SourceBatch]]:
        for key, value in step.items():
            match key:
                case "left":
                    yield 0, _element(value)
                case "right":
                    yield 1, _element(value)
                case "left_watermark":
                    yield 0, SourceBatch((), (), watermark=value)
                case "right_watermark":
                    yield 1, SourceBatch((), (), watermark=value)
                case "snapshot_restore" | "order" | "watermarks" | "message_contains":
                    pass
                case _ if not key.startswith("expect"):
                    raise _unknown(key)

    def operator(self, sources: Sequence[SourceTransformation]) -> Transformation:
        keyed: list[Transformation] = [_keyed(10 + n, source, KEY_SELECTOR) for n, source in enumerate(sources)]
        return TwoInputTransformation(12, "interval join", keyed, factory=partial(join_operator, self._operator))

    def check_output(self, since_last: Sequence[OutputItem], all_items: Sequence[OutputItem], step: Any) -> None:
        if "expect" in step:
            check_records(since_last, step["expect"])
        if "expect_no_late_records" in step:
            check_no_late_records(all_items)

    def check_side(self, records: Mapping[str, Sequence[Record]], expected: list[dict[str, Any]]) -> None:
        check_late([(side, record) for side, tag in LATE_TAGS.items() for record in records[tag]], expected)


def spark_case(operator: dict[str, Any]) -> SparkCase:
    """Find how a case with this ``operator`` is played."""
    return IntervalJoinCase(operator) if operator["kind"] == "interval_join" else WindowCase(operator)


def _element(value: dict[str, Any]) -> SourceBatch:
    return SourceBatch([value_of(value["value"])], [timestamp_of(value["ts"])])


def _keyed(number: int, source: SourceTransformation, selector: Any) -> PartitionTransformation:
    return PartitionTransformation(number, "key", [source], partitioner=KeyGroupPartitioner(selector))


def _unknown(key: str) -> ConformanceFailure:
    return ConformanceFailure(f"unknown step {key!r}")
