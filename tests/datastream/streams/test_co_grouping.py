"""What joins and co-groups have in common: keys, windows, late elements, and what is refused."""

import pytest

from tests.datastream.streams.two_streams import PUNCTUATED, collect, local_environment, two_streams
from windrow.common import Duration, Time, Types
from windrow.datastream import KeySelector, OutputTag, TimeCharacteristic
from windrow.datastream.window import (
    CountEvictor,
    CountTrigger,
    DeltaTrigger,
    EventTimeSessionWindows,
    EventTimeTrigger,
    TumblingEventTimeWindows,
    TumblingProcessingTimeWindows,
)
from windrow.errors import ConfigurationError, ConfigurationTypeError, MissingTimestampError

TENS = TumblingEventTimeWindows.of(10)
LATE, LATE_SECOND = OutputTag("late"), OutputTag("late second", Types.TUPLE([Types.STRING(), Types.INT(), Types.INT()]))
FIRST = [("a", 1, 1), ("a", 25, 2), ("a", 2, 3)]
SECOND = [("a", 3, 4), ("a", 30, 5), ("a", 4, 6)]


def pair(first, second):
    return first[2], second[2]


@pytest.fixture
def env_locally():
    return local_environment()


@pytest.fixture
def joined(env_locally):
    """Two streams of which each has an element that is late, with keys."""
    first, second = two_streams(env_locally, FIRST, SECOND, PUNCTUATED)
    return first.join(second).where(0).equal_to(0)


def test_late_elements_of_both_streams(joined):
    """Late elements of both streams go to one side output, without the tag of the union."""
    pairs = joined.window(TENS).side_output_late_data(LATE).apply(pair)
    assert collect(pairs) == [(1, 4)]
    assert collect(pairs.get_side_output(LATE)) == [("a", 2, 3), ("a", 4, 6)]


def test_late_elements_of_each_stream(joined):
    """With a second tag those of the second stream go there."""
    pairs = joined.window(TENS).side_output_late_data(LATE, LATE_SECOND).apply(pair)
    assert collect(pairs.get_side_output(LATE)) == [("a", 2, 3)]
    assert collect(pairs.get_side_output(LATE_SECOND)) == [("a", 4, 6)]


def test_late_elements_are_counted(env_locally, joined):
    """Without a side output the execution's result says how many elements were dropped."""
    joined.window(TENS).apply(pair).name("pairs").print()
    assert env_locally.execute().get_dropped() == {"pairs": 2}


@pytest.mark.parametrize("lateness", [100, Time.milliseconds(100), Duration.of_millis(100)])
def test_allowed_lateness(joined, lateness):
    """Within the lateness no element is lost: the last firing of each window has all pairs."""
    pairs = joined.window(TENS).allowed_lateness(lateness).side_output_late_data(LATE).apply(pair)
    assert set(collect(pairs)) == {(1, 4), (1, 6), (3, 4), (3, 6)}
    assert collect(pairs.get_side_output(LATE)) == []


def test_trigger_and_evictor(env_locally):
    """A trigger that fires at the fourth element, and an evictor that leaves the last three of both streams."""
    first, second = two_streams(env_locally, [("a", 1, 1), ("a", 1, 2)], [("a", 1, 3), ("a", 1, 4)])
    windows = first.join(second).where(0).equal_to(0).window(TENS)
    assert collect(windows.trigger(CountTrigger.of(4)).evictor(CountEvictor.of(3)).apply(pair)) == [(2, 3), (2, 4)]


class NumberKey(KeySelector):
    """Knows the key only when it is open."""

    def open(self, runtime_context):
        self.field = 2

    def get_key(self, value):
        return value[self.field]


NAMED = Types.ROW_NAMED(["word", "time", "n"], [Types.STRING(), Types.INT(), Types.INT()])


