"""A job in this process."""

from threading import Event

import pytest

from windrow.common import JobStatus
from windrow.connectors.discarding import DiscardingSink
from windrow.datastream import StreamExecutionEnvironment
from windrow.errors import JobExecutionError, UsageError
from windrow.runtime.local.run import LocalRun


def test_a_job_is_cancelled_in_the_middle_of_its_batch():
    """A bounded job of the local runtime is one batch: cancelling does not wait for its end."""
    begun = Event()

    def for_ever(value):
        begun.set()
        while True:
            pass

    env = StreamExecutionEnvironment.create_local_environment(1)
    env.from_collection([1]).map(for_ever).print()
    client = env.execute_async()
    begun.wait()
    client.cancel().result()
    assert client.get_job_status().result() is JobStatus.CANCELED
    with pytest.raises(JobExecutionError, match="was cancelled"):
        client.get_job_execution_result().result()


def test_there_are_no_savepoints_in_this_process():
    """The local runtime keeps no checkpoint to make one of, and says where they are to be had."""
    env = StreamExecutionEnvironment.create_local_environment(1)
    env.from_collection([1]).sink_to(DiscardingSink())
    run = LocalRun(env._plan(env._program.sinks()))
    with pytest.raises(UsageError, match=r"run the job on Spark \(windrow.runtime = 'spark'\)"):
        run.trigger_savepoint("anywhere")
    with pytest.raises(UsageError, match="keeps no checkpoints"):
        run.stop_with_savepoint("anywhere", drain=False)
