"""The programs that are killed: `python -m tests.chaos.programs NAME CHECKPOINT OUT ELEMENTS PARALLELISM [SAVEPOINT]`.

Each reads the same elements in batches of so many ELEMENTS and writes lines to files; ``brute_force.py`` says which.
WINDROW_CHAOS_SETTINGS has more settings, as JSON: those of a cluster.
"""

import json
import os
import sys

from windrow.common import Configuration, Encoder, Types, WatermarkStrategy
from windrow.common.watermark_strategy import Watermark, WatermarkGenerator
from windrow.datastream import (
    KeyedProcessFunction,
    ProcessWindowFunction,
    StreamExecutionEnvironment,
)
from windrow.datastream.connectors.file_system import FileSink
from windrow.datastream.functions import ProcessJoinFunction
from windrow.datastream.state import ListStateDescriptor, MapStateDescriptor
from windrow.datastream.window import EventTimeSessionWindows, TumblingEventTimeWindows

#: Of each side of a join, and of a program without one.
COUNT = 4_000
MINUTE, GAP, LATENESS = 10_000, 900, 4_000
LOWER, UPPER = -150, 250
#: How far an element is behind the newest at most.
DISORDER = 1_500


def elements(step=7, count=COUNT):
    """A key, a number, a timestamp: out of order, with silences that end sessions."""
    jitter = [number * 7919 % DISORDER for number in range(count)]
    return [(f"key{(i * step + i // 9) % 20}", i, i * 40 + i // 400 * 3000 - jitter[i]) for i in range(count)]


class Newest(WatermarkGenerator):
    """A watermark behind every fiftieth element; what is further behind than ``bound`` is late."""

    def __init__(self, bound):
        self.bound = bound
        self.newest = self.seen = 0

    def on_event(self, event, event_timestamp, output):
        self.newest = max(self.newest, event_timestamp)
        self.seen += 1
        if self.seen % 50 == 0:
            output.emit_watermark(Watermark(self.newest - self.bound))

    def on_periodic_emit(self, output):
        pass


class Lines(ProcessWindowFunction):
    """A window with its numbers."""

    def process(self, key, context, elements):
        numbers = sorted(number for _, number, _ in elements)
        yield f"{key} {context.window().start} {context.window().end} {len(numbers)} {sum(numbers)}"


class Minutes(KeyedProcessFunction):
    """What came of a key in each minute, when that is over: a list, a map and a timer."""

    def open(self, runtime_context):
        self.numbers = runtime_context.get_list_state(ListStateDescriptor("numbers", Types.PICKLED_BYTE_ARRAY()))
        self.counts = runtime_context.get_map_state(MapStateDescriptor("counts", Types.LONG(), Types.LONG()))

    def process_element(self, value, ctx):
        minute = value[2] // MINUTE
        self.numbers.add((minute, value[1]))
        self.counts.put(minute, (self.counts.get(minute) or 0) + 1)
        ctx.timer_service().register_event_time_timer((minute + 1) * MINUTE)

    def on_timer(self, timestamp, ctx):
        over = timestamp // MINUTE - 1
        numbers = list(self.numbers.get())
        total = sum(number for minute, number in numbers if minute == over)
        yield f"{ctx.get_current_key()} {over} {self.counts.get(over)} {total}"
        self.numbers.update([(minute, n) for minute, n in numbers if minute != over])
        self.counts.remove(over)


class Pairs(ProcessJoinFunction):
    def process_element(self, left, right, ctx):
        yield f"{left[0]} {left[1]} {right[1]}"


def read(env, name, given, bound=DISORDER):
    times = WatermarkStrategy.for_generator(lambda: Newest(bound)).with_timestamp_assigner(lambda value, _: value[2])
    stream = env.from_collection(given).set_parallelism(1).uid(name)
    return stream.assign_timestamps_and_watermarks(times).set_parallelism(1).uid(f"{name} times")


def key(value):
    return value[0]


def sessions(env):
    """Windows that merge, and fire again for what is late."""
    windows = read(env, "elements", elements(), bound=100).key_by(key).window(EventTimeSessionWindows.with_gap(GAP))
    return windows.allowed_lateness(LATENESS).process(Lines(), Types.STRING()).uid("sessions")


def timers(env):
    """A process function with a list, a map and timers."""
    return read(env, "elements", elements()).key_by(key).process(Minutes(), Types.STRING()).uid("minutes")


def interval_join(env):
    """Pairs of two streams."""
    left, right = read(env, "left", elements()).key_by(key), read(env, "right", elements(3)).key_by(key)
    joined = left.interval_join(right).between(LOWER, UPPER)
    return joined.process(Pairs(), Types.STRING()).uid("pairs")


def window_join(env):
    """Pairs of two streams in the same window."""
    left, right = read(env, "left", elements()), read(env, "right", elements(3))
    joined = left.join(right).where(key).equal_to(key).window(TumblingEventTimeWindows.of(500))
    return joined.apply(lambda one, other: f"{one[0]} {one[1]} {other[1]}", Types.STRING()).uid("pairs")


PROGRAMS = {each.__name__: each for each in (sessions, timers, interval_join, window_join)}


def run(name, checkpoint, out, batch, parallelism, savepoint=None):
    settings = {
        "execution.checkpointing.dir": checkpoint,
        "windrow.source.elements-per-split": batch,
        "windrow.source.splits-per-batch": "1",
        **({} if savepoint is None else {"execution.state-recovery.path": savepoint}),
        **json.loads(os.environ.get("WINDROW_CHAOS_SETTINGS", "{}")),
    }
    env = StreamExecutionEnvironment.get_execution_environment(Configuration.from_dict(settings))
    env.set_parallelism(int(parallelism)).set_max_parallelism(16)
    sink = FileSink.for_row_format(out, Encoder.simple_string_encoder()).build()
    PROGRAMS[name](env).sink_to(sink).uid("files")
    env.execute(name)


if __name__ == "__main__":
    run(*sys.argv[1:])
