"""Process functions in jobs: time, timers, side outputs and state, on every runtime."""

import pytest

from tests.datastream.streams.restarts import ListSink, collect_with_restarts, local_env
from tests.datastream.streams.watermarks import Moved
from windrow.common import Time, WatermarkStrategy
from windrow.datastream import (
    AggregateFunction,
    KeyedProcessFunction,
    OutputTag,
    ProcessFunction,
    RuntimeExecutionMode,
)
from windrow.datastream.state import (
    AggregatingStateDescriptor,
    ListStateDescriptor,
    MapStateDescriptor,
    ReducingStateDescriptor,
    StateTtlConfig,
    ValueStateDescriptor,
)
from windrow.runtime.local.executor import LocalExecutor

SIDE = OutputTag("side")
MOVED = WatermarkStrategy.for_generator(Moved).with_timestamp_assigner(lambda value, _: value[1])
READINGS = [("a", 10), ("b", 20), ("a", 30), ("c", 5), ("b", 40), ("a", 1000)]


def collect(stream):
    return list(stream.execute_and_collect())


def both_outputs(stream):
    """What goes to the main output, and what goes to the side output, of one run."""
    main, side = ListSink(), ListSink()
    stream.sink_to(main)
    stream.get_side_output(SIDE).sink_to(side)
    stream.get_execution_environment().execute()
    return main.elements, side.elements


def by_key(results):
    """The results of each key, in order: between keys of different subtasks there is none."""
    found = {}
    for key, *rest in results:
        found.setdefault(key, []).append(tuple(rest))
    return found


class Described(ProcessFunction):
    def process_element(self, value, ctx):
        yield value, ctx.timestamp()
        if ctx.timestamp() > 20:
            yield SIDE, value[0]


def test_a_process_function_sees_timestamps_and_has_side_outputs(env):
    """Without keys a function sees each element with its timestamp, and yields to the main and to side outputs."""
    stream = env.from_collection(READINGS).assign_timestamps_and_watermarks(MOVED).process(Described())
    main, side = both_outputs(stream)
    assert main == [(reading, reading[1]) for reading in READINGS]
    assert side == ["a", "b", "a"]


class EventTimers(KeyedProcessFunction):
    """Waits 15 after each element, unless the key's next one comes before that."""

    def open(self, runtime_context):
        self.waiting = runtime_context.get_state(ValueStateDescriptor("waiting"))

    def process_element(self, value, ctx):
        assert ctx.get_current_key() == value[0]
        timers = ctx.timer_service()
        if self.waiting.value() is not None:
            timers.delete_event_time_timer(self.waiting.value())
        self.waiting.update(value[1] + 15)
        timers.register_event_time_timer(value[1] + 15)
        timers.register_event_time_timer(value[1] + 15)
        yield SIDE, (value[0], "element", value[1])

    def on_timer(self, timestamp, ctx):
        assert ctx.timestamp() == timestamp
        if timestamp % 5 == 0:
            ctx.timer_service().register_event_time_timer(timestamp + 1)
        yield ctx.get_current_key(), timestamp, ctx.time_domain().name
        yield SIDE, (ctx.get_current_key(), "timer", timestamp)


def test_event_time_timers(env):
    """Timers fire with their key, once, unless deleted; those set while one fires too; both have side outputs."""
    stream = env.from_collection(READINGS).assign_timestamps_and_watermarks(MOVED)
    main, side = both_outputs(stream.key_by(lambda reading: reading[0]).process(EventTimers()))
    fired = {"a": [1015, 1016], "b": [55, 56], "c": [20, 21]}
    assert by_key(main) == {key: [(time, "EVENT_TIME") for time in times] for key, times in fired.items()}
    assert sorted(side) == sorted(
        [(key, "element", time) for key, time in READINGS]
        + [(key, "timer", time) for key, times in fired.items() for time in times]
    )


