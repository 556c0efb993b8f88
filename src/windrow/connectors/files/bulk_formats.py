"""Parquet, ORC, CSV and JSON lines."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, BinaryIO

from windrow.common.composite_types import RowTypeInfo
from windrow.common.types import Row
from windrow.connectors.files.bulk import BulkWriter, BulkWriterFactory
from windrow.connectors.rows.checks import row_type_of
from windrow.errors import ConfigurationError, TypeConversionError, shorten

#: So many rows are written at a time; in Parquet they are a row group.
ROWS_PER_TABLE = 1 << 16

PARQUET_COMPRESSIONS = ("snappy", "zstd", "gzip", "lz4", "brotli", "none")


class TableWriter(BulkWriter):
    """Collects rows, and gives tables of them to one of Arrow's writers."""

    def __init__(self, tables: Any, writer: Any) -> None:
        self._tables = tables
        self._writer = writer
        self._rows: list[Any] = []

    def add_elements(self, elements: Sequence[Any]) -> None:
        self._rows.extend(elements)
        while len(self._rows) >= ROWS_PER_TABLE:
            self._write(self._rows[:ROWS_PER_TABLE])
            del self._rows[:ROWS_PER_TABLE]

    def finish(self) -> None:
        if self._rows:
            self._write(self._rows)
        self._writer.close()

    def _write(self, rows: list[Any]) -> None:
        try:
            self._writer.write_table(self._tables.table(rows))
        except BaseException:
            # Left open, it would write its footer when it is collected, into a file that is closed by then. What it
            # says about a file that cannot be written to is not why this failed.
            with suppress(OSError, ValueError):
                self._writer.close()
            raise


@dataclass(frozen=True)
class ParquetFactory(BulkWriterFactory):
    """Parquet files of rows."""

    row_type: RowTypeInfo
    compression: str
    #: Further arguments of Arrow's writer, by name.
    options: tuple[tuple[str, Any], ...] = ()

    def create(self, file: BinaryIO) -> BulkWriter:
        import pyarrow.parquet as pq

        from windrow.connectors.files.arrow_rows import RowTables

        tables = RowTables(self.row_type)
        writer = pq.ParquetWriter(file, tables.schema, compression=self.compression, **dict(self.options))
        return TableWriter(tables, writer)


@dataclass(frozen=True)
class OrcFactory(BulkWriterFactory):
    """ORC files of rows."""

    row_type: RowTypeInfo
    #: Arguments of Arrow's writer, by name.
    options: tuple[tuple[str, Any], ...]

    def create(self, file: BinaryIO) -> BulkWriter:
        from windrow.connectors.files.arrow_rows import RowTables

        return TableWriter(RowTables(self.row_type), _OrcWriter(file, self.options))

    def check(self, call: str) -> None:
        """Refuse what ORC has no type for.

        Raises:
            ConfigurationError: a field is a time of day, say.
        """
        import pyarrow as pa

        from windrow.connectors.files.arrow_rows import RowTables

        for field in RowTables(self.row_type).schema:
            try:
                writer = _OrcWriter(io.BytesIO(), self.options)
                writer.write_table(pa.schema([field]).empty_table())
                writer.close()
            except pa.ArrowException as error:
                msg = f"{call}: field {field.name!r} is {field.type}, which ORC does not have: {error}"
                raise ConfigurationError(msg) from None


class _OrcWriter:
    """Arrow's writer of ORC, with the methods of the one of Parquet."""

    def __init__(self, file: BinaryIO, options: tuple[tuple[str, Any], ...]) -> None:
        from pyarrow import orc

        self._writer = orc.ORCWriter(file, **dict(options))
        self.write_table = self._writer.write
        self.close = self._writer.close


@dataclass(frozen=True)
class CsvFactory(BulkWriterFactory):
    """CSV files of rows."""

    row_type: RowTypeInfo
    header: bool
    delimiter: str

    def create(self, file: BinaryIO) -> BulkWriter:
        import pyarrow.csv as pc

        from windrow.connectors.files.arrow_rows import RowTables

        tables = RowTables(self.row_type)
        options = pc.WriteOptions(include_header=self.header, delimiter=self.delimiter, quoting_style="needed")
        return TableWriter(tables, pc.CSVWriter(file, tables.schema, write_options=options))


@dataclass(frozen=True)
class JsonFactory(BulkWriterFactory):
    """Files with a JSON object in each line."""

    row_type: RowTypeInfo | None

    def create(self, file: BinaryIO) -> BulkWriter:
        return JsonLinesWriter(file, self.row_type)


class JsonLinesWriter(BulkWriter):
    """Writes each element as a line of JSON."""

    def __init__(self, file: BinaryIO, row_type: RowTypeInfo | None) -> None:
        self._file = file
        self._convert = None if row_type is None else row_type.converter()
        encoder = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False, default=_jsonable)
        self._encode = encoder.encode

    def add_elements(self, elements: Sequence[Any]) -> None:
        rows = elements if self._convert is None else [self._convert(element) for element in elements]
        self._file.write("".join([f"{self._line(row)}\n" for row in rows]).encode())

    def finish(self) -> None:
        """Nothing is left: every line is written at once."""

    def _line(self, row: Any) -> str:
        try:
            return self._encode(row)
        except (TypeError, ValueError) as error:
            msg = f"{shorten(row)} cannot be written as JSON: {error}"
            raise TypeConversionError(msg) from error


def _jsonable(value: Any) -> Any:
    if isinstance(value, Row):
        return list(value) if value._fields is None else value.as_dict()
    if isinstance(value, Decimal):
        return str(value)  # a JSON number would be read back as a binary fraction
    if hasattr(value, "isoformat"):
        return value.isoformat()
    if hasattr(value, "tolist"):  # NumPy's scalars and arrays
        return value.tolist()
    msg = f"there is no JSON for {shorten(value)} ({type(value).__name__})"
    raise TypeError(msg)


def arrow_row_type_of(row_type: Any, call: str, *, flat: bool = False) -> RowTypeInfo:
    """The row type, checked to be one that Arrow can write; ``flat``: without fields that are made of others."""
    from windrow.connectors.files.arrow_rows import RowTables

    checked = row_type_of(row_type, call)
    for field in RowTables(checked).schema:
        if flat and field.type.num_fields:
            msg = f"{call}: field {field.name!r} is {field.type}, and CSV has only single values; make it a string"
            raise ConfigurationError(msg)
    return checked
