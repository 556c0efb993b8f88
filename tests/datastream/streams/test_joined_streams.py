"""Joins of two streams by window, in whole programs."""

from collections import defaultdict
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.datastream.streams.two_streams import MONOTONOUS, collect, local_environment, time_of, two_streams
from windrow.common import Duration, Types, WatermarkStrategy
from windrow.datastream import OutputTag
from windrow.datastream.connectors.number_seq import NumberSequenceSource
from windrow.datastream.functions import CoGroupFunction, FlatJoinFunction, JoinFunction
from windrow.datastream.window import EventTimeSessionWindows, SlidingEventTimeWindows, TumblingEventTimeWindows
from windrow.errors import ConfigurationTypeError, TypeConversionError

TENS = TumblingEventTimeWindows.of(10)
CHEAP = OutputTag("cheap")
#: What the random times are apart at most: with this much out-of-orderness nothing is late.
SPAN = 60


class Product(JoinFunction):
    def join(self, first, second):
        return first[0], first[2] * second[2]


class Compared(FlatJoinFunction):
    def join(self, first, second):
        if first[2] <= second[2]:
            yield first[2], second[2]
        else:
            yield CHEAP, (first[2], second[2])


def joined(env, first, second, assigner=TENS):
    first, second = two_streams(env, first, second)
    return first.join(second).where(0).equal_to(0).window(assigner)


@pytest.fixture
def windows():
    """Two streams with two pairs, on the local runtime."""
    return joined(local_environment(), [("a", 1, 2), ("b", 2, 3), ("a", 12, 5)], [("a", 3, 1), ("b", 5, 4)])


def test_a_join_of_windows(env):
    """Elements meet by key and window, whatever the runtime; a flat join's side output is the operator's."""
    windows = joined(env, [("a", 1, 2), ("b", 2, 3), ("a", 12, 5)], [("a", 3, 1), ("b", 5, 4), ("b", 22, 9)])
    compared = windows.apply(Compared())
    assert collect(compared) == [(3, 4)]
    assert collect(compared.get_side_output(CHEAP)) == [(2, 1)]


@pytest.mark.parametrize("odd", [-0.0, float("nan")])
def test_keys_that_columns_compare_otherwise_than_java(odd):
    """Java's rule decides which keys are one, and columns, which do not know it, are no reason for a warning."""
    numbers = local_environment().from_source(
        NumberSequenceSource(0, 699), WatermarkStrategy.no_watermarks(), "numbers"
    )
    timed = numbers.map(lambda n: (odd if n % 7 == 0 else n % 7 * 1.0, n)).assign_timestamps_and_watermarks(
        WatermarkStrategy.for_bounded_out_of_orderness(Duration.of_millis(700)).with_timestamp_assigner(time_of)
    )
    joined = timed.join(timed).where(lambda pair: pair[0]).equal_to(lambda pair: pair[0]).window(TENS)
    pairs = joined.apply(lambda first, second: (first[1], second[1])).execute_and_collect()
    expected = [(n, m) for n in range(700) for m in range(n // 10 * 10, n // 10 * 10 + 10) if n % 7 == m % 7]
    assert sorted(pairs) == expected


@pytest.mark.parametrize("keyed", [False, True])
def test_a_stream_joined_with_itself(env, keyed):
    """Each element meets each of its key and window, itself too, also where the stream has other keys already."""
    events = [("a", 1, 1), ("b", 2, 2), ("a", 3, 3), ("c", 15, 4)]
    stream = env.from_collection(events).assign_timestamps_and_watermarks(MONOTONOUS)
    if keyed:
        stream = stream.key_by(2)
    pairs = stream.join(stream).where(0).equal_to(0).window(TENS).apply(lambda first, second: (first[2], second[2]))
    assert collect(pairs) == [(1, 1), (1, 3), (2, 2), (3, 1), (3, 3), (4, 4)]


def test_functions_of_a_join(windows):
    """A function gives a result for each pair, and so does a JoinFunction; a generator function gives any number."""

    def flat(first, second):
        if first[0] == "a":
            yield from (first[2], second[2])

    class Flat:
        def __call__(self, first, second):
            yield from flat(first, second)

    assert collect(windows.apply(lambda first, second: first[2] - second[2])) == [-1, 1]
    assert collect(windows.apply(Product())) == [("a", 2), ("b", 12)]
    assert collect(windows.with_(Product())) == [("a", 2), ("b", 12)]
    assert collect(windows.apply(flat)) == [1, 2]
    assert collect(windows.apply(Flat())) == [1, 2]


def test_output_type(windows):
    """Results are converted to the declared type, and what does not fit is an error."""
    named = Types.ROW_NAMED(["word", "n"], [Types.STRING(), Types.INT()])
    assert sorted(row.n for row in windows.apply(Product(), named).execute_and_collect()) == [2, 12]
    with pytest.raises(TypeConversionError):
        collect(windows.apply(Product(), Types.INT()))


class Yielding(JoinFunction):
    def join(self, first, second):
        yield first


class Grouped(CoGroupFunction):
    def co_group(self, first, second):
        return first


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (None, "apply of a window join takes a JoinFunction or a function of 2 values; got None"),
        (Product, "the class Product: make an object of it"),
        (Compared, "the class Compared: make an object of it"),
        (Grouped(), "takes a JoinFunction"),
        (lambda first: first, "called with 2 arguments"),
        (Yielding(), "join of Yielding, a JoinFunction, yields, .* derive it from FlatJoinFunction"),
    ],
)
def test_functions_that_are_refused(windows, function, said):
    """What cannot be called with a pair is refused at the call."""
    with pytest.raises(ConfigurationTypeError, match=said):
        windows.apply(function)


