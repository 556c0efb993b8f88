"""The sink of Kafka's records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from windrow.connectors.interfaces import SinkWriter, WriterContext, WriterSink
from windrow.connectors.kafka.groups import delete_groups
from windrow.connectors.kafka.logs import log
from windrow.connectors.kafka.producers import drop, producer
from windrow.connectors.kafka.sender import RecordSender, records_of
from windrow.connectors.kafka.serialization import KafkaRecordSerializationSchema
from windrow.connectors.kafka.transactional_writer import TransactionalWriter

if TYPE_CHECKING:
    from windrow.connectors.kafka.sink_builder import KafkaSinkBuilder


class KafkaSink(WriterSink):
    """Writes elements to topics of Apache Kafka (Flink's ``KafkaSink``); made by :meth:`builder`.

    At least once, unless the builder is told otherwise: a batch ends when the brokers have acknowledged all of its
    records, and a batch that is run again writes its records again. Within one attempt nothing is lost, doubled or put
    in another order within a partition. Exactly once: the records of a partition of a batch, and the number of the
    batch, are written in one transaction, so a batch that is run again is passed over.

    Args:
        settings: librdkafka's, of the producers.
        serializer: Makes records of elements.
        prefix: How transactional ids begin; None: there are no transactions.
    """

    def __init__(
        self, settings: Mapping[str, str], serializer: KafkaRecordSerializationSchema, prefix: str | None = None
    ) -> None:
        self.settings = dict(settings)
        self.serializer = serializer
        self._prefix = prefix

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

    @property
    def timeout(self) -> float:
        """The time for which brokers are waited for, in seconds."""
        return float(self.settings["delivery.timeout.ms"]) / 1000

    def target(self) -> str | None:
        if self._prefix is None:
            return None
        return f"to {self.settings['bootstrap.servers']} with transactional ids that begin with {self._prefix!r}"

    def create_writer(self, context: WriterContext) -> SinkWriter:
        if self._prefix is not None:
            return TransactionalWriter(self, self._prefix, context)
        return KafkaWriter(self, context.sink)

    def commit(self, batch: int, committables: Sequence[str]) -> None:
        """Nothing is left to be done: the records are there. Say what writers had to say."""
        for warning in committables:
            log.warning("%s", warning)

    def forget(self, job: str) -> None:
        if self._prefix is not None:
            delete_groups(self.settings, f"{self._prefix}-{job}-")

    def __repr__(self) -> str:
        return f"KafkaSink({self.settings['bootstrap.servers']})"


class KafkaWriter(SinkWriter):
    """Writes what one partition of one batch has for the sink."""

    def __init__(self, sink: KafkaSink, name: str) -> None:
        self._sink = sink
        self._name = name
        made, reports = producer(sink.settings)
        self._sender = RecordSender(made, reports, sink.settings["bootstrap.servers"], self._failed)

    def write(self, values: Sequence[Any], timestamps: Sequence[int]) -> None:
        for record in records_of(self._sink.serializer, self._name, values, timestamps):
            self._sender.send(record)
        self._sender.poll()

    def prepare_commit(self) -> None:
        self._sender.flush()

    def _failed(self, error: Any) -> Any:
        self.abort()
        return error

    def abort(self) -> None:
        # What is in the producer's queue may be written yet, or not: the batch is run again.
        drop(self._sink.settings)
