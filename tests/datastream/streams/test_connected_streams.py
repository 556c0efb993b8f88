import pytest

from tests.datastream.streams.restarts import ListSink, collect_with_restarts, local_env
from tests.datastream.streams.watermarks import Moved
from windrow.common import Configuration, Row, Types, WatermarkStrategy
from windrow.datastream import (
    CoFlatMapFunction,
    CoMapFunction,
    CoProcessFunction,
    KeyedCoProcessFunction,
    MapFunction,
    OutputTag,
    RuntimeExecutionMode,
    StreamExecutionEnvironment,
    TimeDomain,
)
from windrow.datastream.state import ListStateDescriptor, ValueStateDescriptor
from windrow.errors import ConfigurationError, ConfigurationTypeError, UserFunctionError

EVENT_TIME = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(lambda value, _: value[1])
ORDERS = [("a", 1), ("b", 2), ("a", 30), ("c", 31)]
PAYMENTS = [("b", 5), ("a", 8), ("d", 9)]


def collect(stream):
    return list(stream.execute_and_collect())


class Which(CoMapFunction):
    def map1(self, value):
        return ("first", value) if value else None

    def map2(self, value):
        return "second", value


class Repeat(CoFlatMapFunction):
    def flat_map1(self, value):
        return [value] * value

    def flat_map2(self, value):
        if value:
            yield from value


class Timestamps(CoProcessFunction):
    LATE = OutputTag("second")

    def process_element1(self, value, ctx):
        yield value, ctx.timestamp()

    def process_element2(self, value, ctx):
        yield self.LATE, (value, ctx.timestamp())


class Gather(KeyedCoProcessFunction):
    """What both streams have of a key, at time 1000."""

    def open(self, runtime_context):
        self.seen = runtime_context.get_list_state(ListStateDescriptor("seen"))

    def process_element1(self, value, ctx):
        self.seen.add(f"order {value[1]}")
        ctx.timer_service().register_event_time_timer(1000)

    def process_element2(self, value, ctx):
        self.seen.add(f"payment {value[1]}")
        ctx.timer_service().register_event_time_timer(1000)

    def on_timer(self, timestamp, ctx):
        assert ctx.time_domain() is TimeDomain.EVENT_TIME
        yield ctx.get_current_key(), timestamp, sorted(self.seen.get())


GATHERED = [
    ("a", 1000, ["order 1", "order 30", "payment 8"]),
    ("b", 1000, ["order 2", "payment 5"]),
    ("c", 1000, ["order 31"]),
    ("d", 1000, ["payment 9"]),
]


class Timers(KeyedCoProcessFunction):
    """Sets timers with elements of the first stream, and says at which watermark they fire."""

    def process_element1(self, value, ctx):
        for time in value[2]:
            ctx.timer_service().register_event_time_timer(time)

    def process_element2(self, value, ctx):
        """Only its watermarks matter."""

    def on_timer(self, timestamp, ctx):
        yield timestamp, ctx.timer_service().current_watermark()


def orders_and_payments(env):
    orders = env.from_collection(ORDERS).assign_timestamps_and_watermarks(EVENT_TIME)
    return orders.connect(env.from_collection(PAYMENTS).assign_timestamps_and_watermarks(EVENT_TIME))


def first(value):
    return value[0]


def test_co_map(env):
    """Each element goes to the method of its stream; None is no element."""
    mapped = env.from_collection([1, 0]).connect(env.from_collection(["x"])).map(Which())
    assert sorted(collect(mapped)) == [("first", 1), ("second", "x")]


def test_co_flat_map(env):
    """Each element becomes as many as the method of its stream gives; None is none."""
    repeated = env.from_collection([2, 0]).connect(env.from_collection([[7, 8], None])).flat_map(Repeat())
    assert sorted(collect(repeated)) == [2, 2, 7, 8]


def test_co_process(env):
    """A CoProcessFunction sees timestamps, and has a main output and side outputs."""
    processed = orders_and_payments(env).process(Timestamps())
    both = processed.union(processed.get_side_output(Timestamps.LATE).map(lambda pair: ("side", pair)))
    expected = [(order, order[1]) for order in ORDERS] + [("side", (payment, payment[1])) for payment in PAYMENTS]
    assert sorted(collect(both), key=repr) == sorted(expected, key=repr)


def test_keyed_co_process(env):
    """Both streams share a key's state and timers."""
    processed = orders_and_payments(env).key_by(first, first, Types.STRING()).process(Gather())
    assert sorted(collect(processed)) == GATHERED


def test_state_of_both_streams_survives_restarts():
    """State and timers of a KeyedCoProcessFunction are there after a restart behind every element."""
    processed = orders_and_payments(local_env()).key_by(first, first).process(Gather())
    assert sorted(collect_with_restarts(processed)) == GATHERED


