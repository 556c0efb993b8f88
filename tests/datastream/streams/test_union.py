"""Unions that have a stream in them more than once, or many streams."""

from tests.datastream.streams.restarts import collect_with_restarts, local_env
from tests.datastream.streams.watermarks import Moved
from windrow.common import Time, WatermarkStrategy
from windrow.datastream import OutputTag, ProcessFunction
from windrow.datastream.streams.keyed_stream import KeyedStream
from windrow.datastream.window import TumblingEventTimeWindows

MOVED = WatermarkStrategy.for_generator(Moved).with_timestamp_assigner(lambda value, _: value[1])
SIDE = OutputTag("side")


def collect(stream):
    return list(stream.execute_and_collect())


def timed(env):
    """Pairs of a key and a timestamp, with a watermark behind each."""
    return env.from_collection([("a", 1), ("b", 2), ("a", 9), ("a", 12)]).assign_timestamps_and_watermarks(MOVED)


def counts(stream):
    """For each key and ten milliseconds the number of elements."""
    ones = stream.map(lambda pair: (pair[0], 1))
    windows = ones.key_by(lambda pair: pair[0]).window(TumblingEventTimeWindows.of(Time.milliseconds(10)))
    return windows.reduce(lambda one, two: (one[0], one[1] + two[1]))


def test_a_stream_with_what_is_made_of_it(env):
    """Both the elements and what a function makes of them are there, each function call once per element."""
    numbers = env.from_collection([1, 2, 3])
    united = numbers.map(lambda n: n * 10).union(numbers, numbers.filter(lambda n: n > 2))
    assert sorted(collect(united)) == [1, 2, 3, 3, 10, 20, 30]


def test_windows_over_a_stream_united_with_itself(env):
    """Every element counts twice, and no element is late."""
    pairs = timed(env)
    assert sorted(collect(counts(pairs.union(pairs)))) == [("a", 2), ("a", 4), ("b", 2)]


def test_a_stream_united_with_itself_is_there_twice_after_restarts():
    """Positions and watermarks of both ways are kept apart."""
    pairs = timed(local_env())
    assert sorted(collect_with_restarts(counts(pairs.union(pairs)))) == [("a", 2), ("a", 4), ("b", 2)]


def test_many_streams():
    """A union takes any number of streams; streams of streams too."""
    env = local_env()
    streams = [env.from_collection([number]) for number in range(30)]
    assert sorted(collect(streams[0].union(*streams[1:]))) == list(range(30))
    united = streams[0]
    for stream in streams[1:]:
        united = united.union(stream)
    assert sorted(collect(united.union(united))) == sorted([*range(30)] * 2)


def test_a_keyed_stream_united_with_itself_has_no_keys():
    """As in PyFlink the union of keyed streams is a stream of their values."""
    keyed = local_env().from_collection([1, 2]).key_by(lambda n: n % 2)
    united = keyed.union(keyed, keyed.sum())
    assert not isinstance(united, KeyedStream)
    assert sorted(collect(united)) == [1, 1, 1, 2, 2, 2]


def test_an_aggregation_united_with_its_input():
    """Streams from both sides of an exchange come together."""
    numbers = local_env().from_collection([1, 2, 3])
    sums = numbers.key_by(lambda n: 0).sum()
    assert sorted(collect(sums.union(numbers).key_by(lambda n: 0).sum()))[-1] == 1 + 3 + 6 + 1 + 2 + 3


class Odd(ProcessFunction):
    def process_element(self, value, ctx):
        yield (SIDE, value) if value % 2 else value


def test_main_and_side_outputs_of_one_operator():
    """A side output can be united with the main output, and with itself."""
    split = local_env().from_collection([1, 2, 3]).process(Odd())
    side = split.get_side_output(SIDE)
    assert sorted(collect(split.union(side, side))) == [1, 1, 2, 3, 3]
