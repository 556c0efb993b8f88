"""Tables by the name of their connector: how they are read, and how they are written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from difflib import get_close_matches
from typing import Any

from windrow.common.serialization import Encoder
from windrow.common.watermark_strategy import WatermarkStrategy
from windrow.connectors.discarding import DiscardingSink
from windrow.connectors.files.source import FileSource
from windrow.datastream.connectors.file_system import FileSink, RollingPolicy, StreamFormat
from windrow.datastream.formats.parquet import ParquetBulkWriters, ParquetColumnarRowInputFormat
from windrow.datastream.streams.data_stream import DataStream
from windrow.datastream.streams.program import factory
from windrow.errors import SqlError
from windrow.operators.table.decoding import DecodeOperator, EncodeOperator
from windrow.operators.table.rows import ToRowsOperator, ToTuplesOperator
from windrow.sql.catalog import TableDefinition
from windrow.sql.errors import nearest
from windrow.table.changelog_mode import ChangelogMode
from windrow.table.connectors.formats import line_format
from windrow.table.connectors.generated import generated
from windrow.table.connectors.jdbc.connector import Jdbc
from windrow.table.connectors.kafka.connector import Kafka
from windrow.table.connectors.kafka.upsert import UpsertKafka
from windrow.table.connectors.printed import PrintTableSink
from windrow.table.connectors.table_connector import TableConnector
from windrow.table.data_types import DataType, row_type_info


class Filesystem(TableConnector):
    """Files of CSV, JSON or Parquet (``filesystem``)."""

    name = "filesystem"

    def configure(self) -> None:
        self._path = self.options.needed("path")
        self._format = self.options.choice("format", {"csv": "csv", "json": "json", "parquet": "parquet"})
        self._lines = None
        if self._format != "parquet":
            self._lines = line_format(self._format, self.names, self.types, self.options)

    def stream(self, environment: Any) -> DataStream:
        name, nothing = f"{self.table.name} ({self._format})", WatermarkStrategy.no_watermarks()
        if self._lines is None:
            form = ParquetColumnarRowInputFormat(self.row_type(), batch_size=8192)
            source = FileSource.for_bulk_file_format(form, self._path).build()
            stream = environment.from_source(source, nothing, name)
            make = factory(ToTuplesOperator, self.names, self.types, list(range(len(self.names))))
            return stream._transform("To tuples", make, None, stateless=True, convert=False)  # type: ignore[no-any-return]
        source = FileSource.for_record_stream_format(StreamFormat.text_line_format(), self._path).build()
        lines = environment.from_source(source, nothing, name)
        make = factory(DecodeOperator, self._lines)
        return lines._transform(f"Decode {self._format}", make, None, stateless=True, convert=False)  # type: ignore[no-any-return]

    def write(self, stream: DataStream, types: Sequence[DataType]) -> Any:
        if self._lines is None:
            info = row_type_info(self.row_type())
            make = factory(ToRowsOperator, list(types), info)
            rows = stream._transform("To rows", make, info, stateless=True, convert=False)
            return rows.sink_to(
                FileSink.for_bulk_format(self._path, ParquetBulkWriters.for_row_type(self.row_type())).build()
            )
        make = factory(EncodeOperator, self._lines)
        lines = stream._transform(f"Encode {self._format}", make, None, stateless=True, convert=False)
        sink = FileSink.for_row_format(self._path, Encoder.simple_string_encoder())
        return lines.sink_to(sink.with_rolling_policy(RollingPolicy.default_rolling_policy()).build())


class Print(TableConnector):
    """Lines on standard output (``print``)."""

    name = "print"

    def configure(self) -> None:
        self._prefix = self.options.get("print-identifier")
        self._to_error = self.options.flag("standard-error")

    def write(self, stream: DataStream, types: Sequence[DataType]) -> Any:
        return stream.sink_to(PrintTableSink(self._prefix, list(types), to_error=self._to_error))

    def changelog_mode(self) -> ChangelogMode:
        return ChangelogMode.all()

    def write_changes(self, stream: DataStream, types: Sequence[DataType]) -> Any:
        return stream.sink_to(PrintTableSink(self._prefix, list(types), to_error=self._to_error, changes=True))


class Blackhole(TableConnector):
    """Nowhere (``blackhole``)."""

    name = "blackhole"

    def configure(self) -> None:
        """There are no options."""

    def write(self, stream: DataStream, types: Sequence[DataType]) -> Any:
        return stream.sink_to(DiscardingSink())

    def changelog_mode(self) -> ChangelogMode:
        return ChangelogMode.all()

    def write_changes(self, stream: DataStream, types: Sequence[DataType]) -> Any:
        return stream.sink_to(DiscardingSink())


class Datagen(TableConnector):
    """Rows that are made up (``datagen``)."""

    name = "datagen"

    def configure(self) -> None:
        self._generator = generated(self.columns, self.options)

    def stream(self, environment: Any) -> DataStream:
        return self._generator.stream(environment, self.table.name)


CONNECTORS: dict[str, Callable[[TableDefinition], TableConnector]] = {
    "filesystem": Filesystem,
    "print": Print,
    "blackhole": Blackhole,
    "datagen": Datagen,
    "jdbc": Jdbc,
    "kafka": Kafka,
    "upsert-kafka": UpsertKafka,
}


def connector_of(table: TableDefinition) -> TableConnector:
    """What reads and writes a table.

    Raises:
        SqlError: there is no such connector, or an option is missing or misspelt.
    """
    name = table.options.get("connector")
    if name is None:
        near = get_close_matches("connector", table.options, 1)
        hint = f"; '{near[0]}' is none" if near else ""
        msg = f"table {table.name!r} needs the option 'connector'{hint}: one of {', '.join(CONNECTORS)}"
        raise SqlError(msg)
    if name not in CONNECTORS:
        msg = f"table {table.name!r}: there is no connector {name!r}: {nearest(name, CONNECTORS)}"
        raise SqlError(msg)
    return CONNECTORS[name](table)