@pytest.mark.parametrize(
    ("where", "equal_to"),
    [
        ((lambda event: event[2],), (lambda event: event[2],)),
        ((2,), (2,)),
        ((lambda event: str(event[2]), Types.STRING()), (lambda event: str(event[2]), Types.STRING())),
        ((NumberKey(),), (lambda event: float(event[2]),)),
        ((lambda event: event[2],), (NumberKey(),)),
        (([0, 2],), (lambda event: ("a", event[2]),)),
    ],
    ids=["functions", "fields", "types", "selector", "second selector", "several fields"],
)
def test_keys(env_locally, where, equal_to):
    """Keys are given as to key_by, and equal keys meet: selectors are opened, fields and types may be named."""
    first, second = two_streams(env_locally, [("a", 1, 1), ("a", 2, 2)], [("a", 1, 2), ("a", 2, 3)])
    assert collect(first.join(second).where(*where).equal_to(*equal_to).window(TENS).apply(pair)) == [(2, 2)]


def test_one_selector_for_both_streams(env_locally):
    """A key selector object may serve both streams; the streams may have keys of their own."""
    first, second = two_streams(env_locally, [("a", 1, 1), ("a", 2, 2)], [("a", 1, 2), ("a", 2, 3)])
    selector = NumberKey()
    streams = first.key_by(0).join(second.key_by(lambda event: event[1]))
    assert collect(streams.where(selector).equal_to(selector).window(TENS).apply(pair)) == [(2, 2)]


def test_fields_by_name(env_locally):
    """Where the types of the streams are declared, fields have names and keys have types."""
    rows = env_locally.from_collection([("a", 1, 1)], NAMED).assign_timestamps_and_watermarks(PUNCTUATED)
    keyed = rows.join(rows).where("word").equal_to("word")
    assert collect(keyed.window(TENS).apply(lambda first, second: first.n + second.n)) == [2]
    with pytest.raises(ConfigurationError, match=r"equal_to: the stream's type .* has no field 'name'"):
        rows.join(rows).where("word").equal_to("name")
    with pytest.raises(ConfigurationError, match=r"must be of one type; where has .*, equal_to has .*"):
        rows.join(rows).where("word").equal_to("n")


def test_an_element_without_a_timestamp_is_an_error(env_locally):
    """Windows of event time cannot place it; the error says which stream it is from."""
    first = env_locally.from_collection(FIRST).assign_timestamps_and_watermarks(PUNCTUATED)
    untimed = env_locally.from_collection([("a", 1, 1)])
    first.join(untimed).where(0).equal_to(0).window(TENS).apply(pair).name("pairs").print()
    with pytest.raises(MissingTimestampError, match=r"'pairs' .* TaggedUnion.two\(\('a', 1, 1\)\)"):
        env_locally.execute()


def test_one_description_serves_several_operations(joined):
    """Windows can be applied more than once, and each result is a stream of its own."""
    windows = joined.window(TENS)
    assert collect(windows.apply(lambda first, second: 1)) == [1]
    assert collect(windows.apply(lambda first, second: 2)) == [2]


def test_results_carry_the_windows_last_timestamp(env_locally):
    """So that a window over all results of a window fits."""
    first, second = two_streams(env_locally, [("a", 1, 1), ("b", 2, 2)], [("a", 3, 3), ("b", 4, 4)])
    pairs = first.join(second).where(0).equal_to(0).window(TENS).apply(pair)
    assert collect(pairs.map(sum).time_window_all(10).reduce(lambda a, b: a + b)) == [10]


@pytest.mark.parametrize("call", ["join", "co_group"])
def test_what_follows_what_is_in_the_types(env_locally, call):
    """equal_to follows where, window follows equal_to and apply follows window; nothing else can be said."""
    stream = env_locally.from_collection(FIRST)
    streams = getattr(stream, call)(stream)
    where = streams.where(0)
    equal_to = where.equal_to(0)
    assert [name for name in ("where", "equal_to", "window", "apply") if hasattr(streams, name)] == ["where"]
    assert [name for name in ("where", "equal_to", "window", "apply") if hasattr(where, name)] == ["equal_to"]
    assert [name for name in ("where", "equal_to", "window", "apply") if hasattr(equal_to, name)] == ["window"]
    assert type(equal_to.window(TENS)) is streams.WithWindow


