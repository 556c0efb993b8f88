import pytest

from windrow.common import Time, Types, WatermarkStrategy
from windrow.common.watermark import Watermark
from windrow.common.watermark_strategy import WatermarkGenerator
from windrow.datastream import (
    AggregateFunction,
    OutputTag,
    ProcessWindowFunction,
    ReduceFunction,
    TimeCharacteristic,
    WindowFunction,
)
from windrow.datastream.functions import (
    AllWindowFunction,
    ArrowAggregateFunction,
    ArrowAllWindowFunction,
    ArrowWindowFunction,
    ProcessAllWindowFunction,
)
from windrow.datastream.window import (
    ContinuousEventTimeTrigger,
    CountEvictor,
    CountTrigger,
    DeltaTrigger,
    EventTimeSessionWindows,
    EventTimeTrigger,
    GlobalWindows,
    PurgingTrigger,
    SlidingEventTimeWindows,
    TumblingEventTimeWindows,
)
from windrow.errors import ConfigurationError, ConfigurationTypeError, MissingTimestampError

EVENTS = [("a", 1), ("b", 3), ("a", 12), ("a", 2), ("b", 25)]
LATE = OutputTag("late")


class EachEvent(WatermarkGenerator):
    """A watermark behind every element: time moves in the middle of a batch."""

    def on_event(self, event, event_timestamp, output):
        output.emit_watermark(Watermark(event_timestamp - 1))

    def on_periodic_emit(self, output):
        pass


PUNCTUATED = WatermarkStrategy.for_generator(EachEvent).with_timestamp_assigner(lambda event, _: event[1])


class Sum(AggregateFunction):
    def create_accumulator(self):
        return 0

    def add(self, value, accumulator):
        return accumulator + value[1]

    def get_result(self, accumulator):
        return accumulator

    def merge(self, acc_a, acc_b):
        return acc_a + acc_b


class Windowed(ProcessWindowFunction):
    def process(self, key, context, elements):
        yield key, context.window().start, context.window().end, list(elements)


class Applied(WindowFunction):
    def apply(self, key, window, inputs):
        return [(key, window.start, sorted(inputs))]


class AllApplied(AllWindowFunction):
    def apply(self, window, inputs):
        yield window.start, sorted(inputs)


class AllProcessed(ProcessAllWindowFunction):
    def process(self, context, elements):
        yield context.window().end, sorted(elements)


def collect(stream):
    return sorted(stream.execute_and_collect())


@pytest.fixture
def windows(env):
    """Tumbling windows of 10 ms of each key."""
    events = env.from_collection(EVENTS).assign_timestamps_and_watermarks(PUNCTUATED)
    return events.key_by(lambda event: event[0]).window(TumblingEventTimeWindows.of(Time.milliseconds(10)))


@pytest.fixture
def all_windows(env):
    """Tumbling windows of 10 ms of the whole stream."""
    return env.from_collection(EVENTS).assign_timestamps_and_watermarks(PUNCTUATED).time_window_all(10)


def test_reduce_and_late_elements(windows):
    """A late element is counted by the operator's name and goes nowhere; the others are reduced by window."""
    sums = windows.reduce(lambda a, b: (a[0], a[1] + b[1]))
    assert collect(sums) == [("a", 1), ("a", 12), ("b", 3), ("b", 25)]


def test_dropped_elements_are_in_the_result(windows, env):
    """The execution result says how many elements each operator dropped."""
    windows.reduce(lambda a, b: (a[0], a[1] + b[1])).name("sums").print()
    assert env.execute().get_dropped() == {"sums": 1}


def test_late_elements_go_to_their_side_output(windows):
    """side_output_late_data sends what is too late to get_side_output of the windowed stream."""
    sums = windows.side_output_late_data(LATE).sum(1)
    assert collect(sums.get_side_output(LATE)) == [("a", 2)]


def test_allowed_lateness_fires_again(windows):
    """An element within the allowed lateness makes its window fire once more."""
    sums = windows.allowed_lateness(Time.milliseconds(20)).reduce(lambda a, b: (a[0], a[1] + b[1]))
    assert collect(sums) == [("a", 1), ("a", 3), ("a", 12), ("b", 3), ("b", 25)]