class ProcessingTimers(KeyedProcessFunction):
    """Timers far in the future, one of which is deleted; each one that fires sets another."""

    def process_element(self, value, ctx):
        timers = ctx.timer_service()
        for time in (value[1], value[1] + 1):
            timers.register_processing_time_timer(2**60 + time)
        timers.delete_processing_time_timer(2**60 + value[1] + 1)

    def on_timer(self, timestamp, ctx):
        ctx.timer_service().register_processing_time_timer(timestamp + 1)
        yield ctx.get_current_key(), timestamp - 2**60, ctx.time_domain().name


@pytest.mark.parametrize("mode", [RuntimeExecutionMode.STREAMING, RuntimeExecutionMode.BATCH])
def test_pending_processing_time_timers_at_the_end_of_the_input(env, mode):
    """STREAMING drops them, BATCH fires them in the order of their times; those that they set are not accepted."""
    env.set_runtime_mode(mode).set_parallelism(1)
    stream = env.from_collection([("b", 7), ("a", 3), ("c", 5)]).key_by(lambda pair: pair[0])
    fired = [(key, time, "PROCESSING_TIME") for key, time in (("a", 3), ("c", 5), ("b", 7))]
    assert collect(stream.process(ProcessingTimers())) == (fired if mode is RuntimeExecutionMode.BATCH else [])


class Longest(AggregateFunction):
    def create_accumulator(self):
        return ""

    def add(self, value, accumulator):
        return max(accumulator, value, key=len)

    def get_result(self, accumulator):
        return accumulator.upper()

    def merge(self, acc_a, acc_b):
        return max(acc_a, acc_b, key=len)


class AllKinds(KeyedProcessFunction):
    """Every kind of state, with or without a time to live."""

    def __init__(self, ttl=None):
        self.ttl = ttl

    def open(self, runtime_context):
        context = runtime_context
        self.value = context.get_state(self.living(ValueStateDescriptor("value")))
        self.list = context.get_list_state(self.living(ListStateDescriptor("list")))
        self.map = context.get_map_state(self.living(MapStateDescriptor("map")))
        self.sum = context.get_reducing_state(self.living(ReducingStateDescriptor("sum", lambda a, b: a + b)))
        self.longest = context.get_aggregating_state(self.living(AggregatingStateDescriptor("longest", Longest())))

    def living(self, descriptor):
        if self.ttl is not None:
            descriptor.enable_time_to_live(self.ttl)
        return descriptor

    def process_element(self, value, ctx):
        key, word = value
        yield key, self.value.value(), list(self.list), dict(self.map.items()), self.sum.get(), self.longest.get()
        self.value.update(word)
        self.list.add(word)
        self.map[word] = len(word)
        self.sum.add(len(word))
        self.longest.add(word)


WORDS = [("k", "a"), ("other", "z"), ("k", "bcd"), ("k", "ef"), ("other", "y")]
AFTER_WORDS = [
    ("k", None, [], {}, None, None),
    ("other", None, [], {}, None, None),
    ("k", "a", ["a"], {"a": 1}, 1, "A"),
    ("k", "bcd", ["a", "bcd"], {"a": 1, "bcd": 3}, 4, "BCD"),
    ("other", "z", ["z"], {"z": 1}, 1, "Z"),
]


@pytest.mark.parametrize("ttl", [None, StateTtlConfig.new_builder(Time.days(1)).build()], ids=["plain", "ttl"])
def test_every_kind_of_state(env, ttl):
    """Each key has its own state of each kind; with a time to live it is the same while it lives."""
    stream = env.from_collection(WORDS).key_by(lambda pair: pair[0]).process(AllKinds(ttl))
    assert by_key(collect(stream)) == by_key(AFTER_WORDS)


def run_batches(stream, times):
    """The results of each batch: batches of one element, at these processing times, restarted in between."""
    sink, batches = ListSink(), []
    stream.sink_to(sink)
    clock = iter(times)
    executor = LocalExecutor(stream.get_execution_environment()._take_job(None), 1, clock=lambda: next(clock))
    try:
        more = True
        while more:
            more = executor.run_batch()
            batches.append(list(sink.elements))
            sink.elements.clear()
            executor.restart()
    finally:
        executor.close()
    return batches