@pytest.mark.parametrize("call", ["join", "co_group"])
@pytest.mark.parametrize(
    ("use", "error", "said"),
    [
        (lambda s: s.where(None), ConfigurationTypeError, "where takes a function .*got None"),
        (lambda s: s.where(NumberKey), ConfigurationTypeError, "where takes .*make an object of the class"),
        (lambda s: s.where(lambda: 1), ConfigurationTypeError, "function given to where is called with one argument"),
        (lambda s: s.where(0).equal_to(None), ConfigurationTypeError, "equal_to takes a function .*got None"),
        (lambda s: s.where(0).equal_to(-1), ConfigurationError, "equal_to takes field indexes from 0"),
        (lambda s: s.where(0, "text"), ConfigurationTypeError, "key_type of where"),
        (
            lambda s: s.where(0, Types.STRING()).equal_to(0, Types.INT()),
            ConfigurationError,
            "keys of the two streams must be of one type",
        ),
    ],
)
def test_keys_that_are_refused(env_locally, call, use, error, said):
    """What is no key, or no key of the other stream's type, is refused at the call by the call's name."""
    stream = env_locally.from_collection(FIRST)
    with pytest.raises(error, match=said):
        use(getattr(stream, call)(stream))


@pytest.mark.parametrize("call", ["join", "co_group"])
@pytest.mark.parametrize(
    ("use", "error", "said"),
    [
        (lambda k: k.window(None), ConfigurationTypeError, "window_assigner must be an object of WindowAssigner"),
        (lambda k: k.window(TENS).trigger(CountTrigger), ConfigurationTypeError, "the class CountTrigger"),
        (lambda k: k.window(TENS).evictor(None), ConfigurationTypeError, "evictor must be"),
        (lambda k: k.window(TENS).allowed_lateness(-1), ConfigurationError, "must not be negative"),
        (lambda k: k.window(TENS).side_output_late_data(None), ConfigurationTypeError, "output_tag must be .* None"),
        (lambda k: k.window(TENS).side_output_late_data(LATE, "x"), ConfigurationTypeError, "second_tag must be"),
        (
            lambda k: k.window(EventTimeSessionWindows.with_gap(5)).trigger(DeltaTrigger.of(1, lambda a, b: 1)),
            ConfigurationError,
            "cannot merge",
        ),
    ],
)
def test_windows_that_are_refused(env_locally, call, use, error, said):
    """What windows of one stream refuse, those of two refuse too, at the call."""
    stream = env_locally.from_collection(FIRST)
    with pytest.raises(error, match=said):
        use(getattr(stream, call)(stream).where(0).equal_to(0))


@pytest.mark.parametrize("call", ["join", "co_group"])
@pytest.mark.parametrize(
    ("other", "error", "said"),
    [
        (lambda: None, ConfigurationTypeError, "stream given to .* must be an object of DataStream; got None"),
        (lambda: [1], ConfigurationTypeError, "must be an object of DataStream"),
        (lambda: local_environment().from_collection([1]), ConfigurationError, "a stream of the same environment"),
    ],
)
def test_streams_that_are_refused(env_locally, call, other, error, said):
    """The other stream has to be one, of the same environment; the error names the call."""
    stream = env_locally.from_collection(FIRST)
    with pytest.raises(error, match=f"{call} takes {said}" if error is ConfigurationError else said):
        getattr(stream, call)(other())


def test_event_time_where_time_is_processing_time(env_locally):
    """With processing time as the time characteristic windows and triggers of event time are refused."""
    env_locally.set_stream_time_characteristic(TimeCharacteristic.ProcessingTime)
    stream = env_locally.from_collection(FIRST)
    keyed = stream.join(stream).where(0).equal_to(0)
    with pytest.raises(ConfigurationError, match="are windows of event time, but"):
        keyed.window(TENS)
    with pytest.raises(ConfigurationError, match="fires by event time, but"):
        keyed.window(TumblingProcessingTimeWindows.of(10)).trigger(EventTimeTrigger.create())
