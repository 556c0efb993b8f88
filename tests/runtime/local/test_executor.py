"""The runtime in this process."""

import pytest

from tests.simulator.jobs import ScriptedSplit, make_job, source_batches
from tests.simulator.local_run import run_locally
from tests.simulator.program import LONG_MAX, Element, Program, Sliding, Watermark
from windrow.common import Configuration
from windrow.connectors.discarding import DiscardingSink
from windrow.datastream import MapFunction, StreamExecutionEnvironment
from windrow.errors import UserFunctionError
from windrow.runtime.local.executor import LocalExecutor
from windrow.runtime.stage.totals import Totals

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


class Counting(MapFunction):
    """Counts what it is called with."""

    def open(self, runtime_context):
        self.context = runtime_context
        runtime_context.get_int_counter("opened").add(1)

    def map(self, value):
        self.context.get_int_counter("mapped").add(1)
        return value

    def close(self):
        self.context.get_int_counter("closed").add(1)


def counting_executor():
    env = StreamExecutionEnvironment.get_execution_environment(Configuration()).set_parallelism(2)
    stream = env.from_collection(range(10)).map(Counting())
    stream.rebalance().map(Counting()).sink_to(DiscardingSink())
    return LocalExecutor(env._plan(env._program.sinks()), batch_size=3)


@pytest.mark.parametrize("restarted", [False, True])
def test_functions_count_once_whatever_the_batches_are(restarted):
    """Elements once, open and close once per subtask, here of three; also if all operators are made anew."""
    executor, mapped = counting_executor(), []
    with executor:
        while executor.run_batch():
            mapped.append(executor.read_totals().accumulator_results()["mapped"])
            if restarted:
                executor.restart()
    assert mapped == [6, 12, 18]
    assert executor.totals.accumulator_results() == {"opened": 3, "mapped": 20, "closed": 3}


def test_what_changes_while_it_is_read_is_read_again(monkeypatch):
    """A user's accumulator may be copied while its function is changing it; an error of the user's own is raised."""
    executor = counting_executor()
    errors = [RuntimeError("dictionary changed size during iteration")] * 3
    read = executor._sources.read_totals

    def changing(*, live=False):
        if errors:
            raise errors.pop()
        return read()

    monkeypatch.setattr(executor._sources, "read_totals", changing)
    assert executor.read_totals() == Totals()
    assert errors == []
    errors.append(UserFunctionError("map", "1", "in a gauge"))
    with pytest.raises(UserFunctionError, match="in a gauge"):
        executor.read_totals()
    errors += [RuntimeError("always")] * 1000
    with pytest.raises(RuntimeError, match="always"):
        executor.read_totals()
    executor.close()
