import pytest

from tests.datastream.streams.restarts import ListSink, collect_with_restarts, local_env
from tests.datastream.streams.watermarks import Moved
from windrow.common import Configuration, Types, WatermarkStrategy
from windrow.datastream import (
    BroadcastProcessFunction,
    CoProcessFunction,
    KeyedBroadcastProcessFunction,
    OutputTag,
    RuntimeExecutionMode,
    StreamExecutionEnvironment,
    TimeDomain,
)
from windrow.datastream.connectors.number_seq import NumberSequenceSource
from windrow.datastream.state import MapStateDescriptor, ValueStateDescriptor
from windrow.errors import ConfigurationTypeError, UserFunctionError

NAMES = MapStateDescriptor("names", Types.INT(), Types.STRING())
LIMITS = MapStateDescriptor("limits")
SUM = ValueStateDescriptor("sum")
UNKNOWN = OutputTag("unknown")
EVENT_TIME = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(lambda value, _: value)


def collect(stream):
    return list(stream.execute_and_collect())


def numbers_of(env, last):
    """The numbers from 1, in two channels."""
    return env.from_source(NumberSequenceSource(1, last), WatermarkStrategy.no_watermarks(), "numbers")


class Translate(BroadcastProcessFunction):
    """Says a number's name, and which subtask it was."""

    def open(self, runtime_context):
        self.subtask = runtime_context.get_index_of_this_subtask()

    def process_element(self, value, ctx):
        name = ctx.get_broadcast_state(NAMES).get(value)
        if name is None:
            yield UNKNOWN, value
        else:
            yield self.subtask, name

    def process_broadcast_element(self, value, ctx):
        ctx.get_broadcast_state(NAMES).put(*value)


class SumUpTo(KeyedBroadcastProcessFunction):
    """Sums of the numbers of a key, cut at a limit that is broadcast, when the timer fires."""

    def open(self, runtime_context):
        self.sum = runtime_context.get_state(SUM)

    def process_element(self, value, ctx):
        assert ctx.get_current_key() == value % 2
        self.sum.update((self.sum.value() or 0) + value)
        ctx.timer_service().register_event_time_timer(100)

    def process_broadcast_element(self, value, ctx):
        ctx.get_broadcast_state(LIMITS).put("limit", value)

    def on_timer(self, timestamp, ctx):
        assert ctx.time_domain() is TimeDomain.EVENT_TIME
        limit = ctx.get_broadcast_state(LIMITS)["limit"]
        yield timestamp, ctx.get_current_key(), min(self.sum.value(), limit)


def summed(env, check=int):
    numbers = env.from_collection(range(1, 8)).map(check).assign_timestamps_and_watermarks(EVENT_TIME)
    limits = env.from_collection([20, 13]).assign_timestamps_and_watermarks(EVENT_TIME).broadcast(LIMITS)
    return numbers.key_by(lambda n: n % 2).connect(limits).process(SumUpTo())


def test_every_subtask_holds_all_broadcast_state(env):
    """Broadcast elements come to all subtasks, and before the elements that are there at the same time."""
    names = env.from_collection([(n, f"name {n}") for n in range(1, 7)]).broadcast(NAMES)
    translated = numbers_of(env, 8).connect(names).process(Translate())
    unknown = translated.get_side_output(UNKNOWN).map(lambda n: ("unknown", n))
    results = collect(translated.union(unknown))
    assert {subtask for subtask, _ in results} == {0, 1, "unknown"}
    assert sorted(name for _, name in results if isinstance(name, str)) == [f"name {n}" for n in range(1, 7)]
    assert sorted(n for name, n in results if name == "unknown") == [7, 8]


def test_broadcast_elements_from_far_away_still_come_first():
    """In BATCH mode rules that an aggregation makes are there before elements that come straight from their source."""
    env = local_env()
    env.set_runtime_mode(RuntimeExecutionMode.BATCH)
    pairs = env.from_collection([(n, f"{n}") for n in range(1, 7)])
    names = pairs.key_by(lambda pair: pair[0]).reduce(lambda one, two: two).broadcast(NAMES)
    results = collect(numbers_of(env, 6).connect(names).process(Translate()))
    assert sorted(name for _, name in results) == ["1", "2", "3", "4", "5", "6"]


def test_keyed_broadcast_with_timers(env):
    """Keyed state and timers belong to the keyed side; a timer sees the broadcast state of its time."""
    assert sorted(collect(summed(env))) == [(100, 0, 12), (100, 1, 13)]


