"""Builds a sink of Kafka's, step by step."""

from __future__ import annotations

from windrow.common.checks import instance_of, text
from windrow.connectors.interfaces import DeliveryGuarantee
from windrow.connectors.kafka.client import check_producer_properties
from windrow.connectors.kafka.properties import Properties, librdkafka
from windrow.connectors.kafka.serialization import KafkaRecordSerializationSchema
from windrow.connectors.kafka.sink import KafkaSink
from windrow.errors import ConfigurationError

#: What makes the writes of one attempt exact, and what Kafka's Java clients do and librdkafka does not by itself.
_DEFAULTS = {
    "acks": "all",
    "delivery.timeout.ms": "120000",
    "enable.idempotence": "true",
    "partitioner": "murmur2_random",
    "queue.buffering.max.kbytes": "65536",
    "queue.buffering.max.messages": "1000000",
}


class KafkaSinkBuilder:
    """Builds a :class:`KafkaSink`. Servers and a record serializer must be set.

    Wrong arguments are a ``ConfigurationError`` of the call they are given to.
    """

    def __init__(self) -> None:
        self._properties = Properties("KafkaSink")
        self._serializer: KafkaRecordSerializationSchema | None = None

    def set_bootstrap_servers(self, bootstrap_servers: str) -> KafkaSinkBuilder:
        """Some of the cluster's brokers, as ``host:port,host:port``."""
        return self.set_property("bootstrap.servers", text(bootstrap_servers, "bootstrap_servers of KafkaSink"))

    def set_record_serializer(self, record_serializer: KafkaRecordSerializationSchema) -> KafkaSinkBuilder:
        """Set the schema that makes records of elements."""
        self._serializer = instance_of(
            record_serializer,
            KafkaRecordSerializationSchema,
            "record_serializer of KafkaSink",
            "make one with KafkaRecordSerializationSchema.builder()",
        )
        return self

    def set_delivery_guarantee(self, delivery_guarantee: DeliveryGuarantee) -> KafkaSinkBuilder:
        """Set how often a record may show after a failure: AT_LEAST_ONCE, which is also what NONE gets.

        Raises:
            ConfigurationError: EXACTLY_ONCE, which the sink does not give: its records are written by workers, and a
                transaction of Kafka's cannot be committed by another process than the one that has begun it.
        """
        guarantee = instance_of(delivery_guarantee, DeliveryGuarantee, "delivery_guarantee of KafkaSink")
        if guarantee is DeliveryGuarantee.EXACTLY_ONCE:
            msg = (
                "KafkaSink does not give DeliveryGuarantee.EXACTLY_ONCE: a transaction of Kafka's is committed by no "
                "other process than the one that has begun it, and a batch of Spark's is committed by another. Use "
                "AT_LEAST_ONCE with records that may be written twice, because their key says what they replace (a "
                "compacted topic, an upsert downstream), or let readers drop repeats by an id in the record; FileSink "
                "writes exactly once"
            )
            raise ConfigurationError(msg)
        return self

    def set_transactional_id_prefix(self, transactional_id_prefix: str) -> KafkaSinkBuilder:
        """Checked, and not needed: the sink uses no transactions."""
        text(transactional_id_prefix, "transactional_id_prefix of KafkaSink")
        return self

    def set_property(self, key: str, value: str) -> KafkaSinkBuilder:
        """Set a property of Kafka's producers: see the page on Kafka."""
        self._properties.set(key, value)
        return self

    def build(self) -> KafkaSink:
        """The sink.

        Raises:
            ConfigurationError: something is missing, or the client refuses a property.
            MissingKafkaClientError: the Kafka client is not installed.
        """
        values = self._properties.values()
        if "bootstrap.servers" not in values:
            msg = "KafkaSink.builder().build(): there is no broker: call set_bootstrap_servers"
            raise ConfigurationError(msg)
        if self._serializer is None:
            msg = "KafkaSink.builder().build(): there is no record serializer: call set_record_serializer"
            raise ConfigurationError(msg)
        if "transactional.id" in values:
            msg = "KafkaSink uses no transactions: leave the property transactional.id out"
            raise ConfigurationError(msg)
        settings = {**_DEFAULTS, **librdkafka(values)}
        check_producer_properties(settings)
        return KafkaSink(settings, self._serializer)
