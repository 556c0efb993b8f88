"""Runs a program as a job on Spark."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import cloudpickle

from tests.simulator import compare, jobs, oracle, program, translate
from tests.simulator.compare import Outcome
from tests.simulator.jobs import Job, ScriptedSplit, make_job, source_batches
from tests.simulator.program import Event, Program
from windrow.common.configuration import Configuration
from windrow.runtime.stage.totals import Totals
from windrow.storage.local_folder import LocalFolder

_PARALLELISM = 2


@contextmanager
def shipped_by_value() -> Iterator[None]:
    """Workers cannot import the tests' modules: what they need of them goes along as code."""
    modules = (program, oracle, translate, compare, jobs)
    for module in modules:
        cloudpickle.register_pickle_by_value(module)
    try:
        yield
    finally:
        for module in modules:
            cloudpickle.unregister_pickle_by_value(module)


def run_batch_query(spark: Any, program: Program, channels: Sequence[Sequence[Event]], *, consecutive: bool) -> Outcome:
    """One batch query over everything."""
    from windrow.runtime.spark.run import SparkRun

    job = _job(program, channels, None, consecutive=consecutive)
    with shipped_by_value():
        totals = SparkRun(job.graph, Configuration(), spark=spark).wait()
    return job.counted(totals.counters)


def run_streaming_query(
    spark: Any, program: Program, channels: Sequence[Sequence[Event]], batch_size: int, checkpoint: Path, stop: int
) -> Outcome:
    """A streaming query whose micro-batches hold so many events of each channel; stopped and restarted once.

    ``stop``: the number of the micro-batch behind which it is stopped; beyond the last one it is not.
    """
    from windrow.runtime.spark.checkpoint import Checkpoint
    from windrow.runtime.spark.shipping import ShippedJob
    from windrow.runtime.spark.stream_run import StreamRun
    from windrow.runtime.spark.stream_settings import StreamSettings

    job = _job(program, channels, batch_size, consecutive=False)
    totals = Totals()
    settings = StreamSettings(splits_per_batch=1)
    with shipped_by_value():
        for last in (stop, None):
            kept = Checkpoint(LocalFolder(checkpoint), job.graph, _PARALLELISM)
            shipped = ShippedJob.of(job.graph, uuid.uuid4().hex[:12], _PARALLELISM)
            run = StreamRun(spark, job.graph, shipped, kept, settings)
            if last is not None:
                run.wait_for_batch(last)
                run.cancel()
            else:
                totals = run.wait()
    return job.counted(totals.counters)


def run_with_other_parallelisms(
    spark: Any,
    program: Program,
    channels: Sequence[Sequence[Event]],
    batch_size: int,
    checkpoints: Path,
    parallelisms: Sequence[int],
    *,
    consecutive: bool,
) -> Outcome:
    """A streaming query with another parallelism behind each micro-batch, from a checkpoint to the next."""
    from windrow.runtime.spark.checkpoint import Checkpoint
    from windrow.runtime.spark.savepoint import start_from
    from windrow.runtime.spark.shipping import ShippedJob
    from windrow.runtime.spark.state_assignment.start import arrive_from
    from windrow.runtime.spark.stream_run import StreamRun
    from windrow.runtime.spark.stream_settings import StreamSettings

    outcome, totals = Outcome(), Totals()
    with shipped_by_value():
        for number, parallelism in enumerate(parallelisms):
            job = _job(program, channels, batch_size, parallelism, consecutive=consecutive, outcome=outcome)
            folder = LocalFolder(checkpoints / str(number))
            if number:
                before = LocalFolder(checkpoints / str(number - 1))
                start_from(before, folder, partial(arrive_from, spark, job.graph, job.graph.partitions))
            kept = Checkpoint(folder, job.graph, job.graph.partitions)
            shipped = ShippedJob.of(job.graph, uuid.uuid4().hex[:12], kept.partitions)
            run = StreamRun(spark, job.graph, shipped, kept, StreamSettings(splits_per_batch=1))
            if number + 1 < len(parallelisms):
                run.wait_for_batch(0)
                run.cancel()
            else:
                totals = run.wait()
    return job.counted(totals.counters)


def _job(
    program: Program,
    channels: Sequence[Sequence[Event]],
    batch_size: int | None,
    parallelism: int = _PARALLELISM,
    *,
    consecutive: bool,
    outcome: Outcome | None = None,
) -> Job:
    script = []
    for events in channels:
        batches = source_batches(events, merged=False)
        size = batch_size or max(1, len(batches))
        script.append([ScriptedSplit(batches[start : start + size]) for start in range(0, len(batches), size)])
    return make_job(program, script, parallelism, consecutive=consecutive, outcome=outcome)