def aligned_windows(size, slide):
    """The start of each window of an element, for windows whose size is a multiple of their slide."""
    return lambda events: {
        event: {event[1] - event[1] % slide - back for back in range(0, size, slide)} for event in events
    }


def sessions(gap):
    """The session of each element, as the time of its first one: sessions of a key are more than a gap apart."""

    def windows_of(events):
        found, start, previous = {}, {}, {}
        for event in sorted(events, key=lambda event: event[1]):
            key, time = event[0], event[1]
            if key not in previous or time - previous[key] > gap:
                start[key] = time
            previous[key] = time
            found[event] = {start[key]}
        return found

    return windows_of


def expected_pairs(windows_of, first, second):
    """Every pair of elements with a key and a window in common, once for each such window."""
    found = windows_of(first + second)
    places = defaultdict(lambda: ([], []))
    for side, events in enumerate((first, second)):
        for event in events:
            for start in found[event]:
                places[event[0], start][side].append(event)
    return sorted(pair for lists in places.values() for pair in product(*lists))


EVENTS = st.lists(st.tuples(st.sampled_from("abc"), st.integers(-SPAN // 2, SPAN // 2)), max_size=15)


@pytest.mark.parametrize(
    ("assigner", "windows_of"),
    [
        (TENS, aligned_windows(10, 10)),
        (SlidingEventTimeWindows.of(15, 5), aligned_windows(15, 5)),
        (EventTimeSessionWindows.with_gap(4), sessions(4)),
    ],
    ids=["tumbling", "sliding", "sessions"],
)
@given(first=EVENTS, second=EVENTS, ordered=st.booleans())
@settings(max_examples=150, deadline=None)
def test_pairs_by_brute_force(assigner, windows_of, first, second, ordered):
    """The pairs are those that a search through all elements finds, in order of time or out of it."""
    first, second = (
        [(key, time, number) for number, (key, time) in enumerate(events, start)]
        for start, events in ((0, first), (100, second))
    )
    strategy = WatermarkStrategy.for_bounded_out_of_orderness(Duration.of_millis(SPAN))
    if ordered:
        first, second = (sorted(events, key=lambda event: event[1]) for events in (first, second))
        strategy = WatermarkStrategy.for_monotonous_timestamps()
    streams = two_streams(local_environment(), first, second, strategy.with_timestamp_assigner(time_of))
    windows = streams[0].join(streams[1]).where(0).equal_to(0).window(assigner)
    assert collect(windows.apply(lambda one, two: (one, two))) == expected_pairs(windows_of, first, second)