def test_window_functions_alone_and_behind_an_incremental_one(windows):
    """apply and process see the elements; behind reduce and aggregate they see the combined value alone."""
    assert collect(windows.process(Windowed()))[0] == ("a", 0, 10, [("a", 1)])
    assert collect(windows.apply(Applied()))[0] == ("a", 0, [("a", 1)])
    assert collect(windows.aggregate(Sum(), Windowed()))[1] == ("a", 10, 20, [12])
    assert collect(windows.reduce(lambda a, b: a, Windowed()))[-1] == ("b", 20, 30, [("b", 25)])
    assert collect(windows.aggregate(Sum())) == [1, 3, 12, 25]


def test_output_type_of_a_window_function(windows):
    """Results of a window function are converted to the declared type."""
    named = Types.ROW_NAMED(
        ["key", "start", "values"], [Types.STRING(), Types.LONG(), Types.LIST(Types.PICKLED_BYTE_ARRAY())]
    )
    rows = list(windows.apply(Applied(), named).execute_and_collect())
    assert sorted((row.key, row.start) for row in rows) == [("a", 0), ("a", 10), ("b", 0), ("b", 20)]
    assert windows.aggregate(Sum(), output_type=Types.LONG()).get_type() == Types.LONG()


def test_aggregations_on_windows(env):
    """sum, min, max, min_by and max_by work on windows as on keyed streams."""
    values = [("k", 5, "x"), ("k", 2, "y"), ("k", 5, "z")]
    times = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(lambda value, _: 0)
    windows = env.from_collection(values).assign_timestamps_and_watermarks(times).key_by(0).time_window(10)
    assert [collect(stream)[0][1:] for stream in (windows.sum(1), windows.min(1), windows.max(1))] == [
        (12, "x"),
        (2, "x"),
        (5, "x"),
    ]
    assert collect(windows.min_by(1)) == [("k", 2, "y")]
    assert collect(windows.max_by(1, first=False)) == [("k", 5, "z")]


def test_windows_over_the_whole_stream(all_windows):
    """window_all sees all elements, whatever their keys, in one subtask."""
    assert collect(all_windows.apply(AllApplied())) == [(0, [("a", 1), ("b", 3)]), (10, [("a", 12)]), (20, [("b", 25)])]
    assert collect(all_windows.process(AllProcessed()))[0] == (10, [("a", 1), ("b", 3)])
    assert collect(all_windows.aggregate(Sum(), AllProcessed()))[0] == (10, [4])
    with pytest.raises(ConfigurationError, match="non-parallel, is 1; got 2"):
        all_windows.sum(1).set_parallelism(2)


def test_count_window_all(env):
    """count_window_all counts the elements of the whole stream."""
    numbers = env.from_collection([1, 2, 3, 4, 5])
    assert collect(numbers.count_window_all(2).sum()) == [3, 7]
    assert collect(numbers.count_window_all(2, 1).sum()) == [1, 3, 5, 7, 9]


@pytest.mark.parametrize("runtime", ["local"], indirect=True)
def test_the_evictor_of_count_windows_stays(env):
    """Count windows with a slide are made by an evictor; to replace it is refused, and the error says what to do."""
    numbers = env.from_collection([1, 2, 3, 4, 5])
    said = (
        r"get their size from CountEvictor\(3\), which CountEvictor\(1\) would replace; "
        r"say window\(GlobalWindows.create\(\)\).trigger\(CountTrigger\(2\)\).evictor\(CountEvictor\(1\)\)"
    )
    with pytest.raises(ConfigurationError, match=said):
        numbers.key_by(lambda n: 0).count_window(3, 2).evictor(CountEvictor.of(1))
    with pytest.raises(ConfigurationError, match=said.replace("say window", "say window_all")):
        numbers.count_window_all(3, 2).evictor(CountEvictor.of(1))
    assert collect(numbers.count_window_all(2).evictor(CountEvictor.of(1)).sum()) == [2, 4]


def test_consecutive_windows(env):
    """The results of keyed windows carry their window's last timestamp, so that a window over all of them fits."""
    events = env.from_collection(EVENTS).assign_timestamps_and_watermarks(PUNCTUATED)
    counts = events.key_by(0).time_window(10).sum(1)
    assert collect(counts.time_window_all(10).max_by(1)) == [("a", 12), ("b", 3), ("b", 25)]


