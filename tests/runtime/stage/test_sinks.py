"""What writers of a partition know, and when sinks forget a job."""

import pytest

from windrow.common import Configuration
from windrow.connectors.discarding import DiscardingSink
from windrow.connectors.interfaces import WriterContext
from windrow.datastream import StreamExecutionEnvironment
from windrow.elements.batch import Batch
from windrow.runtime.stage.chunk import Chunk, ChunkRow
from windrow.runtime.stage.sinks import PartitionWriters, forget


class Watched(DiscardingSink):
    """Keeps what it is told."""

    def __init__(self):
        self.contexts, self.forgotten = [], []

    def create_writer(self, context):
        self.contexts.append(context)
        return super().create_writer(context)

    def forget(self, job):
        self.forgotten.append(job)


@pytest.fixture
def watched():
    return Watched()


@pytest.fixture
def job(watched):
    env = StreamExecutionEnvironment.get_execution_environment(Configuration())
    stream = env.from_collection([1])
    stream.sink_to(watched).uid("watched uid").name("watched")
    stream.sink_to(DiscardingSink())
    return env._plan(env._program.sinks(), "job")


def test_a_writer_knows_batch_partition_job_and_sink(job, watched):
    """It is made once, when the first element for its sink comes; by that a batch that is run again is known."""
    writers = PartitionWriters(job.sinks, WriterContext(3, 1, job="the job"))
    (edge,) = next(entry for entry in job.sinks if entry.sink is watched).edges
    for values in ([], [1], [2, 3]):
        writers.write(ChunkRow(0, 0, 0, 0, edge.id, 0, 0, 0, Chunk(Batch(values, [0] * len(values)))))
    assert watched.contexts == [WriterContext(3, 1, watched.contexts[0].sink, "the job", "watched uid")]
    assert watched.contexts[0].sink.startswith("watched")


def test_all_sinks_that_workers_write_forget_a_job(job, watched):
    """Those that keep nothing have nothing to do."""
    forget(job, "the job")
    assert watched.forgotten == ["the job"]
