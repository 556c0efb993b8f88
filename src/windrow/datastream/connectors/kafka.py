"""Apache Kafka as a source and a sink, under PyFlink's names."""

from windrow.absent.explained import module_getattr
from windrow.connectors.kafka.deserialization import KafkaRecordDeserializationSchema
from windrow.connectors.kafka.errors import KafkaConnectorError, MalformedRecordError, MissingKafkaClientError
from windrow.connectors.kafka.offsets import (
    KafkaOffsetResetStrategy,
    KafkaOffsetsInitializer,
    PartitionOffsetsRetriever,
)
from windrow.connectors.kafka.partitions import KafkaPartitionSplit, KafkaTopicPartition
from windrow.connectors.kafka.record import ConsumerRecord
from windrow.connectors.kafka.serialization import (
    KafkaRecordSerializationSchema,
    KafkaRecordSerializationSchemaBuilder,
    KafkaTopicSelector,
    ProducerRecord,
)
from windrow.connectors.kafka.sink import KafkaSink
from windrow.connectors.kafka.sink_builder import KafkaSinkBuilder
from windrow.connectors.kafka.source import KafkaSource
from windrow.connectors.kafka.source_builder import KafkaSourceBuilder
from windrow.datastream.connectors.base import DeliveryGuarantee

__all__ = [
    "ConsumerRecord",
    "DeliveryGuarantee",
    "KafkaConnectorError",
    "KafkaOffsetResetStrategy",
    "KafkaOffsetsInitializer",
    "KafkaPartitionSplit",
    "KafkaRecordDeserializationSchema",
    "KafkaRecordSerializationSchema",
    "KafkaRecordSerializationSchemaBuilder",
    "KafkaSink",
    "KafkaSinkBuilder",
    "KafkaSource",
    "KafkaSourceBuilder",
    "KafkaTopicPartition",
    "KafkaTopicSelector",
    "MalformedRecordError",
    "MissingKafkaClientError",
    "PartitionOffsetsRetriever",
    "ProducerRecord",
]

__getattr__ = module_getattr(__name__)
