"""A record as Kafka has it."""

from __future__ import annotations

from typing import NamedTuple


class ConsumerRecord(NamedTuple):
    """A record that was read (Kafka's ``org.apache.kafka.clients.consumer.ConsumerRecord``).

    Attributes:
        topic: its topic.
        partition: its partition.
        offset: its offset in the partition.
        timestamp: in milliseconds; -2^63 if it has none.
        key: its key; None if it has none.
        value: its value; None if it has none (a tombstone).
        headers: names and values, in order; a name may come more than once.
    """

    topic: str
    partition: int
    offset: int
    timestamp: int
    key: bytes | None
    value: bytes | None
    headers: tuple[tuple[str, bytes | None], ...] = ()