class Reset(SumUpTo):
    """A broadcast element takes away from all sums of its subtask, and tells them."""

    def process_element(self, value, ctx):
        self.sum.update((self.sum.value() or 0) + value[1])
        ctx.timer_service().register_event_time_timer(100)

    def process_broadcast_element(self, value, ctx):
        told = []

        def take_away(key, state):
            told.append((key, state.value()))
            state.update(state.value() - value[0])

        ctx.apply_to_keyed_state(SUM, take_away)
        yield from told

    def on_timer(self, timestamp, ctx):
        yield ctx.get_current_key(), "end", self.sum.value()


def test_a_broadcast_element_can_change_the_state_of_all_keys(env):
    """apply_to_keyed_state calls a function with each key of every subtask and its state."""
    moved = WatermarkStrategy.for_generator(Moved).with_timestamp_assigner(lambda value, _: value[1])
    numbers = env.from_collection([("n", n) for n in range(1, 8)]).assign_timestamps_and_watermarks(moved)
    # The first one is there before the numbers, and its watermark lets them pass before the second.
    resets = env.from_collection([(0, 50), (10, 60)]).assign_timestamps_and_watermarks(moved).broadcast(LIMITS)
    results = collect(numbers.key_by(lambda pair: pair[1] % 2).connect(resets).process(Reset()))
    assert sorted(results, key=repr) == [(0, "end", 2), (0, 12), (1, "end", 6), (1, 16)]


class Negate(KeyedBroadcastProcessFunction):
    """Broadcast elements: 1 negates what all keys have, 2 says the sum of it."""

    def open(self, runtime_context):
        self.sum = runtime_context.get_state(SUM)

    def process_element(self, value, ctx):
        self.sum.update(value)

    def process_broadcast_element(self, value, ctx):
        found = []
        if value == 1:
            ctx.apply_to_keyed_state(SUM, lambda key, state: state.update(-key))
        elif value == 2:
            ctx.apply_to_keyed_state(SUM, lambda key, state: found.append(state.value()))
            yield len(found), sum(found)


def test_apply_to_keyed_state_finds_keys_that_are_not_in_memory():
    """It reads and writes the stored state of all keys, however long ago they were seen."""
    env = local_env()
    keyed = env.from_collection(range(1, 301)).key_by(lambda n: n)
    commands = env.from_collection([0] * 300 + [1] + [0] * 49 + [2]).broadcast(LIMITS)
    results = collect_with_restarts(keyed.connect(commands).process(Negate()), batch_size=50)
    assert len(results) == 2
    assert [sum(column) for column in zip(*results, strict=True)] == [300, -sum(range(1, 301))]


class SumOfAll(BroadcastProcessFunction):
    """Says the sum of the broadcast elements so far, in each subtask."""

    def open(self, runtime_context):
        self.subtask = runtime_context.get_index_of_this_subtask()

    def process_element(self, value, ctx):
        """Only the broadcast side matters."""

    def process_broadcast_element(self, value, ctx):
        state = ctx.get_broadcast_state(LIMITS)
        state["sum"] = (state["sum"] or 0) + value
        yield self.subtask, state["sum"]


def test_broadcast_state_survives_restarts():
    """After restarts behind every element each subtask still has its own copy, and the state of its keys."""
    env = local_env()
    sums = env.from_collection([]).connect(env.from_collection([1, 2, 3]).broadcast(LIMITS)).process(SumOfAll())
    assert sorted(collect_with_restarts(sums)) == [(0, 1), (0, 3), (0, 6), (1, 1), (1, 3), (1, 6)]
    assert sorted(collect_with_restarts(summed(local_env()))) == [(100, 0, 12), (100, 1, 13)]


@pytest.mark.slow
@pytest.mark.spark
def test_broadcast_state_survives_in_a_checkpoint(spark_session, tmp_path):
    """A job that fails goes on with the broadcast state of its checkpoint, though what made it is not read again."""

    def run(fails_at):
        configuration = Configuration.from_dict(
            {
                "windrow.runtime": "spark",
                "execution.checkpointing.dir": str(tmp_path),
                "windrow.source.elements-per-split": "2",
                "windrow.source.splits-per-batch": "1",
            }
        )
        env = StreamExecutionEnvironment.get_execution_environment(configuration, spark_session).set_parallelism(2)

        def check(value):
            if value == fails_at:
                raise OSError(value)
            return value

        sink = ListSink()
        summed(env, check).sink_to(sink)
        env.execute()
        return sink.elements

    with pytest.raises(UserFunctionError, match="OSError"):
        run(fails_at=5)
    assert sorted(run(fails_at=None)) == [(100, 0, 12), (100, 1, 13)]


