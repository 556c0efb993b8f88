"""Jobs that go on while the program does something else."""

from windrow.common import JobStatus
from windrow.connectors.collect import CollectSink
from windrow.datastream import StreamExecutionEnvironment


def test_a_job_whose_elements_nobody_takes_is_stopped():
    """It waits for room in what collects them."""
    job = StreamExecutionEnvironment.create_local_environment(1)
    sink = CollectSink(buffered_elements=1)
    job.from_collection(range(30_000)).sink_to(sink)
    client = job.execute_async()
    sink.take()
    client._job.stop(60)
    assert client.get_job_status().result() is JobStatus.CANCELED
