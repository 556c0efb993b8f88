"""Avro's files, written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO

from windrow.connectors.avro.schema import AvroSchema, avro
from windrow.connectors.avro.type_info import plain, reason_of
from windrow.connectors.files.bulk import BulkWriter, BulkWriterFactory
from windrow.errors import TypeConversionError, shorten


@dataclass(frozen=True)
class AvroFactory(BulkWriterFactory):
    """Avro files of records."""

    schema: AvroSchema
    codec: str

    def create(self, file: BinaryIO) -> BulkWriter:
        return AvroWriter(file, self.schema, self.codec)


class AvroWriter(BulkWriter):
    """Writes records: dicts, or rows with names."""

    def __init__(self, file: BinaryIO, schema: AvroSchema, codec: str) -> None:
        avro()  # says what is missing
        from fastavro.write import Writer

        self._writer = Writer(file, schema.parsed, codec=codec)

    def add_elements(self, elements: Sequence[Any]) -> None:
        for element in elements:
            try:
                self._writer.write(plain(element))
            except Exception as error:  # fastavro has several kinds, with no common base
                msg = f"{shorten(element)} does not fit the Avro schema: {reason_of(error)}"
                raise TypeConversionError(msg) from None

    def finish(self) -> None:
        self._writer.flush()
