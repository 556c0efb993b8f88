"""The runtime in this process."""

from tests.simulator.jobs import ScriptedSplit, make_job, source_batches
from tests.simulator.local_run import run_locally
from tests.simulator.program import LONG_MAX, Element, Program, Sliding, Watermark
from windrow.runtime.local.executor import LocalExecutor

TUMBLING = Program(Sliding(10, 10, 0))


def test_a_channel_that_ends_early_ends_once():
    """A short channel does not end the job's input while a longer one goes on."""
    long = [Element(1, number, 0, number) for number in range(4)]
    outcome = run_locally(TUMBLING, [[], long], batch_size=1)
    assert [[shown.ids for shown in segment] for segment in outcome.segments] == [[(0, 1, 2, 3)], []]


def test_a_batch_is_so_many_elements_of_each_channel():
    """A source's batch is cut where the job's batch ends, and its watermark stays behind its last element."""
    events = [Element(1, 0, 0, 0), Element(1, 1, 0, 1), Element(1, 2, 0, 2), Watermark(9)]
    job = make_job(TUMBLING, [[ScriptedSplit(source_batches(events, merged=True))]])
    executor = LocalExecutor(job.graph, batch_size=2)
    assert executor.run_batch() is True
    assert job.outcome.segments == [[]]
    assert executor.run_batch() is False
    executor.close()
    assert [[shown.ids for shown in segment] for segment in job.outcome.segments] == [[(0, 1, 2)], [], []]


def test_everything_in_one_batch_needs_no_batch_size():
    """Without a batch size all channels are read to their end in one batch."""
    events = [Element(1, 0, 0, 0), Watermark(LONG_MAX - 1)]
    job = make_job(TUMBLING, [[ScriptedSplit(source_batches(events, merged=False))] for _ in range(2)])
    executor = LocalExecutor(job.graph)
    assert executor.run_batch() is False
    executor.close()
    assert sum(len(segment) for segment in job.outcome.segments) == 1
