"""The program that test_kill.py runs in a process of its own: `python programs.py SERVERS TOPIC CHECKPOINT OUT`."""

import sys

from windrow.common import Configuration, Encoder, SimpleStringSchema, Time, Types, WatermarkStrategy
from windrow.datastream import ProcessWindowFunction, StreamExecutionEnvironment
from windrow.datastream.connectors.file_system import FileSink
from windrow.datastream.connectors.kafka import KafkaOffsetsInitializer, KafkaSource
from windrow.datastream.window import TumblingEventTimeWindows


class Lines(ProcessWindowFunction):
    def process(self, key, context, elements):
        yield f"{key} {context.window().start} {sum(1 for _ in elements)}"


def main(servers, topic, checkpoint, out):
    """Many small batches: how many of each value there are in each second, written to files."""
    configuration = Configuration().set_string("execution.checkpointing.dir", checkpoint)
    configuration.set_integer("windrow.source.records-per-batch", 500)
    env = StreamExecutionEnvironment.get_execution_environment(configuration).set_parallelism(2)
    source = (
        KafkaSource.builder()
        .set_bootstrap_servers(servers)
        .set_topics(topic)
        .set_group_id("killed")
        .set_property("max.poll.records", "250")
        .set_bounded(KafkaOffsetsInitializer.latest())
        .set_value_only_deserializer(SimpleStringSchema())
        .build()
    )
    (
        env.from_source(source, WatermarkStrategy.for_monotonous_timestamps(), "kafka")
        .key_by(lambda value: value)
        .window(TumblingEventTimeWindows.of(Time.seconds(1)))
        .process(Lines(), Types.STRING())
        .sink_to(FileSink.for_row_format(out, Encoder.simple_string_encoder()).build())
    )
    env.execute("killed")


if __name__ == "__main__":
    main(*sys.argv[1:])
