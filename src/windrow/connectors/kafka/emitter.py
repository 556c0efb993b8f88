"""Gives elements made of records, many at a time."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress, repeat
from operator import is_not
from typing import Any, cast

import numpy as np

from windrow.common.limits import NO_TIMESTAMP
from windrow.connectors.kafka.client import client
from windrow.connectors.kafka.deserialization import KafkaRecordDeserializationSchema, OfMessages, ValueOnly
from windrow.connectors.kafka.errors import MalformedRecordError
from windrow.connectors.kafka.partitions import KafkaPartitionSplit
from windrow.connectors.kafka.record import ConsumerRecord, timestamps_of
from windrow.connectors.source import SourceOutput
from windrow.connectors.source_reader import RecordEmitter
from windrow.datastream.output_tag import OutputTag
from windrow.metrics import Counter
from windrow.operators.watermarks.timestamp_assignment import Timestamps


class KafkaPartitionSplitState:
    """A split, and the offset behind the last record that was emitted."""

    def __init__(self, split: KafkaPartitionSplit) -> None:
        self._split = split
        self.topic_partition = split.topic_partition
        self.current_offset = split.starting_offset

    def to_split(self) -> KafkaPartitionSplit:
        """The rest of the split."""
        return self._split.from_offset(self.current_offset)


class KafkaRecordEmitter(RecordEmitter[Any, Any, KafkaPartitionSplitState]):
    """Deserializes and emits messages of the client's, with Kafka's own timestamps.

    Args:
        deserializer: Makes the elements.
        dead_letter: The side output of records that it cannot read; None makes one an error.
        errors: Counts those records.
        source: The source's name in the job, for errors.
    """

    def __init__(
        self,
        deserializer: KafkaRecordDeserializationSchema,
        dead_letter: OutputTag | None,
        errors: Counter,
        source: str = "source",
    ) -> None:
        self._source = source
        self._deserializer = deserializer.counted_by(errors) if isinstance(deserializer, OfMessages) else deserializer
        self._dead_letter = dead_letter
        self._errors = errors
        self._message_type = client().Message

    def emit_record(self, element: Any, output: SourceOutput[Any], split_state: KafkaPartitionSplitState) -> None:
        self.emit_records([element], output, split_state)

    def emit_records(
        self, elements: Sequence[Any], output: SourceOutput[Any], split_state: KafkaPartitionSplitState
    ) -> None:
        messages = list(elements)
        timestamps = self._timestamps(messages)
        try:
            values = self._deserialized(messages, timestamps)
        except Exception:
            self._one_by_one(messages, timestamps, output)
        else:
            if not isinstance(values, list):  # columns of all of them
                output.collect_batch(values, cast("Sequence[int]", timestamps))
                split_state.current_offset = messages[-1].offset() + 1
                return
            kept = list(map(is_not, values, repeat(None)))
            if not all(kept):
                values, timestamps = list(compress(values, kept)), timestamps[kept]
            output.collect_batch(values, cast("Sequence[int]", timestamps))
        split_state.current_offset = messages[-1].offset() + 1

    def _timestamps(self, messages: list[Any]) -> Timestamps:
        if isinstance(self._deserializer, OfMessages) and not self._deserializer.has_timestamps:
            return np.full(len(messages), NO_TIMESTAMP)
        return timestamps_of(messages, self._message_type)

    def _deserialized(self, messages: list[Any], timestamps: Timestamps) -> Sequence[Any]:
        if isinstance(self._deserializer, ValueOnly):
            return self._deserializer.of_values(list(map(self._message_type.value, messages)))
        if isinstance(self._deserializer, OfMessages):
            return self._deserializer.of_messages(messages, timestamps)
        return [self._deserializer.deserialize(ConsumerRecord.of(message)) for message in messages]

    def _one_by_one(self, messages: list[Any], timestamps: Timestamps, output: SourceOutput[Any]) -> None:
        """At least one of them cannot be read: emit those that can, in their places."""
        for place, message in enumerate(messages):
            record = ConsumerRecord.of(message)
            try:
                (value,) = self._deserialized([message], timestamps[place : place + 1])
            except Exception as error:
                if self._dead_letter is None:
                    advice = self._deserializer.advice
                    raise MalformedRecordError(self._source, *record[:3], record.value, error, advice) from error
                self._errors.inc()
                output.collect_side(self._dead_letter, record, record.timestamp)
            else:
                if value is not None:
                    output.collect(value, record.timestamp)
