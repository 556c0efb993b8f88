"""Topics as tables whose records take the place of each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from windrow.connectors.kafka.offsets import KafkaOffsetsInitializer
from windrow.datastream.streams.data_stream import DataStream
from windrow.errors import SqlError
from windrow.table.changelog_mode import ChangelogMode
from windrow.table.connectors.kafka.connector import KafkaTable
from windrow.table.connectors.kafka.parts import key_part, value_part
from windrow.table.data_types import DataType


class UpsertKafka(KafkaTable):
    """A record is the row of its key, and one without a value deletes it (``upsert-kafka``)."""

    name = "upsert-kafka"
    changes = True

    def configure(self) -> None:
        super().configure()
        options = self.options
        if not self.topics:
            options.needed("topic")
        if not self.table.primary_key:
            msg = (
                f"table {self.table.name!r}: 'upsert-kafka' needs the columns of records' keys: declare "
                "PRIMARY KEY (...) NOT ENFORCED"
            )
            raise SqlError(msg)
        self.starting = KafkaOffsetsInitializer.earliest()
        keys = [self.names.index(name) for name in self.table.primary_key]
        self.key = key_part(options, self.columns, keys)
        self.value = value_part(options, self.columns, keys, needs_value=True)
        # Records are sent when a batch ends: there is no buffer whose size or time could be set.
        options.number("sink.buffer-flush.max-rows")
        options.milliseconds("sink.buffer-flush.interval", "0")

    def changelog_mode(self) -> ChangelogMode:
        return ChangelogMode.upsert()

    def write_changes(self, stream: DataStream, types: Sequence[DataType]) -> Any:
        return self.send(stream, changes=True)
