"""Programs that tests run in a process of their own: `python programs.py NAME CHECKPOINT OUT ...`."""

import json
import sys
import uuid
from pathlib import Path

from windrow.common import Configuration, Encoder, Time, Types, WatermarkStrategy
from windrow.common.watermark_strategy import Watermark, WatermarkGenerator
from windrow.connectors.discarding import DiscardingSink
from windrow.datastream import MapFunction, ProcessWindowFunction, StreamExecutionEnvironment
from windrow.datastream.connectors.file_system import FileEnumeratorProvider, FileSink, FileSource, StreamFormat
from windrow.datastream.window import TumblingEventTimeWindows

READINGS = 6_000


class EverySecond(WatermarkGenerator):
    """A watermark behind every hundredth element."""

    def __init__(self):
        self.seen = 0

    def on_event(self, event, event_timestamp, output):
        self.seen += 1
        if self.seen % 100 == 0:
            output.emit_watermark(Watermark(event_timestamp - 2000))

    def on_periodic_emit(self, output):
        pass


class Lines(ProcessWindowFunction):
    def process(self, key, context, elements):
        yield f"{key} {context.window().start} {sum(value for _, value, _ in elements)}"


def readings():
    return [(f"key{i * 7 % 50}", i, i * 100 - i * 37 % 1500) for i in range(READINGS)]


def windows(env, stream=None):
    strategy = WatermarkStrategy.for_generator(EverySecond).with_timestamp_assigner(lambda value, _: value[2])
    return (
        (env.from_collection(readings()) if stream is None else stream)
        .assign_timestamps_and_watermarks(strategy)
        .key_by(lambda value: value[0])
        .window(TumblingEventTimeWindows.of(Time.seconds(10)))
        .process(Lines(), Types.STRING())
    )


def in_small_batches(checkpoint, elements):
    """An environment with a checkpoint, whose batches read so many elements."""
    configuration = (
        Configuration()
        .set_string("execution.checkpointing.dir", checkpoint)
        .set_integer("windrow.source.elements-per-split", elements)
        .set_integer("windrow.source.splits-per-batch", 1)
    )
    env = StreamExecutionEnvironment.get_execution_environment(configuration).set_parallelism(2)
    env.set_max_parallelism(8)
    return env


def kill(checkpoint, out, per_batch=200):
    """Many small batches, written to files: whatever is killed, each window's line is there once."""
    env = in_small_batches(checkpoint, int(per_batch))
    windows(env).sink_to(FileSink.for_row_format(out, Encoder.simple_string_encoder()).build())
    env.execute("kill")


def of_line(line):
    key, number, timestamp = line.split()
    return key, int(number), int(timestamp)


def files(checkpoint, out, given):
    """From files to files, wherever they are: readings as lines in, the lines of all windows out."""
    env = in_small_batches(checkpoint, 1500)
    # One region, for its lines to stay in their order.
    whole = FileEnumeratorProvider.default_non_splittable_file_enumerator()
    source = FileSource.for_record_stream_format(StreamFormat.text_line_format(), given).set_file_enumerator(whole)
    stream = env.from_source(source.build(), WatermarkStrategy.no_watermarks(), "readings").map(of_line)
    sink = FileSink.for_row_format(out, Encoder.simple_string_encoder())
    windows(env, stream).sink_to(sink.build())
    env.execute("files")


def readers(checkpoint, out, per_batch=25):
    """Readers of two splits, in some small batches, written to files."""
    sys.path.insert(0, str(Path(__file__).parents[3]))
    from tests.runtime.sources.scripted import Script, ScriptedSource

    configuration = Configuration().set_string("execution.checkpointing.dir", checkpoint)
    configuration.set_integer("windrow.source.records-per-batch", int(per_batch))
    env = StreamExecutionEnvironment.get_execution_environment(configuration).set_parallelism(2)
    splits = [Script(name, [(f"{name} {at}", at) for at in range(200)]) for name in ("a", "b")]
    stream = env.from_source(ScriptedSource(splits, on_request=True), WatermarkStrategy.no_watermarks(), "scripted")
    stream.sink_to(FileSink.for_row_format(out, Encoder.simple_string_encoder()).build())
    env.execute("readers")


def submitted(checkpoint, out):
    """A batch job, and with a checkpoint a streaming one, under spark-submit: nothing of Spark is named."""
    for kind, directory in {"batch": "", **({"streaming": checkpoint} if checkpoint else {})}.items():
        configuration = Configuration()
        if directory:
            configuration.set_string("execution.checkpointing.dir", directory)
            configuration.set_integer("windrow.source.elements-per-split", 2000)
            configuration.set_integer("windrow.source.splits-per-batch", 1)
        env = StreamExecutionEnvironment.get_execution_environment(configuration).set_parallelism(2)
        env.set_max_parallelism(8)
        windows(env).sink_to(FileSink.for_row_format(f"{out}/{kind}", Encoder.simple_string_encoder()).build())
        env.execute(kind)


def brought(checkpoint, out, archive):
    """The same in a session that runs already, and is given the package then; Spark's settings come on stdin."""
    from pyspark.sql import SparkSession

    builder = SparkSession.builder
    for name, value in json.load(sys.stdin).items():
        builder = builder.config(name, value)
    builder.getOrCreate().sparkContext.addPyFile(archive)
    submitted(checkpoint, out)


class FailsOnce(MapFunction):
    """Counts, and fails once in the middle, when it has counted; files say that it did, and was opened and closed."""

    def __init__(self, failed):
        self.failed = failed

    def open(self, runtime_context):
        self.object = uuid.uuid4().hex
        Path(f"{self.failed}.opened.{self.object}").touch(exist_ok=False)
        runtime_context.get_int_counter("opened").add(1)
        self.mapped = runtime_context.get_long_counter("mapped")
        self.metric = runtime_context.get_metrics_group().counter("mapped")
        self.context = runtime_context

    def map(self, value):
        self.mapped.add(1)
        self.metric.inc()
        if value == 70 and not Path(self.failed).exists():
            Path(self.failed).touch()
            msg = "once"
            raise ValueError(msg)
        return value

    def close(self):
        Path(f"{self.failed}.closed.{self.object}").touch(exist_ok=False)
        self.context.get_int_counter("closed").add(1)


def retried(checkpoint, out):
    """Spark runs a task that has failed again; what its first attempt has counted does not count."""
    for kind, directory in (("batch", None), ("streaming", checkpoint)):
        configuration = Configuration().set_string("spark.master", "local[2,3]")
        configuration.set_string("spark.ui.enabled", "false")
        if directory is not None:
            configuration.set_string("execution.checkpointing.dir", directory)
            configuration.set_integer("windrow.source.elements-per-split", 50)
            configuration.set_integer("windrow.source.splits-per-batch", 1)
        env = StreamExecutionEnvironment.get_execution_environment(configuration).set_parallelism(2)
        failed = f"{out}.{kind}"
        env.from_collection(range(100)).rebalance().map(FailsOnce(failed)).name("map").sink_to(DiscardingSink())
        result = env.execute()
        counted = sorted(result.get_all_accumulator_results().items())
        print(kind, Path(failed).exists(), counted, result.get_metrics(), flush=True)


if __name__ == "__main__":
    PROGRAMS = {
        "brought": brought,
        "files": files,
        "kill": kill,
        "readers": readers,
        "retried": retried,
        "submitted": submitted,
    }
    PROGRAMS[sys.argv[1]](*sys.argv[2:])