def processing(process_element=None, process_broadcast_element=None):
    """A function of one stream with a broadcast one, whose methods are these functions of value and context."""

    class Made(BroadcastProcessFunction):
        def process_element(self, value, ctx):
            return process_element and process_element(value, ctx)

        def process_broadcast_element(self, value, ctx):
            return process_broadcast_element and process_broadcast_element(value, ctx)

    env = local_env()
    return env.from_collection([1]).connect(env.from_collection([2]).broadcast(NAMES, LIMITS)).process(Made())


@pytest.mark.parametrize(
    "change",
    [
        lambda state: state.put(1, 2),
        lambda state: state.put_all({1: 2}),
        lambda state: state.remove(1),
        lambda state: state.clear(),
        lambda state: state.__setitem__(1, 2),
        lambda state: state.__delitem__(1),
    ],
)
def test_the_other_side_cannot_change_broadcast_state(change):
    """Whatever would change it raises an error that says where it can be changed."""
    changed = processing(lambda _, ctx: change(ctx.get_broadcast_state(NAMES)))
    with pytest.raises(UserFunctionError, match="'names' can only be changed in process_broadcast_element"):
        collect(changed)


@pytest.mark.parametrize("side", ["process_element", "process_broadcast_element"])
def test_a_state_that_was_not_declared_is_an_error(side):
    """The error lists the states that the stream was broadcast with."""
    asked = processing(**{side: lambda _, ctx: ctx.get_broadcast_state(MapStateDescriptor("limit"))})
    with pytest.raises(UserFunctionError, match=r"no broadcast state 'limit'.*'names', 'limits'"):
        collect(asked)


def test_contexts_give_times():
    """Both sides see the element's timestamp, the watermark and processing time."""

    def times(_, ctx):
        return [(ctx.timestamp(), ctx.current_watermark(), ctx.current_processing_time() > 0)]

    assert collect(processing(times, times)) == [(-(2**63), -(2**63), True)] * 3


def test_broadcast_elements_have_no_keyed_state():
    """Keyed state belongs to a key, and a broadcast element has none."""

    class Touches(SumUpTo):
        def process_broadcast_element(self, value, ctx):
            self.sum.update(value)

    env = local_env()
    keyed = env.from_collection([1]).key_by(lambda n: n)
    with pytest.raises(UserFunctionError, match="no current key"):
        collect(keyed.connect(env.from_collection([1]).broadcast(LIMITS)).process(Touches()))


def test_functions_have_to_fit_the_stream():
    """The function for keyed streams is refused on others, and the other way round, at the call."""
    env = local_env()
    numbers, broadcast = env.from_collection([1]), env.from_collection([1]).broadcast(NAMES)
    with pytest.raises(ConfigurationTypeError, match=r"BroadcastProcessFunction; got .*call key_by before connect"):
        numbers.connect(broadcast).process(SumUpTo())
    with pytest.raises(ConfigurationTypeError, match=r"KeyedBroadcastProcessFunction; got .*the stream is keyed"):
        numbers.key_by(lambda n: n).connect(broadcast).process(Translate())
    for stream in (numbers, numbers.key_by(lambda n: n)):
        with pytest.raises(ConfigurationTypeError, match="must be an object of"):
            stream.connect(broadcast).process(CoProcessFunction)


def test_what_is_connected_can_be_asked_for():
    """Streams, environment and types, as connected streams have them."""
    env = local_env()
    numbers, words = env.from_collection([1], Types.INT()), env.from_collection(["a"], Types.STRING())
    broadcast = words.broadcast(NAMES)
    connected = numbers.connect(broadcast)
    assert connected.get_first_input() is connected.non_broadcast_stream is numbers
    assert connected.get_second_input() is connected.broadcast_stream is broadcast
    assert (connected.get_type1(), connected.get_type2()) == (Types.INT(), Types.STRING())
    assert connected.get_execution_environment() is env
    assert connected.process(Translate(), Types.STRING()).get_type() == Types.STRING()
