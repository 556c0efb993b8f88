"""A job that is started again when it has failed."""

from __future__ import annotations

import logging
import shutil
import time
from collections.abc import Callable
from threading import Event, Lock
from typing import Any, Protocol

from windrow.common.job_status import JobStatus
from windrow.common.spark_query import SparkQuery
from windrow.errors import CheckpointError, ConfigurationError, JobExecutionError, UsageError
from windrow.runtime.monitor.monitor import JobMonitor
from windrow.runtime.restarts.backoff import Backoff
from windrow.runtime.stage.totals import Totals

_log = logging.getLogger("windrow")
#: What another attempt cannot mend: the program does not fit its checkpoint, or asks for what cannot be.
_FINAL = (CheckpointError, ConfigurationError, UsageError)


class Run(Protocol):
    """A job that a runtime has started."""

    @property
    def totals(self) -> Totals:
        """The counts so far."""

    @property
    def makes_savepoints(self) -> bool:
        """True if the runtime can make savepoints of the job."""

    def wait(self) -> Totals:
        """Wait for the job's end and say what was counted; raises what made it fail."""

    def live_totals(self) -> Totals:
        """The counts and measures so far, in the middle of a batch as well where the runtime knows them."""

    def progress(self) -> dict[str, Any]:
        """Tell what there is to know of a batch that runs: names and numbers, to be shown as they are."""

    def spark_query(self) -> SparkQuery:
        """Tell what Spark says of the job."""

    def cancel(self) -> None:
        """Stop the job."""

    def trigger_savepoint(self, directory: str) -> str:
        """Make a savepoint in that directory, and go on; its path."""

    def stop_with_savepoint(self, directory: str, *, drain: bool) -> str:
        """Make a savepoint in that directory and stop, behind the end of the input if it is to ``drain``; its path."""


def monotonic_millis() -> int:
    """A clock that is never set back."""
    return time.monotonic_ns() // 1_000_000


class RestartingRun:
    """A job with its attempts, one after the other: each goes on from the job's checkpoint, if it has one.

    Args:
        name: The job's.
        start: Starts an attempt. The first is started at once, and raises here what keeps it from starting.
        backoff: Says when another attempt is made.
        pause: Waits so many milliseconds, or until the event is set.
        clock: Now, in milliseconds.
        temporary: A folder that goes when the job is over.
        monitor: Told of attempts that fail, and of others that begin.
    """

    def __init__(
        self,
        name: str,
        start: Callable[[], Run],
        backoff: Backoff,
        pause: Callable[[Event, int], object] = lambda stopped, millis: stopped.wait(millis / 1000),
        clock: Callable[[], int] = monotonic_millis,
        temporary: str | None = None,
        monitor: JobMonitor | None = None,
    ) -> None:
        self._name = name
        self._start = start
        self._backoff = backoff
        self._pause = pause
        self._clock = clock
        self._temporary = temporary
        self._monitor = monitor
        self._restarts = 0
        #: Somebody has cancelled the job.
        self._stopped = Event()
        #: Held while another attempt takes the place of one that has failed.
        self._changing = Lock()
        #: Whether the last attempt has failed and the next has not begun.
        self.restarting = False
        try:
            self._run = start()
        except BaseException:
            self._remove_temporary()
            raise

    @property
    def totals(self) -> Totals:
        """The counts so far, as the current attempt knows them."""
        return self._run.totals

    @property
    def makes_savepoints(self) -> bool:
        """True if the current attempt can make savepoints."""
        return self._run.makes_savepoints

    def wait(self) -> Totals:
        """Wait for the end of an attempt that does not fail; raises the last failure where no other one is made."""
        try:
            return self._wait()
        finally:
            self._remove_temporary()

    def _remove_temporary(self) -> None:
        if self._temporary is not None:
            shutil.rmtree(self._temporary, ignore_errors=True)

    def _wait(self) -> Totals:
        while True:
            try:
                return self._run.wait() if not self.restarting else self._restarted().wait()
            except Exception as error:
                if self._monitor is not None and not self._stopped.is_set():
                    self._monitor.failed(error)
                if self._stopped.is_set() or isinstance(error, _FINAL):
                    raise
                delay = self._backoff.delay_after(self._clock())
                if delay is None:
                    if self._restarts:
                        _log.warning("job %r failed again after %d restarts, and stays so", self._name, self._restarts)
                    raise
                self.restarting = True
                self._restarts += 1
                self._tell(JobStatus.RESTARTING)
                said = "job %r failed (%s); restart %d begins in %d ms"
                _log.warning(said, self._name, _reason(error), self._restarts, delay)
            self._pause(self._stopped, delay)
            if self._stopped.is_set():
                return self._run.totals

    def _restarted(self) -> Run:
        with self._changing:
            if not self._stopped.is_set():
                self._run = self._start()
                self.restarting = False
                self._tell(JobStatus.RUNNING)
        return self._run

    def _tell(self, state: JobStatus) -> None:
        if self._monitor is not None:
            self._monitor.state(state)

    def cancel(self) -> None:
        """Stop the job, or the waiting for its next attempt."""
        self._stopped.set()
        with self._changing:
            if not self.restarting:
                self._run.cancel()

    def live_totals(self) -> Totals:
        """The counts and measures so far, in the middle of a batch as well where the runtime knows them."""
        return self._run.live_totals()

    def progress(self) -> dict[str, Any]:
        """Tell what there is to know of a batch that runs."""
        return {} if self.restarting else self._run.progress()

    def spark_query(self) -> SparkQuery:
        """Tell what Spark says of the current attempt."""
        return self._run.spark_query()

    def trigger_savepoint(self, directory: str) -> str:
        """Make a savepoint in that directory, and go on; its path."""
        return self._running().trigger_savepoint(directory)

    def stop_with_savepoint(self, directory: str, *, drain: bool) -> str:
        """Make a savepoint in that directory and stop; its path."""
        return self._running().stop_with_savepoint(directory, drain=drain)

    def _running(self) -> Run:
        if self.restarting:
            msg = f"job {self._name!r} has failed and waits to be started again: no savepoint can be made of it now"
            raise JobExecutionError(msg)
        return self._run


def _reason(error: Exception) -> str:
    """The error in a line: the last one, where Python says what was raised; of ours, that is where it was raised."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return f"{type(error).__name__}: {' '.join(lines[-2:])}" if lines else type(error).__name__
