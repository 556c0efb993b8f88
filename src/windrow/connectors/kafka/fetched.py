"""Records of a partition as they were fetched."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from itertools import repeat
from operator import itemgetter
from typing import Any, Final, Self, overload

import numpy as np

from windrow.common.limits import NO_TIMESTAMP
from windrow.connectors.kafka.record import ConsumerRecord
from windrow.operators.watermarks.timestamp_assignment import Timestamps

Headers = tuple[tuple[str, bytes | None], ...]

#: The names that Kafka's Java client has for what a record's timestamp is.
NO_TIMESTAMP_TYPE: Final = "NoTimestampType"
CREATE_TIME: Final = "CreateTime"
LOG_APPEND_TIME: Final = "LogAppendTime"

#: By librdkafka's numbers.
_TYPES = (NO_TIMESTAMP_TYPE, CREATE_TIME, LOG_APPEND_TIME)
#: What librdkafka says of a timestamp that a record does not have.
_NOT_AVAILABLE = 0
#: The time of a pair of kind and time.
_TIME = itemgetter(1)


class FetchedRecords(Sequence[ConsumerRecord], ABC):
    """Records of one partition, in order, as those who fetch them have them: columns of what somebody asks for.

    Args:
        topic: The partition's topic.
        partition: Its number.
    """

    def __init__(self, topic: str, partition: int) -> None:
        self.topic = topic
        self.partition = partition

    @overload
    def __getitem__(self, place: int) -> ConsumerRecord: ...

    @overload
    def __getitem__(self, place: slice) -> Self: ...

    def __getitem__(self, place: int | slice) -> ConsumerRecord | Self:
        if isinstance(place, slice):
            begin, end, _ = place.indices(len(self))
            return self._slice(begin, end)
        begin = range(len(self))[place]
        (record,) = self._slice(begin, begin + 1)
        return record

    def __iter__(self) -> Iterator[ConsumerRecord]:
        columns = self.offsets(), self.timestamps().tolist(), self.keys(), self.values(), self.headers()
        return map(ConsumerRecord, repeat(self.topic), repeat(self.partition), *columns)

    @abstractmethod
    def next_offset(self) -> int:
        """The offset behind the last of them."""

    @abstractmethod
    def offsets(self) -> list[int]:
        """Their offsets."""

    @abstractmethod
    def keys(self) -> list[bytes | None]:
        """Their keys."""

    @abstractmethod
    def values(self) -> Sequence[bytes | None]:
        """Their values."""

    @abstractmethod
    def headers(self) -> list[Headers]:
        """Names and values, in order; a name may come more than once."""

    @abstractmethod
    def timestamps(self) -> Timestamps:
        """Their timestamps in milliseconds; ``NO_TIMESTAMP`` for a record without."""

    @abstractmethod
    def timestamp_types(self) -> list[str]:
        """Give their timestamps' types, by the names that Kafka's Java client has."""

    @abstractmethod
    def leader_epochs(self) -> list[int | None]:
        """The epochs of the leaders that have written them; None where it is not known."""

    @abstractmethod
    def _slice(self, begin: int, end: int) -> Self:
        """Those from a place to another."""


class FetchedMessages(FetchedRecords):
    """Messages of librdkafka's client.

    Args:
        topic: The partition's topic.
        partition: Its number.
        messages: The client's.
    """

    def __init__(self, topic: str, partition: int, messages: list[Any]) -> None:
        super().__init__(topic, partition)
        self._messages = messages

    def __len__(self) -> int:
        return len(self._messages)

    def next_offset(self) -> int:
        offset: int = self._messages[-1].offset()
        return offset + 1

    def offsets(self) -> list[int]:
        return self._each("offset")

    def keys(self) -> list[bytes | None]:
        return self._each("key")

    def values(self) -> list[bytes | None]:
        return self._each("value")

    def headers(self) -> list[Headers]:
        return [tuple(headers or ()) for headers in self._each("headers")]

    def timestamps(self) -> Timestamps:
        pairs = self._each("timestamp")
        timestamps: Timestamps = np.fromiter(map(_TIME, pairs), np.int64, len(pairs))
        # The time of a record that has none is never positive, so the kinds of others need no look.
        for place in np.flatnonzero(timestamps <= 0).tolist():
            if pairs[place][0] == _NOT_AVAILABLE:
                timestamps[place] = NO_TIMESTAMP
        return timestamps

    def timestamp_types(self) -> list[str]:
        return [_TYPES[kind] for kind, _ in self._each("timestamp")]

    def leader_epochs(self) -> list[int | None]:
        return self._each("leader_epoch")

    def _each(self, method: str) -> list[Any]:
        # The class's method, not that of each message: it is a quarter quicker.
        return list(map(getattr(type(self._messages[0]), method), self._messages)) if self._messages else []

    def _slice(self, begin: int, end: int) -> Self:
        return type(self)(self.topic, self.partition, self._messages[begin:end])
