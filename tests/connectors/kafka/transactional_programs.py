"""From topic to topic, in a process of its own: `python transactional_programs.py SERVERS FROM TO CHECKPOINT`.

The environment variable ``WINDROW_DIES_IN`` names a batch: it kills itself when Kafka has committed that, and Spark has
not.
"""

import os
import signal
import sys

from windrow.common import Configuration, SimpleStringSchema, WatermarkStrategy
from windrow.datastream import StreamExecutionEnvironment
from windrow.datastream.connectors.base import DeliveryGuarantee
from windrow.datastream.connectors.kafka import (
    KafkaOffsetsInitializer,
    KafkaRecordSerializationSchema,
    KafkaSink,
    KafkaSource,
)

DIES_IN = int(os.environ.get("WINDROW_DIES_IN", "-1"))


class Dying(KafkaSink):
    """Kills its process and all that belong to it when the brokers have committed a batch."""

    def commit(self, batch, committables):
        super().commit(batch, committables)
        if batch == DIES_IN:
            os.killpg(0, signal.SIGKILL)


def main(servers, read, written, checkpoint):
    """Many small batches from topic to topic."""
    configuration = Configuration().set_string("execution.checkpointing.dir", checkpoint)
    configuration.set_integer("windrow.source.records-per-batch", 100)
    env = StreamExecutionEnvironment.get_execution_environment(configuration).set_parallelism(2)
    source = (
        KafkaSource.builder()
        .set_bootstrap_servers(servers)
        .set_topics(read)
        .set_property("max.poll.records", "50")
        .set_bounded(KafkaOffsetsInitializer.latest())
        .set_value_only_deserializer(SimpleStringSchema())
        .build()
    )
    serializer = (
        KafkaRecordSerializationSchema.builder()
        .set_topic(written)
        .set_value_serialization_schema(SimpleStringSchema())
        .build()
    )
    sink = (
        KafkaSink.builder()
        .set_bootstrap_servers(servers)
        .set_record_serializer(serializer)
        .set_delivery_guarantee(DeliveryGuarantee.EXACTLY_ONCE)
        .set_transactional_id_prefix(written)
        .build()
    )
    sink.__class__ = Dying
    env.from_source(source, WatermarkStrategy.for_monotonous_timestamps(), "kafka").sink_to(sink)
    env.execute("topic to topic")


if __name__ == "__main__":
    main(*sys.argv[1:])
