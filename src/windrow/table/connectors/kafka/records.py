"""Tuples of a table as records of Kafka's."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any

from windrow.common.limits import NO_TIMESTAMP
from windrow.connectors.kafka.serialization import KafkaRecordSerializationSchema, ProducerRecord
from windrow.operators.table.changes import TAKES_BACK
from windrow.table.connectors.kafka.parts import Part

_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
_MILLISECOND = dt.timedelta(milliseconds=1)


class Records(KafkaRecordSerializationSchema):
    """Writes tuples as records; the time of rows is that of no record, unless it is written as metadata.

    Args:
        topic: Where they go.
        value: What is in values.
        key: What is in keys; None: there are none.
        metadata: The places of what else is written, by name: headers, and the timestamp.
        changes: Whether the last field is the kind of the row: one that takes back another is a record without a value.
    """

    def __init__(
        self, topic: str, value: Part, key: Part | None, metadata: Mapping[str, int], *, changes: bool = False
    ) -> None:
        self._topic = topic
        self._value = value
        self._key = key
        self._headers, self._timestamp = metadata.get("headers"), metadata.get("timestamp")
        self._changes = changes

    def serialize(self, element: Any, timestamp: int) -> ProducerRecord:
        headers = None if self._headers is None else element[self._headers]
        time = None if self._timestamp is None else element[self._timestamp]
        is_tombstone = self._changes and element[-1] in TAKES_BACK
        return ProducerRecord(
            self._topic,
            None if is_tombstone else _content(self._value, element),
            None if self._key is None else _content(self._key, element),
            headers or (),
            NO_TIMESTAMP if time is None else (time - _EPOCH) // _MILLISECOND,
        )


def _content(part: Part, element: Any) -> bytes:
    return part.lines.write([element[place] for place in part.places]).encode()
