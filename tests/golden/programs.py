"""Small programs that together keep in a checkpoint each kind of thing that a checkpoint can hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple
from unittest.mock import patch

from windrow.common import Configuration, Duration, Row, Types, WatermarkStrategy
from windrow.common.watermark_strategy import Watermark, WatermarkGenerator
from windrow.connectors.interfaces import DriverSink
from windrow.datastream import (
    AggregateFunction,
    BroadcastProcessFunction,
    KeyedProcessFunction,
    OutputTag,
    ProcessWindowFunction,
    ReduceFunction,
    StreamExecutionEnvironment,
)
from windrow.datastream.connectors.datagen import DataGeneratorSource, RateLimiterStrategy
from windrow.datastream.functions import ProcessJoinFunction
from windrow.datastream.state import (
    AggregatingStateDescriptor,
    ListStateDescriptor,
    MapStateDescriptor,
    ReducingStateDescriptor,
    StateTtlConfig,
    ValueStateDescriptor,
)
from windrow.datastream.window import (
    ContinuousEventTimeTrigger,
    ContinuousProcessingTimeTrigger,
    CountTrigger,
    EventTimeSessionWindows,
    ProcessingTimeSessionWindows,
    SlidingEventTimeWindows,
    SlidingProcessingTimeWindows,
    TimeEvictor,
    TumblingEventTimeWindows,
    TumblingProcessingTimeWindows,
)

#: Key, timestamp, number.
ELEMENTS = [("abcd"[number * 7 % 4], number * 3 % 50 + number, number) for number in range(400)]
RULES = Types.STRING()


class Sink(DriverSink):
    """Keeps what comes."""

    def __init__(self) -> None:
        self.elements: list[Any] = []

    def deliver(self, values: Any, timestamps: Any) -> None:
        self.elements.extend(values)


class Newest(WatermarkGenerator):
    """A watermark behind each element, 20 behind the newest timestamp."""

    def __init__(self) -> None:
        self.newest = 0

    def on_event(self, event: Any, event_timestamp: int, output: Any) -> None:
        self.newest = max(self.newest, event_timestamp)
        output.emit_watermark(Watermark(self.newest - 20))

    def on_periodic_emit(self, output: Any) -> None:
        """Elements decide."""


class Sum(AggregateFunction):
    def create_accumulator(self):
        return 0

    def add(self, value, accumulator):
        return accumulator + value[2]

    def get_result(self, accumulator):
        return accumulator

    def merge(self, acc_a, acc_b):
        return acc_a + acc_b


class Larger(ReduceFunction):
    def reduce(self, value1, value2):
        return max(value1, value2)


@dataclass
class Last:
    """What came last, which a state keeps by the names of its fields."""

    number: int
    of: Kind
    place: Place


class Kind(NamedTuple):
    """Of a named tuple."""

    even: bool


@dataclass(frozen=True, slots=True)
class Place:
    """Of fields without a dictionary."""

    at: int


class Lasts(KeyedProcessFunction):
    """Objects of users' classes in state."""

    def open(self, runtime_context):
        self.last = runtime_context.get_state(ValueStateDescriptor("last", Types.PICKLED_BYTE_ARRAY()))

    def process_element(self, value, ctx):
        before = self.last.value()
        self.last.update(Last(value[2], Kind(value[2] % 2 == 0), Place(value[1])))
        yield value[0], before and (before.number, before.of.even, before.place.at)


class Numbers(ProcessWindowFunction):
    def process(self, key, context, elements):
        yield key, context.window().max_timestamp(), sorted(element[2] for element in elements)


class Counts(ProcessWindowFunction):
    def process(self, key, context, elements):
        yield key, context.window().start, len(list(elements))


