"""Partitions of topics, as splits of a source."""

from __future__ import annotations

from dataclasses import dataclass, replace

from windrow.common.checks import text
from windrow.connectors.source import SourceSplit
from windrow.errors import ConfigurationError


@dataclass(frozen=True, order=True)
class KafkaTopicPartition:
    """A partition of a topic; Kafka's ``org.apache.kafka.common.TopicPartition``.

    Args:
        topic: The topic's name.
        partition: The partition's number, from 0.

    Raises:
        ConfigurationTypeError: the topic is no text.
        ConfigurationError: the partition is no number from 0.

    Example:
        >>> str(KafkaTopicPartition("orders", 3))
        'orders-3'
    """

    topic: str
    partition: int

    def __post_init__(self) -> None:
        text(self.topic, "topic of a KafkaTopicPartition")
        if not isinstance(self.partition, int) or isinstance(self.partition, bool) or self.partition < 0:
            msg = f"partition of a KafkaTopicPartition must be an int from 0; got {self.partition!r}"
            raise ConfigurationError(msg)

    @property
    def key(self) -> tuple[str, int]:
        """As Kafka's clients name it."""
        return self.topic, self.partition

    def __str__(self) -> str:
        return f"{self.topic}-{self.partition}"


@dataclass(frozen=True)
class KafkaPartitionSplit(SourceSplit):
    """A partition from an offset on (Flink's ``KafkaPartitionSplit``).

    Args:
        topic_partition: The partition.
        starting_offset: The offset of the first record to read.
        stopping_offset: The offset in front of which the split ends; None: it does not.
    """

    topic_partition: KafkaTopicPartition
    starting_offset: int
    stopping_offset: int | None = None

    def split_id(self) -> str:
        return str(self.topic_partition)

    def from_offset(self, offset: int) -> KafkaPartitionSplit:
        """Make a split of what is at and behind an offset."""
        return replace(self, starting_offset=offset)

    def end_within(self, end: int) -> int:
        """The offset behind the last record to read of a partition with this end, as far as there is one yet."""
        return end if self.stopping_offset is None else min(self.stopping_offset, end)

    def is_empty(self) -> bool:
        """Tell whether it ends where it begins."""
        return self.stopping_offset is not None and self.starting_offset >= self.stopping_offset


def owner(partition: KafkaTopicPartition, readers: int) -> int:
    """The reader that reads a partition: Flink's rule.

    Partitions of a topic go to readers in turn, from one that the topic's name decides.

    Example:
        >>> [owner(KafkaTopicPartition("orders", number), 4) for number in range(5)]
        [3, 0, 1, 2, 3]
    """
    units = partition.topic.encode("utf-16-le")
    code = 0
    for low, high in zip(units[::2], units[1::2], strict=True):
        code = (31 * code + (high << 8 | low)) & 0xFFFFFFFF  # Java's String.hashCode
    return ((code * 31 & 0x7FFFFFFF) % readers + partition.partition) % readers
