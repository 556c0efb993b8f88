"""A handle on a job that runs in the background."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Protocol, TypeVar

from windrow.absent.explained import ExplainsAbsentMethods
from windrow.common.completable_future import CompletableFuture
from windrow.common.html import html_table
from windrow.common.job_execution_result import JobExecutionResult
from windrow.common.job_id import JobID
from windrow.common.job_status import JobStatus
from windrow.common.spark_query import SparkQuery

T = TypeVar("T")


class RunningJob(Protocol):
    """The interface of a runtime to a job that it runs."""

    @property
    def job_id(self) -> JobID:
        """The job's identity."""

    @property
    def result(self) -> Future[JobExecutionResult]:
        """Done when the job is over; raises what made it fail."""

    @property
    def makes_savepoints(self) -> bool:
        """True if a savepoint can be made of it: it has checkpoints."""

    @property
    def web_interface_url(self) -> str | None:
        """The address of its page; None: it has none."""

    def status(self) -> JobStatus:
        """Tell where the job stands."""

    def accumulators(self) -> dict[str, Any]:
        """The accumulators' values so far."""

    def metrics(self) -> dict[str, Any]:
        """The metrics' values so far."""

    def spark_query(self) -> SparkQuery:
        """Tell what Spark says of the job."""

    def cancel(self) -> None:
        """Stop the job where it is; returns when it has stopped."""

    def trigger_savepoint(self, directory: str | None) -> str:
        """Make a savepoint and go on; its path."""

    def stop_with_savepoint(self, directory: str | None, *, drain: bool) -> str:
        """Make a savepoint and stop, behind the end of the input if it is to ``drain``; its path."""


class JobClient(ExplainsAbsentMethods):
    """A handle on a job that runs in the background, from ``execute_async``."""

    def __init__(self, job: RunningJob) -> None:
        self._job = job

    def __repr__(self) -> str:
        return f"<JobClient of {self._job.job_id}: {self._job.status().name}>"

    def _repr_html_(self) -> str:
        """Show a notebook where the job stands now."""
        status = self._job.status()
        fields: dict[str, Any] = {"job": str(self._job.job_id), "state": status.name}
        if self._job.result.done():
            error = self._job.result.exception()
            result = None if error is not None else self._job.result.result()
            fields["error"] = None if error is None else str(error)
            if result is not None:
                fields |= {"accumulators": result.get_all_accumulator_results(), "metrics": result.get_metrics()}
        else:
            fields |= {"accumulators": self._job.accumulators(), "metrics": self._job.metrics()}
        return html_table("Job", fields)

    def get_job_id(self) -> JobID:
        return self._job.job_id

    def get_job_status(self) -> CompletableFuture[JobStatus]:
        """Tell where the job stands now."""
        return CompletableFuture.completed(self._job.status())

    def get_web_interface_url(self) -> str | None:
        """Give the address of the job's page (as ``ClusterClient.getWebInterfaceURL`` of Flink's); None: it has none.

        A job has a page if ``windrow.ui.enabled`` is true, or nothing is said and standard error is a terminal.
        """
        return self._job.web_interface_url

    def cancel(self) -> CompletableFuture[None]:
        """Stop the job where it is; the future is done when this returns, with what went wrong, if anything did."""
        return _done(self._job.cancel)

    def trigger_savepoint(self, savepoint_directory: str | None = None) -> CompletableFuture[str]:
        """Make a savepoint: a copy of the job's checkpoint, from which another job can start.

        It is made behind the batch that runs; the job goes on. A program starts from it with
        ``execution.savepoint.path`` (its own ``execution.checkpointing.dir`` then begins as a copy of it), or with the
        savepoint itself as ``execution.checkpointing.dir``.

        Args:
            savepoint_directory: Where a directory for it is made; None: what the configuration says as
                ``execution.checkpointing.savepoint-dir``.

        Returns:
            The path of the savepoint. The future is done when this returns; its result raises a ``ConfigurationError``
            if nobody says where, a ``UsageError`` if the job has no checkpoints (in the local runtime, or as a batch
            query), and a ``JobExecutionError`` if it is over.
        """
        return _done(lambda: self._job.trigger_savepoint(savepoint_directory))

    def stop_with_savepoint(
        self, advance_to_end_of_event_time: bool, savepoint_directory: str | None = None
    ) -> CompletableFuture[str]:
        """Make a savepoint, and stop: nothing is read behind it.

        Args:
            advance_to_end_of_event_time: Let the input end where it is, so that the last watermark comes, all windows
                and event-time timers fire and the job finishes: it cannot go on from such a savepoint. If not, all of
                that waits for the job that goes on from there.
            savepoint_directory: As in :meth:`trigger_savepoint`, which says what is returned and raised, too.
        """
        return _done(lambda: self._job.stop_with_savepoint(savepoint_directory, drain=advance_to_end_of_event_time))

    def get_accumulators(self) -> CompletableFuture[dict[str, Any]]:
        """The accumulators' values now, by name; those of the result when the job is over.

        On Spark they are those of the last batch that a streaming query has finished; a batch query (a bounded job
        without a checkpoint directory) has them when it is over. Spark's subtasks hand over what they have added
        batch by batch; in the local runtime what is read is what has been added by now.
        """
        return _done(self._job.accumulators)

    def get_metrics(self) -> CompletableFuture[dict[str, Any]]:
        """Give what functions have reported to their metrics groups by now, and what the runtime measures.

        The first is as in ``JobExecutionResult.get_metrics``. The second has names as Flink's, behind the operator's:
        ``num_records_in``, what was dropped (``num_late_records_dropped``), and by subtask ``current_input_watermark``,
        ``current_output_watermark`` and ``watermark_lag``, which is processing time less the watermark; of a source
        whose splits have watermarks, ``current_watermark_by_split``, ``watermark_lag_by_split`` and ``watermark_skew``,
        by how much the newest split is ahead of the oldest. Times are in milliseconds, and as they were at the end of
        the last batch. When that is there is said in :meth:`get_accumulators`.
        """
        return _done(self._job.metrics)

    def get_spark_query(self) -> CompletableFuture[SparkQuery]:
        """Tell what Spark says of the job: the query's id, its last progress, the address of Spark's own page.

        Flink has no such thing. Behind a restart of the job it is another run of the query.

        Returns:
            A :class:`~windrow.common.spark_query.SparkQuery`. The future is done when this returns; its result raises a
            ``UsageError`` in the local runtime, where there is no Spark.
        """
        return _done(self._job.spark_query)

    def get_job_execution_result(self) -> CompletableFuture[JobExecutionResult]:
        """Done when the job is over; its result raises what made the job fail.

        Whoever interrupts the wait for the result (Ctrl-C) cancels the job.
        """
        return CompletableFuture(self._job.result, self._job.cancel)


def _done(call: Callable[[], T]) -> CompletableFuture[T]:
    """A future that is done, with what the call gave or raised."""
    outcome: Future[T] = Future()
    try:
        outcome.set_result(call())
    except Exception as error:  # belongs to whoever asks the future for its result
        outcome.set_exception(error)
    return CompletableFuture(outcome)
