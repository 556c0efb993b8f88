"""Co-groups of two streams by window, in whole programs."""

import pytest

from tests.datastream.streams.two_streams import collect, local_environment, two_streams
from windrow.common import Duration, Row, Types, WatermarkStrategy
from windrow.datastream import OutputTag
from windrow.datastream.connectors.number_seq import NumberSequenceSource
from windrow.datastream.functions import CoGroupFunction, JoinFunction
from windrow.datastream.window import EventTimeSessionWindows, TumblingEventTimeWindows
from windrow.errors import ConfigurationTypeError, UserFunctionError

UNANSWERED = OutputTag("unanswered")
OUT_OF_ORDER = WatermarkStrategy.for_bounded_out_of_orderness(Duration.of_millis(2_000)).with_timestamp_assigner(
    lambda element, _: element[1]
)
ASKED = [("a", 1, 1), ("b", 2, 2), ("a", 4, 3)]
ANSWERED = [("a", 3, 4), ("c", 5, 5), ("b", 40, 6)]


class Outer(CoGroupFunction):
    """Emits the numbers of both sides; questions without an answer go to the side output."""

    def open(self, runtime_context):
        self.calls = 0

    def co_group(self, first, second):
        self.calls += 1
        if second:
            yield [event[2] for event in first], [event[2] for event in second]
        else:
            for event in first:
                yield UNANSWERED, event


def co_grouped(env, assigner):
    asked, answered = two_streams(env, ASKED, ANSWERED)
    return asked.co_group(answered).where(0).equal_to(0).window(assigner)


def test_a_co_group_of_sessions(env):
    """The function is called for each session of a key, also where one stream has nothing, on both runtimes."""
    groups = co_grouped(env, EventTimeSessionWindows.with_gap(5)).apply(Outer())
    assert collect(groups) == [([], [5]), ([], [6]), ([1, 3], [4])]
    assert collect(groups.get_side_output(UNANSWERED)) == [("b", 2, 2)]


def test_streams_of_columns_meet(env):
    """Elements and keys cross the exchange as columns, of two shapes; results are those of rows, on both runtimes."""
    numbers = env.from_source(NumberSequenceSource(0, 999), WatermarkStrategy.no_watermarks(), "numbers")
    pairs = numbers.map(lambda n: (n % 7, n)).assign_timestamps_and_watermarks(OUT_OF_ORDER)
    rows = numbers.filter(lambda n: n % 3 == 0).map(lambda n: Row(of=n % 5, n=n, text=str(n)))
    timed = rows.assign_timestamps_and_watermarks(OUT_OF_ORDER)
    met = pairs.co_group(timed).where(lambda pair: pair[0]).equal_to(lambda row: row.of)
    sums = met.window(TumblingEventTimeWindows.of(100)).apply(
        lambda first, second: [(sum(n for _, n in first), sum(row.n for row in second), len(second))]
    )
    sums.print()
    assert env.explain().count("keys as columns") == 2
    expected = []
    for window in range(10):
        inside = range(window * 100, window * 100 + 100)
        for key in range(7):
            first = [n for n in inside if n % 7 == key]
            second = [n for n in inside if n % 3 == 0 and n % 5 == key]
            expected.append((sum(first), sum(second), len(second)))
    assert collect(sums) == sorted(expected)


@pytest.fixture
def windows():
    """Windows of 10 ms on the local runtime."""
    return co_grouped(local_environment(), TumblingEventTimeWindows.of(10))


def test_functions_of_a_co_group(windows):
    """A plain function of two lists gives an iterable of results, or None."""
    counts = windows.apply(lambda first, second: [(len(first), len(second))])
    assert collect(counts) == [(0, 1), (0, 1), (1, 0), (2, 1)]
    assert collect(windows.with_(lambda first, second: None)) == []
    assert collect(windows.apply(lambda first, second: [len(first)], Types.INT())) == [0, 0, 1, 2]


def test_the_lists_are_the_functions_own(windows):
    """A function may change the lists it gets."""

    def emptying(first, second):
        yield len(first) + len(second)
        first.clear()
        second.clear()

    again = windows.allowed_lateness(100).apply(emptying)
    assert collect(again) == [1, 1, 1, 3]


def test_the_operator_is_named_as_that_of_windows(windows):
    """Its name is the assigner's, as Flink names it, and an error of the function names it."""
    groups = windows.apply(lambda first, second: 1 // len(second))
    assert groups.get_name() == "TumblingEventTimeWindows"
    with pytest.raises(UserFunctionError, match=r"(?s)ZeroDivisionError.*'TumblingEventTimeWindows'"):
        collect(groups)


class Joined(JoinFunction):
    def join(self, first, second):
        return first


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (None, "apply of a co-group takes a CoGroupFunction or a function of 2 values; got None"),
        (Outer, "the class Outer: make an object of it"),
        (Joined(), "takes a CoGroupFunction"),
        (lambda first: first, "called with 2 arguments"),
    ],
)
def test_functions_that_are_refused(windows, function, said):
    """What cannot be called with two lists is refused at the call."""
    with pytest.raises(ConfigurationTypeError, match=said):
        windows.apply(function)
