"""The iterator of a job's results."""

from concurrent.futures import Future

from windrow.connectors.collect import CollectSink
from windrow.datastream.streams.closeable_iterator import CloseableIterator
from windrow.errors import JobExecutionError


class Running:
    """A job that ends when it is cancelled."""

    def __init__(self):
        self.result = Future()

    def cancel(self):
        self.result.set_exception(JobExecutionError("the job was cancelled"))


def test_what_close_has_cancelled_is_no_error():
    """Who goes on asking behind close gets no more elements, and hears nothing of the cancelled job."""
    job = Running()
    results = CloseableIterator(CollectSink(), job)
    results.close()
    assert isinstance(job.result.exception(), JobExecutionError)
    assert list(results) == []