@pytest.mark.slow
@pytest.mark.spark
def test_state_of_both_streams_survives_in_a_checkpoint(spark_session, tmp_path):
    """A job that fails goes on from its checkpoint, with the state and timers of both streams; none comes twice."""

    def run(check):
        configuration = Configuration.from_dict(
            {
                "windrow.runtime": "spark",
                "execution.checkpointing.dir": str(tmp_path),
                "windrow.source.elements-per-split": "2",
                "windrow.source.splits-per-batch": "1",
            }
        )
        env = StreamExecutionEnvironment.get_execution_environment(configuration, spark_session).set_parallelism(2)
        orders = env.from_collection(ORDERS).map(check).assign_timestamps_and_watermarks(EVENT_TIME)
        payments = env.from_collection(PAYMENTS).assign_timestamps_and_watermarks(EVENT_TIME)
        sink = ListSink()
        orders.connect(payments).key_by(first, first).process(Gather()).sink_to(sink)
        env.execute()
        return sink.elements

    def fail(value):
        if value == ("c", 31):
            raise OSError(value)
        return value

    with pytest.raises(UserFunctionError, match="OSError"):
        run(fail)
    assert sorted(run(lambda value: value)) == GATHERED


def test_batch_mode_fires_pending_timers_of_both_domains():
    """In BATCH all elements come before any timer, and processing-time timers fire at the end of the input."""

    class Both(Gather):
        def process_element1(self, value, ctx):
            super().process_element1(value, ctx)
            ctx.timer_service().register_processing_time_timer(2**62)

        def on_timer(self, timestamp, ctx):
            yield ctx.get_current_key(), ctx.time_domain().name, len(list(self.seen.get()))

    env = local_env()
    env.set_runtime_mode(RuntimeExecutionMode.BATCH)
    assert sorted(collect(orders_and_payments(env).key_by(first, first).process(Both()))) == [
        ("a", "EVENT_TIME", 3),
        ("a", "PROCESSING_TIME", 3),
        ("b", "EVENT_TIME", 2),
        ("b", "PROCESSING_TIME", 2),
        ("c", "EVENT_TIME", 1),
        ("c", "PROCESSING_TIME", 1),
        ("d", "EVENT_TIME", 1),
    ]


def fired(first_elements, second_elements):
    """When the timers of the first stream's elements fire: (timer, watermark)."""
    env = local_env(1)
    strategy = WatermarkStrategy.for_generator(Moved).with_timestamp_assigner(lambda value, _: value[1])
    one, two = (
        env.from_collection(elements).assign_timestamps_and_watermarks(strategy)
        for elements in (first_elements, second_elements)
    )
    return collect(one.connect(two).key_by(first, first).process(Timers()))


def test_the_watermark_is_that_of_the_stream_behind():
    """A timer waits until both streams' watermarks have reached it."""
    one = [("a", 10, [8, 22, 28]), ("a", 20, []), ("a", 30, [])]
    assert fired(one, [("a", 5), ("a", 25)]) == [(8, 10), (22, 25), (28, 30)]


def test_an_idle_stream_holds_no_timer_back():
    """While one stream is idle the watermark is the other's."""
    one = [("a", 10, [8, 22, 28]), ("a", 20, []), ("a", 30, [])]
    assert fired(one, [("a", 5), ("idle", 6)]) == [(8, 10), (22, 30), (28, 30)]


def test_a_stream_can_be_connected_with_itself(env):
    """Its elements then go to both methods, with and without keys."""
    numbers = env.from_collection([1, 2])
    both = [("first", 1), ("first", 2), ("second", 1), ("second", 2)]
    plain = numbers.connect(numbers).map(Which())
    keyed = numbers.connect(numbers).key_by(abs, abs).map(Which())
    assert sorted(collect(plain.union(keyed))) == sorted(both * 2)


def test_a_mapped_stream_can_be_connected_with_what_it_is_made_of():
    """The two inputs may be at different distances from the source."""
    numbers = local_env().from_collection([1, 2])
    reduced = numbers.key_by(lambda n: 0).sum()
    assert sorted(collect(reduced.connect(numbers).map(Which()))) == [
        ("first", 1),
        ("first", 3),
        ("second", 1),
        ("second", 2),
    ]


class KeyedCount(CoMapFunction):
    def open(self, runtime_context):
        self.count = runtime_context.get_state(ValueStateDescriptor("count"))

    def map1(self, value):
        self.count.update((self.count.value() or 0) + 1)

    def map2(self, value):
        return value, self.count.value()


def test_co_map_on_keyed_streams_may_have_keyed_state():
    """A CoMapFunction on two keyed streams shares state between them; reading what the other method has stored."""
    env = local_env()
    counted = env.from_collection(["a", "a", "b"]).connect(env.from_collection(["b", "a", "c"]))
    assert sorted(collect(counted.key_by(str, str).map(KeyedCount()))) == [("a", 2), ("b", 1), ("c", None)]


