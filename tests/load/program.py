"""The programs whose memory is looked at: `python -m tests.load.program NAME CHECKPOINT OUT`."""

import sys
import time

from windrow.common import Configuration, Encoder, Types, WatermarkStrategy
from windrow.connectors.discarding import DiscardingSink
from windrow.datastream import KeyedProcessFunction, ProcessWindowFunction, StreamExecutionEnvironment
from windrow.datastream.connectors.datagen import DataGeneratorSource
from windrow.datastream.connectors.file_system import FileSink
from windrow.datastream.state import ValueStateDescriptor
from windrow.datastream.window import TumblingEventTimeWindows

#: Bytes of an element of ``overload``, and of a batch of each reader.
SIZE, BATCH = 1000, 16 << 20
#: Elements of ``skew``, of which 99 in 100 have one key; milliseconds of a window, an element each.
COUNT, WINDOW = 300_000, 50_000
#: Batches of ``skew`` are smaller than what one would take.
RECORDS = 75_000


class Slow(KeyedProcessFunction):
    """Takes some time for each element."""

    def process_element(self, value, ctx):
        if value[0] % 10 == 0:
            time.sleep(0.0002)
        yield value


class Running(KeyedProcessFunction):
    """Counts the elements of a key, and says how many there were when a window of them is full."""

    def open(self, runtime_context):
        self.count = runtime_context.get_state(ValueStateDescriptor("count", Types.LONG()))

    def process_element(self, value, ctx):
        count = (self.count.value() or 0) + 1
        self.count.update(count)
        if count % (WINDOW // 2) == 0:
            yield f"running {value[0]} {count}"


class Kept(ProcessWindowFunction):
    """Is given all elements of a window."""

    def process(self, key, context, elements):
        yield f"kept {key} {context.window().start} {sum(number for _, number in elements)}"


def key_of(number):
    return "hot" if number % 100 else f"cold{number // 100 % 50}"


def overload(env, out):
    """A source that gives whatever is asked of it, in front of what is slow."""
    source = DataGeneratorSource(lambda number: (number % 100, number.to_bytes(8, "big") * (SIZE // 8)))
    stream = env.from_source(source, WatermarkStrategy.no_watermarks(), "endless")
    stream.key_by(lambda value: value[0]).process(Slow()).sink_to(DiscardingSink())


def skew(env, out):
    """Windows that fold, windows that keep elements, and a running count, of a key that has nearly all of them."""
    source = DataGeneratorSource(lambda number: (key_of(number), number), COUNT)
    times = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(lambda value, _: value[1])
    keyed = env.from_source(source, times, "skewed").key_by(lambda value: value[0])
    windows = keyed.window(TumblingEventTimeWindows.of(WINDOW))
    sums = windows.reduce(lambda a, b: (a[0], a[1] + b[1])).map(lambda value: f"sum {value[0]} {value[1]}")
    lines = sums.union(windows.process(Kept(), Types.STRING()), keyed.process(Running(), Types.STRING()))
    lines.sink_to(FileSink.for_row_format(out, Encoder.simple_string_encoder()).build())


PROGRAMS = {each.__name__: each for each in (overload, skew)}


def run(name, checkpoint, out):
    settings = {
        "execution.checkpointing.dir": checkpoint,
        "spark.driver.memory": "700m",
        "windrow.source.bytes-per-batch": str(BATCH),
        **({"windrow.source.records-per-batch": str(RECORDS)} if name == "skew" else {}),
    }
    env = StreamExecutionEnvironment.get_execution_environment(Configuration.from_dict(settings)).set_parallelism(2)
    PROGRAMS[name](env, out)
    env.execute(name)


if __name__ == "__main__":
    run(*sys.argv[1:])
