"""Which subtask sees an element: looked at from inside functions, through the runtime context."""

from collections import Counter

import pytest

from windrow.datastream import (
    KeyedProcessFunction,
    KeySelector,
    MapFunction,
    ProcessFunction,
    StreamExecutionEnvironment,
)
from windrow.datastream.functions import Partitioner
from windrow.errors import ConfigurationError, ConfigurationTypeError, UsageError
from windrow.state.key_groups import key_group, operator_index


class Where(MapFunction):
    """(element, index of the subtask, parallelism)"""

    def open(self, runtime_context):
        self.at = (runtime_context.get_index_of_this_subtask(), runtime_context.get_number_of_parallel_subtasks())

    def map(self, value):
        return (value, *self.at)


class KeyedWhere(KeyedProcessFunction):
    def open(self, runtime_context):
        self.at = (runtime_context.get_index_of_this_subtask(), runtime_context.get_number_of_parallel_subtasks())

    def process_element(self, value, ctx):
        yield (value, *self.at)


def seen(stream, limit=1000):
    return sorted(stream.execute_and_collect(limit=limit))


def test_every_partitioner_sends_elements_where_flink_says(env):
    """Rebalance deals in turn, global takes subtask 0, broadcast all, custom what it is told, forward keeps."""
    numbers = env.from_collection(list(range(12)))
    custom = numbers.partition_custom(lambda key, count: key % count, lambda n: n // 2)
    spread = numbers.rebalance().map(lambda n: n).set_parallelism(2)
    streams = {
        "rebalance": numbers.rebalance().map(Where()).set_parallelism(3),
        "global": numbers.global_().map(Where()).set_parallelism(3),
        "broadcast": numbers.broadcast().map(Where()).set_parallelism(3),
        "custom": custom.map(Where()).set_parallelism(3),
        "shuffle": numbers.shuffle().map(Where()).set_parallelism(3),
        "forward": spread.forward().map(Where()).set_parallelism(2),
        "rescale": spread.rescale().map(Where()).set_parallelism(4),
        "default": numbers.map(Where()).set_parallelism(3),
    }
    named = [stream.map(lambda seen, name=name: (name, seen)) for name, stream in streams.items()]
    found = {name: [] for name in streams}
    for name, where in named[0].union(*named[1:]).execute_and_collect(limit=1000):
        found[name].append(where)
    found = {name: sorted(where) for name, where in found.items()}

    assert found["rebalance"] == found["default"] == [(n, n % 3, 3) for n in range(12)]
    assert found["global"] == [(n, 0, 3) for n in range(12)]
    assert found["broadcast"] == [(n, index, 3) for n in range(12) for index in range(3)]
    assert found["custom"] == [(n, n // 2 % 3, 3) for n in range(12)]
    assert found["forward"] == [(n, n % 2, 2) for n in range(12)]
    assert [n for n, _, _ in found["shuffle"]] == list(range(12))
    assert {index for _, index, _ in found["shuffle"]} > {0}
    # The two subtasks before it serve two of the four each.
    assert {(n % 2, index) for n, index, _ in found["rescale"]} == {(0, 0), (0, 1), (1, 2), (1, 3)}
    assert Counter(index for _, index, _ in found["rescale"]) == {0: 3, 1: 3, 2: 3, 3: 3}


def test_a_key_goes_to_the_subtask_of_its_key_group(env):
    """Flink's formula: key group is hash % max parallelism, subtask is key group * parallelism / max parallelism."""
    words = [f"word {n}" for n in range(30)]
    stream = env.from_collection(words).key_by(lambda word: word).process(KeyedWhere()).set_parallelism(3)
    assert seen(stream) == sorted((word, operator_index(key_group(word, 128), 3, 128), 3) for word in words)


def test_the_turn_goes_on_in_the_next_batch(spark_session, tmp_path):
    """A rebalance continues where the last batch, or the run before a restart, has left it."""
    from windrow.common import Configuration
    from windrow.datastream import StreamExecutionEnvironment

    configuration = (
        Configuration()
        .set_string("execution.checkpointing.dir", str(tmp_path))
        .set_string("windrow.source.elements-per-split", "1")
        .set_string("windrow.source.splits-per-batch", "1")
    )
    env = StreamExecutionEnvironment.get_execution_environment(configuration, spark_session).set_parallelism(1)
    stream = env.from_collection([0, 1, 2, 3]).rebalance().map(Where()).set_parallelism(3)
    assert seen(stream) == [(n, n % 3, 3) for n in range(4)]


test_the_turn_goes_on_in_the_next_batch = pytest.mark.spark(test_the_turn_goes_on_in_the_next_batch)


class Opened(Partitioner):
    def open(self, runtime_context):
        self.shift = 1

    def partition(self, key, num_partitions):
        return (key + self.shift) % num_partitions


class First(KeySelector):
    def get_key(self, value):
        return value[0]


def test_a_partitioner_object_is_opened(env):
    """A Partitioner and a KeySelector are function objects, with open and close."""
    stream = env.from_collection([(n, "x") for n in range(4)]).partition_custom(Opened(), First())
    assert seen(stream.map(Where()).set_parallelism(2)) == [((n, "x"), (n + 1) % 2, 2) for n in range(4)]


def test_forward_to_another_parallelism_is_refused(env):
    """The error names both operators, their parallelism, and what to do."""
    stream = env.from_collection([1]).map(lambda n: n).name("before").forward().map(Where()).name("behind")
    stream.set_parallelism(3).print()
    with pytest.raises(ConfigurationError, match=r"'before' has parallelism 1 and 'behind' has 3.*rebalance"):
        env.execute()


@pytest.mark.parametrize("given", [None, 3, Opened, First()])
def test_what_is_no_partitioner_is_refused(env, given):
    """partition_custom takes a Partitioner or a function of a key and a number."""
    with pytest.raises(ConfigurationTypeError, match="partition_custom"):
        env.from_collection([1]).partition_custom(given, lambda n: n)


SETTINGS = {
    "name": "n",
    "uid": "u",
    "set_uid_hash": "h",
    "set_description": "d",
    "set_parallelism": 2,
    "set_max_parallelism": 2,
}


@pytest.mark.parametrize("setting", [*SETTINGS, "force_non_parallel"])
@pytest.mark.parametrize(
    "make", [lambda numbers: numbers.rebalance(), lambda numbers: numbers.union(numbers)], ids=["rebalance", "union"]
)
def test_what_is_no_operator_cannot_be_named(make, setting):
    """A partitioner and a union have no name, uid or parallelism that could be set."""
    stream = make(StreamExecutionEnvironment.create_local_environment(2).from_collection([1]))
    with pytest.raises(UsageError, match="is no operator, so it has no name, uid or parallelism of its own"):
        getattr(stream, setting)(*([SETTINGS[setting]] if setting in SETTINGS else []))


def test_a_keyed_stream_keeps_its_partitioning(env):
    """Elements of a key stay together, so a keyed stream cannot be partitioned otherwise."""
    keyed = env.from_collection([1]).key_by(lambda n: n)
    for method in (keyed.rebalance, keyed.rescale, keyed.shuffle, keyed.forward, keyed.broadcast, keyed.global_):
        with pytest.raises(Exception, match="Cannot override partitioning for KeyedStream"):
            method()


class Count(ProcessFunction):
    """(subtask, elements so far)"""

    def open(self, runtime_context):
        self.at = runtime_context.get_index_of_this_subtask()
        self.count = 0

    def process_element(self, value, ctx):
        self.count += 1
        yield self.at, self.count


def test_a_function_with_open_sees_a_union_as_one_stream(env):
    """A function object that is opened is one object for a subtask, whatever number of streams come together."""
    ones, twos = env.from_collection([1, 1]), env.from_collection([2, 2])
    assert seen(ones.union(twos).process(Count()).set_parallelism(1)) == [(0, 1), (0, 2), (0, 3), (0, 4)]
