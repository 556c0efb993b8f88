"""A job that was started and goes on while the program does something else."""

from __future__ import annotations

import time
from concurrent.futures import Future
from contextlib import suppress
from threading import Thread
from typing import Any

from windrow.common.job_execution_result import JobExecutionResult
from windrow.common.job_id import JobID
from windrow.common.job_status import JobStatus
from windrow.common.spark_query import SparkQuery
from windrow.connectors.collect import CollectSink
from windrow.errors import ConfigurationError, JobExecutionError, for_programs
from windrow.graph.job_graph import JobGraph
from windrow.runtime.at_exit import is_over, stop_at_exit
from windrow.runtime.job_metrics import measured_metrics, merged_metrics, result_of
from windrow.runtime.restarts.run import RestartingRun
from windrow.storage.local_path import state_directory


class BackgroundJob:
    """A job that a thread of its own waits for."""

    def __init__(self, job: JobGraph, run: RestartingRun, savepoint_dir: str | None = None) -> None:
        self.job_id = JobID()
        self.result: Future[JobExecutionResult] = Future()
        self._job = job
        self._run = run
        self._savepoint_dir = savepoint_dir
        self._cancelled = False
        self.result.set_running_or_notify_cancel()
        self._thread = Thread(target=self._wait, name=f"windrow-{job.name}", daemon=True)
        stop_at_exit(self)
        self._thread.start()

    def status(self) -> JobStatus:
        """Tell where the job stands."""
        if not self.result.done():
            if self._cancelled:
                return JobStatus.CANCELLING
            return JobStatus.RESTARTING if self._run.restarting else JobStatus.RUNNING
        if self._cancelled:
            return JobStatus.CANCELED
        return JobStatus.FINISHED if self.result.exception() is None else JobStatus.FAILED

    def accumulators(self) -> dict[str, Any]:
        """The accumulators' values so far."""
        return self._run.totals.accumulator_results()

    def metrics(self) -> dict[str, Any]:
        """The metrics' values so far, and what the runtime has measured."""
        totals = self._run.totals
        return {**measured_metrics(self._job, totals, time.time_ns() // 1_000_000), **merged_metrics(self._job, totals)}

    def spark_query(self) -> SparkQuery:
        """Tell what Spark says of the job."""
        return self._run.spark_query()

    def cancel(self) -> None:
        """Stop the job where it is; returns when it has stopped."""
        if self.result.done():
            return
        self._cancelled = True
        self._run.cancel()
        self._thread.join()

    def stop(self, seconds: float) -> None:
        """Stop, because the program ends; wait so many seconds for that at most."""
        for entry in self._job.sinks:
            if isinstance(entry.sink, CollectSink):
                entry.sink.close()  # or the job would wait until somebody takes elements
        canceller = Thread(target=self._cancel_quietly, daemon=True)
        canceller.start()
        self._thread.join(seconds)
        canceller.join(seconds)

    def _cancel_quietly(self) -> None:
        self._cancelled = True
        with suppress(Exception):  # the job's error is its result; Spark may be gone already
            self._run.cancel()

    def trigger_savepoint(self, directory: str | None) -> str:
        """Make a savepoint and go on; its path."""
        directory = self._savepoint_directory(directory)
        self._check_runs()
        return self._run.trigger_savepoint(directory)

    def stop_with_savepoint(self, directory: str | None, *, drain: bool) -> str:
        """Make a savepoint and stop, behind the end of the input if it is to ``drain``; its path."""
        directory = self._savepoint_directory(directory)
        self._check_runs()
        path = self._run.stop_with_savepoint(directory, drain=drain)
        self._thread.join()
        return path

    def _check_runs(self) -> None:
        if self.result.done():
            msg = f"job {self._job.name!r} is over ({self.status().name}): no savepoint can be made of it"
            raise JobExecutionError(msg)

    def _savepoint_directory(self, directory: str | None) -> str:
        if directory is not None:
            return state_directory(directory, "savepoint_directory")
        if self._savepoint_dir is None:
            msg = (
                "say where the savepoint is to be: pass savepoint_directory, or set "
                "execution.checkpointing.savepoint-dir"
            )
            raise ConfigurationError(msg)
        return self._savepoint_dir

    def _wait(self) -> None:
        started = time.monotonic()
        try:
            totals = self._run.wait()
        except BaseException as error:
            self.result.set_exception(for_programs(error))
            return
        finally:
            is_over(self)
        if self._cancelled:
            self.result.set_exception(JobExecutionError(f"job {self._job.name!r} was cancelled"))
        else:
            self.result.set_result(result_of(self._job, self.job_id, started, totals))