def test_state_expires_between_batches():
    """Processing time moves with batches; what nobody touched for a time to live is gone, and not before."""
    ttl = StateTtlConfig.new_builder(Time.seconds(10)).build()
    stream = local_env().from_collection(WORDS).key_by(lambda pair: pair[0]).process(AllKinds(ttl))
    assert run_batches(stream, [0, 1000, 9_999, 10_500, 11_000]) == [
        [("k", None, [], {}, None, None)],
        [("other", None, [], {}, None, None)],
        [("k", "a", ["a"], {"a": 1}, 1, "A")],
        [("k", "bcd", ["bcd"], {"bcd": 3}, 4, "BCD")],
        [("other", None, [], {}, None, None)],
    ]


class Alarms(KeyedProcessFunction):
    """An alarm at the processing time that the element names; the alarm sets another one 100 later, twice at most."""

    def process_element(self, value, ctx):
        _, time = value
        timers = ctx.timer_service()
        if time < 0:
            timers.delete_processing_time_timer(-time)
        else:
            timers.register_processing_time_timer(time)

    def on_timer(self, timestamp, ctx):
        now = ctx.timer_service().current_processing_time()
        if timestamp < 1000:
            ctx.timer_service().register_processing_time_timer(timestamp + 500)
        yield ctx.get_current_key(), timestamp, now


def test_processing_time_timers_fire_between_batches():
    """Those due fire in the order of their times over all keys, with those that they set; deleted ones do not."""
    alarms = [("a", 700), ("b", 600), ("c", 650), ("c", -650), ("x", 9000), ("x", 9001)]
    stream = local_env(1).from_collection(alarms).key_by(lambda pair: pair[0]).process(Alarms())
    assert run_batches(stream, [0, 10, 20, 30, 1150, 1200]) == [
        [],
        [],
        [],
        [],
        [("b", 600, 1150), ("a", 700, 1150), ("b", 1100, 1150)],
        [("a", 1200, 1200)],
    ]


class Times(ProcessFunction):
    def process_element(self, value, ctx):
        yield value[1], ctx.timer_service().current_processing_time()


def test_what_a_timer_gives_meets_the_time_at_which_it_fired():
    """Operators behind the one whose timer fires see the new processing time as well, not that of the batch before."""
    alarms = [("a", 700), ("b", 9000), ("c", 9000)]
    stream = local_env(1).from_collection(alarms).key_by(lambda pair: pair[0]).process(Alarms()).process(Times())
    assert run_batches(stream, [0, 10, 1150])[2] == [(700, 1150)]


@pytest.mark.parametrize("batch_size", [1, 2, 5])
def test_timers_and_state_survive_restarts(batch_size):
    """Wherever the job is stopped and started again, no timer is lost or fires twice, and no state is lost."""
    readings = [(f"k{n % 7}", n * 10) for n in range(60)]

    def timers(env):
        stream = env.from_collection(readings).assign_timestamps_and_watermarks(MOVED)
        return stream.key_by(lambda reading: reading[0]).process(EventTimers())

    expected = collect(timers(local_env()))
    assert len(expected) > 60
    assert sorted(collect_with_restarts(timers(local_env()), batch_size)) == sorted(expected)


@pytest.mark.parametrize(
    "running",
    [
        lambda keyed: keyed.sum(1),
        lambda keyed: keyed.max_by(1),
        lambda keyed: keyed.reduce(lambda a, b: (a[0], a[1] * 2 + b[1])),
        lambda keyed: keyed.fold([], lambda seen, pair: [*seen, *pair]),
    ],
)
def test_running_aggregations_survive_restarts(running):
    """What a key has so far is found again: PyFlink's running reduce forgets it."""
    pairs = [(f"k{n % 3}", n * 37 % 11) for n in range(20)]

    def results(env):
        return running(env.from_collection(pairs).key_by(lambda pair: pair[0]))

    expected = collect(results(local_env()))
    assert sorted(collect_with_restarts(results(local_env()), 1)) == sorted(expected)
