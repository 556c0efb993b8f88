"""A handle on a job that runs in the background."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Protocol

from windrow.common.completable_future import CompletableFuture
from windrow.common.job_execution_result import JobExecutionResult
from windrow.common.job_id import JobID
from windrow.common.job_status import JobStatus


class RunningJob(Protocol):
    """What a runtime provides for each job it runs."""

    @property
    def job_id(self) -> JobID:
        """The job's identity."""

    @property
    def result(self) -> Future[JobExecutionResult]:
        """Done when the job is over; raises what made it fail."""

    def status(self) -> JobStatus:
        """Where the job stands."""

    def cancel(self) -> None:
        """Stop the job where it is; returns when it has stopped."""


class JobClient:
    """A handle on a job that runs in the background, from ``execute_async``."""

    def __init__(self, job: RunningJob) -> None:
        self._job = job

    def get_job_id(self) -> JobID:
        return self._job.job_id

    def get_job_status(self) -> CompletableFuture[JobStatus]:
        """Where the job stands now."""
        return CompletableFuture.completed(self._job.status())

    def cancel(self) -> CompletableFuture[None]:
        """Stop the job where it is; the future is done when this returns, with what went wrong, if anything did."""
        outcome: Future[None] = Future()
        try:
            self._job.cancel()
        except Exception as error:  # belongs to whoever asks the future for its result
            outcome.set_exception(error)
        else:
            outcome.set_result(None)
        return CompletableFuture(outcome)

    def get_job_execution_result(self) -> CompletableFuture[JobExecutionResult]:
        """Done when the job is over; its result raises what made the job fail."""
        return CompletableFuture(self._job.result)
