import pytest

from windrow.common import Types, WatermarkStrategy
from windrow.datastream import (
    KeyedProcessFunction,
    KeySelector,
    MapFunction,
    ProcessFunction,
    RuntimeExecutionMode,
    TimeCharacteristic,
)
from windrow.datastream.connectors.number_seq import NumberSequenceSource
from windrow.datastream.functions import FoldFunction
from windrow.datastream.state import ValueStateDescriptor
from windrow.datastream.window import TumblingEventTimeWindows
from windrow.errors import ConfigurationError, ConfigurationTypeError, UnhashableKeyError, UsageError

WORDS = [("a", 1), ("b", 5), ("a", 2), ("b", 4)]
EVENT_TIME = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(lambda value, _: value[1])


class Count(KeyedProcessFunction):
    def open(self, runtime_context):
        self.state = runtime_context.get_state(ValueStateDescriptor("count", Types.INT()))

    def process_element(self, value, ctx):
        self.state.update((self.state.value() or 0) + 1)
        ctx.timer_service().register_event_time_timer(1000)

    def on_timer(self, timestamp, ctx):
        yield ctx.get_current_key(), self.state.value(), timestamp


class First(KeySelector):
    def get_key(self, value):
        return value[0]


def collect(stream):
    return list(stream.execute_and_collect())


def by_key(results):
    """The results of each key, in order: between keys there is no order."""
    found = {}
    for key, *rest in results:
        found.setdefault(key, []).append(tuple(rest))
    return found


@pytest.mark.parametrize("key", [lambda pair: pair[0], First(), 0, [0]])
def test_keys_are_given_by_functions_selectors_and_fields(env, key):
    """The same keys come from a function, a KeySelector, an index or a list of one."""
    assert by_key(collect(env.from_collection(WORDS).key_by(key).sum(1))) == {"a": [(1,), (3,)], "b": [(5,), (9,)]}


class Renamed(KeySelector):
    """Needs what it makes when it is opened; must not be asked for a key before that."""

    names = None

    def open(self, runtime_context):
        assert self.names is None, "opened twice"
        self.names = {"a": "first", "b": "second", "subtasks": runtime_context.get_number_of_parallel_subtasks()}

    def get_key(self, value):
        return self.names[value[0]]


class Remainder(KeySelector):
    """Has what it needs from when it is opened until it is closed."""

    def open(self, runtime_context):
        self.by = 5

    def close(self):
        del self.by

    def get_key(self, value):
        return value[1] % self.by


@pytest.mark.parametrize("source", ["numbers", "collection", "another exchange"])
def test_a_key_selector_is_closed_when_it_has_been_asked_for_the_last_key(env, source):
    """The last elements of the input wait for their exchange when it ends: ``close`` comes behind them."""
    if source == "numbers":
        stream = env.from_source(NumberSequenceSource(0, 99), WatermarkStrategy.no_watermarks(), "numbers")
    else:
        stream = env.from_collection(range(100))
    if source == "another exchange":
        stream = stream.key_by(lambda n: n % 3).map(lambda n: n)
    keyed = stream.map(lambda n: (1, n)).key_by(Remainder()).reduce(lambda a, b: (a[0] + b[0], b[1] % 5))
    assert max(collect(keyed)) == (20, 4)
    assert len(collect(keyed)) == 100


def test_a_key_selector_is_opened_before_it_is_asked(env):
    """``open`` runs once in a process, before the first key; the elements are as they were, in order for each key."""
    stream = env.from_collection(WORDS).key_by(Renamed()).sum(1)
    assert by_key(collect(stream)) == {"a": [(1,), (3,)], "b": [(5,), (9,)]}


def test_reduce_gives_the_result_so_far_of_each_key(env):
    """In streaming each element gives its key's result so far."""
    reduced = env.from_collection(WORDS).key_by(0).reduce(lambda a, b: (a[0], a[1] * b[1]))
    assert by_key(collect(reduced)) == {"a": [(1,), (2,)], "b": [(5,), (20,)]}


@pytest.mark.parametrize("mode", [RuntimeExecutionMode.BATCH, RuntimeExecutionMode.AUTOMATIC])
def test_reduce_in_batch_gives_each_key_once(env, mode):
    """In BATCH, which AUTOMATIC is for sources that end, each key has one result."""
    env.set_runtime_mode(mode)
    assert sorted(collect(env.from_collection(WORDS).key_by(0).reduce(lambda a, b: (a[0], a[1] + b[1])))) == [
        ("a", 3),
        ("b", 9),
    ]


