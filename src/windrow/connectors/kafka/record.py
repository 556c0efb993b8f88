"""A record as Kafka has it."""

from __future__ import annotations

from typing import Any, NamedTuple

from windrow.common.limits import NO_TIMESTAMP

#: What librdkafka says of a timestamp that a record does not have.
_NOT_AVAILABLE = 0


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

    @staticmethod
    def of(message: Any) -> ConsumerRecord:
        """Of a message of the client's."""
        kind, timestamp = message.timestamp()
        return ConsumerRecord(
            message.topic(),
            message.partition(),
            message.offset(),
            NO_TIMESTAMP if kind == _NOT_AVAILABLE else timestamp,
            message.key(),
            message.value(),
            tuple(message.headers() or ()),
        )


def timestamps_of(messages: list[Any], message_type: Any) -> list[int] | tuple[int, ...]:
    """The timestamps of messages of the client's."""
    kinds, timestamps = zip(*map(message_type.timestamp, messages), strict=True)
    if _NOT_AVAILABLE not in kinds:
        return timestamps
    return [NO_TIMESTAMP if kind == _NOT_AVAILABLE else time for kind, time in zip(kinds, timestamps, strict=True)]
