"""Builds a sink of Kafka's, step by step."""

from __future__ import annotations

from collections.abc import Mapping

from windrow.common.checks import instance_of, text
from windrow.connectors.interfaces import DeliveryGuarantee
from windrow.connectors.kafka.client import check_producer_properties
from windrow.connectors.kafka.properties import Properties, librdkafka, number
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
_DELIVERY, _TRANSACTION = "delivery.timeout.ms", "transaction.timeout.ms"


class KafkaSinkBuilder:
    """Builds a :class:`KafkaSink`. Servers and a record serializer must be set.

    Wrong arguments are a ``ConfigurationError`` of the call they are given to.
    """

    def __init__(self) -> None:
        self._properties = Properties("KafkaSink")
        self._serializer: KafkaRecordSerializationSchema | None = None
        self._guarantee = DeliveryGuarantee.NONE
        self._prefix: str | None = None

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
        """Set how often a record may show after a failure: AT_LEAST_ONCE, which NONE gets as well, or EXACTLY_ONCE.

        EXACTLY_ONCE needs :meth:`set_transactional_id_prefix`, and consumers that read committed records alone.
        """
        self._guarantee = instance_of(delivery_guarantee, DeliveryGuarantee, "delivery_guarantee of KafkaSink")
        return self

    def set_transactional_id_prefix(self, transactional_id_prefix: str) -> KafkaSinkBuilder:
        """Set how the names begin under which EXACTLY_ONCE writes: another for each sink that writes to the cluster."""
        self._prefix = text(transactional_id_prefix, "transactional_id_prefix of KafkaSink")
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
            msg = (
                "KafkaSink names its transactions itself: leave the property transactional.id out, and say with "
                "set_transactional_id_prefix how their names begin"
            )
            raise ConfigurationError(msg)
        if self._guarantee is not DeliveryGuarantee.EXACTLY_ONCE:
            settings = {**_DEFAULTS, **librdkafka(values)}
            check_producer_properties(settings)
            return KafkaSink(settings, self._serializer)
        if self._prefix is None:
            msg = (
                "KafkaSink.builder().build(): DeliveryGuarantee.EXACTLY_ONCE needs a name for the sink's transactions: "
                "call set_transactional_id_prefix, with another prefix for each sink that writes to the cluster"
            )
            raise ConfigurationError(msg)
        settings = _of_transactions(librdkafka(values))
        check_producer_properties({**settings, "transactional.id": self._prefix})
        return KafkaSink(settings, self._serializer, self._prefix)


def _of_transactions(given: Mapping[str, str]) -> dict[str, str]:
    """The settings of transactions: one may be open for as long as its records are waited for, and no shorter.

    Raises:
        ConfigurationError: records are to be waited for without end, or for longer than a transaction is open.
    """
    default = int(_DEFAULTS[_DELIVERY])
    named = next((name for name in (_DELIVERY, "message.timeout.ms") if name in given), _DELIVERY)
    transaction = number(given, _TRANSACTION, max(default, number(given, named, default)))
    delivery = number(given, named, min(default, transaction))
    if not 0 < delivery <= transaction:
        msg = (
            f"KafkaSink with DeliveryGuarantee.EXACTLY_ONCE: the property {named} ({delivery} ms) must be more than 0 "
            f"and not more than {_TRANSACTION} ({transaction} ms), for records cannot be waited for behind the end of "
            "their transaction"
        )
        raise ConfigurationError(msg)
    settings = {**_DEFAULTS, "socket.timeout.ms": "60000", **given, _TRANSACTION: str(transaction)}
    return {**{name: value for name, value in settings.items() if name != named}, _DELIVERY: str(delivery)}