def test_evictor_and_trigger(env):
    """A count trigger fires early, and an evictor keeps the last elements only."""
    windows = env.from_collection([1, 2, 3, 4]).key_by(lambda n: 0).window(GlobalWindows.create())
    assert collect(windows.trigger(CountTrigger.of(2)).evictor(CountEvictor.of(1)).sum()) == [2, 4]


def test_sessions_merge(env):
    """Sessions that touch become one, also with an incremental function."""
    events = env.from_collection([("a", 0), ("a", 15), ("a", 8)]).assign_timestamps_and_watermarks(
        WatermarkStrategy.for_bounded_out_of_orderness(100).with_timestamp_assigner(lambda event, _: event[1])
    )
    sessions = events.key_by(0).window(EventTimeSessionWindows.with_gap(Time.milliseconds(10)))
    assert collect(sessions.aggregate(Sum(), Windowed())) == [("a", 0, 25, [23])]


def test_an_element_without_a_timestamp_is_an_error(env):
    """An event-time window cannot place an element without a timestamp: the error names operator and element."""
    env.from_collection([("a", 1)]).key_by(0).time_window(10).sum(1).name("sums").print()
    with pytest.raises(MissingTimestampError, match=r"'sums'.*\('a', 1\)"):
        env.execute()


class Reduced(ReduceFunction):
    def reduce(self, value1, value2):
        return value1


@pytest.mark.parametrize(
    ("call", "error", "said"),
    [
        (lambda w: w.trigger(None), ConfigurationTypeError, "trigger must be .*got None"),
        (lambda w: w.trigger(CountTrigger), ConfigurationTypeError, "the class CountTrigger: make an object"),
        (lambda w: w.evictor(CountTrigger.of(1)), ConfigurationTypeError, "evictor must be"),
        (lambda w: w.allowed_lateness(-1), ConfigurationError, "must not be negative; got -1"),
        (lambda w: w.allowed_lateness(None), ConfigurationTypeError, "allowed lateness takes"),
        (lambda w: w.side_output_late_data("late"), ConfigurationTypeError, "output_tag must be"),
        (lambda w: w.reduce(Reduced), ConfigurationTypeError, "the class Reduced: make an object"),
        (lambda w: w.reduce(lambda a: a), ConfigurationTypeError, "called with 2 arguments"),
        (
            lambda w: w.reduce(Reduced(), lambda *_: []),
            ConfigurationTypeError,
            "must be of type WindowFunction or Process",
        ),
        (
            lambda w: w.reduce(Reduced(), AllApplied()),
            ConfigurationTypeError,
            "must be of type WindowFunction or Process",
        ),
        (lambda w: w.aggregate(Reduced()), ConfigurationTypeError, "aggregate_function must be"),
        (lambda w: w.aggregate(Sum(), None, "int"), ConfigurationTypeError, "accumulator_type of aggregate"),
        (lambda w: w.apply(None), ConfigurationError, "needs something to do"),
        (lambda w: w.process(Windowed), ConfigurationTypeError, "make an object of the class"),
        (lambda w: w.sum(None), ConfigurationTypeError, "index or name"),
    ],
)
def test_wrong_use_fails_at_the_call(windows, call, error, said):
    """What windows cannot do is refused at the call, in words."""
    with pytest.raises(error, match=said):
        call(windows)


def test_functions_of_keyed_windows_are_refused_on_whole_streams(all_windows):
    """Windows over a whole stream have no key to give to a WindowFunction."""
    with pytest.raises(ConfigurationTypeError, match="must be of type AllWindowFunction or ProcessAllWindowFunction"):
        all_windows.apply(Applied())


class LargestOfKey(ArrowWindowFunction):
    def process(self, key, context, table):
        return {"key": [key], "end": [context.window().end], "largest": [max(table["f1"].to_pylist())]}


class LargestOfAll(ArrowAllWindowFunction):
    def process(self, context, table):
        return table.sort_by([("f1", "descending")]).slice(0, 1)


