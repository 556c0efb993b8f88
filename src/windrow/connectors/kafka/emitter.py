"""Gives elements made of records, many at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import compress, repeat
from operator import is_not
from typing import Any, cast

import numpy as np

from windrow.common.limits import NO_TIMESTAMP
from windrow.connectors.kafka.deserialization import KafkaRecordDeserializationSchema, OfFetched, ValueOnly
from windrow.connectors.kafka.errors import MalformedRecordError
from windrow.connectors.kafka.fetched import FetchedRecords
from windrow.connectors.kafka.partitions import KafkaPartitionSplit
from windrow.connectors.kafka.record import ConsumerRecord
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
        """Make a split of what was not emitted yet."""
        return self._split.from_offset(self.current_offset)


class KafkaRecordEmitter(RecordEmitter[ConsumerRecord, Any, KafkaPartitionSplitState]):
    """Deserializes and emits what was fetched, with Kafka's own timestamps.

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
        self._deserializer = deserializer.counted_by(errors) if isinstance(deserializer, OfFetched) else deserializer
        self._dead_letter = dead_letter
        self._errors = errors

    def emit_record(
        self, element: ConsumerRecord, output: SourceOutput[Any], split_state: KafkaPartitionSplitState
    ) -> None:
        self._emit_one(element, partial(self._deserializer.deserialize, element), output)
        split_state.current_offset = element.offset + 1

    def emit_records(
        self, elements: Sequence[ConsumerRecord], output: SourceOutput[Any], split_state: KafkaPartitionSplitState
    ) -> None:
        records = cast("FetchedRecords", elements)
        timestamps = self._timestamps(records)
        try:
            values = self._deserialized(records, timestamps)
        except Exception:
            self._one_by_one(records, timestamps, output)
        else:
            if isinstance(values, list):  # and not columns of all of them
                kept = list(map(is_not, values, repeat(None)))
                if not all(kept):
                    values, timestamps = list(compress(values, kept)), timestamps[kept]
            output.collect_batch(values, cast("Sequence[int]", timestamps))
        split_state.current_offset = records.next_offset()

    def _timestamps(self, records: FetchedRecords) -> Timestamps:
        if isinstance(self._deserializer, OfFetched) and not self._deserializer.has_timestamps:
            return np.full(len(records), NO_TIMESTAMP)
        return records.timestamps()

    def _deserialized(self, records: FetchedRecords, timestamps: Timestamps) -> Sequence[Any]:
        if isinstance(self._deserializer, ValueOnly):
            return self._deserializer.of_values(list(records.values()))
        if isinstance(self._deserializer, OfFetched):
            return self._deserializer.of_fetched(records, timestamps)
        return [self._deserializer.deserialize(record) for record in records]

    def _one_by_one(self, records: FetchedRecords, timestamps: Timestamps, output: SourceOutput[Any]) -> None:
        """At least one of them cannot be read: emit those that can, in their places."""
        for place, record in enumerate(records):
            part = slice(place, place + 1)
            self._emit_one(record, partial(self._only, records[part], timestamps[part]), output)

    def _only(self, record: FetchedRecords, timestamps: Timestamps) -> Any:
        (value,) = self._deserialized(record, timestamps)
        return value

    def _emit_one(self, record: ConsumerRecord, deserialized: Callable[[], Any], output: SourceOutput[Any]) -> None:
        try:
            value = deserialized()
        except Exception as error:
            if self._dead_letter is None:
                advice = self._deserializer.advice
                raise MalformedRecordError(self._source, *record[:3], record.value, error, advice) from error
            self._errors.inc()
            output.collect_side(self._dead_letter, record, record.timestamp)
        else:
            if value is not None:
                output.collect(value, record.timestamp)
