"""The source of Kafka's records."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from windrow.common.typeinfo import TypeInformation
from windrow.connectors.kafka.deserialization import KafkaRecordDeserializationSchema, ValueOnly
from windrow.connectors.kafka.enumerator import KafkaSourceEnumerator, KafkaSourceEnumState, KafkaSubscription
from windrow.connectors.kafka.partitions import KafkaPartitionSplit
from windrow.connectors.kafka.reader import KafkaSourceReader
from windrow.connectors.kafka.settings import ConsumerSettings
from windrow.connectors.source import Boundedness, Source, SourceReader, SourceReaderContext, SplitEnumeratorContext
from windrow.datastream.output_tag import OutputTag

if TYPE_CHECKING:
    from windrow.connectors.kafka.source_builder import KafkaSourceBuilder


class KafkaSource(Source[Any, KafkaPartitionSplit, KafkaSourceEnumState]):
    """Reads topics of Apache Kafka (Flink's ``KafkaSource``); made by :meth:`builder`.

    A split is a partition, with a watermark of its own; elements have Kafka's timestamps. Offsets are in the job's
    checkpoint, so each record counts once, whatever fails.
    """

    def __init__(
        self,
        subscription: KafkaSubscription,
        settings: ConsumerSettings,
        deserializer: KafkaRecordDeserializationSchema,
        dead_letter: OutputTag | None,
    ) -> None:
        self._subscription = subscription
        self._settings = settings
        self._deserializer = deserializer
        self._dead_letter = dead_letter
        self.produced_type: TypeInformation | None = (
            deserializer.produced_type() if isinstance(deserializer, ValueOnly) else None
        )

    @staticmethod
    def builder() -> KafkaSourceBuilder:
        """Begin a source.

        Example:
            >>> from windrow.common.serialization import SimpleStringSchema
            >>> builder = (
            ...     KafkaSource.builder()
            ...     .set_bootstrap_servers("localhost:9092")
            ...     .set_topics("orders", "returns")
            ...     .set_value_only_deserializer(SimpleStringSchema())
            ... )
        """
        from windrow.connectors.kafka.source_builder import KafkaSourceBuilder

        return KafkaSourceBuilder()

    def get_boundedness(self) -> Boundedness:
        return self._subscription.boundedness

    @property
    def assigns_at_start(self) -> bool:
        """Yes, if it is bounded: its partitions and their ends are found when the job starts."""
        return self.bounded

    def create_enumerator(self, enum_context: SplitEnumeratorContext[KafkaPartitionSplit]) -> KafkaSourceEnumerator:
        return KafkaSourceEnumerator(self._subscription, self._settings, enum_context)

    def restore_enumerator(
        self, enum_context: SplitEnumeratorContext[KafkaPartitionSplit], checkpoint: KafkaSourceEnumState
    ) -> KafkaSourceEnumerator:
        return KafkaSourceEnumerator(self._subscription, self._settings, enum_context, checkpoint)

    def create_reader(self, reader_context: SourceReaderContext) -> SourceReader[Any, KafkaPartitionSplit]:
        return KafkaSourceReader(self._settings, self._deserializer, self._dead_letter, reader_context)

    def __repr__(self) -> str:
        return f"KafkaSource({self._subscription.subscriber!r} at {self._settings.bootstrap_servers})"