class EveryKind(KeyedProcessFunction):
    """State of each kind, one of them with a time to live, and timers of both domains."""

    def open(self, runtime_context):
        ttl = StateTtlConfig.new_builder(Duration.of_millis(40)).build()
        living = ValueStateDescriptor("living", Types.LONG())
        living.enable_time_to_live(ttl)
        living_list = ListStateDescriptor("living list", Types.LONG())
        living_list.enable_time_to_live(ttl)
        self.living = runtime_context.get_state(living)
        self.living_list = runtime_context.get_list_state(living_list)
        self.value = runtime_context.get_state(ValueStateDescriptor("value", Types.PICKLED_BYTE_ARRAY()))
        self.list = runtime_context.get_list_state(ListStateDescriptor("list", Types.LONG()))
        self.map = runtime_context.get_map_state(MapStateDescriptor("map", Types.STRING(), Types.LONG()))
        self.largest = runtime_context.get_reducing_state(ReducingStateDescriptor("largest", Larger(), Types.LONG()))
        self.sum = runtime_context.get_aggregating_state(AggregatingStateDescriptor("sum", Sum(), Types.LONG()))
        self.count = runtime_context.get_int_counter("seen")

    def process_element(self, value, ctx):
        self.count.add(1)
        self.value.update(Row(last=value[2], before=self.value.value() and self.value.value().last))
        self.list.add(value[2])
        self.map.put(str(value[2] % 3), value[2])
        self.largest.add(value[2])
        self.sum.add(value)
        self.living.update(value[2])
        self.living_list.add(value[2])
        ctx.timer_service().register_event_time_timer(ctx.timestamp() + 30)
        ctx.timer_service().register_processing_time_timer(ctx.timer_service().current_processing_time() + 35)

    def on_timer(self, timestamp, ctx):
        of_map = sorted(self.map.items())
        living = self.living.value(), list(self.living_list.get())
        yield ctx.get_current_key(), timestamp, self.value.value(), len(list(self.list.get())), of_map, living
        yield self.largest.get(), self.sum.get()


class Joined(ProcessJoinFunction):
    def process_element(self, left, right, ctx):
        yield left[0], left[2], right[2]


class Rules(BroadcastProcessFunction):
    """The newest rule says what elements are multiplied with."""

    descriptor = MapStateDescriptor("rules", Types.STRING(), Types.LONG())

    def process_element(self, value, ctx):
        yield value[0], value[2] * (ctx.get_broadcast_state(self.descriptor).get("factor") or 1)

    def process_broadcast_element(self, value, ctx):
        ctx.get_broadcast_state(self.descriptor).put("factor", value)


def _timed(env: StreamExecutionEnvironment, name: str, elements: Any = ELEMENTS) -> Any:
    times = WatermarkStrategy.for_generator(Newest).with_timestamp_assigner(lambda value, _: value[1])
    return env.from_collection(elements).uid(name).assign_timestamps_and_watermarks(times).uid(f"{name} times")


def windows(env: StreamExecutionEnvironment) -> Any:
    """Windows that hold reduced values, accumulators, elements and elements with timestamps; of time, and counts."""
    stream = _timed(env, "in")
    late = OutputTag("late")
    keyed = stream.key_by(lambda value: value[0])
    tumbling = keyed.window(TumblingEventTimeWindows.of(40)).reduce(lambda a, b: (a[0], a[1], a[2] + b[2]))
    sliding = keyed.window(SlidingEventTimeWindows.of(60, 20)).aggregate(Sum())
    lateness = keyed.window(TumblingEventTimeWindows.of(30)).allowed_lateness(50).side_output_late_data(late)
    sessions = keyed.window(EventTimeSessionWindows.with_gap(5)).process(Numbers())
    evicted = keyed.window(TumblingEventTimeWindows.of(50)).evictor(TimeEvictor.of(20)).process(Numbers())
    counted = keyed.window(TumblingEventTimeWindows.of(70)).trigger(CountTrigger.of(4)).process(Numbers())
    sums = keyed.count_window(7, 3).reduce(lambda a, b: (a[0], a[1], a[2] + b[2]))
    parts = [tumbling, lateness.process(Numbers()), sessions, evicted, counted, sums]
    parts = [part.uid(f"window {number}").map(str).uid(f"shown {number}") for number, part in enumerate(parts)]
    return sliding.uid("sliding").map(str).uid("sliding shown").union(*parts)


def states(env: StreamExecutionEnvironment) -> Any:
    """A process function with each kind of state, of keys that are strings."""
    return _timed(env, "in").key_by(lambda value: value[0]).process(EveryKind()).uid("states")


def records(env: StreamExecutionEnvironment) -> Any:
    """State of dataclasses, with slots and without, and of named tuples, one of which is the key."""
    return _timed(env, "in").key_by(lambda value: Kind(value[2] % 3 == 0)).process(Lasts()).uid("lasts")


def keys(env: StreamExecutionEnvironment) -> Any:
    """Keys of many types, some of them compared as in Java; a running sum."""
    kinds = [1, "a", None, (1, "a"), [1, 2], float("nan"), -0.0, Row(a=1), b"bytes", frozenset({1})]
    stream = _timed(env, "in")
    keyed = stream.key_by(lambda value: kinds[value[2] % len(kinds)])
    return keyed.reduce(lambda a, b: (a[0], a[1], a[2] + b[2])).uid("sums")


