"""Where operators are placed: what is chained, what crosses an exchange, in how many subtasks."""

import pytest

from windrow.common import Configuration, WatermarkStrategy
from windrow.datastream import MapFunction, StreamExecutionEnvironment
from windrow.datastream.connectors.number_seq import NumberSequenceSource
from windrow.errors import ConfigurationError
from windrow.graph.job_graph import JobGraph
from windrow.graph.partitioners import ForwardPartitioner, RebalancePartitioner, SinglePartitioner


class Opened(MapFunction):
    def open(self, runtime_context):
        """Nothing, but it is there."""

    def map(self, value):
        return value


@pytest.fixture
def env():
    configuration = Configuration().set_string("windrow.runtime", "local")
    return StreamExecutionEnvironment.get_execution_environment(configuration).set_parallelism(2)


def job_of(env, stream) -> JobGraph:
    stream.print()
    return env._plan(env._program.sinks())


def entries(job):
    return [[(entry.node.name, entry.subtasks) for entry in level] for level in job.levels]


def edges(job):
    return [type(edge.partitioner) for level in job.levels for entry in level for edge in entry.edges]


def test_an_operator_that_says_nothing_runs_in_the_subtasks_of_its_input(env):
    """No exchange is needed where neither the program nor the operator asks for one."""
    job = job_of(env, env.from_collection([1]).map(abs).filter(bool))
    assert entries(job) == [[("Source: Collection Source", 1)]]


def test_another_parallelism_is_an_exchange(env):
    """Elements are dealt in turn to an operator with more subtasks than its input, as in Flink."""
    job = job_of(env, env.from_collection([1]).map(abs).set_parallelism(3))
    assert entries(job)[1] == [("Map", 3)]
    assert edges(job) == [RebalancePartitioner]


def test_the_same_parallelism_is_chained(env):
    """A parallelism that the input has anyway costs nothing."""
    job = job_of(env, env.from_collection([1]).map(abs).set_parallelism(1).forward().map(abs))
    assert len(job.levels) == 1


def test_a_function_without_open_stands_behind_each_stream_of_a_union(env):
    """What it does to an element depends on nothing else, so a union needs no exchange for it."""
    first, second = env.from_collection([1]), env.from_collection([2])
    job = job_of(env, first.union(second).map(abs))
    assert len(job.levels) == 1
    assert [node.name for node in job.nodes()].count("Map") == 2


def test_a_function_with_open_stands_once_behind_a_union(env):
    """One object serves a subtask, so the streams come together before it."""
    first, second = env.from_collection([1]), env.from_collection([2])
    job = job_of(env, first.union(second).map(Opened()))
    assert entries(job)[1] == [("Map", 2)]
    assert edges(job) == [RebalancePartitioner] * 2


def test_streams_of_the_same_parallelism_are_forwarded(env):
    """Flink's default between operators of one parallelism."""
    first, second = (env.from_collection([n]).rebalance().map(Opened()) for n in (1, 2))
    job = job_of(env, first.union(second).map(Opened()))
    assert edges(job)[-2:] == [ForwardPartitioner] * 2


def test_all_of_a_level_has_one_time(env):
    """Behind an exchange timestamps and watermarks are assigned in a single subtask."""
    strategy = WatermarkStrategy.for_monotonous_timestamps()
    stream = env.from_collection([1]).rebalance().map(abs)
    job = job_of(env, stream.assign_timestamps_and_watermarks(strategy).set_parallelism(2))
    assert entries(job)[2] == [("Timestamps/Watermarks", 1)]
    assert edges(job)[-1] is SinglePartitioner


def test_time_behind_a_source_is_assigned_in_its_channels(env):
    """Each channel of a source has a generator of its own, whatever parallelism the operator asks for."""
    strategy = WatermarkStrategy.for_monotonous_timestamps()
    numbers = env.from_source(NumberSequenceSource(1, 9), WatermarkStrategy.no_watermarks(), "numbers")
    job = job_of(env, numbers.assign_timestamps_and_watermarks(strategy).set_parallelism(1))
    assert len(job.levels) == 1


@pytest.mark.parametrize("most", ["environment", "operator"])
def test_a_parallelism_above_the_maximum_is_refused(env, most):
    """There is nothing to do for more subtasks than key groups, and Flink refuses them too."""
    counted = env.from_collection([1, 2]).key_by(lambda n: n).sum().name("count").set_parallelism(3)
    (env if most == "environment" else counted).set_max_parallelism(2)
    with pytest.raises(ConfigurationError, match="'count' has parallelism 3, which is above the max parallelism 2"):
        job_of(env, counted)
