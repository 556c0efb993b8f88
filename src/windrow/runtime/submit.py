"""Hands a job graph to the runtime that the configuration names, and gives back what became of it."""

from __future__ import annotations

import os
import tempfile
import time
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Thread
from typing import Any

from windrow.common.configuration import Configuration
from windrow.common.job_execution_result import JobExecutionResult
from windrow.common.job_id import JobID
from windrow.common.job_status import JobStatus
from windrow.common.restart_strategy import RestartStrategies, RestartStrategyConfiguration
from windrow.connectors.collect import CollectSink
from windrow.errors import ConfigurationError, JobExecutionError, UsageError, WindrowError, for_programs
from windrow.graph.job_graph import JobGraph
from windrow.runtime.at_exit import is_over, stop_at_exit
from windrow.runtime.dependencies.in_process import unpacked_here
from windrow.runtime.dependencies.named import Dependencies
from windrow.runtime.dependencies.work import at_work
from windrow.runtime.interrupt import Interruptible
from windrow.runtime.measured import measured
from windrow.runtime.restarts.backoff import NoRestart, backoff_of
from windrow.runtime.restarts.run import RestartingRun, Run
from windrow.runtime.stage.totals import MetricTotal, Totals, merge_metrics
from windrow.storage.local_path import state_directory

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
    #: Where savepoints are made if nothing else is said; None: nowhere.
    savepoint_dir: str | None = None
    #: How the job is started again when it has failed.
    restart_strategy: RestartStrategyConfiguration = field(default_factory=RestartStrategies.fall_back_restart)
    #: Whether the program asks for checkpoints; without a directory they go with it.
    checkpointing: bool = False

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


class LocalRun:
    """A job in this process: it runs while somebody waits for it."""

    def __init__(self, job: JobGraph) -> None:
        from windrow.runtime.local.executor import LocalExecutor

        self._needed = unpacked_here(Dependencies.of(job.configuration))
        with at_work(self._needed):
            self._executor = LocalExecutor(job)
        self._cancelled = False
        self._waiting = Interruptible()

    @property
    def totals(self) -> Totals:
        """What was counted so far, in the middle of the batch as well."""
        return self._executor.read_totals()

    def wait(self) -> Totals:
        try:
            with self._waiting.running(), at_work(self._needed), self._executor as executor:
                while not self._cancelled and executor.run_batch():
                    pass
        except BaseException:
            if not self._cancelled:
                raise
        return self._executor.totals

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
        f"the local runtime keeps no checkpoints to make a savepoint of; run the job on Spark ({RUNTIME} = 'spark')"
    )


def start(job: JobGraph, settings: SubmitSettings) -> RestartingRun:
    """Start the job on the runtime that the settings name, and again when it has failed, as its strategy says."""
    backoff = backoff_of(settings.restart_strategy)
    if settings.runtime == "local":
        return RestartingRun(job.name, lambda: LocalRun(job), backoff)
    from windrow.runtime.spark import SparkRun

    directory, temporary = settings.checkpoint_dir, None
    if directory is None and settings.checkpointing and not isinstance(backoff, NoRestart):
        # As with Flink's checkpoints in its job manager: they outlive the attempts, and not the program.
        directory = temporary = tempfile.mkdtemp(prefix="windrow-checkpoint-")

    def attempt() -> Run:
        return SparkRun(job, settings.configuration, directory, settings.spark_session)

    return RestartingRun(job.name, attempt, backoff, temporary=temporary)


def run(job: JobGraph, settings: SubmitSettings) -> JobExecutionResult:
    """Run the job to its end; a local one in the calling thread, where a debugger expects it."""
    started = time.monotonic()
    running = start(job, settings)
    try:
        totals = running.wait()
    except KeyboardInterrupt:
        running.cancel()
        raise
    except WindrowError as error:
        raise for_programs(error)  # noqa: B904  (it is the error that was caught)
    return _result(job, JobID(), started, totals)


def submit(job: JobGraph, settings: SubmitSettings) -> BackgroundJob:
    """Start the job and return at once."""
    return BackgroundJob(job, start(job, settings), settings.savepoint_dir)


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
        """Where the job stands."""
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
        return {**measured(self._job, totals, time.time_ns() // 1_000_000), **_metrics(self._job, totals)}

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
            self.result.set_result(_result(self._job, self.job_id, started, totals))


def _result(job: JobGraph, job_id: JobID, started: float, totals: Totals) -> JobExecutionResult:
    return JobExecutionResult(
        job_id,
        round((time.monotonic() - started) * 1000),
        totals.accumulator_results(),
        _counters(job, totals),
        _metrics(job, totals),
    )


def _names(job: JobGraph) -> dict[str, str]:
    """The operators' names by their tags; several operators may have one name."""
    return {node.tag: node.name for node in job.nodes()}


def _counters(job: JobGraph, totals: Totals) -> dict[str, dict[str, int]]:
    """What operators dropped, by their names: two operators of one name are counted together."""
    by_name: dict[str, dict[str, int]] = {}
    for tag, name in _names(job).items():
        for counter, count in totals.counters.get(tag, {}).items():
            counted = by_name.setdefault(name, {})
            counted[counter] = counted.get(counter, 0) + count
    return by_name


def _metrics(job: JobGraph, totals: Totals) -> dict[str, Any]:
    """Metrics by "operator's name.metric's name": those of two operators of one name are merged."""
    merged: dict[str, MetricTotal] = {}
    for tag, name in _names(job).items():
        for metric, value in totals.metrics.get(tag, {}).items():
            key = f"{name}.{metric}"
            if type(merged.get(key, value)) is not type(value):
                key = f"{name} ({tag}).{metric}"  # another kind of metric in another operator of that name
            merge_metrics(merged, {key: value})
    return dict(merged)
