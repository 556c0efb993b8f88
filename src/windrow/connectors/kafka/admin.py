"""Questions to the brokers about topics, partitions and offsets; they are asked again until there is an answer."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

from windrow.connectors.kafka.client import FATAL, client, connector_error, kafka_error, new_admin, new_consumer
from windrow.connectors.kafka.errors import KafkaConnectorError
from windrow.connectors.kafka.logs import log, plain
from windrow.connectors.kafka.offsets import Offsets, PartitionOffsetsRetriever
from windrow.connectors.kafka.partitions import KafkaTopicPartition
from windrow.connectors.kafka.settings import ConsumerSettings

A = TypeVar("A")

#: Seconds between two attempts: a connection that is refused is refused at once.
_PAUSE = 0.1
#: Seconds that the first attempt may take, and each further one twice as long: what is wrong (the password, say) is
#: often reported at once, but asked for only between two attempts.
_FIRST_ATTEMPT = 1.0


def keeper(errors: deque[Any]) -> Callable[[Any], None]:
    """A function that keeps errors; that all brokers are away only where nothing says why."""

    def keep(error: Any) -> None:
        if error.name() != "_ALL_BROKERS_DOWN" or not errors:
            errors.append(error)

    return keep


class BrokersUnreachableError(KafkaConnectorError):
    """No broker has answered in time."""


class KafkaAdmin(PartitionOffsetsRetriever):
    """Asks the brokers.

    Args:
        settings: The source's.

    Raises:
        KafkaConnectorError: (all methods) a broker refuses the question.
        BrokersUnreachableError: (all methods) no broker has answered within ``default.api.timeout.ms``.
    """

    def __init__(self, settings: ConsumerSettings) -> None:
        self._settings = settings
        #: The last error that the client has reported. (A method of this object would keep the client alive.)
        self._errors: deque[Any] = deque(maxlen=1)
        self._admin = new_admin(settings.for_enumerator(), keeper(self._errors))

    def topics(self) -> dict[str, list[int]]:
        """The numbers of the partitions of every topic that there is."""
        topics = self._ask("list topics", lambda timeout: self._admin.list_topics(timeout=timeout).topics)
        return {name: sorted(topic.partitions) for name, topic in topics.items() if topic.error is None}

    def committed_offsets(self, partitions: Collection[KafkaTopicPartition]) -> Offsets:
        group = self._settings.group_id
        if group is None or not partitions:
            return {}
        asked = [client().TopicPartition(each.topic, each.partition) for each in partitions]
        # Asked by a consumer: librdkafka's admin client dies of the answer that the group's coordinator still loads.
        with self._consumer() as consumer:
            found = self._ask(
                f"ask for the committed offsets of group {group}",
                lambda timeout: consumer.committed(asked, timeout=timeout),
                lambda: self._reported_by(consumer),
            )
        return {KafkaTopicPartition(each.topic, each.partition): each.offset for each in found if each.offset >= 0}

    def beginning_offsets(self, partitions: Collection[KafkaTopicPartition]) -> Offsets:
        from confluent_kafka.admin import OffsetSpec

        return self._list_offsets(dict.fromkeys(partitions, OffsetSpec.earliest()))

    def end_offsets(self, partitions: Collection[KafkaTopicPartition]) -> Offsets:
        from confluent_kafka.admin import OffsetSpec

        return self._list_offsets(dict.fromkeys(partitions, OffsetSpec.latest()))

    def offsets_for_times(self, timestamps: Mapping[KafkaTopicPartition, int]) -> Offsets:
        from confluent_kafka.admin import OffsetSpec

        specs = {partition: OffsetSpec.for_timestamp(time) for partition, time in timestamps.items()}
        return {partition: offset for partition, offset in self._list_offsets(specs).items() if offset >= 0}

    def commit(self, offsets: Offsets) -> None:
        """Commit offsets for the group, of which no member may be at work."""
        partitions = [client().TopicPartition(each.topic, each.partition, offset) for each, offset in offsets.items()]
        with self._consumer() as consumer:
            self._ask(
                f"commit offsets of group {self._settings.group_id}",
                lambda _: consumer.commit(offsets=partitions, asynchronous=False),
                lambda: self._reported_by(consumer),
            )

    def close(self) -> None:
        """End the client's threads."""
        self._admin = None

    def _list_offsets(self, specs: Mapping[KafkaTopicPartition, Any]) -> Offsets:
        if not specs:
            return {}
        kafka = client()
        level = kafka.IsolationLevel
        isolation = level.READ_COMMITTED if self._settings.read_committed else level.READ_UNCOMMITTED
        asked = {kafka.TopicPartition(partition.topic, partition.partition): spec for partition, spec in specs.items()}

        def ask(timeout: float) -> Offsets:
            # Once the client has heard that nobody leads a partition, it asks again only for the list of topics.
            self._admin.list_topics(timeout=timeout)
            answers = self._admin.list_offsets(asked, isolation_level=isolation, request_timeout=timeout)
            return {
                KafkaTopicPartition(partition.topic, partition.partition): answer.result().offset
                for partition, answer in answers.items()
            }

        return self._ask(f"list offsets of {', '.join(map(str, specs))}", ask)

    def _ask(self, what: str, ask: Callable[[float], A], report: Callable[[], Any] | None = None) -> A:
        """The answer to ``ask(timeout in seconds)``; ``report`` has the client report errors."""
        deadline = time.monotonic() + self._settings.timeout
        attempt = _FIRST_ATTEMPT
        while True:
            left = max(deadline - time.monotonic(), 0.01)
            try:
                return ask(min(left, attempt))
            except client().KafkaException as error:
                (report or self._report)()
                said = kafka_error(error)
                for known in (said, *self._errors):
                    if known is not None and known.name() in FATAL:
                        raise connector_error(self._doing(what), known, "") from error
                if time.monotonic() + _PAUSE >= deadline:
                    raise BrokersUnreachableError(self._unreachable(what, said)) from None
                log.warning(
                    "%s: %s; asking again for %.0f s", self._doing(what), self._last(said), deadline - time.monotonic()
                )
            attempt *= 2
            time.sleep(_PAUSE)

    def _report(self) -> None:
        self._admin.poll(0)

    @contextmanager
    def _consumer(self) -> Iterator[Any]:
        """A consumer of the group that reads nothing."""
        consumer = new_consumer(self._settings.for_reader(0), keeper(self._errors))
        try:
            yield consumer
        finally:
            consumer.close()

    def _reported_by(self, consumer: Any) -> None:
        """A consumer of nothing has no messages but errors."""
        self._errors.extend(message.error() for message in consumer.consume(100, 0))

    def _doing(self, what: str) -> str:
        return f"KafkaSource could not {what} at {self._settings.bootstrap_servers}"

    def _last(self, said: Any) -> str:
        """The last error: one that the client has reported tells more than the answer's own."""
        return plain((self._errors[0] if self._errors else said).str())

    def _unreachable(self, what: str, said: Any) -> str:
        return (
            f"{self._doing(what)}: no answer within {self._settings.timeout:g} s (the last error was: "
            f"{self._last(said)}); "
            "check bootstrap.servers, that a broker runs there, and that its advertised.listeners can be reached from "
            "here, or wait longer with the property default.api.timeout.ms"
        )
