"""Builds a source of Kafka's, step by step."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from typing import Any, NoReturn

from windrow.common.checks import instance_of, text
from windrow.common.serialization import DeserializationSchema
from windrow.connectors.kafka.client import check_consumer_properties
from windrow.connectors.kafka.deserialization import KafkaRecordDeserializationSchema, RecordFunction, ValueOnly
from windrow.connectors.kafka.enumerator import KafkaSubscription
from windrow.connectors.kafka.offsets import KafkaOffsetsInitializer
from windrow.connectors.kafka.partitions import KafkaTopicPartition
from windrow.connectors.kafka.properties import CLIENT_ID_PREFIX, Properties
from windrow.connectors.kafka.record import ConsumerRecord
from windrow.connectors.kafka.settings import ConsumerSettings
from windrow.connectors.kafka.source import KafkaSource
from windrow.connectors.kafka.subscriber import (
    KafkaSubscriber,
    PartitionSetSubscriber,
    TopicListSubscriber,
    TopicPatternSubscriber,
)
from windrow.connectors.source import Boundedness
from windrow.datastream.output_tag import OutputTag
from windrow.errors import ConfigurationError


class KafkaSourceBuilder:
    """Builds a :class:`KafkaSource`. Servers, a deserializer and topics, a pattern or partitions must be set.

    Wrong arguments are a ``ConfigurationError`` of the call they are given to.
    """

    def __init__(self) -> None:
        self._properties = Properties("KafkaSource")
        self._subscriber: KafkaSubscriber | None = None
        self._starting = KafkaOffsetsInitializer.earliest()
        self._stopping: KafkaOffsetsInitializer | None = None
        self._boundedness = Boundedness.CONTINUOUS_UNBOUNDED
        self._deserializer: KafkaRecordDeserializationSchema | None = None
        self._dead_letter: OutputTag | None = None

    def set_bootstrap_servers(self, bootstrap_servers: str) -> KafkaSourceBuilder:
        """Some of the cluster's brokers, as ``host:port,host:port``."""
        return self.set_property("bootstrap.servers", text(bootstrap_servers, "bootstrap_servers of KafkaSource"))

    def set_group_id(self, group_id: str) -> KafkaSourceBuilder:
        """The consumer group that offsets are committed to when batches are. It does not deal the partitions."""
        return self.set_property("group.id", text(group_id, "group_id of KafkaSource"))

    def set_topics(self, *topics: str) -> KafkaSourceBuilder:
        """Read all partitions of these topics, which must be there when the job starts."""
        named = topics[0] if len(topics) == 1 and isinstance(topics[0], (list, tuple)) else topics
        if not named:
            msg = "set_topics of KafkaSource takes at least one topic; got none"
            raise ConfigurationError(msg)
        return self._subscribe(TopicListSubscriber(text(topic, "a topic of set_topics") for topic in named))

    def set_topic_pattern(self, topic_pattern: str | re.Pattern[str]) -> KafkaSourceBuilder:
        """Read all topics whose whole name matches a regular expression (Python's), also those that come later."""
        if isinstance(topic_pattern, re.Pattern):
            return self._subscribe(TopicPatternSubscriber(topic_pattern))
        try:
            pattern = re.compile(text(topic_pattern, "topic_pattern of KafkaSource"))
        except re.error as error:
            msg = f"topic_pattern of KafkaSource is no regular expression: {error}; got {topic_pattern!r}"
            raise ConfigurationError(msg) from None
        return self._subscribe(TopicPatternSubscriber(pattern))

    def set_partitions(self, partitions: Collection[KafkaTopicPartition]) -> KafkaSourceBuilder:
        """Read these partitions and no others."""
        for partition in instance_of(partitions, Collection, "partitions of KafkaSource"):
            instance_of(partition, KafkaTopicPartition, "a partition of set_partitions")
        if not partitions:
            msg = "set_partitions of KafkaSource takes at least one partition; got none"
            raise ConfigurationError(msg)
        return self._subscribe(PartitionSetSubscriber(partitions))

    def set_starting_offsets(self, starting_offsets_initializer: KafkaOffsetsInitializer) -> KafkaSourceBuilder:
        """Set where reading begins; at the earliest offsets if it is not called.

        It goes for partitions that are there when the job first starts; those that are found later are read from their
        beginning.
        """
        self._starting = _initializer(starting_offsets_initializer, "starting_offsets_initializer")
        return self

    def set_unbounded(self, stopping_offsets_initializer: KafkaOffsetsInitializer) -> KafkaSourceBuilder:
        """Stop reading at these offsets, in a job that goes on."""
        self._stopping = _initializer(stopping_offsets_initializer, "stopping_offsets_initializer")
        self._boundedness = Boundedness.CONTINUOUS_UNBOUNDED
        return self

    def set_bounded(self, stopping_offsets_initializer: KafkaOffsetsInitializer) -> KafkaSourceBuilder:
        """End at these offsets, in front of the record that has it: a source with an end, of which a job ends too.

        They are fixed when the job first starts, and no partitions are looked for later.
        """
        self.set_unbounded(stopping_offsets_initializer)
        self._boundedness = Boundedness.BOUNDED
        return self

    def set_value_only_deserializer(
        self, deserialization_schema: DeserializationSchema | Callable[[bytes], Any]
    ) -> KafkaSourceBuilder:
        """Make elements of values.

        Args:
            deserialization_schema: A schema such as ``SimpleStringSchema()``, or a function of bytes such as
                ``json.loads``. It gives None to skip a record.
        """
        self._deserializer = ValueOnly(deserialization_schema)
        return self

    def set_deserializer(
        self, record_deserializer: KafkaRecordDeserializationSchema | Callable[[ConsumerRecord], Any]
    ) -> KafkaSourceBuilder:
        """Make elements of whole records.

        Args:
            record_deserializer: A schema, or a function of a ``ConsumerRecord``. It gives None to skip a record.
        """
        if not isinstance(record_deserializer, KafkaRecordDeserializationSchema):
            record_deserializer = RecordFunction(record_deserializer)
        self._deserializer = record_deserializer
        return self

    def set_dead_letter(self, dead_letter: OutputTag) -> KafkaSourceBuilder:
        """Send records that the deserializer cannot read to a side output, as ``ConsumerRecord``; Flink has no such.

        Without it such a record ends the job with a ``MalformedRecordError``. ``from_source(...)`` gives the stream
        whose ``get_side_output`` has them.
        """
        self._dead_letter = instance_of(dead_letter, OutputTag, "dead_letter of KafkaSource")
        return self

    def set_client_id_prefix(self, prefix: str) -> KafkaSourceBuilder:
        """Set how the ids of the source's clients begin; with the group id if it is not called."""
        return self.set_property(CLIENT_ID_PREFIX, text(prefix, "prefix of set_client_id_prefix"))

    def set_property(self, key: str, value: str) -> KafkaSourceBuilder:
        """Set a property of Kafka's consumers, or of the connector's: see the page on Kafka."""
        self._properties.set(key, value)
        return self

    def set_properties(self, props: Mapping[str, str]) -> KafkaSourceBuilder:
        """Set several properties, each as by :meth:`set_property`."""
        for key, value in instance_of(props, Mapping, "props of set_properties").items():
            self.set_property(key, value)
        return self

    def build(self) -> KafkaSource:
        """The source.

        Raises:
            ConfigurationError: something is missing, or the client refuses a property.
            MissingKafkaClientError: the Kafka client is not installed.
        """
        values = self._properties.values()
        if "bootstrap.servers" not in values:
            self._missing("broker: call set_bootstrap_servers")
        if self._subscriber is None:
            self._missing("topic: call set_topics, set_topic_pattern or set_partitions")
        if self._deserializer is None:
            self._missing("deserializer: call set_value_only_deserializer or set_deserializer")
        for initializer in (self._starting, self._stopping):
            if initializer is not None and initializer.needs_group() and "group.id" not in values:
                msg = f"{initializer!r} asks where a group is, but the KafkaSource has no group: call set_group_id"
                raise ConfigurationError(msg)
        settings = ConsumerSettings(values, self._starting.get_auto_offset_reset_strategy())
        check_consumer_properties(settings.for_reader(0))
        subscription = KafkaSubscription(self._subscriber, self._starting, self._stopping, self._boundedness)
        return KafkaSource(subscription, settings, self._deserializer, self._dead_letter)

    def _missing(self, what: str) -> NoReturn:
        msg = f"KafkaSource.builder().build(): there is no {what}"
        raise ConfigurationError(msg)

    def _subscribe(self, subscriber: KafkaSubscriber) -> KafkaSourceBuilder:
        if self._subscriber is not None:
            msg = (
                f"a KafkaSource has one of topics, a topic pattern and partitions; {self._subscriber!r} is set already"
            )
            raise ConfigurationError(msg)
        self._subscriber = subscriber
        return self


def _initializer(value: Any, parameter: str) -> KafkaOffsetsInitializer:
    hint = "make one with KafkaOffsetsInitializer.earliest(), latest(), committed_offsets(), timestamp() or offsets()"
    checked: KafkaOffsetsInitializer = instance_of(value, KafkaOffsetsInitializer, parameter, hint)
    return checked
