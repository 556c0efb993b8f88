"""A job that was started: what others may ask of it and do with it, whoever waits for its end."""

from __future__ import annotations

import logging
import time
from concurrent.futures import Future
from threading import Lock, Thread
from typing import Any

from windrow.common.job_execution_result import JobExecutionResult
from windrow.common.job_id import JobID
from windrow.common.job_status import JobStatus
from windrow.common.spark_query import SparkQuery
from windrow.errors import ConfigurationError, JobExecutionError, for_programs
from windrow.graph.job_graph import JobGraph
from windrow.runtime.job_metrics import merged_metrics, result_of, system_metrics
from windrow.runtime.monitor.monitor import JobMonitor, wall_clock
from windrow.runtime.restarts.run import RestartingRun
from windrow.runtime.stage.totals import Totals
from windrow.storage.local_path import state_directory

_log = logging.getLogger("windrow")


class StartedJob:
    """A job that runs, and is waited for by :meth:`wait` in one thread.

    Args:
        job: The job.
        run: It runs.
        job_id: Its id.
        savepoint_dir: Where savepoints are made if nothing else is said; None: nowhere.
        monitor: Who watches it; None: nobody.
        web_interface_url: The address of its page; None: it has none.
    """

    def __init__(
        self,
        job: JobGraph,
        run: RestartingRun,
        job_id: JobID,
        savepoint_dir: str | None = None,
        monitor: JobMonitor | None = None,
        web_interface_url: str | None = None,
    ) -> None:
        self.job_id = job_id
        self.result: Future[JobExecutionResult] = Future()
        self.monitor = monitor
        self.web_interface_url = web_interface_url
        self._job = job
        self._run = run
        self._savepoint_dir = savepoint_dir
        self._cancelled = False
        self._ending = Lock()
        self.result.set_running_or_notify_cancel()

    @property
    def name(self) -> str:
        """The job's name."""
        return self._job.name

    def wait(self) -> None:
        """Wait for the job's end, and say how it has ended; all that it raises is in the result."""
        started = time.monotonic()
        try:
            totals = self._run.wait()
        except BaseException as error:
            try:
                if isinstance(error, KeyboardInterrupt):
                    self._cancel_interrupted()
            finally:
                try:
                    self._tell(JobStatus.CANCELED if self._cancelled else JobStatus.FAILED)
                finally:
                    self.result.set_exception(for_programs(error))
            return
        try:
            self._tell(JobStatus.CANCELED if self._cancelled else JobStatus.FINISHED)
        finally:
            self._set_result(started, totals)

    def _cancel_interrupted(self) -> None:
        """Cancel a job whose program was interrupted; a second Ctrl-C ends the waiting for that alone."""
        self._cancelled = True
        canceller = Thread(target=self._cancel_run, name=f"windrow-cancel-{self._job.name}", daemon=True)
        canceller.start()
        canceller.join()

    def _cancel_run(self) -> None:
        try:
            self._run.cancel()
        except Exception as error:  # Spark may be gone already, by the same Ctrl-C
            _log.warning("job %r could not be cancelled: %s", self._job.name, error)

    def _set_result(self, started: float, totals: Totals) -> None:
        if self._cancelled:
            self.result.set_exception(JobExecutionError(f"job {self._job.name!r} was cancelled"))
            return
        try:
            self.result.set_result(result_of(self._job, self.job_id, started, totals))
        except Exception as error:  # an accumulator of the program's own has no value
            self.result.set_exception(for_programs(error))

    def _tell(self, state: JobStatus) -> None:
        """The result does not depend on who watches."""
        if self.monitor is None:
            return
        try:
            with self._ending:
                self.monitor.end(state)
        except Exception as error:
            _log.warning("the record of job %r has no end: %s", self._job.name, error, exc_info=error)

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
        return {**system_metrics(self._job, totals, wall_clock()), **merged_metrics(self._job, totals)}

    def spark_query(self) -> SparkQuery:
        """Tell what Spark says of the job."""
        return self._run.spark_query()

    @property
    def makes_savepoints(self) -> bool:
        """True if savepoints can be made of the job; of one without checkpoints none can."""
        return self._run.makes_savepoints

    def cancel(self) -> None:
        """Stop the job where it is; returns when it has stopped."""
        if self.result.done():
            return
        self._begin_to_cancel()
        self._run.cancel()
        self._join()

    def trigger_savepoint(self, directory: str | None) -> str:
        """Make a savepoint and go on; its path."""
        directory = self._savepoint_directory(directory)
        self._check_runs()
        started = wall_clock()
        path = self._run.trigger_savepoint(directory)
        if self.monitor is not None:
            self.monitor.savepoint(path, started, drained=False)
        return path

    def stop_with_savepoint(self, directory: str | None, *, drain: bool) -> str:
        """Make a savepoint and stop, behind the end of the input if it is to ``drain``; its path."""
        directory = self._savepoint_directory(directory)
        self._check_runs()
        started = wall_clock()
        with self._ending:  # the job's end is told behind its savepoint
            path = self._run.stop_with_savepoint(directory, drain=drain)
            if self.monitor is not None:
                self.monitor.savepoint(path, started, drained=drain)
        self._join()
        return path

    def _begin_to_cancel(self) -> None:
        self._cancelled = True
        if self.monitor is not None:
            self.monitor.state(JobStatus.CANCELLING)

    def _join(self) -> None:
        """Wait until whoever waits for the job has seen its end."""
        self.result.exception()

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
