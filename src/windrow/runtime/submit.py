"""Hands a job graph to the runtime that the configuration names, and gives back what became of it."""

from __future__ import annotations

import os
import tempfile
import time
from dataclasses import dataclass, field
from typing import Any

from windrow.common.configuration import Configuration
from windrow.common.job_execution_result import JobExecutionResult
from windrow.common.job_id import JobID
from windrow.common.restart_strategy import RestartStrategies, RestartStrategyConfiguration
from windrow.errors import ConfigurationError, WindrowError, for_programs
from windrow.graph.job_graph import JobGraph
from windrow.runtime.background_job import BackgroundJob
from windrow.runtime.job_metrics import result_of
from windrow.runtime.restarts.backoff import NoRestart, backoff_of
from windrow.runtime.restarts.run import RestartingRun, Run

#: The configuration key, and the environment variable behind it, that name the runtime.
RUNTIME = "windrow.runtime"
RUNTIME_VARIABLE = "WINDROW_RUNTIME"


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


def start(job: JobGraph, settings: SubmitSettings) -> RestartingRun:
    """Start the job on the runtime that the settings name, and again when it has failed, as its strategy says."""
    backoff = backoff_of(settings.restart_strategy)
    if settings.runtime == "local":
        from windrow.runtime.local.run import LocalRun

        return RestartingRun(job.name, lambda: LocalRun(job), backoff)
    from windrow.runtime.spark.run import SparkRun

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
    return result_of(job, JobID(), started, totals)


def submit(job: JobGraph, settings: SubmitSettings) -> BackgroundJob:
    """Start the job and return at once."""
    return BackgroundJob(job, start(job, settings), settings.savepoint_dir)


def to_dataframe(job: JobGraph, settings: SubmitSettings) -> Any:
    """Make the outputs of a job, all of whose sinks are DataFrame sinks, one Spark DataFrame."""
    from windrow.runtime.spark import dataframes
    from windrow.runtime.spark.dependencies import session_for

    spark = session_for(settings.configuration, settings.spark_session)
    return dataframes.to_dataframe(spark, job, settings.configuration)
