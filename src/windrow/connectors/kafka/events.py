"""Events from readers to the enumerator."""

from __future__ import annotations

from dataclasses import dataclass

from windrow.connectors.kafka.partitions import KafkaTopicPartition
from windrow.connectors.source import SourceEvent


@dataclass(frozen=True)
class SplitsFinished(SourceEvent):
    """Partitions were read to where they end, and what was read is committed.

    Attributes:
        offsets: the offset behind the last record, by partition.
    """

    offsets: dict[KafkaTopicPartition, int]
