"""Choose the partitions that a source reads."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence

from windrow.connectors.kafka.errors import KafkaConnectorError
from windrow.connectors.kafka.partitions import KafkaTopicPartition


class KafkaSubscriber(ABC):
    """Chooses partitions among all that there are (Flink's ``KafkaSubscriber``); must pickle."""

    @abstractmethod
    def subscribed(self, topics: Mapping[str, Sequence[int]]) -> set[KafkaTopicPartition]:
        """The partitions to read.

        Args:
            topics: The numbers of the partitions of every topic.

        Raises:
            KafkaConnectorError: something that was named is not there.
        """


class TopicListSubscriber(KafkaSubscriber):
    """All partitions of some topics."""

    def __init__(self, topics: Iterable[str]) -> None:
        self._topics = tuple(topics)

    def subscribed(self, topics: Mapping[str, Sequence[int]]) -> set[KafkaTopicPartition]:
        _check_there(self._topics, topics)
        return {KafkaTopicPartition(topic, number) for topic in self._topics for number in topics[topic]}

    def __repr__(self) -> str:
        return f"topics {', '.join(self._topics)}"


class TopicPatternSubscriber(KafkaSubscriber):
    """All partitions of the topics whose whole name matches a pattern, also of those that come later."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self._pattern = pattern

    def subscribed(self, topics: Mapping[str, Sequence[int]]) -> set[KafkaTopicPartition]:
        matching = filter(self._pattern.fullmatch, topics)
        return {KafkaTopicPartition(topic, number) for topic in matching for number in topics[topic]}

    def __repr__(self) -> str:
        return f"topic pattern {self._pattern.pattern}"


class PartitionSetSubscriber(KafkaSubscriber):
    """Some partitions, and no others."""

    def __init__(self, partitions: Iterable[KafkaTopicPartition]) -> None:
        self._partitions = frozenset(partitions)

    def subscribed(self, topics: Mapping[str, Sequence[int]]) -> set[KafkaTopicPartition]:
        _check_there(sorted({partition.topic for partition in self._partitions}), topics)
        for topic, number in sorted((partition.topic, partition.partition) for partition in self._partitions):
            if number not in topics[topic]:
                msg = f"KafkaSource: topic {topic!r} has {len(topics[topic])} partitions, and no partition {number}"
                raise KafkaConnectorError(msg)
        return set(self._partitions)

    def __repr__(self) -> str:
        return f"partitions {', '.join(map(str, sorted(self._partitions)))}"


def _check_there(wanted: Sequence[str], topics: Mapping[str, Sequence[int]]) -> None:
    missing = [topic for topic in wanted if topic not in topics]
    if missing:
        there = ", ".join(map(repr, sorted(topic for topic in topics if not topic.startswith("__"))[:20])) or "none"
        msg = (
            f"KafkaSource: there is no topic {', '.join(map(repr, missing))} that this user may see, but {there}; "
            "check the name, create the topic, or use set_topic_pattern for topics that come later"
        )
        raise KafkaConnectorError(msg)
