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
    job = _job(program, channels, batch_size, consecutive=False)
    with shipped_by_value():
        _run(spark, job, LocalFolder(checkpoint), stop)
        totals = _run(spark, job, LocalFolder(checkpoint))
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
    from windrow.runtime.spark.savepoint import start_from
    from windrow.runtime.spark.state_assignment.start import make_checkpoint_from

    outcome, totals = Outcome(), Totals()
    with shipped_by_value():
        for number, parallelism in enumerate(parallelisms):
            job = _job(program, channels, batch_size, parallelism, consecutive=consecutive, outcome=outcome)
            folder = LocalFolder(checkpoints / str(number))
            if number:
                before = LocalFolder(checkpoints / str(number - 1))
                start_from(before, folder, partial(make_checkpoint_from, spark, job.graph, job.graph.partitions))
            totals = _run(spark, job, folder, 0 if number + 1 < len(parallelisms) else None)
    return job.counted(totals.counters)


def _run(spark: Any, job: Job, checkpoint: LocalFolder, stop: int | None = None) -> Totals:
    """Run a job until it has committed the micro-batch ``stop``; None: to its end, and give what it has counted."""
    from windrow.runtime.spark.checkpoint import Checkpoint
    from windrow.runtime.spark.shipping import ShippedJob
    from windrow.runtime.spark.stream_run import StreamRun
    from windrow.runtime.spark.stream_settings import StreamSettings

    kept = Checkpoint(checkpoint, job.graph, job.graph.partitions)
    shipped = ShippedJob.of(job.graph, uuid.uuid4().hex[:12], kept.partitions)
    run = StreamRun(spark, job.graph, shipped, kept, StreamSettings(splits_per_batch=1))
    if stop is None:
        return run.wait()
    run.wait_for_batch(stop)
    run.cancel()
    return Totals()


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
