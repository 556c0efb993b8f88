"""The jobs that work on one element after the other."""

from __future__ import annotations

from collections.abc import Iterator

from bench.jobs.events import Event, Events
from windrow.common import Time, Types
from windrow.datastream import DataStream, RuntimeContext, StreamExecutionEnvironment
from windrow.datastream.functions import KeyedProcessFunction, ProcessJoinFunction
from windrow.datastream.state import ValueStateDescriptor


def filtered(env: StreamExecutionEnvironment, events: Events) -> DataStream:
    """Every other event, mapped to another."""
    return events.stream(env).filter(lambda event: event[1] % 2 == 0).map(lambda event: (event[0], event[1] * 2))


def running(env: StreamExecutionEnvironment, events: Events) -> DataStream:
    """The sum per key so far, after each event."""
    return events.stream(env).key_by(lambda event: event[0]).reduce(lambda a, b: (a[0], a[1] + b[1], b[2]))


def count(env: StreamExecutionEnvironment, events: Events) -> DataStream:
    """The sum of each twenty values of a key."""
    keyed = events.stream(env).key_by(lambda event: event[0])
    return keyed.count_window(20).reduce(lambda a, b: (a[0], a[1] + b[1], b[2]))


class Sum(ProcessJoinFunction):
    """Both values added up."""

    def process_element(self, left: Event, right: Event, ctx: ProcessJoinFunction.Context) -> Iterator[int]:
        yield left[1] + right[1]


def interval(env: StreamExecutionEnvironment, events: Events) -> DataStream:
    """Events of two streams with one key and at most five seconds between them."""
    left = events.stream(env).key_by(lambda event: event[0])
    right = events.stream(env).key_by(lambda event: event[0])
    return left.interval_join(right).between(Time.seconds(-5), Time.seconds(5)).process(Sum())


class SumWithTimers(KeyedProcessFunction):
    """Keeps a key's sum, and tells it at the end of each period in which the key had an event.

    Args:
        period: In milliseconds.
    """

    def __init__(self, period: int) -> None:
        self._period = period

    def open(self, runtime_context: RuntimeContext) -> None:
        self._sum = runtime_context.get_state(ValueStateDescriptor("sum", Types.LONG()))

    def process_element(self, value: Event, ctx: KeyedProcessFunction.Context) -> None:
        held = self._sum.value()
        self._sum.update(value[1] if held is None else held + value[1])
        ctx.timer_service().register_event_time_timer(value[2] // self._period * self._period + self._period)

    def on_timer(self, timestamp: int, ctx: KeyedProcessFunction.OnTimerContext) -> Iterator[tuple[int, int]]:
        held = self._sum.value()
        assert held is not None  # the key has had an event
        yield ctx.get_current_key(), held


def timers(env: StreamExecutionEnvironment, events: Events) -> DataStream:
    """The sum per key so far, at the end of each minute."""
    return events.stream(env).key_by(lambda event: event[0]).process(SumWithTimers(60_000))


def due_timers(env: StreamExecutionEnvironment, events: Events) -> DataStream:
    """Two million keys, of which 200,000 have a timer for one moment.

    A key has one event in 2,000 s, so in every 200 s there are 200,000 other keys, whose timers are due together.
    """
    keyed = events.stream(env).key_by(lambda event: event[2] % 2_000_000)
    return keyed.process(SumWithTimers(200_000))