def test_functions_of_tables(env):
    """Windows give their elements as a table, and rows of tables become what is declared, on any runtime."""
    pair = Types.TUPLE([Types.STRING(), Types.LONG()])
    stream = env.from_collection(EVENTS, pair).assign_timestamps_and_watermarks(PUNCTUATED)
    declared = Types.TUPLE([Types.STRING(), Types.LONG(), Types.LONG()])
    windows = stream.key_by(lambda event: event[0]).window(TumblingEventTimeWindows.of(20))
    assert sorted(windows.process(LargestOfKey(), declared).execute_and_collect()) == [
        ("a", 20, 12),
        ("b", 20, 3),
        ("b", 40, 25),
    ]
    everywhere = stream.window_all(TumblingEventTimeWindows.of(20)).process(LargestOfAll(), pair)
    assert list(everywhere.execute_and_collect()) == [("a", 12), ("b", 25)]


class Moments(ArrowAggregateFunction):
    """How many elements, and the sum of their squares."""

    def create_accumulator(self):
        return 0, 0

    def add(self, table, accumulator):
        numbers = table["f1"].to_numpy()
        return accumulator[0] + len(numbers), accumulator[1] + int(numbers @ numbers)

    def get_result(self, accumulator):
        return accumulator

    def merge(self, acc_a, acc_b):
        return acc_a[0] + acc_b[0], acc_a[1] + acc_b[1]


@pytest.mark.parametrize(
    ("assigner", "by_key", "of_all"),
    [
        (
            TumblingEventTimeWindows.of(20),
            [("a", 0, 20, [(3, 149)]), ("b", 0, 20, [(1, 9)]), ("b", 20, 40, [(1, 625)])],
            [(1, 625), (4, 158)],
        ),
        (
            EventTimeSessionWindows.with_gap(5),
            [
                ("a", 1, 6, [(1, 1)]),
                ("a", 12, 17, [(1, 144)]),
                ("b", 3, 8, [(1, 9)]),
                ("b", 25, 30, [(1, 625)]),
            ],
            [(1, 144), (1, 625), (2, 10)],
        ),
    ],
)
def test_aggregate_functions_of_tables(env, assigner, by_key, of_all):
    """Windows add their elements as tables, behind which a window function gets the result, on any runtime."""
    pair = Types.TUPLE([Types.STRING(), Types.LONG()])
    stream = env.from_collection(EVENTS, pair).assign_timestamps_and_watermarks(PUNCTUATED)
    windows = stream.key_by(lambda event: event[0]).window(assigner)
    assert sorted(windows.aggregate(Moments(), Windowed()).execute_and_collect()) == by_key
    assert sorted(stream.window_all(assigner).aggregate(Moments()).execute_and_collect()) == of_all


@pytest.mark.parametrize(
    "trigger", [DeltaTrigger.of(1, lambda a, b: 1), PurgingTrigger.of(DeltaTrigger.of(1, lambda a, b: 1))]
)
def test_a_trigger_that_cannot_merge_is_refused_on_sessions(env, trigger):
    """Sessions merge, so their trigger must be able to."""
    keyed = env.from_collection(EVENTS).key_by(0)
    with pytest.raises(ConfigurationError, match="cannot merge"):
        keyed.window(EventTimeSessionWindows.with_gap(10)).trigger(trigger)


@pytest.mark.parametrize(
    "trigger", [EventTimeTrigger.create(), PurgingTrigger.of(ContinuousEventTimeTrigger.of(Time.seconds(1)))]
)
def test_an_event_time_trigger_is_refused_where_time_is_processing_time(env, trigger):
    """With processing time as the time characteristic no watermark comes that could fire the trigger."""
    env.set_stream_time_characteristic(TimeCharacteristic.ProcessingTime)
    windows = env.from_collection(EVENTS).key_by(0).window(GlobalWindows.create())
    with pytest.raises(ConfigurationError, match=r"fires by event time, but .* is processing time"):
        windows.trigger(trigger)


def test_the_operator_is_named_after_its_assigner(env):
    """As in Flink a window operator's name is its assigner's, and its description says the rest."""
    stream = env.from_collection(EVENTS).key_by(0).window(SlidingEventTimeWindows.of(10, 5)).reduce(Reduced())
    assert stream.get_name() == "SlidingEventTimeWindows"
    assert stream._transformation.description == "Window(SlidingEventTimeWindows(10, 5, 0), EventTimeTrigger, Reduced)"
