"""The jobs that a page shows: those of this program, or those of files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from threading import Lock
from typing import Protocol

from windrow.common.job_client import RunningJob
from windrow.runtime.monitor.record import JobRecord

#: So many jobs of one program are shown; of those that are over the oldest go.
_KEPT = 50


class Watched(Protocol):
    """The owner of a job's record: a monitor, or a file's reader."""

    def reading(self) -> AbstractContextManager[JobRecord]:
        """The record, which does not change meanwhile."""


class Stored:
    """A record out of a file."""

    def __init__(self, record: JobRecord) -> None:
        self._record = record

    @contextmanager
    def reading(self) -> Iterator[JobRecord]:
        yield self._record


class ShownJob:
    """A job with what can be done to it."""

    def __init__(self, watched: Watched) -> None:
        self.watched = watched
        #: The job itself; None: it has not started, or is only a file.
        self.running: RunningJob | None = None
        with watched.reading() as record:
            self.id = str(record.job["id"])
            self.started = int(record.job["started"])

    def follow(self, job: RunningJob) -> None:
        """From now on something can be done to it, until it is over: then its record alone is kept."""
        self.running = job
        job.result.add_done_callback(lambda _: self._forget())

    def _forget(self) -> None:
        self.running = None

    @property
    def is_over(self) -> bool:
        """True if the job has ended, or could not even be started."""
        with self.watched.reading() as record:
            return record.ended is not None

    @property
    def actions(self) -> list[str]:
        """The actions that the job allows now: ``cancel``, ``savepoint``, ``drain``."""
        job = self.running
        if job is None or job.result.done():
            return []
        with self.watched.reading() as record:
            if record.ended is not None:
                return []
        return ["cancel", "savepoint", "drain"] if job.makes_savepoints else ["cancel"]


class ShownJobs:
    """The jobs of a page, the newest one first."""

    def __init__(self) -> None:
        self._jobs: dict[str, ShownJob] = {}
        self._lock = Lock()

    def add(self, watched: Watched) -> ShownJob:
        """Show another job."""
        job = ShownJob(watched)
        before = self._jobs.copy()
        over = [each for each in before.values() if each.is_over] if len(before) >= _KEPT else []
        with self._lock:
            self._jobs[job.id] = job
            for each in over[: max(0, len(self._jobs) - _KEPT)]:
                self._jobs.pop(each.id, None)
        return job

    def get(self, job_id: str) -> ShownJob | None:
        """The job of an id; None: it is not shown."""
        return self._jobs.get(job_id)

    def __iter__(self) -> Iterator[ShownJob]:
        with self._lock:
            jobs = list(self._jobs.values())
        return iter(sorted(jobs, key=lambda job: -job.started))
