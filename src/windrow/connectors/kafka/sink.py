"""The sink of Kafka's records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from windrow.connectors.interfaces import SinkWriter, WriterContext, WriterSink
from windrow.connectors.kafka.client import client, connector_error
from windrow.connectors.kafka.errors import KafkaConnectorError
from windrow.connectors.kafka.producers import drop, producer
from windrow.connectors.kafka.serialization import KafkaRecordSerializationSchema, ProducerRecord
from windrow.errors import user_function_error

if TYPE_CHECKING:
    from windrow.connectors.kafka.sink_builder import KafkaSinkBuilder

#: Seconds to wait for room when the producer's queue is full.
_ROOM = 0.1


class KafkaSink(WriterSink):
    """Writes elements to topics of Apache Kafka (Flink's ``KafkaSink``); made by :meth:`builder`.

    At least once: a batch ends when the brokers have acknowledged all of its records, and a batch that is run again
    writes its records again. Within one attempt nothing is lost, doubled or put in another order within a partition.
    """

    def __init__(self, settings: Mapping[str, str], serializer: KafkaRecordSerializationSchema) -> None:
        self._settings = dict(settings)
        self._serializer = serializer

    @staticmethod
    def builder() -> KafkaSinkBuilder:
        """Begin a sink.

        Example:
            >>> from windrow.common.serialization import SimpleStringSchema
            >>> values = SimpleStringSchema()
            >>> builder = (
            ...     KafkaSink.builder()
            ...     .set_bootstrap_servers("localhost:9092")
            ...     .set_record_serializer(
            ...         KafkaRecordSerializationSchema.builder()
            ...         .set_topic("results")
            ...         .set_value_serialization_schema(values)
            ...         .build()
            ...     )
            ... )
        """
        from windrow.connectors.kafka.sink_builder import KafkaSinkBuilder

        return KafkaSinkBuilder()

    def create_writer(self, context: WriterContext) -> SinkWriter:
        return KafkaWriter(self._settings, self._serializer, context.sink)

    def commit(self, batch: int, committables: Sequence[Any]) -> None:
        """Nothing: the records are there."""

    def __repr__(self) -> str:
        return f"KafkaSink({self._settings['bootstrap.servers']})"


class KafkaWriter(SinkWriter):
    """Writes what one partition of one batch has for the sink."""

    def __init__(
        self, settings: Mapping[str, str], serializer: KafkaRecordSerializationSchema, sink: str = "sink"
    ) -> None:
        self._settings = settings
        self._serializer = serializer
        self._sink = sink
        self._producer, self._reports = producer(settings)
        self._failed: tuple[Any, Any] | None = None

    def write(self, values: Sequence[Any], timestamps: Sequence[int]) -> None:
        serialize = self._serializer.serialize
        for value, timestamp in zip(values, timestamps, strict=True):
            try:
                record = serialize(value, int(timestamp))
            except BaseException as error:
                raise user_function_error(self._sink, value, error) from error
            if record is not None:
                self._produce(record)
        self._producer.poll(0)
        self._check()

    def prepare_commit(self) -> None:
        while self._producer.flush(_ROOM):
            self._check()
        self._check()

    def abort(self) -> None:
        # What is in the producer's queue may be written yet, or not: the batch is run again.
        drop(self._settings)

    def _produce(self, record: ProducerRecord) -> None:
        headers = record.headers
        while True:
            try:
                self._producer.produce(
                    record.topic,
                    record.value,
                    record.key,
                    partition=-1 if record.partition is None else record.partition,
                    timestamp=0 if record.timestamp < 0 else max(record.timestamp, 1),
                    headers=(dict(headers) if isinstance(headers, Mapping) else list(headers)) or None,
                    on_delivery=self._delivered,
                )
            except BufferError:
                self._producer.poll(_ROOM)
                self._check()
            except client().KafkaException as error:
                raise self._error(error.args[0], record.topic) from error
            else:
                return

    def _delivered(self, error: Any, message: Any) -> None:
        """Called for records that could not be written."""
        if error is not None and self._failed is None:
            self._failed = error, message.topic()

    def _check(self) -> None:
        if self._failed is not None:
            raise self._error(*self._failed)

    def _error(self, error: Any, topic: str) -> KafkaConnectorError:
        drop(self._settings)
        return connector_error(
            f"KafkaSink could not write to topic {topic!r} at {self._settings['bootstrap.servers']}",
            error,
            "check that the brokers can be reached; how long they are waited for is the property delivery.timeout.ms",
            self._reports.last if error.name() == "_MSG_TIMED_OUT" else None,
        )
