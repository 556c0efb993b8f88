"""Tables by the name of their connector: how they are read, and how they are written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from difflib import get_close_matches
from typing import Any

from windrow.connectors.discarding import DiscardingSink
from windrow.datastream.streams.data_stream import DataStream
from windrow.sql.catalog import TableDefinition
from windrow.sql.errors import nearest
from windrow.table.changelog_mode import ChangelogMode
from windrow.table.connectors.errors import TableError
from windrow.table.connectors.filesystem.connector import Filesystem
from windrow.table.connectors.generated import generated
from windrow.table.connectors.jdbc.connector import Jdbc
from windrow.table.connectors.kafka.connector import Kafka
from windrow.table.connectors.kafka.upsert import UpsertKafka
from windrow.table.connectors.printed import PrintTableSink
from windrow.table.connectors.spark_table import SparkTable
from windrow.table.connectors.table_connector import TableConnector
from windrow.table.data_types import DataType


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
    "spark": SparkTable,
}


def connector_of(table: TableDefinition) -> TableConnector:
    """Make the connector that reads and writes a table.

    Raises:
        TableError: there is no such connector, or an option is missing or misspelt.
    """
    name = table.options.get("connector")
    if name is None:
        near = get_close_matches("connector", table.options, 1)
        hint = f"; '{near[0]}' is none" if near else ""
        msg = f"table {table.name!r} needs the option 'connector'{hint}: one of {', '.join(CONNECTORS)}"
        raise TableError(msg, option=near[0] if near else None)
    if name not in CONNECTORS:
        msg = f"table {table.name!r}: there is no connector {name!r}: {nearest(name, CONNECTORS)}"
        raise TableError(msg, option="connector", of_value=True)
    return CONNECTORS[name](table)
