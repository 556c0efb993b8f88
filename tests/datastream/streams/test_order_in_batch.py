"""In BATCH, and where a window waits for the end of the stream, a key's elements come by their timestamps."""

from random import Random

import pytest

from tests.datastream.streams.restarts import collect_with_restarts, local_env
from windrow.common import WatermarkStrategy
from windrow.common.limits import MAX_WATERMARK
from windrow.datastream import (
    AggregateFunction,
    KeyedCoProcessFunction,
    KeyedProcessFunction,
    ProcessFunction,
    ProcessWindowFunction,
    RuntimeExecutionMode,
)
from windrow.datastream.state import ListStateDescriptor
from windrow.datastream.window import CountTrigger, EventTimeSessionWindows, GlobalWindows, TumblingEventTimeWindows

TIMES = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(lambda element, _: element[1])


def elements(seed, count=40, which=0):
    """Key, timestamp (many are equal), place in the order of arrival, input."""
    random = Random(seed)
    return [(random.choice("abcd"), random.randrange(12), place, which) for place in range(count)]


def by_key(arrived):
    """What each key has to see: by timestamp, then input, then arrival."""
    keys = {}
    for element in sorted(arrived, key=lambda element: (element[1], element[3])):
        keys.setdefault(element[0], []).append(element)
    return keys


class Seen(KeyedProcessFunction):
    """At the end of the input, the key's elements in the order in which they came."""

    def open(self, runtime_context):
        self.seen = runtime_context.get_list_state(ListStateDescriptor("seen"))

    def process_element(self, value, ctx):
        self.seen.add(value)
        ctx.timer_service().register_event_time_timer(100)

    def on_timer(self, timestamp, ctx):
        yield ctx.get_current_key(), list(self.seen.get())


class SeenOfBoth(KeyedCoProcessFunction):
    """The same for two inputs."""

    def open(self, runtime_context):
        self.inner = Seen()
        self.inner.open(runtime_context)

    def process_element1(self, value, ctx):
        return self.inner.process_element(value, ctx)

    def process_element2(self, value, ctx):
        return self.inner.process_element(value, ctx)

    def on_timer(self, timestamp, ctx):
        return self.inner.on_timer(timestamp, ctx)


class Listed(AggregateFunction):
    def create_accumulator(self):
        return []

    def add(self, value, accumulator):
        return [*accumulator, value]

    def get_result(self, accumulator):
        return accumulator[0][0], accumulator

    def merge(self, acc_a, acc_b):
        return acc_a + acc_b


class Contents(ProcessWindowFunction):
    def process(self, key, context, elements):
        yield key, list(elements)


def keyed(env, arrived):
    return env.from_collection(arrived).assign_timestamps_and_watermarks(TIMES).key_by(lambda element: element[0])


def processed(env, first, second):
    return keyed(env, first).process(Seen()), by_key(first)


def connected(env, first, second):
    return keyed(env, first).connect(keyed(env, second)).process(SeenOfBoth()), by_key(first + second)


def reduced(env, first, second):
    lists = keyed(env, first).map(lambda element: (element[0], [element])).key_by(lambda pair: pair[0])
    return lists.reduce(lambda a, b: (a[0], a[1] + b[1])), by_key(first)


def aligned(env, first, second):
    return keyed(env, first).window(TumblingEventTimeWindows.of(100)).aggregate(Listed()), by_key(first)


def sessions(env, first, second):
    return keyed(env, first).window(EventTimeSessionWindows.with_gap(50)).process(Contents()), by_key(first)


def counted(env, first, second):
    windows = keyed(env, first).window(GlobalWindows.create()).trigger(CountTrigger.of(2)).process(Contents())
    expected = {(key, n): seen[:n] for key, seen in by_key(first).items() for n in range(2, len(seen) + 1, 2)}
    return windows.map(lambda pair: ((pair[0], len(pair[1])), pair[1])), expected


OPERATORS = [processed, connected, reduced, aligned, sessions, counted]


@pytest.mark.parametrize("make", OPERATORS)
@pytest.mark.parametrize("batch_size", [None, 7])
def test_each_key_sees_its_elements_by_timestamp(make, batch_size):
    """Whatever operator takes them, and in however many batches they come; those of one timestamp as they arrived."""
    for seed in range(6):
        env = local_env().set_runtime_mode(RuntimeExecutionMode.BATCH)
        stream, expected = make(env, elements(seed), elements(seed + 100, 30, which=1))
        got = collect_with_restarts(stream, batch_size) if batch_size else list(stream.execute_and_collect())
        assert sorted(got) == sorted(expected.items()), f"seed {seed}"


def test_elements_without_timestamps_stay_in_their_order():
    """Nothing says that they should be moved."""
    env = local_env().set_runtime_mode(RuntimeExecutionMode.BATCH)
    arrived = elements(1)
    stream = env.from_collection(arrived).key_by(lambda element: element[0]).reduce(lambda a, b: (*a, b[2]))
    expected = {}
    for element in arrived:
        expected[element[0]] = (*expected[element[0]], element[2]) if element[0] in expected else element
    assert sorted(stream.execute_and_collect()) == sorted(expected.values())


def at_the_end(env, arrived):
    windows = keyed(env, arrived).window(GlobalWindows.create_with_end_of_stream_trigger())
    return windows.process(Contents())


@pytest.mark.parametrize("batch_size", [1, 7])
def test_a_window_that_waits_for_the_end_of_the_stream_has_its_elements_by_timestamp(batch_size):
    """In STREAMING as well, whatever its batches are."""
    got = collect_with_restarts(at_the_end(local_env(), elements(3)), batch_size)
    assert sorted(got) == sorted(by_key(elements(3)).items())


def test_on_every_runtime_elements_come_by_timestamp(env):
    """Two inputs in BATCH, and in one job with them a window that waits for the end."""
    env.set_runtime_mode(RuntimeExecutionMode.BATCH)
    both, expected = connected(env, elements(1), elements(2, which=1))
    ending = at_the_end(env, elements(3)).map(lambda pair: (f"end {pair[0]}", pair[1]))
    expected.update({f"end {key}": seen for key, seen in by_key(elements(3)).items()})
    assert sorted(both.union(ending).execute_and_collect()) == sorted(expected.items())


def test_on_every_runtime_a_window_that_waits_for_the_end_sorts_in_streaming(env):
    """Watermarks of the stream do not reach it before the end."""
    assert sorted(at_the_end(env, elements(3)).execute_and_collect()) == sorted(by_key(elements(3)).items())


class Told(ProcessFunction):
    """Each element, and whether the end has come before it."""

    def process_element(self, value, ctx):
        yield value, ctx.timer_service().current_watermark() == MAX_WATERMARK


@pytest.mark.parametrize("batch_size", [None, 1])
def test_the_last_watermark_comes_behind_the_results_of_all_subtasks(batch_size):
    """A subtask that has nothing to sort has nothing to say before the others have given what they have sorted."""
    env = local_env().set_runtime_mode(RuntimeExecutionMode.BATCH)
    sums = env.from_collection([("a", 1), ("a", 2)]).key_by(lambda element: element[0]).sum(1)
    told = sums.global_().process(Told())
    got = collect_with_restarts(told, batch_size) if batch_size else list(told.execute_and_collect())
    assert got == [(("a", 3), False)]