class Spelled(FoldFunction):
    def fold(self, accumulator, value):
        return f"{accumulator}{value[1]}"


def test_fold_gives_the_value_so_far_of_each_key(env):
    """In streaming each element gives what its key's elements were folded to so far, of the type that was declared."""
    folded = env.from_collection(WORDS).key_by(0).fold("n", Spelled(), Types.STRING())
    assert folded.get_type() == Types.STRING()
    assert sorted(collect(folded)) == ["n1", "n12", "n5", "n54"]


def test_fold_in_batch_gives_each_key_once(env):
    """In BATCH each key has one value, of the type that was declared."""
    env.set_runtime_mode(RuntimeExecutionMode.BATCH)
    folded = env.from_collection(WORDS).key_by(0).fold(0, lambda total, pair: total + pair[1], Types.DOUBLE())
    assert sorted(map(repr, collect(folded))) == ["3.0", "9.0"]


def test_the_initial_value_of_a_fold_is_taken_at_the_call(env):
    """Changing it afterwards changes nothing, and keys do not share it."""
    initial = []
    folded = env.from_collection(WORDS).key_by(0).fold(initial, lambda seen, pair: [*seen, pair[1]])
    initial.append("later")
    assert sorted(collect(folded)) == [[1], [1, 2], [5], [5, 4]]


@pytest.mark.parametrize(
    ("call", "last"),
    [
        (lambda keyed: keyed.sum(1), (12, "x")),
        (lambda keyed: keyed.min(1), (2, "x")),
        (lambda keyed: keyed.max(1), (5, "x")),
        (lambda keyed: keyed.min_by(1), (2, "y")),
        (lambda keyed: keyed.max_by(1), (5, "x")),
        (lambda keyed: keyed.max_by(1, first=False), (5, "z")),
        (lambda keyed: keyed.max_by(1, False), (5, "z")),
    ],
)
def test_aggregations(env, call, last):
    """min and max keep the first element's other fields, min_by and max_by give the whole element."""
    keyed = env.from_collection([("k", 5, "x"), ("k", 2, "y"), ("k", 5, "z")]).key_by(0)
    assert collect(call(keyed))[-1] == ("k", *last)


def test_aggregations_by_field_name(env):
    """A named row's field is summed by its name."""
    row_type = Types.ROW_NAMED(["word", "n"], [Types.STRING(), Types.INT()])
    sums = env.from_collection(WORDS, row_type).key_by("word").sum("n")
    assert sums.get_type() == row_type
    assert by_key(collect(sums)) == {"a": [(1,), (3,)], "b": [(5,), (9,)]}


def test_process_has_state_and_timers_of_each_key(env):
    """State and timers belong to keys; event-time timers fire at the end of a bounded input."""
    stream = env.from_collection(WORDS).assign_timestamps_and_watermarks(EVENT_TIME)
    assert sorted(collect(stream.key_by(0).process(Count()))) == [("a", 2, 1000), ("b", 2, 1000)]


def test_many_keys_on_several_subtasks(env):
    """Each key is counted for itself, whichever subtask has it."""
    env.set_parallelism(3)
    counts = env.from_collection([(n % 50, 1) for n in range(500)]).key_by(0).process(Count())
    assert sorted(collect(counts)) == [(key, 10, 1000) for key in range(50)]


def test_map_on_a_keyed_stream_sees_values_and_state(env):
    """Elements of a keyed stream are the values alone, and a function object has state of their key."""

    class Numbered(MapFunction):
        def open(self, runtime_context):
            self.state = runtime_context.get_state(ValueStateDescriptor("n", Types.INT()))

        def map(self, value):
            self.state.update((self.state.value() or 0) + 1)
            return *value, self.state.value()

    keyed = env.from_collection(WORDS).key_by(0)
    assert by_key(collect(keyed.map(Numbered()))) == {"a": [(1, 1), (2, 2)], "b": [(5, 1), (4, 2)]}
    assert sorted(collect(keyed.filter(lambda pair: pair[1] > 3))) == [("b", 4), ("b", 5)]
    assert collect(keyed) == WORDS


def test_a_dict_is_no_key(env):
    """A key that is not hashable is an error that names it."""
    env.from_collection([1]).key_by(lambda n: {n: n}).sum().print()
    with pytest.raises(UnhashableKeyError, match=r"returned \{1: 1\} \(dict\)"):
        env.execute()


