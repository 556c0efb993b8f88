"""From elements to a producer's acknowledged records."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from windrow.connectors.kafka.client import client, connector_error
from windrow.connectors.kafka.producers import Reports
from windrow.connectors.kafka.serialization import KafkaRecordSerializationSchema, ProducerRecord
from windrow.errors import user_function_error

#: Seconds to wait for room when the producer's queue is full.
_ROOM = 0.1
#: What is said of records that fail because of others: why is said elsewhere.
OF_OTHERS = frozenset({"_STATE", "_PURGE_QUEUE", "_PURGE_INFLIGHT", "_FATAL"})


def records_of(
    serializer: KafkaRecordSerializationSchema, sink: str, values: Sequence[Any], timestamps: Sequence[int]
) -> Iterator[ProducerRecord]:
    """The records of elements; errors of the serializer name the sink and the element."""
    serialize = serializer.serialize
    for value, timestamp in zip(values, timestamps, strict=True):
        try:
            record = serialize(value, int(timestamp))
        except BaseException as error:
            raise user_function_error(sink, value, error) from error
        if record is not None:
            yield record


class RecordSender:
    """Gives records to a producer, in order, and says if one of them could not be written.

    Args:
        producer: librdkafka's; it reports failed records alone.
        reports: Takes what the producer reports of no record in particular.
        servers: Where the brokers are, for errors.
        reason: Is called with the ``KafkaError`` before an error is raised; what it returns is said.

    Raises:
        KafkaConnectorError: (all methods) a record could not be written.
    """

    def __init__(self, producer: Any, reports: Reports, servers: str, reason: Callable[[Any], Any]) -> None:
        self._producer = producer
        self._reports = reports
        self._servers = servers
        self._reason = reason
        self._failed: list[tuple[Any, str]] = []
        #: Where the last record went.
        self._topic = ""
        # It outlives this object, where records stay in the queue, and must not keep the producer alive.
        self._on_delivery = partial(_note, self._failed)

    def send(self, record: ProducerRecord) -> None:
        """Give a record to the producer; wait while its queue is full."""
        headers, self._topic = record.headers, record.topic
        while True:
            try:
                self._producer.produce(
                    record.topic,
                    record.value,
                    record.key,
                    partition=-1 if record.partition is None else record.partition,
                    timestamp=0 if record.timestamp < 0 else max(record.timestamp, 1),
                    headers=(dict(headers) if isinstance(headers, Mapping) else list(headers)) or None,
                    on_delivery=self._on_delivery,
                )
            except BufferError:
                self._served(self._producer.poll, _ROOM)
            except client().KafkaException as error:
                self._failed.append((error.args[0], record.topic))
                self.poll()
            else:
                return

    def poll(self) -> None:
        """Look at what has failed so far."""
        self._served(self._producer.poll, 0)

    def flush(self) -> None:
        """Wait until the brokers have acknowledged every record."""
        while self._served(self._producer.flush, _ROOM):
            pass

    def _served(self, call: Callable[[float], int], timeout: float) -> int:
        """Let the producer report."""
        left = 0
        try:
            left = call(timeout)
        except client().KafkaException as error:  # no record can be written any more
            self._failed.append((error.args[0], self._topic))
        self._check()
        return left

    def _check(self) -> None:
        if not self._failed:
            return
        error, topic = next((each for each in self._failed if each[0].name() not in OF_OTHERS), self._failed[0])
        said = self._reason(error)
        what = f"KafkaSink could not write to topic {topic!r} at {self._servers}"
        raise connector_error(
            what,
            said,
            "check that the brokers can be reached; how long they are waited for is the property delivery.timeout.ms",
            self._reports.last if said.name() == "_MSG_TIMED_OUT" else None,
        ) from None


def _note(failed: list[tuple[Any, str]], error: Any, message: Any) -> None:
    """Called for records that could not be written."""
    if error is not None:
        failed.append((error, message.topic()))
