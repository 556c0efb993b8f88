"""Handles on jobs and what is left of them."""

from concurrent.futures import CancelledError, Future

import pytest

from windrow.common.completable_future import CompletableFuture
from windrow.common.job_client import JobClient
from windrow.common.job_execution_result import JobExecutionResult
from windrow.common.job_id import JobID
from windrow.common.job_status import JobStatus
from windrow.errors import JobExecutionError


class FakeJob:
    def __init__(self):
        self.job_id = JobID("cafe")
        self.result = Future()
        self.state = JobStatus.RUNNING

    def status(self):
        return self.state

    def accumulators(self):
        return {"lines": 3}

    def metrics(self):
        msg = "a gauge failed"
        raise JobExecutionError(msg)

    def cancel(self):
        if self.state is not JobStatus.RUNNING:
            msg = "not running"
            raise JobExecutionError(msg)
        self.state = JobStatus.CANCELED


def test_the_client_asks_the_job():
    """Identity and status are the job's; cancelling stops it."""
    client = JobClient(FakeJob())
    assert str(client.get_job_id()) == "cafe"
    assert client.get_job_status().result() is JobStatus.RUNNING
    assert client.cancel().result() is None
    assert client.get_job_status().result() is JobStatus.CANCELED


def test_a_failed_cancel_is_in_the_future():
    """What goes wrong while cancelling is raised where the result is asked for."""
    job = FakeJob()
    job.state = JobStatus.FINISHED
    future = JobClient(job).cancel()
    assert isinstance(future.exception(), JobExecutionError)
    with pytest.raises(JobExecutionError):
        future.result()


def test_accumulators_can_be_asked_for_at_any_time():
    """The future is done, with their values now; what goes wrong is raised where its result is asked for."""
    client = JobClient(FakeJob())
    future = client.get_accumulators()
    assert future.done()
    assert future.result() == {"lines": 3}
    with pytest.raises(JobExecutionError, match="a gauge failed"):
        client.get_metrics().result()


def test_the_result_is_there_when_the_job_is_over():
    """The result's future is done with the job, and raises what made it fail."""
    job = FakeJob()
    future = JobClient(job).get_job_execution_result()
    assert not future.done()
    assert str(future) == "CompletableFuture(pending)"
    job.result.set_exception(JobExecutionError("boom"))
    assert future.done()
    with pytest.raises(JobExecutionError, match="boom"):
        future.result()


def test_futures_can_be_given_up():
    """A cancelled future is done and has no result."""
    future = CompletableFuture(Future())
    assert future.cancel()
    assert future.cancelled()
    with pytest.raises(CancelledError):
        future.result()
    assert not CompletableFuture.completed(1).cancel()


def test_execution_result():
    """A result knows its job, its run time and its accumulators."""
    result = JobExecutionResult(JobID("ab"), 12, {"lines": 3}, metrics={"map.n": 7})
    assert (result.get_job_id(), result.get_net_runtime()) == (JobID("ab"), 12)
    assert result.get_accumulator_result("lines") == 3
    assert result.get_accumulator_result("none") is None
    assert result.get_all_accumulator_results() == {"lines": 3}
    assert result.get_metrics() == {"map.n": 7}
    assert str(result) == "Job ab finished after 12 ms.\n- lines: 3"


def test_job_ids():
    """Identities are random unless given, and equal by value."""
    assert len({JobID(), JobID(), JobID("a"), JobID("a")}) == 3
    assert len(str(JobID())) == 32


def test_job_states():
    """Three states are final everywhere; suspended is final here only."""
    final = {JobStatus.FAILED, JobStatus.CANCELED, JobStatus.FINISHED}
    assert {status for status in JobStatus if status.is_globally_terminal_state()} == final
    assert {status for status in JobStatus if status.is_terminal_state()} == final | {JobStatus.SUSPENDED}
