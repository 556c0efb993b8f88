"""Runs a job in this process, while somebody waits for it."""

from __future__ import annotations

from typing import Any

from windrow.common.spark_query import SparkQuery
from windrow.errors import UsageError
from windrow.graph.job_graph import JobGraph
from windrow.runtime.dependencies.in_process import unpacked_here
from windrow.runtime.dependencies.named import Dependencies
from windrow.runtime.dependencies.work import at_work
from windrow.runtime.interrupt import Interruptible
from windrow.runtime.local.executor import LocalExecutor
from windrow.runtime.monitor.monitor import JobMonitor
from windrow.runtime.stage.totals import Totals


class LocalRun:
    """A job in this process: it runs while somebody waits for it."""

    def __init__(self, job: JobGraph, monitor: JobMonitor | None = None) -> None:
        self._needed = unpacked_here(Dependencies.of(job.configuration))
        with at_work(self._needed):
            self._executor = LocalExecutor(job, monitor=monitor)
        self._cancelled = False
        self._waiting = Interruptible()

    @property
    def totals(self) -> Totals:
        """The counts so far, in the middle of the batch as well."""
        return self._executor.read_totals()

    @property
    def makes_savepoints(self) -> bool:
        return False

    def live_totals(self) -> Totals:
        """The counts and measures so far, in the middle of the batch as well."""
        return self._executor.read_totals(live=True)

    def progress(self) -> dict[str, Any]:
        return self._executor.progress()

    def wait(self) -> Totals:
        try:
            with self._waiting.running(), at_work(self._needed), self._executor as executor:
                while not self._cancelled and executor.run_batch():
                    pass
        except BaseException:
            if not self._cancelled:
                raise
        return self._executor.totals

    def spark_query(self) -> SparkQuery:
        msg = "the job runs in this process, in the local runtime: there is no Spark, and no query"
        raise UsageError(msg)

    def cancel(self) -> None:
        """Stop, in the middle of a batch too: a job whose input ends is one batch."""
        self._cancelled = True
        self._waiting.interrupt()

    def trigger_savepoint(self, directory: str) -> str:
        raise _no_savepoints_here()

    def stop_with_savepoint(self, directory: str, *, drain: bool) -> str:
        raise _no_savepoints_here()


def _no_savepoints_here() -> UsageError:
    return UsageError(
        "the local runtime keeps no checkpoints to make a savepoint of; run the job on Spark "
        "(windrow.runtime = 'spark')"
    )
