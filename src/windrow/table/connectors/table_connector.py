"""The interface of connectors, which read a table, or write it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from windrow.common.watermark_strategy import WatermarkStrategy
from windrow.datastream.streams.data_stream import DataStream
from windrow.errors import SqlError
from windrow.expressions.casts import can_cast
from windrow.expressions.logical_types import name_of
from windrow.sql.catalog import TableDefinition
from windrow.sql.errors import nearest
from windrow.sql.plan import Column
from windrow.table.changelog_mode import ChangelogMode
from windrow.table.connectors.errors import TableError
from windrow.table.connectors.options import Options
from windrow.table.data_types import DataType, RowField, RowType


class TableConnector(ABC):
    """Reads a table, writes it, or both.

    Args:
        table: What ``CREATE TABLE`` says.
    """

    #: What is missing where it cannot be read or written.
    name: str
    #: Whether its rows take the place of each other, by the PRIMARY KEY: then the last field of tuples is their kind.
    changes = False

    #: Whether there is PARTITIONED BY.
    has_partitions = False

    def __init__(self, table: TableDefinition) -> None:
        self.table = table
        if table.partitioned and not self.has_partitions:
            msg = f"table {table.name!r}: '{self.name}' has no PARTITIONED BY, which is for files: leave it out"
            raise SqlError(msg)
        self.options = Options(table.name, {key: value for key, value in table.options.items() if key != "connector"})
        self.configure()
        self.options.check()
        self._check_metadata()

    @abstractmethod
    def configure(self) -> None:
        """Take the options."""

    def stream(self, environment: Any) -> DataStream:
        """The rows, as tuples of the physical columns and, behind them, those of metadata with the connector's types.

        Raises:
            SqlError: the connector writes only.
        """
        msg = f"table {self.table.name!r} cannot be read: '{self.name}' is a connector that writes"
        raise SqlError(msg)

    def stream_with_time(self, environment: Any, strategy: WatermarkStrategy) -> DataStream | None:
        """The same, with timestamps, and watermarks for each split; None: the connector has no splits with an order.

        Args:
            environment: Where the stream begins.
            strategy: Gives tuples their timestamps, and each split its watermarks.
        """
        return None

    def metadata(self) -> Mapping[str, DataType]:
        """Metadata: what is known of each row beside what is stored, by type (Flink's ``SupportsReadingMetadata``)."""
        return {}

    def writable_metadata(self) -> Collection[str]:
        """The names of the metadata that can be written as well."""
        return ()

    def write(self, stream: DataStream, types: Sequence[DataType]) -> Any:
        """Send tuples of the table's writable columns there.

        Raises:
            SqlError: the connector reads only.
        """
        msg = f"table {self.table.name!r} cannot be written: '{self.name}' is a connector that reads"
        raise SqlError(msg)

    def overwrite(self, fixed: Mapping[str, Any]) -> None:
        """Have what is written take the place of what is there (Flink's ``SupportsOverwrite``).

        Args:
            fixed: The values of the columns of PARTITIONED BY that the statement fixes.

        Raises:
            SqlError: the connector adds rows only.
        """
        msg = f"table {self.table.name!r}: '{self.name}' cannot be overwritten: INSERT INTO adds rows"
        raise SqlError(msg)

    def changelog_mode(self) -> ChangelogMode:
        """The kinds of rows that it takes (Flink's ``DynamicTableSink.getChangelogMode``).

        With ``upsert()`` the table has a PRIMARY KEY, which is the key of the changes, and gets no rows that say what
        was there before an update.
        """
        return ChangelogMode.insert_only()

    def write_changes(self, stream: DataStream, types: Sequence[DataType]) -> Any:
        """Send tuples of the writable columns there, whose last field is their kind, the value of a ``RowKind``.

        It is called if :meth:`changelog_mode` takes more than insertions and rows take back others.
        """
        raise NotImplementedError

    @property
    def columns(self) -> list[Column]:
        """The physical columns."""
        return self.table.physical

    @property
    def names(self) -> list[str]:
        """Their names."""
        return [column.name for column in self.columns]

    @property
    def types(self) -> list[DataType]:
        """Their types."""
        return [column.type for column in self.columns]

    def row_type(self) -> RowType:
        """The physical columns as a row."""
        return RowType([RowField(column.name, column.type) for column in self.columns])

    def written_types(self) -> list[DataType]:
        """The types of the tuples that it is sent: those of the table, and its own of metadata."""
        keys = {each.column.name: each.key for each in self.table.metadata}
        known = self.metadata()
        return [known[keys[each.name]] if each.name in keys else each.type for each in self.table.writable]

    def check_writable(self) -> None:
        """Refuse metadata that can only be read.

        Raises:
            TableError: the table has a column of it that is not VIRTUAL.
        """
        for each in self.table.metadata:
            if not each.virtual and each.key not in self.writable_metadata():
                msg = (
                    f"table {self.table.name!r}: metadata {each.key!r} of '{self.name}' can only be read: "
                    f"declare column {each.column.name!r} as METADATA FROM '{each.key}' VIRTUAL"
                )
                raise TableError(msg, column=each.column.name)

    def _check_metadata(self) -> None:
        known = self.metadata()
        for each in self.table.metadata:
            name = each.column.name
            if each.key not in known:
                there = nearest(each.key, known)
                msg = f"table {self.table.name!r}: column {name!r}: '{self.name}' has no metadata {each.key!r}: {there}"
                raise TableError(msg, column=name)
            if not can_cast(known[each.key], each.column.type):
                kinds = name_of(each.column.type), name_of(known[each.key])
                msg = (
                    f"table {self.table.name!r}: column {name!r} is {kinds[0]}, and metadata {each.key!r} of "
                    f"'{self.name}' is {kinds[1]}, which cannot be CAST to it"
                )
                raise TableError(msg, column=name)