@pytest.mark.parametrize("which", [1, 2])
def test_with_one_keyed_stream_functions_see_values_and_no_state(which):
    """Keys of one stream alone are no keys: functions see values as they are, and keyed state is refused."""
    env = local_env()
    streams = [env.from_collection([1, 2]), env.from_collection([3])]
    streams[which - 1] = streams[which - 1].key_by(lambda n: n)
    connected = streams[0].connect(streams[1])
    assert sorted(collect(connected.map(Which()))) == [("first", 1), ("first", 2), ("second", 3)]
    with pytest.raises(UserFunctionError, match="needs a keyed stream"):
        collect(connected.map(KeyedCount()))
    with pytest.raises(ConfigurationTypeError, match=f"two keyed streams, but stream {3 - which} is not keyed"):
        connected.process(Gather())


def test_a_keyed_function_needs_keyed_streams():
    """A KeyedCoProcessFunction on streams without keys is refused at the call; the error says what to do."""
    numbers = local_env().from_collection([1])
    with pytest.raises(ConfigurationTypeError, match="neither stream is keyed: call key_by behind connect"):
        numbers.connect(numbers).process(Gather())


def test_keys_must_be_of_one_type():
    """Keys declared to be of different types never meet, so they cannot share state; as in Flink that is an error."""
    numbers = local_env().from_collection([1])
    texts, ints = numbers.key_by(str, key_type=Types.STRING()), numbers.key_by(int, key_type=Types.INT())
    with pytest.raises(ConfigurationError, match="keys of one type; got String and Integer"):
        texts.connect(ints).map(Which())
    assert texts.connect(texts).map(Which()).get_name() == "Co-Map"


def test_a_co_process_function_on_keyed_streams_has_timers():
    """As in Flink, a CoProcessFunction on keyed streams has what a KeyedCoProcessFunction has."""

    class Due(CoProcessFunction):
        def process_element1(self, value, ctx):
            ctx.timer_service().register_event_time_timer(value + 5)

        process_element2 = process_element1

        def on_timer(self, timestamp, ctx):
            yield timestamp, ctx.time_domain()

    numbers = local_env().from_collection([1])
    due = numbers.connect(numbers).key_by(abs, abs).process(Due())
    assert collect(due) == [(6, TimeDomain.EVENT_TIME)]


def test_key_by_replaces_keys():
    """key_by behind connect makes both streams keyed by what it says, whatever they were keyed by."""
    env = local_env()
    words = env.from_collection(["a", "b"]).key_by(lambda word: 0)
    connected = words.connect(env.from_collection(["a"])).key_by(str, str, Types.STRING())
    assert connected.get_first_input() is connected.stream1
    assert connected.get_second_input() is connected.stream2
    assert connected.stream1.get_key_type() == connected.stream2.get_key_type() == Types.STRING()
    assert sorted(collect(connected.map(KeyedCount()))) == [("a", 1)]


def test_results_get_the_declared_type():
    """Results are converted to output_type, and the streams' own types are known."""
    env = local_env()
    numbers, words = env.from_collection([1], Types.INT()), env.from_collection(["x"], Types.STRING())
    connected = numbers.connect(words)
    assert (connected.get_type1(), connected.get_type2()) == (Types.INT(), Types.STRING())
    assert connected.get_execution_environment() is env
    mapped = connected.map(Which(), Types.ROW_NAMED(["side", "value"], [Types.STRING(), Types.PICKLED_BYTE_ARRAY()]))
    assert sorted(collect(mapped), key=str) == [Row(side="first", value=1), Row(side="second", value="x")]


class Doubled(MapFunction):
    def map(self, value):
        return value * 2


@pytest.mark.parametrize("function", [Doubled(), Which, lambda value: value, None])
@pytest.mark.parametrize(
    ("method", "kind"),
    [("map", "CoMapFunction"), ("flat_map", "CoFlatMapFunction"), ("process", "CoProcessFunction")],
)
def test_another_kind_of_function_is_refused(method, kind, function):
    """The error names the method and the kind of function that it takes."""
    numbers = local_env().from_collection([1])
    with pytest.raises(ConfigurationTypeError, match=f"{method} on connected .*must be an object of {kind}"):
        getattr(numbers.connect(numbers), method)(function)


def test_only_streams_of_one_environment_can_be_connected():
    """What is no stream, or one of another environment, is refused at the call."""
    numbers = local_env().from_collection([1])
    with pytest.raises(ConfigurationError, match="connect takes streams of one environment"):
        numbers.connect(local_env().from_collection([1]))
    with pytest.raises(ConfigurationTypeError, match="given to connect must be an object of DataStream"):
        numbers.connect([1])
