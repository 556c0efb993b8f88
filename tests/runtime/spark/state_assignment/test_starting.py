"""Jobs on Spark that begin from a savepoint with another parallelism."""

import shutil

import pytest

from tests.runtime.sources.running import Shown
from tests.runtime.sources.scripted import ScriptedSource
from tests.runtime.sources.test_programs import count_windows, counted, split, wait_for
from tests.runtime.spark.expected import commits, expected_lines, lines_in
from tests.runtime.spark.programs import windows
from windrow.common import Configuration, Encoder, JobStatus, Types
from windrow.datastream import KeyedProcessFunction, StreamExecutionEnvironment
from windrow.datastream.connectors.file_system import FileSink
from windrow.datastream.state import ValueStateDescriptor

pytestmark = pytest.mark.spark

EVERY_20 = {"windrow.source.elements-per-split": "20", "windrow.source.splits-per-batch": "1"}
EVERY_200 = {"windrow.source.elements-per-split": "200", "windrow.source.splits-per-batch": "1"}


@pytest.fixture
def job_in(spark_session, tmp_path):
    """Makes an environment with a checkpoint directory of that name, and a savepoint to begin with."""

    def make(name, parallelism, savepoint=None, settings=EVERY_200):
        settings = {"windrow.runtime": "spark", "execution.checkpointing.dir": str(tmp_path / name), **settings}
        if savepoint is not None:
            settings["execution.state-recovery.path"] = savepoint
        configuration = Configuration.from_dict(settings)
        env = StreamExecutionEnvironment.get_execution_environment(configuration, spark_session)
        return env.set_parallelism(parallelism)

    return make


def records_in(client):
    return client.get_metrics().result().get("Source: scripted.num_records_in") or 0


def to_files(env, out, *others):
    lines = windows(env)
    for sink in (FileSink.for_row_format(str(out), Encoder.simple_string_encoder()).build(), *others):
        lines.sink_to(sink)


def test_splits_go_to_the_readers_that_there_are(job_in, tmp_path):
    """Two readers become three, and these one: each element is counted in its window once, and none is late."""
    found, savepoint = [], None
    for parallelism, read in ((2, 16), (3, 48), (1, 120)):
        splits = [split(name, range(0, 300, 10), ends=False) for name in ("a", "b", "c", "d")]
        settings = {"windrow.source.records-per-batch": "4"}
        env = job_in(f"with {parallelism}", parallelism, savepoint, settings)
        shown = count_windows(env, ScriptedSource(splits, is_bounded=False))
        client = env.execute_async()
        wait_for(lambda client=client, read=read: records_in(client) >= read)
        savepoint = client.stop_with_savepoint(parallelism == 1, str(tmp_path / "savepoints")).result()
        assert client.get_job_status().result() is JobStatus.FINISHED
        found += shown.values
    assert sorted(found) == counted(*splits)


def test_files_have_each_line_once_whatever_the_parallelism(job_in, tmp_path):
    """A sink goes on counting its batches; what has dealt out nothing yet is begun with as what it has begun with."""
    out = tmp_path / "out"
    env = job_in("first", 1)
    to_files(env, out)
    client = env.execute_async()
    wait_for(lambda: lines_in(out))
    savepoint = client.stop_with_savepoint(False, str(tmp_path / "savepoints")).result()
    env = job_in("second", 4, savepoint)
    to_files(env, out, Fails())
    with pytest.raises(Exception, match="before anything is committed"):
        env.execute()
    env = job_in("third", 3, str(tmp_path / "second"))
    to_files(env, out)
    client = env.execute_async()
    wait_for(lambda: not (tmp_path / "third" / "assigned.pickle").exists())
    shutil.rmtree(savepoint)  # the state is the job's own
    committed = len(commits(tmp_path / "third"))
    wait_for(lambda: len(commits(tmp_path / "third")) > committed + 1)
    client.cancel().result()
    env = job_in("third", 3, str(tmp_path / "second"))
    to_files(env, out)
    env.execute()
    assert sorted(lines_in(out)) == sorted(expected_lines())


class Fails(Shown):
    def deliver(self, values, timestamps):
        msg = "before anything is committed"
        raise RuntimeError(msg)


class Counting(KeyedProcessFunction):
    """Each element with how many its key has had by then."""

    def open(self, runtime_context):
        self.count = runtime_context.get_state(ValueStateDescriptor("count", Types.LONG()))

    def process_element(self, value, ctx):
        self.count.update((self.count.value() or 0) + 1)
        yield value, self.count.value()


def counting(stream):
    return stream.key_by(lambda value: value % 7).process(Counting()).uid("counts")


def test_a_changed_program_goes_on_with_the_state_of_its_operators(job_in, tmp_path):
    """An exchange, a source and an operator with state have come; each element is counted where the count was."""
    env, first, second = job_in("first", 2, settings=EVERY_20), Shown(), Shown()
    counting(env.from_collection(range(2000)).uid("numbers")).sink_to(first)
    client = env.execute_async()
    wait_for(lambda: first.values)
    savepoint = client.stop_with_savepoint(False, str(tmp_path / "savepoints")).result()
    env = job_in("second", 3, savepoint, {"windrow.source.splits-per-batch": "40"})
    numbers = env.from_collection(range(2000)).uid("numbers").rebalance().map(lambda value: value)
    counts = counting(numbers.union(env.from_collection(range(2000, 2100)).uid("more")))
    again = counts.key_by(lambda counted: counted[0] % 3).reduce(lambda a, b: (b[0], a[1] + b[1])).uid("sums")
    again.map(lambda summed: summed[0]).sink_to(second)
    counts.sink_to(second)
    env.execute()
    counts = first.values + [value for value in second.values if isinstance(value, tuple)]
    assert sorted(value for value, _ in counts) == list(range(2100))
    assert sorted((value % 7, count) for value, count in counts) == [
        (key, count) for key in range(7) for count in range(1, 301)
    ]
    numbers_of_second = sorted(value for value in second.values if not isinstance(value, tuple))
    assert numbers_of_second == sorted(set(range(2100)) - {value for value, _ in first.values})
