"""Plays window cases through real Structured Streaming queries.

A case becomes a source whose splits are micro-batches: each ends with a watermark, a processing time or a check.
What is inside an operator (``expect_window_state``) a query does not show: that is checked in process only.
``snapshot_restore`` stops the query and starts another on the same checkpoint. What the query gives is recorded batch
by batch and compared, check by check, when it has ended.
"""

from __future__ import annotations

import shutil
import tempfile
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from windrow.connectors.interfaces import DriverSink, PlannedSource, SourceBatch, Split
from windrow.graph.job_graph import JobGraph
from windrow.graph.partitioners import KeyGroupPartitioner
from windrow.graph.planner import JobSettings, Planner
from windrow.graph.transformations import (
    OneInputTransformation,
    PartitionTransformation,
    SideOutputTransformation,
    SinkTransformation,
    SourceTransformation,
)
from windrow.operators.window.spec import build
from windrow.testing.conformance.failure import ConformanceFailure, at_step, check_error
from windrow.testing.conformance.output_json import check_multiset, check_output, expected_json, records_json
from windrow.testing.conformance.specs import make_key_selector
from windrow.testing.conformance.window_kinds import window_spec
from windrow.testing.conformance.windows_json import timestamp_of, value_of
from windrow.testing.outputs import OutputItem, Record, WatermarkOut

_LATE = "late"
_MAX_PARALLELISM = 4


@dataclass
class _MicroBatch(Split):
    """One micro-batch of a case."""

    batches: list[SourceBatch] = field(default_factory=list)

    def read(self) -> Iterator[SourceBatch]:
        return iter(self.batches)


@dataclass
class _ScriptedSource(PlannedSource):
    """All micro-batches up to a restart, in one channel that has no end."""

    splits: list[_MicroBatch]
    bounded: bool = False

    def plan(self, parallelism: int) -> list[list[Split]]:
        return [list(self.splits)]


class _Recorder(DriverSink):
    """Keeps what a stream gives, in order."""

    def __init__(self) -> None:
        self.items: list[OutputItem] = []

    def deliver(self, values: Sequence[Any], timestamps: Sequence[int]) -> None:
        self.items += [Record(value, int(timestamp)) for value, timestamp in zip(values, timestamps, strict=True)]

    def deliver_watermark(self, timestamp: int) -> None:
        self.items.append(WatermarkOut(timestamp))


@dataclass
class _Script:
    """A case as micro-batches, and how many of them stand before each step's check."""

    splits: list[_MicroBatch]
    #: For each step, the number of micro-batches up to and including it.
    reached: list[int]
    #: Numbers of micro-batches after which the query is stopped and started again; last, all of them.
    stops: list[int]

    @staticmethod
    def of(steps: Sequence[dict[str, Any]]) -> _Script:
        script = _Script([], [], [])
        is_open = False
        for step in steps:
            for batch in _inputs(step):
                if not is_open:
                    script.splits.append(_MicroBatch())
                script.splits[-1].batches.append(batch)
                is_open = batch.watermark is None and batch.processing_time is None
            if any(key.startswith("expect") for key in step) or "snapshot_restore" in step:
                is_open = False
            if "snapshot_restore" in step:
                script.stops.append(len(script.splits))
            script.reached.append(len(script.splits))
        script.stops.append(len(script.splits))
        return script


def _inputs(step: dict[str, Any]) -> Iterator[SourceBatch]:
    for key, value in step.items():
        match key:
            case "element":
                yield SourceBatch([value_of(value["value"])], [timestamp_of(value["ts"])])
            case "watermark":
                yield SourceBatch((), (), watermark=value)
            case "processing_time":
                yield SourceBatch((), (), processing_time=value)
            case "snapshot_restore" | "order" | "message_contains":
                pass
            case _ if not key.startswith("expect"):
                msg = f"unknown step {key!r}"
                raise ConformanceFailure(msg)


