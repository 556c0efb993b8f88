"""The jobs with event time windows."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator

from bench.jobs.events import Event, Events
from windrow.common import Time
from windrow.datastream import DataStream, StreamExecutionEnvironment
from windrow.datastream.functions import ProcessWindowFunction
from windrow.datastream.window import (
    ContinuousEventTimeTrigger,
    EventTimeSessionWindows,
    GlobalWindows,
    SlidingEventTimeWindows,
    TimeWindow,
    TumblingEventTimeWindows,
)

MINUTE = TumblingEventTimeWindows.of(Time.seconds(60))


def tumbling(env: StreamExecutionEnvironment, events: Events) -> DataStream:
    """Sums per key and minute."""
    keyed = events.stream(env).key_by(lambda event: event[0])
    return keyed.window(MINUTE).reduce(lambda a, b: (a[0], a[1] + b[1], b[2]))


def opaque(number: int) -> int:
    """The number, by a call that says nothing of itself to somebody who records what is done to its argument."""
    return operator.index(number)


def tumbling_untraced(env: StreamExecutionEnvironment, events: Events) -> DataStream:
    """Sums per key and minute, by lambdas that call a function of the user's."""
    keyed = events.stream(env).key_by(lambda event: opaque(event[0]))
    return keyed.window(MINUTE).reduce(lambda a, b: (a[0], opaque(a[1] + b[1]), b[2]))


def tumbling_late(env: StreamExecutionEnvironment, events: Events) -> DataStream:
    """Sums per key and minute; windows wait for ten seconds for late events."""
    keyed = events.stream(env).key_by(lambda event: event[0])
    return keyed.window(MINUTE).allowed_lateness(10_000).reduce(lambda a, b: (a[0], a[1] + b[1], b[2]))


def tumbling_early(env: StreamExecutionEnvironment, events: Events) -> DataStream:
    """Sums per key and minute, and of what has come whenever ten seconds have passed.

    How many come early depends on the watermarks: while results are compared the last ones are.
    """
    keyed = events.stream(env).key_by(lambda event: event[0])
    windows = keyed.window(MINUTE).trigger(ContinuousEventTimeTrigger.of(Time.seconds(10)))
    sums = windows.reduce(lambda a, b: (a[0], a[1] + b[1], b[2]))
    if not events.checked:
        return sums
    of_window = sums.key_by(lambda result: (result[0], result[2] // 60_000))
    at_the_end = of_window.window(GlobalWindows.create_with_end_of_stream_trigger())
    return at_the_end.reduce(lambda a, b: b if b[1] >= a[1] else a)


class Sliding:
    """Sums per key over the last minute, at every slide.

    Args:
        slide: In milliseconds.
    """

    def __init__(self, slide: int) -> None:
        self._slide = slide

    def __call__(self, env: StreamExecutionEnvironment, events: Events) -> DataStream:
        windows = SlidingEventTimeWindows.of(Time.seconds(60), Time.milliseconds(self._slide))
        keyed = events.stream(env).key_by(lambda event: event[0])
        return keyed.window(windows).reduce(lambda a, b: (a[0], a[1] + b[1], b[2]))


def session(env: StreamExecutionEnvironment, events: Events) -> DataStream:
    """Sums per key and session; some twenty events each."""
    keyed = events.stream(env).key_by(lambda event: event[0])
    windows = EventTimeSessionWindows.with_gap(Time.seconds(5))
    return keyed.window(windows).reduce(lambda a, b: (a[0], a[1] + b[1], b[2]))


class Largest(ProcessWindowFunction[Event, int, int, TimeWindow]):
    """The largest value in a window, from all that it holds."""

    def process(
        self, key: int, context: ProcessWindowFunction.Context[TimeWindow], elements: Iterable[Event]
    ) -> Iterator[int]:
        yield max(event[1] for event in elements)


def process(env: StreamExecutionEnvironment, events: Events) -> DataStream:
    """The largest value per key of the last minute, every five seconds, by a function that sees all elements."""
    keyed = events.stream(env).key_by(lambda event: event[0])
    return keyed.window(SlidingEventTimeWindows.of(Time.seconds(60), Time.seconds(5))).process(Largest())
