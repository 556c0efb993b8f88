"""Runs a program as a job on the local runtime."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle

from tests.runtime.spark.state_assignment.locally import rescaled
from tests.simulator.compare import Outcome
from tests.simulator.jobs import BoundedDisorder, ScriptedSplit, make_job, source_batches
from tests.simulator.program import Event, Program
from windrow.runtime.local.executor import LocalExecutor


def run_with_other_parallelisms_locally(
    program: Program, channels: Sequence[Sequence[Event]], batch_size: int, parallelisms: Sequence[int]
) -> Outcome:
    """What the job gives that has another parallelism behind each batch, in turn."""
    script = [[ScriptedSplit(source_batches(events, merged=False))] for events in channels]
    turns, outcome = cycle(parallelisms), Outcome()
    job = make_job(program, script, next(turns), outcome=outcome)
    executor = LocalExecutor(job.graph, batch_size, clock=lambda: 0)
    try:
        while executor.run_batch():
            job = make_job(program, script, next(turns), outcome=outcome)
            executor = rescaled(executor, job.graph, batch_size)
    finally:
        executor.close()
    return job.counted(executor.totals.counters)


def run_locally(
    program: Program,
    channels: Sequence[Sequence[Event]],
    *,
    batch_size: int | None = None,
    merged: bool = False,
    restarts: frozenset[int] = frozenset(),
    consecutive: bool = False,
    generator: BoundedDisorder | None = None,
) -> Outcome:
    """What the job gives; ``restarts`` are numbers of batches behind which all operators are made anew."""
    script = [[ScriptedSplit(source_batches(events, merged=merged))] for events in channels]
    job = make_job(program, script, consecutive=consecutive, generator=generator)
    executor = LocalExecutor(job.graph, batch_size, clock=lambda: 0)
    try:
        batch = 0
        while executor.run_batch():
            if batch in restarts:
                executor.restart()
            batch += 1
    finally:
        executor.close()
    return job.counted(executor.totals.counters)