class SparkPlayer:
    """Plays cases on one Spark session, one query after the other."""

    def __init__(self) -> None:
        from windrow.runtime.spark.session import session

        self._spark = session()

    def play(self, case: dict[str, Any]) -> None:
        """Play a case.

        Raises:
            ConformanceFailure: it does not hold.
        """
        directory = tempfile.mkdtemp(prefix="windrow-conformance-")
        try:
            run = _CaseRun(self._spark, case["operator"], _Script.of(case["steps"]), directory)
            run.play()
            run.check(case["steps"], case.get("expect_side"))
        finally:
            shutil.rmtree(directory, ignore_errors=True)


class _CaseRun:
    """The queries of one case and what they gave."""

    def __init__(self, spark: Any, operator: dict[str, Any], script: _Script, directory: str) -> None:
        self._spark = spark
        self._operator = operator
        self._script = script
        self._directory = Path(directory)
        self._main, self._side = _Recorder(), _Recorder()
        #: After each micro-batch: how many items both recorders had.
        self._marks: list[tuple[int, int]] = [(0, 0)]
        self._failure: Exception | None = None

    def play(self) -> None:
        """Run a query from each start to the stop that follows."""
        for stop in self._script.stops:
            if len(self._marks) <= stop and self._failure is None:
                try:
                    self._run_to(stop)
                except Exception as error:  # whether it is expected is decided with the checks
                    self._failure = error

    def check(self, steps: Sequence[dict[str, Any]], expect_side: list[dict[str, Any]] | None) -> None:
        """Compare what the queries gave with what the steps expect."""
        taken = 0
        for number, (step, reached) in enumerate(zip(steps, self._script.reached, strict=True)):
            with at_step(number, step):
                if "expect_error" in step:
                    check_error(step, self._raise_failure)
                    continue
                if reached >= len(self._marks):
                    self._raise_failure()
                main, side = self._marks[reached]
                if "expect" in step:
                    check_output(self._main.items[taken:main], step["expect"], step.get("order", "any"))
                    taken = main
                if "expect_side" in step:
                    self._check_side(side, step["expect_side"])
        if expect_side is not None:
            self._check_side(len(self._side.items), expect_side)

    def _check_side(self, end: int, expected: list[dict[str, Any]]) -> None:
        records = [item for item in self._side.items[:end] if isinstance(item, Record)]
        check_multiset("late side output", records_json(records), expected_json(expected))

    def _raise_failure(self) -> None:
        if self._failure is not None:
            raise self._failure

    def _run_to(self, stop: int) -> None:
        from windrow.runtime.spark.checkpoint import Checkpoint
        from windrow.runtime.spark.shipping import ShippedJob
        from windrow.runtime.spark.streaming import StreamRun, StreamSettings

        job = self._job(self._script.splits[:stop])
        checkpoint = Checkpoint(str(self._directory), job, partitions=1)
        checkpoint.forget_plan()  # the restarted source has more to give
        shipped = ShippedJob.of(job, uuid.uuid4().hex[:12], partitions=1)
        # A tick would be a batch of its own, and batches are numbered here by their splits.
        settings = StreamSettings(splits_per_batch=1, tick_interval=0)
        run = StreamRun(self._spark, job, shipped, checkpoint, settings, on_batch=self._mark)
        run.wait_for_batch(stop - 1)

    def _mark(self, batch: int) -> None:
        assert batch == len(self._marks) - 1
        self._marks.append((len(self._main.items), len(self._side.items)))

    def _job(self, splits: list[_MicroBatch]) -> JobGraph:
        spec = window_spec(self._operator)
        source = SourceTransformation(1, "cases", [], source=_ScriptedSource(splits))
        selector = make_key_selector(self._operator["key"])
        keyed = PartitionTransformation(2, "key", [source], partitioner=KeyGroupPartitioner(selector))
        window = OneInputTransformation(3, "window", [keyed], factory=partial(build, spec), stateless=False)
        late = SideOutputTransformation(4, "late", [window], tag_id=_LATE)
        sinks = [
            SinkTransformation(5, "main", [window], sink=self._main),
            SinkTransformation(6, "side", [late], sink=self._side),
        ]
        settings = JobSettings("conformance", 1, _MAX_PARALLELISM, batch_mode=False, job_parameters={})
        return replace(Planner(settings).plan(sinks), scripted_time=True)
