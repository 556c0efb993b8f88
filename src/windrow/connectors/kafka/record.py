"""A record as Kafka has it."""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np

from windrow.common.limits import NO_TIMESTAMP
from windrow.operators.watermarks.timestamp_assignment import Timestamps

#: What librdkafka says of a timestamp that a record does not have.
_NOT_AVAILABLE = 0
#: The time of a pair of kind and time.
_TIME = itemgetter(1)


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


def timestamps_of(messages: Sequence[Any], message_type: Any) -> Timestamps:
    """The timestamps of messages of the client's; it has a kind and a time for each."""
    timestamps: Timestamps = np.fromiter(map(_TIME, map(message_type.timestamp, messages)), np.int64, len(messages))
    # The time of a record that has none is never positive, so the kinds of others need no look.
    for place in np.flatnonzero(timestamps <= 0).tolist():
        if messages[place].timestamp()[0] == _NOT_AVAILABLE:
            timestamps[place] = NO_TIMESTAMP
    return timestamps
