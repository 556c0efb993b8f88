"""Runs for as long as nobody ends it: `python -m tests.soak.program CHECKPOINT`.

Each number is a key of its own, in a window, in a session and in a process function with a timer; keys come and go.
"""

import sys

from windrow.common import Configuration, Types, WatermarkStrategy
from windrow.connectors.discarding import DiscardingSink
from windrow.datastream import KeyedProcessFunction, StreamExecutionEnvironment
from windrow.datastream.connectors.datagen import DataGeneratorSource, RateLimiterStrategy
from windrow.datastream.state import ListStateDescriptor, ValueStateDescriptor
from windrow.datastream.window import EventTimeSessionWindows, TumblingEventTimeWindows

PARALLELISM = 2
#: Keys in a second; in a reader each takes a millisecond of event time.
KEYS_PER_SECOND = 3_000
#: Each reader gets an equal part of the numbers, and begins at its part's first.
NUMBERS_PER_READER = 10**15
#: Batches that Spark keeps: as few as it takes.
RETAINED = 10


class Short(KeyedProcessFunction):
    """Keeps something of a key for half a second."""

    def open(self, runtime_context):
        self.value = runtime_context.get_state(ValueStateDescriptor("value", Types.LONG()))
        self.list = runtime_context.get_list_state(ListStateDescriptor("list", Types.LONG()))

    def process_element(self, value, ctx):
        self.value.update(value)
        self.list.add_all([value, value + 1])
        ctx.timer_service().register_event_time_timer(ctx.timestamp() + 500)

    def on_timer(self, timestamp, ctx):
        assert list(self.list.get()) == [self.value.value(), self.value.value() + 1]
        self.value.clear()
        self.list.clear()


def run(checkpoint):
    settings = {
        "execution.checkpointing.dir": checkpoint,
        # So few, and looked at as often: what grows without end is seen in minutes.
        "spark.sql.streaming.minBatchesToRetain": str(RETAINED),
        "spark.sql.streaming.stateStore.maintenanceInterval": "5s",
        "spark.driver.memory": "700m",
    }
    env = StreamExecutionEnvironment.get_execution_environment(Configuration.from_dict(settings)).set_parallelism(
        PARALLELISM
    )
    numbers, limit = PARALLELISM * NUMBERS_PER_READER, RateLimiterStrategy.per_second(KEYS_PER_SECOND)
    source = DataGeneratorSource(lambda number: number, numbers, limit)
    # All readers begin at 0: elements of one that is ahead of the watermark for ever would be kept for ever.
    times = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(
        lambda value, _: value % NUMBERS_PER_READER
    )
    keyed = env.from_source(source, times, "numbers").key_by(lambda value: value)
    windows = keyed.window(TumblingEventTimeWindows.of(1000)).reduce(lambda a, b: a + b)
    sessions = keyed.window(EventTimeSessionWindows.with_gap(700)).reduce(max)
    for each in (windows, sessions, keyed.process(Short())):
        each.sink_to(DiscardingSink())
    env.execute("soak")


if __name__ == "__main__":
    run(sys.argv[1])
