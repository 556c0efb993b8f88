"""Hands a job graph to the runtime that the configuration names, and gives back what became of it."""

from __future__ import annotations

import logging
import os
import tempfile
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any, Protocol

from windrow.common.configuration import Configuration
from windrow.common.job_execution_result import JobExecutionResult
from windrow.common.job_id import JobID
from windrow.common.job_status import JobStatus
from windrow.common.restart_strategy import RestartStrategies, RestartStrategyConfiguration
from windrow.errors import ConfigurationError
from windrow.graph.job_graph import JobGraph
from windrow.runtime.background_job import BackgroundJob
from windrow.runtime.monitor.monitor import JobMonitor
from windrow.runtime.monitor.ui_settings import UiSettings
from windrow.runtime.monitor.watching import watch
from windrow.runtime.restarts.backoff import NoRestart, backoff_of
from windrow.runtime.restarts.run import RestartingRun, Run
from windrow.runtime.started_job import StartedJob

#: The configuration key, and the environment variable behind it, that name the runtime.
RUNTIME = "windrow.runtime"
RUNTIME_VARIABLE = "WINDROW_RUNTIME"
_log = logging.getLogger("windrow")


class JobView(Protocol):
    """Shows jobs to a person."""

    def begin(self, monitor: JobMonitor) -> str | None:
        """A job is about to start; the address of its page, if it has one."""

    def started(self, job: StartedJob) -> None:
        """Show the job that was just started."""

    def following(self, monitor: JobMonitor) -> AbstractContextManager[None]:
        """A context in which the program waits for a job."""


@dataclass(frozen=True)
class SubmitSettings:
    """The settings of an environment that a runtime needs."""

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
    #: What the program was told about its settings.
    warnings: tuple[str, ...] = ()
    #: Shows jobs to a person; None: nobody looks.
    view: JobView | None = None
    #: What is shown and kept of jobs.
    ui: UiSettings = field(default_factory=lambda: UiSettings(enabled=False))

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


def start(job: JobGraph, settings: SubmitSettings, monitor: JobMonitor | None = None) -> RestartingRun:
    """Start the job on the runtime that the settings name, and again when it has failed, as its strategy says."""
    backoff = backoff_of(settings.restart_strategy)
    if settings.runtime == "local":
        from windrow.runtime.local.run import LocalRun

        return RestartingRun(job.name, lambda: LocalRun(job, monitor), backoff, monitor=monitor)
    from windrow.runtime.spark.run import SparkRun

    directory, temporary = settings.checkpoint_dir, None
    if directory is None and settings.checkpointing and not isinstance(backoff, NoRestart):
        # As with Flink's checkpoints in its job manager: they outlive the attempts, and not the program.
        directory = temporary = tempfile.mkdtemp(prefix="windrow-checkpoint-")

    def attempt() -> Run:
        return SparkRun(job, settings.configuration, directory, settings.spark_session, monitor)

    return RestartingRun(job.name, attempt, backoff, temporary=temporary, monitor=monitor)


def run(job: JobGraph, settings: SubmitSettings) -> JobExecutionResult:
    """Run the job to its end; a local one in the calling thread, where a debugger expects it."""
    job_id = JobID()
    monitor, url = _watch(job, job_id, settings)
    with nullcontext() if monitor is None or settings.view is None else settings.view.following(monitor):
        running = _start(job, settings, monitor)
        started = StartedJob(job, running, job_id, settings.savepoint_dir, monitor, url)
        if settings.view is not None:
            settings.view.started(started)
        started.wait()
        error = started.result.exception()
    if error is not None:
        raise error
    return started.result.result()


def submit(job: JobGraph, settings: SubmitSettings) -> BackgroundJob:
    """Start the job and return at once."""
    job_id = JobID()
    monitor, url = _watch(job, job_id, settings)
    running = _start(job, settings, monitor)
    background = BackgroundJob(job, running, job_id, settings.savepoint_dir, monitor, url)
    if settings.view is not None:
        settings.view.started(background)
    return background


def _watch(job: JobGraph, job_id: JobID, settings: SubmitSettings) -> tuple[JobMonitor | None, str | None]:
    """Make the watch over a job, and its page; None: nobody watches it, or it has no page."""
    if not settings.ui.watched:
        return None, None
    strategy = type(settings.restart_strategy).__name__
    runtime, directory = settings.runtime, settings.checkpoint_dir
    warnings = list(settings.warnings)
    try:
        monitor = watch(job, job_id, settings.ui, runtime, directory, settings.savepoint_dir, strategy, warnings)
    except ConfigurationError:
        raise
    except Exception as error:  # the job is worth more than the look at it
        job.monitored = False
        _log.warning("job %r has no page and no history: %s", job.name, error, exc_info=error)
        return None, None
    try:
        return monitor, None if settings.view is None else settings.view.begin(monitor)
    except ConfigurationError:
        raise
    except Exception as error:
        _log.warning("job %r has no page: %s", job.name, error, exc_info=error)
        return monitor, None


def _start(job: JobGraph, settings: SubmitSettings, monitor: JobMonitor | None) -> RestartingRun:
    """Start the job and the watch over it."""
    try:
        running = start(job, settings, monitor)
    except BaseException as error:
        if monitor is not None:
            interrupted = isinstance(error, KeyboardInterrupt)
            if not interrupted:
                monitor.failed(error)
            monitor.end(JobStatus.CANCELED if interrupted else JobStatus.FAILED)
        raise
    if monitor is not None:
        monitor.start(running.live_totals, running.progress)
    return running


def spark_table(settings: SubmitSettings, name: str, *, streaming: bool) -> Any:
    """A table or view of the Spark session that a job would run on, as a DataFrame."""
    from windrow.runtime.spark.dependencies import session_for

    spark = session_for(settings.configuration, settings.spark_session)
    return spark.readStream.table(name) if streaming else spark.table(name)


def arrow_schema(df: Any) -> Any:
    """The columns of a Spark DataFrame as Arrow has them."""
    from windrow.runtime.spark import dataframes

    return dataframes.arrow_schema(df)


def to_dataframe(job: JobGraph, settings: SubmitSettings) -> Any:
    """Make the outputs of a job, all of whose sinks are DataFrame sinks, one Spark DataFrame."""
    from windrow.runtime.spark import dataframes
    from windrow.runtime.spark.dependencies import session_for

    spark = session_for(settings.configuration, settings.spark_session)
    return dataframes.to_dataframe(spark, job, settings.configuration)
