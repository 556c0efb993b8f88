"""A handle on a job that runs in the background."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Protocol, TypeVar

from windrow.absent.explained import ExplainsAbsentMethods
from windrow.common.completable_future import CompletableFuture
from windrow.common.job_execution_result import JobExecutionResult
from windrow.common.job_id import JobID
from windrow.common.job_status import JobStatus

T = TypeVar("T")


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

    def accumulators(self) -> dict[str, Any]:
        """The accumulators' values so far."""

    def metrics(self) -> dict[str, Any]:
        """The metrics' values so far."""

    def cancel(self) -> None:
        """Stop the job where it is; returns when it has stopped."""


class JobClient(ExplainsAbsentMethods):
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
        return _done(self._job.cancel)

    def get_accumulators(self) -> CompletableFuture[dict[str, Any]]:
        """The accumulators' values now, by name; those of the result when the job is over.

        On Spark they are those of the last batch that a streaming query has finished; a batch query (a bounded job
        without a checkpoint directory) has them when it is over. Spark's subtasks hand over what they have added
        batch by batch; in the local runtime what is read is what has been added by now.
        """
        return _done(self._job.accumulators)

    def get_metrics(self) -> CompletableFuture[dict[str, Any]]:
        """What functions have reported to their metrics groups by now, as in ``JobExecutionResult.get_metrics``.

        When it is there is said in :meth:`get_accumulators`.
        """
        return _done(self._job.metrics)

    def get_job_execution_result(self) -> CompletableFuture[JobExecutionResult]:
        """Done when the job is over; its result raises what made the job fail."""
        return CompletableFuture(self._job.result)


def _done(call: Callable[[], T]) -> CompletableFuture[T]:
    """A future that is done, with what the call gave or raised."""
    outcome: Future[T] = Future()
    try:
        outcome.set_result(call())
    except Exception as error:  # belongs to whoever asks the future for its result
        outcome.set_exception(error)
    return CompletableFuture(outcome)