def joins(env: StreamExecutionEnvironment) -> Any:
    """An interval join, of which one key has a long buffer, and a join of windows."""
    many = [("a", number // 40, number) for number in range(600)]
    left = _timed(env, "left", many).key_by(lambda value: value[0])
    right = _timed(env, "right", [("a", 5 * number, number) for number in range(25)])
    pairs = left.interval_join(right.key_by(lambda value: value[0])).between(-3, 2).process(Joined()).uid("interval")
    other = _timed(env, "other")
    joined = other.join(_timed(env, "another")).where(lambda value: value[0]).equal_to(lambda value: value[0])
    windowed = joined.window(TumblingEventTimeWindows.of(40)).apply(lambda a, b: (a[0], a[2], b[2])).uid("windowed")
    return pairs.union(windowed)


def broadcast(env: StreamExecutionEnvironment) -> Any:
    """Broadcast state."""
    rules = env.from_collection([2, 3, 5, 7]).uid("rules").broadcast(Rules.descriptor)
    return _timed(env, "in").connect(rules).process(Rules()).uid("broadcast")


def reader(env: StreamExecutionEnvironment) -> Any:
    """A source with readers, a watermark for each split, and windows behind an exchange."""
    times = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(lambda value, _: value)
    source = DataGeneratorSource(lambda number: number, 600, RateLimiterStrategy.per_checkpoint(60))
    named = env.from_source(source, times, "numbers").uid("numbers").map(lambda value: ("ab"[value % 2], value, value))
    keyed = named.uid("named").key_by(lambda value: value[0])
    return keyed.window(TumblingEventTimeWindows.of(25)).aggregate(Sum()).uid("sums")


def columns(env: StreamExecutionEnvironment) -> Any:
    """Windows over columns: panes, windows that were rows before, sums by window; keys that are numbers, and text."""
    bounded = WatermarkStrategy.for_bounded_out_of_orderness(Duration.of_millis(50))
    times = bounded.with_timestamp_assigner(lambda value, _: value[1])
    numbers = env.from_collection(range(400)).uid("numbers")
    events = numbers.flat_map(lambda n: [(n * 7919 % 5, n * 3 % 50 + n, n / 4, f"key-{i % 3}") for i in range(100)])
    with patch("windrow.datastream.streams.timestamps.EMIT_EVERY", 8192):  # as in the versions that wrote its files
        timed = events.uid("events").assign_timestamps_and_watermarks(times).uid("times")
    by_number, by_text = timed.key_by(lambda value: value[0]), timed.key_by(lambda value: value[3])
    sliding = by_number.window(SlidingEventTimeWindows.of(60, 20)).reduce(lambda a, b: (a[0], a[1], a[2] + b[2], b[3]))
    late = (
        by_text.window(TumblingEventTimeWindows.of(40))
        .allowed_lateness(30)
        .reduce(lambda a, b: (a[0] + b[0], max(a[1], b[1]), a[2], b[3]))
    )
    return sliding.uid("sliding").map(str).uid("sliding shown").union(late.uid("late").map(str).uid("late shown"))


def folds(env: StreamExecutionEnvironment) -> Any:
    """Running reduces and sessions over columns; keys that are numbers, and text."""
    bounded = WatermarkStrategy.for_bounded_out_of_orderness(Duration.of_millis(50))
    times = bounded.with_timestamp_assigner(lambda value, _: value[1])
    numbers = env.from_collection(range(400)).uid("numbers")
    events = numbers.flat_map(lambda n: [(n * i % 50, n * 3 % 50 + n, n / 4, f"key-{n % i}") for i in range(10, 40)])
    timed = events.uid("events").assign_timestamps_and_watermarks(times).uid("times")
    by_number, by_text = timed.key_by(lambda value: value[0]), timed.key_by(lambda value: value[3])
    sums = by_number.reduce(lambda a, b: (a[0], b[1], a[2] + b[2], b[3])).uid("sums")
    greatest = by_text.max(0).uid("greatest")
    sessions = by_text.window(EventTimeSessionWindows.with_gap(40)).reduce(
        lambda a, b: (a[0], max(a[1], b[1]), a[2] + b[2], b[3])
    )
    late = (
        by_number.window(EventTimeSessionWindows.with_gap(30))
        .allowed_lateness(20)
        .reduce(lambda a, b: (a[0], a[1] + b[1], b[2], a[3]))
    )
    parts = [sums, greatest, sessions.uid("sessions"), late.uid("late")]
    some = [part.filter(lambda value: value[1] % 7 == 0).uid(f"some {number}") for number, part in enumerate(parts)]
    shown = [part.map(str).uid(f"shown {number}") for number, part in enumerate(some)]
    return shown[0].union(*shown[1:])


class Sums(ProcessJoinFunction):
    def process_element(self, left, right, ctx):
        yield left[0], left[2] + right[2], ctx.get_timestamp()


def pairs(env: StreamExecutionEnvironment) -> Any:
    """Interval joins over columns; keys that are numbers, and text."""
    bounded = WatermarkStrategy.for_bounded_out_of_orderness(Duration.of_millis(50))
    times = bounded.with_timestamp_assigner(lambda value, _: value[1])
    sides = []
    for side, step in (("left", 3), ("right", 7)):
        numbers = env.from_collection(range(400)).uid(f"{side} numbers")
        events = numbers.flat_map(
            lambda n, by=step: [(n * i % 50, n * by % 50 + n, n + i, f"key-{i}") for i in range(20)]
        )
        sides.append(events.uid(side).assign_timestamps_and_watermarks(times).uid(f"{side} times"))
    joined = []
    for name, field, lower, upper in (("numbers", 0, -9, 4), ("texts", 3, -2, 1)):
        left, right = [each.key_by(lambda value, at=field: value[at]) for each in sides]
        found = left.interval_join(right).between(lower, upper).process(Sums()).uid(f"by {name}")
        some = found.filter(lambda value: value[1] % 11 == 0).uid(f"some {name}")
        joined.append(some.map(str).uid(f"shown {name}"))
    return joined[0].union(joined[1])


def by_clock(env: StreamExecutionEnvironment) -> Any:
    """Windows of processing time over columns: folds, sessions, and elements that are kept."""
    numbers = env.from_collection(range(400)).uid("numbers")
    events = numbers.flat_map(lambda n: [(n * i % 50, n, f"key-{n % i}") for i in range(10, 40)]).uid("events")
    by_number, by_text = events.key_by(lambda value: value[0]), events.key_by(lambda value: value[2])
    sliding = by_number.window(SlidingProcessingTimeWindows.of(60, 20)).reduce(lambda a, b: (a[0], a[1] + b[1], b[2]))
    sessions = by_text.window(ProcessingTimeSessionWindows.with_gap(15)).reduce(lambda a, b: (a[0], a[1] + b[1], b[2]))
    kept = by_text.window(TumblingProcessingTimeWindows.of(30)).process(Counts())
    parts = [sessions.uid("sessions"), kept.uid("kept")]
    shown = [part.map(str).uid(f"shown {number}") for number, part in enumerate(parts)]
    return sliding.uid("sliding").map(str).uid("sliding shown").union(*shown)


def early(env: StreamExecutionEnvironment) -> Any:
    """Windows that fire before their end over columns: by the watermark, by the clock, and windows of the clock."""
    bounded = WatermarkStrategy.for_bounded_out_of_orderness(Duration.of_millis(50))
    times = bounded.with_timestamp_assigner(lambda value, _: value[1])
    numbers = env.from_collection(range(400)).uid("numbers")
    events = numbers.flat_map(lambda n: [(n * i % 50, n * 3 % 50 + n, n, f"key-{n % i}") for i in range(10, 40)])
    timed = events.uid("events").assign_timestamps_and_watermarks(times).uid("times")
    by_number, by_text = timed.key_by(lambda value: value[0]), timed.key_by(lambda value: value[3])
    watermark, clock = ContinuousEventTimeTrigger.of(15), ContinuousProcessingTimeTrigger.of(20)
    parts = [
        by_number.window(SlidingEventTimeWindows.of(60, 20)).trigger(watermark),
        by_text.window(TumblingEventTimeWindows.of(60)).trigger(watermark).allowed_lateness(30),
        by_number.window(TumblingEventTimeWindows.of(200)).trigger(clock).allowed_lateness(10),
        by_text.window(SlidingProcessingTimeWindows.of(60, 30)).trigger(clock),
    ]
    sums = [part.reduce(lambda a, b: (a[0], a[1], a[2] + b[2], b[3])) for part in parts]
    named = [part.uid(f"window {number}") for number, part in enumerate(sums)]
    shown = [part.map(str).uid(f"shown {number}") for number, part in enumerate(named)]
    return shown[0].union(*shown[1:])


PROGRAMS = [windows, states, records, keys, joins, broadcast, reader, columns, folds, pairs, by_clock, early]


def job_of(program: Any, parallelism: int = 2, sink: Sink | None = None) -> tuple[Any, Sink]:
    """The program's job graph, and what comes out of it."""
    # What is combined before an exchange shows in the places of elements that are kept, not in how they are kept.
    each_element = {"windrow.columns.local-aggregation": "false"}
    configuration = Configuration.from_dict({"windrow.runtime": "local"} | each_element)
    env = StreamExecutionEnvironment.get_execution_environment(configuration).set_parallelism(parallelism)
    sink = sink or Sink()
    program(env).sink_to(sink).uid("out")
    return env._plan(env._program.sinks()), sink
