"""Plays window and join cases through real Structured Streaming queries.

A case becomes sources whose splits are micro-batches. What is inside an operator (``expect_window_state``,
``expect_left_buffer``) a query does not show: that is checked in process only. ``snapshot_restore`` stops the query and
starts another on the same checkpoint. What the query gives is recorded batch by batch and compared, check by check,
when it has ended.
"""

from __future__ import annotations

import shutil
import tempfile
import uuid
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from windrow.graph.job_graph import JobGraph
from windrow.graph.planner import JobSettings, Planner
from windrow.graph.transformations import SideOutputTransformation, SinkTransformation, SourceTransformation
from windrow.storage.local_folder import LocalFolder
from windrow.testing.conformance.failure import at_step, check_error
from windrow.testing.conformance.spark_cases import spark_case
from windrow.testing.conformance.spark_script import Recorder, Script, ScriptedSource, SparkCase
from windrow.testing.outputs import Record

_MAX_PARALLELISM = 4


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
            played = spark_case(case["operator"])
            run = _CaseRun(self._spark, played, Script.of(played, case["steps"]), directory)
            run.play()
            run.check(case["steps"], case.get("expect_side"))
        finally:
            shutil.rmtree(directory, ignore_errors=True)


class _CaseRun:
    """The queries of one case and what they gave."""

    def __init__(self, spark: Any, case: SparkCase, script: Script, directory: str) -> None:
        self._spark = spark
        self._case = case
        self._script = script
        self._directory = Path(directory)
        self._main = Recorder()
        self._sides = {tag: Recorder() for tag in case.side_tags}
        #: After each micro-batch: how many items the recorders had.
        self._marks = [self._counts()]
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
                main, sides = self._marks[reached]
                self._case.check_output(self._main.items[taken:main], self._main.items[:main], step)
                if "expect" in step:
                    taken = main
                if "expect_side" in step:
                    self._check_side(sides, step["expect_side"])
        if expect_side is not None:
            self._check_side(self._counts()[1], expect_side)

    def _check_side(self, ends: dict[str, int], expected: list[dict[str, Any]]) -> None:
        records = {
            tag: [item for item in side.items[: ends[tag]] if isinstance(item, Record)]
            for tag, side in self._sides.items()
        }
        self._case.check_side(records, expected)

    def _raise_failure(self) -> None:
        if self._failure is not None:
            raise self._failure

    def _counts(self) -> tuple[int, dict[str, int]]:
        return len(self._main.items), {tag: len(side.items) for tag, side in self._sides.items()}

    def _run_to(self, stop: int) -> None:
        from windrow.runtime.spark.checkpoint import Checkpoint
        from windrow.runtime.spark.shipping import ShippedJob
        from windrow.runtime.spark.stream_run import StreamRun
        from windrow.runtime.spark.stream_settings import StreamSettings

        job = self._job(stop)
        checkpoint = Checkpoint(LocalFolder(self._directory), job, partitions=1)
        checkpoint.forget_plan()  # the restarted source has more to give
        shipped = ShippedJob.of(job, uuid.uuid4().hex[:12], partitions=1)
        # A tick would be a batch of its own, and batches are numbered here by their splits.
        settings = StreamSettings(splits_per_batch=1, tick_interval=0)
        run = StreamRun(self._spark, job, shipped, checkpoint, settings, on_batch=self._mark)
        run.wait_for_batch(stop - 1)

    def _mark(self, batch: int) -> None:
        assert batch == len(self._marks) - 1
        self._marks.append(self._counts())

    def _job(self, stop: int) -> JobGraph:
        sources = [
            SourceTransformation(1 + number, f"cases {number}", [], source=ScriptedSource(splits[:stop]))
            for number, splits in enumerate(self._script.splits)
        ]
        operator = self._case.operator(sources)
        sinks = [SinkTransformation(20, "main", [operator], sink=self._main)]
        for number, (tag, side) in enumerate(self._sides.items()):
            late = SideOutputTransformation(21 + 2 * number, tag, [operator], tag_id=tag)
            sinks.append(SinkTransformation(22 + 2 * number, tag, [late], sink=side))
        settings = JobSettings("conformance", 1, _MAX_PARALLELISM, batch_mode=False, job_parameters={})
        return replace(Planner(settings).plan(sinks), scripted_time=True)
