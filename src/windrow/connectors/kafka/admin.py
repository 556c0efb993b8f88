"""Questions to the brokers about topics, partitions and offsets; they are asked again until there is an answer."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping
from typing import Any, TypeVar

from windrow.connectors.kafka.client import FATAL, client, connector_error, kafka_error, new_admin
from windrow.connectors.kafka.errors import KafkaConnectorError
from windrow.connectors.kafka.offsets import Offsets, PartitionOffsetsRetriever
from windrow.connectors.kafka.partitions import KafkaTopicPartition
from windrow.connectors.kafka.settings import ConsumerSettings

A = TypeVar("A")

#: Seconds between two attempts: a connection that is refused is refused at once.
_PAUSE = 0.1
#: Seconds that one attempt may take.
_ATTEMPT = 10.0


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
        self._last_error: Any = None
        self._admin = new_admin(settings.for_enumerator(), self._on_error)

    def topics(self) -> dict[str, list[int]]:
        """The numbers of the partitions of every topic that there is."""
        topics = self._ask("list topics", lambda timeout: self._admin.list_topics(timeout=timeout).topics)
        return {name: sorted(topic.partitions) for name, topic in topics.items() if topic.error is None}

    def committed_offsets(self, partitions: Collection[KafkaTopicPartition]) -> Offsets:
        group = self._settings.group_id
        if group is None or not partitions:
            return {}
        kafka = client()
        asked = kafka.ConsumerGroupTopicPartitions(group, _named(partitions, kafka.TopicPartition))

        def ask(timeout: float) -> Any:
            answers = self._admin.list_consumer_group_offsets([asked], request_timeout=timeout)
            return answers[group].result().topic_partitions

        found = self._ask(f"ask for the committed offsets of group {group}", ask)
        return {
            KafkaTopicPartition(each.topic, each.partition): each.offset
            for each in found
            if each.error is None and each.offset >= 0
        }

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
            answers = self._admin.list_offsets(asked, isolation_level=isolation, request_timeout=timeout)
            return {
                KafkaTopicPartition(partition.topic, partition.partition): answer.result().offset
                for partition, answer in answers.items()
            }

        return self._ask(f"list offsets of {', '.join(map(str, specs))}", ask)

    def _ask(self, what: str, ask: Callable[[float], A]) -> A:
        """The answer to ``ask(timeout in seconds)``."""
        deadline = time.monotonic() + self._settings.timeout
        while True:
            left = max(deadline - time.monotonic(), 0.01)
            try:
                return ask(min(left, _ATTEMPT))
            except client().KafkaException as error:
                self._admin.poll(0)  # calls _on_error
                said = kafka_error(error)
                for known in (said, self._last_error):
                    if known is not None and known.name() in FATAL:
                        raise connector_error(self._doing(what), known, "") from error
                if time.monotonic() + _PAUSE >= deadline:
                    raise BrokersUnreachableError(self._unreachable(what, said)) from error
            time.sleep(_PAUSE)

    def _on_error(self, error: Any) -> None:
        self._last_error = error

    def _doing(self, what: str) -> str:
        return f"KafkaSource could not {what} at {self._settings.bootstrap_servers}"

    def _unreachable(self, what: str, said: Any) -> str:
        last = self._last_error or said
        return (
            f"{self._doing(what)}: no answer within {self._settings.timeout:g} s (the last error was: {last.str()}); "
            "check bootstrap.servers, that a broker runs there, and that its advertised.listeners can be reached from "
            "here, or wait longer with the property default.api.timeout.ms"
        )


def _named(partitions: Collection[KafkaTopicPartition], kind: Any) -> list[Any]:
    return [kind(partition.topic, partition.partition) for partition in partitions]
