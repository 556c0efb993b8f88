"""Hands a job graph to the runtime that the configuration names, and gives back what became of it."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from threading import Thread
from typing import Any, Protocol

from windrow.common.configuration import Configuration
from windrow.common.job_execution_result import JobExecutionResult
from windrow.common.job_id import JobID
from windrow.common.job_status import JobStatus
from windrow.errors import ConfigurationError, JobExecutionError
from windrow.graph.job_graph import JobGraph

#: The configuration key, and the environment variable behind it, that name the runtime.
RUNTIME = "windrow.runtime"
RUNTIME_VARIABLE = "WINDROW_RUNTIME"


@dataclass(frozen=True)
class SubmitSettings:
    """What of an environment's settings a runtime needs."""

    configuration: Configuration
    #: Where the job keeps its checkpoint; None: nowhere.
    checkpoint_dir: str | None = None
    #: The session to run on; None: the active one, or a new one.
    spark_session: Any = None

    @property
    def runtime(self) -> str:
        """The name of the runtime.

        Raises:
            ConfigurationError: there is none of that name.
        """
        name = self.configuration.get_string(RUNTIME, None) or os.environ.get(RUNTIME_VARIABLE) or "spark"
        if name not in ("spark", "local"):
            msg = f"{RUNTIME} (or the environment variable {RUNTIME_VARIABLE}) is 'spark' or 'local'; it is {name!r}"
            raise ConfigurationError(msg)
        return name


class Run(Protocol):
    """A job that a runtime has started."""

    def wait(self) -> Mapping[str, Mapping[str, int]]:
        """Wait for the job's end and say what operators counted, by their tag; raises what made it fail."""

    def cancel(self) -> None:
        """Stop the job."""


class LocalRun:
    """A job in this process: it runs while somebody waits for it."""

    def __init__(self, job: JobGraph) -> None:
        from windrow.runtime.local.executor import LocalExecutor

        self._executor = LocalExecutor(job)
        self._cancelled = False

    def wait(self) -> Mapping[str, Mapping[str, int]]:
        try:
            while not self._cancelled and self._executor.run_batch():
                pass
        finally:
            self._executor.close()
        return self._executor.counters

    def cancel(self) -> None:
        """Stop before the next batch."""
        self._cancelled = True


def start(job: JobGraph, settings: SubmitSettings) -> Run:
    """Start the job on the runtime that the settings name."""
    if settings.runtime == "local":
        return LocalRun(job)
    from windrow.runtime.spark import SparkRun

    return SparkRun(job, settings.configuration, settings.checkpoint_dir, settings.spark_session)


def run(job: JobGraph, settings: SubmitSettings) -> JobExecutionResult:
    """Run the job to its end; a local one in the calling thread, where a debugger expects it."""
    started = time.monotonic()
    running = start(job, settings)
    try:
        counters = running.wait()
    except KeyboardInterrupt:
        running.cancel()
        raise
    return _result(job, JobID(), started, counters)


def submit(job: JobGraph, settings: SubmitSettings) -> BackgroundJob:
    """Start the job and return at once."""
    return BackgroundJob(job, start(job, settings))


class BackgroundJob:
    """A job that a thread of its own waits for."""

    def __init__(self, job: JobGraph, run: Run) -> None:
        self.job_id = JobID()
        self.result: Future[JobExecutionResult] = Future()
        self._job = job
        self._run = run
        self._cancelled = False
        self.result.set_running_or_notify_cancel()
        self._thread = Thread(target=self._wait, name=f"windrow-{job.name}", daemon=True)
        self._thread.start()

    def status(self) -> JobStatus:
        """Where the job stands."""
        if not self.result.done():
            return JobStatus.CANCELLING if self._cancelled else JobStatus.RUNNING
        if self._cancelled:
            return JobStatus.CANCELED
        return JobStatus.FINISHED if self.result.exception() is None else JobStatus.FAILED

    def cancel(self) -> None:
        """Stop the job where it is; returns when it has stopped."""
        if self.result.done():
            return
        self._cancelled = True
        self._run.cancel()
        self._thread.join()

    def _wait(self) -> None:
        started = time.monotonic()
        try:
            counters = self._run.wait()
        except BaseException as error:
            self.result.set_exception(error)
            return
        if self._cancelled:
            self.result.set_exception(JobExecutionError(f"job {self._job.name!r} was cancelled"))
        else:
            self.result.set_result(_result(self._job, self.job_id, started, counters))


def _result(
    job: JobGraph, job_id: JobID, started: float, counters: Mapping[str, Mapping[str, int]]
) -> JobExecutionResult:
    """The result, with counters by the operators' names: two operators of one name are counted together."""
    by_name: dict[str, dict[str, int]] = {}
    for name, counted in {(node.name, node.tag): counters.get(node.tag, {}) for node in job.nodes()}.items():
        total = by_name.setdefault(name[0], {})
        for counter, count in counted.items():
            total[counter] = total.get(counter, 0) + count
    found = {name: total for name, total in by_name.items() if total}
    return JobExecutionResult(job_id, round((time.monotonic() - started) * 1000), counters=found)
