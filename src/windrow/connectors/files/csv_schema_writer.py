"""CSV files that a ``CsvSchema`` describes, written as Jackson does, which is Flink's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO

from windrow.connectors.files.bulk import BulkWriter, BulkWriterFactory
from windrow.connectors.rows.csv_schema import CsvSchema
from windrow.connectors.rows.csv_values import csv_writer, quoting
from windrow.table.data_types import row_type_info


@dataclass(frozen=True)
class CsvSchemaFactory(BulkWriterFactory):
    """CSV files of rows."""

    schema: CsvSchema

    def create(self, file: BinaryIO) -> BulkWriter:
        return CsvSchemaWriter(file, self.schema)


class CsvSchemaWriter(BulkWriter):
    """Writes each element as a line of CSV, behind a header if there is to be one."""

    def __init__(self, file: BinaryIO, schema: CsvSchema) -> None:
        self._file = file
        self._convert = row_type_info(schema.row_type).converter()
        self._show = csv_writer(schema.text_type, schema.dialect, dict(schema.separators))
        if schema.use_header:
            names = map(quoting(schema.dialect), schema.row_type.field_names())
            file.write(f"{schema.dialect.field_delimiter.join(names)}{schema.dialect.line_delimiter}".encode())

    def add_elements(self, elements: Sequence[Any]) -> None:
        self._file.write("".join([self._show(self._convert(element)) for element in elements]).encode())

    def finish(self) -> None:
        """Nothing is left: every line is written at once."""