def test_key_by_again_forgets_the_first_keys(env):
    """The last key_by counts."""
    keyed = env.from_collection(WORDS).key_by(0).key_by(lambda pair: 0, Types.INT())
    assert keyed.get_key_type() == Types.INT()
    assert collect(keyed.sum(1))[-1] == ("a", 12)


def test_count_windows_are_javas(env):
    """1 to 8 with (3, 2) gives [1,2] [2,3,4] [4,5,6] [6,7,8]; with 3 alone, the whole windows."""
    from windrow.datastream import WindowFunction

    class Contents(WindowFunction):
        def apply(self, key, window, inputs):
            yield list(inputs)

    keyed = env.from_collection(range(1, 9)).key_by(lambda n: 0)
    assert collect(keyed.count_window(3, 2).apply(Contents())) == [[1, 2], [2, 3, 4], [4, 5, 6], [6, 7, 8]]
    assert collect(keyed.count_window(3).apply(Contents())) == [[1, 2, 3], [4, 5, 6]]
    assert collect(keyed.count_window(3, 0).apply(Contents())) == [[1, 2, 3], [4, 5, 6]]


def test_time_window_follows_the_time_characteristic(env):
    """time_window picks windows of event time, or of processing time if that is the environment's."""
    assert "EventTime" in repr(env.from_collection(WORDS).key_by(0).time_window(5, 2)._assigner)
    other = type(env).get_execution_environment().set_stream_time_characteristic(TimeCharacteristic.ProcessingTime)
    keyed = other.from_collection(WORDS).key_by(0)
    assert "TumblingProcessingTime" in repr(keyed.time_window(5)._assigner)
    assert "SlidingProcessingTime" in repr(keyed.time_window(5, 2)._assigner)
    with pytest.raises(ConfigurationError, match="time characteristic is processing time"):
        keyed.window(TumblingEventTimeWindows.of(5))


@pytest.mark.parametrize(
    ("call", "error", "said"),
    [
        (lambda keyed: keyed.process(WithoutKeys()), ConfigurationTypeError, "derive it from KeyedProcessFunction"),
        (lambda keyed: keyed.process(Count), ConfigurationTypeError, "the class Count: make an object"),
        (lambda keyed: keyed.reduce(lambda a: a), ConfigurationTypeError, "called with 2 arguments"),
        (
            lambda keyed: keyed.fold(lambda a, b: a, 0),
            ConfigurationTypeError,
            "fold takes a FoldFunction or a function",
        ),
        (lambda keyed: keyed.fold(0, lambda a: a), ConfigurationTypeError, "called with 2 arguments"),
        (lambda keyed: keyed.window(None), ConfigurationTypeError, "window_assigner"),
        (lambda keyed: keyed.count_window(0), ConfigurationError, "size of a count window must be at least 1"),
        (lambda keyed: keyed.count_window(3, -1), ConfigurationError, "slide of a count window"),
        (lambda keyed: keyed.sum(2), ConfigurationError, "no field 2"),
        (lambda keyed: keyed.sum("x"), ConfigurationError, "no field 'x'"),
        (lambda keyed: keyed.sum(0), ConfigurationError, "cannot be summed"),
        (lambda keyed: keyed.min(None), ConfigurationTypeError, "index or name; got None"),
        (lambda keyed: keyed.min_by(1, "last"), ConfigurationTypeError, "first of min_by takes True or False"),
        (lambda keyed: keyed.max(-1), ConfigurationError, "from 0 on"),
        (lambda keyed: keyed.shuffle(), UsageError, "Cannot override partitioning for KeyedStream."),
        (lambda keyed: keyed.partition_custom(1, 2), UsageError, "Cannot override partitioning for KeyedStream."),
        (lambda keyed: keyed.set_parallelism(2), UsageError, "a KeyedStream is no operator"),
        (lambda keyed: keyed.name("x"), UsageError, "a KeyedStream is no operator"),
    ],
)
def test_wrong_use_fails_at_the_call(env, call, error, said):
    """What a keyed stream cannot do is refused at the call, in words."""
    keyed = env.from_collection(WORDS, Types.TUPLE([Types.STRING(), Types.INT()])).key_by(0)
    with pytest.raises(error, match=said):
        call(keyed)


class WithoutKeys(ProcessFunction):
    def process_element(self, value, ctx):
        yield value
