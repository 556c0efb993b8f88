"""Tables of databases as tables of SQL."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from windrow.common.watermark_strategy import WatermarkStrategy
from windrow.connectors.interfaces import DeliveryGuarantee
from windrow.connectors.jdbc.change_statement import ChangeStatement
from windrow.connectors.jdbc.lookup import JdbcLookup
from windrow.connectors.jdbc.options import JdbcConnectionOptions, JdbcExecutionOptions
from windrow.connectors.jdbc.scan import JdbcScan
from windrow.connectors.jdbc.sink import JdbcSink
from windrow.connectors.jdbc.statement import Statement
from windrow.datastream.streams.data_stream import DataStream
from windrow.datastream.streams.program import factory
from windrow.operators.table.lookup import Lookup
from windrow.operators.table.rows import ToRowsOperator, ToTuplesOperator
from windrow.sql.errors import nearest
from windrow.table.changelog_mode import ROW_KIND, ChangelogMode
from windrow.table.connectors.jdbc.statements import TableStatements
from windrow.table.connectors.jdbc.values import of_database
from windrow.table.connectors.lookups import cache_of
from windrow.table.connectors.table_connector import TableConnector
from windrow.table.data_types import DataType, RowField, RowType, row_type_info

#: So many rows are asked for, or sent, at a time, unless the table says another number.
_FETCHED, _SENT = 8192, 5000
_PARTITION = ("column", "num", "lower-bound", "upper-bound")


class Jdbc(TableConnector):
    """A table that a driver reaches (``jdbc``): read once, appended to, or with a PRIMARY KEY kept up to date."""

    name = "jdbc"

    def configure(self) -> None:
        options = self.options
        builder = JdbcConnectionOptions.JdbcConnectionOptionsBuilder().with_url(options.needed("url"))
        self._table = options.needed("table-name")
        driver, user, password = (options.get(key) for key in ("driver", "username", "password"))
        if (user is None) != (password is None):
            given, missing = ("username", "password") if password is None else ("password", "username")
            options.refuse(given, f"and '{missing}' are given both, or neither of them")
        if driver is not None:
            builder.with_driver_name(driver)
        if user is not None and password is not None:
            builder.with_user_name(user).with_password(password)
        self._builder = builder
        self._ranges = self._partitions()
        self._fetch_size = options.number("scan.fetch-size") or _FETCHED
        options.flag("scan.auto-commit", default=True)  # what is read is read in one transaction
        batch_size = options.number("sink.buffer-flush.max-rows") or _SENT
        options.milliseconds("sink.buffer-flush.interval", "1 s")  # rows are sent when a batch ends
        retries = options.number("sink.max-retries", 3) or 0
        self._execution = JdbcExecutionOptions.builder().with_batch_size(batch_size).with_max_retries(retries).build()
        self._sink_parallelism = options.number("sink.parallelism")
        self.cache = cache_of(options)
        self._lookup_retries = options.number("lookup.max-retries", 3) or 0

    def _partitions(self) -> Sequence[tuple[int, int]] | None:
        options = self.options
        keys = [f"scan.partition.{each}" for each in _PARTITION]
        column = options.get(keys[0])
        count, lower, upper = (options.number(key) for key in keys[1:])
        self._partition = column
        missing = [key for key in keys if options.get(key) is None]
        if len(missing) == len(keys):
            return None
        if missing or count is None or lower is None or upper is None:
            given = next(key for key in keys if key not in missing)
            options.refuse(given, f"needs the option '{missing[0]}' as well")
        if column not in self.names:
            options.refuse(keys[0], f"= {column!r}: there is no such stored column: {nearest(str(column), self.names)}")
        if count < 1 or upper < lower:
            options.refuse(keys[1], f"partitions need at least one, and bounds in order; got {count}, {lower}, {upper}")
        return ranges_of(lower, upper, count)

    # Reading

    def stream(self, environment: Any) -> DataStream:
        connection = self._builder.build()
        sql = self._statements(connection).select(self._partition)
        converters = [of_database(kind) for kind in self.types]
        source = JdbcScan(connection, sql, converters, self._ranges, self._fetch_size)
        name = f"{self.table.name} ({self.name})"
        rows = environment.from_source(source, WatermarkStrategy.no_watermarks(), name)
        make = factory(ToTuplesOperator, self.names, self.types, list(range(len(self.names))))
        return rows._transform("To tuples", make, None, stateless=True, convert=False)  # type: ignore[no-any-return]

    def lookup(self, keys: Sequence[str]) -> Lookup:
        """Make what asks for the rows by some columns, as they are then."""
        converters = [of_database(kind) for kind in self.types]
        return JdbcLookup(self._builder.build(), self._table, self.names, keys, self._lookup_retries, converters)

    # Writing

    def changelog_mode(self) -> ChangelogMode:
        return ChangelogMode.upsert() if self.table.primary_key else ChangelogMode.insert_only()

    def write(self, stream: DataStream, types: Sequence[DataType]) -> Any:
        connection = self._builder.build()
        statements, info = self._statements(connection), row_type_info(self.row_type())
        is_upsert = bool(self.table.primary_key)
        sink = JdbcSink.sink(
            statements.upsert() if is_upsert else statements.insert(),
            info,
            connection,
            self._execution,
            # An upsert that is run again changes nothing; a row that is appended again would be there twice.
            delivery_guarantee=DeliveryGuarantee.AT_LEAST_ONCE if is_upsert else DeliveryGuarantee.EXACTLY_ONCE,
        )
        return self._sent(stream, list(types), info, sink)

    def write_changes(self, stream: DataStream, types: Sequence[DataType]) -> Any:
        connection = self._builder.build()
        statements, backend = self._statements(connection), connection.sqlalchemy_url.get_backend_name()
        fields = self.row_type().fields
        places = [self.names.index(name) for name in self.table.primary_key]
        of_key = row_type_info(RowType([fields[place] for place in places]))
        upsert = Statement(statements.upsert(), row_type_info(self.row_type()), backend)
        delete = Statement(statements.delete(), of_key, backend)
        sink = JdbcSink(ChangeStatement(upsert, delete, places), connection, self._execution, None)
        with_kind = row_type_info(RowType([*fields, RowField("$kind", ROW_KIND)]))
        return self._sent(stream, [*types, ROW_KIND], with_kind, sink)

    def _sent(self, stream: DataStream, types: Sequence[DataType], info: Any, sink: JdbcSink) -> Any:
        make = factory(ToRowsOperator, list(types), info)
        rows = stream._transform("To rows", make, info, stateless=True, convert=False)
        if self._sink_parallelism is None:
            return rows.sink_to(sink)
        if self.table.primary_key:  # the rows of a key keep their order
            rows = rows.key_by(KeyOf([self.names.index(name) for name in self.table.primary_key]))
        return rows.sink_to(sink).set_parallelism(self._sink_parallelism)

    def _statements(self, connection: JdbcConnectionOptions) -> TableStatements:
        return TableStatements(connection.sqlalchemy_url, self._table, self.names, self.table.primary_key)


class KeyOf:
    """The key of a row, as text: any value can be part of one."""

    def __init__(self, places: Sequence[int]) -> None:
        self._places = list(places)

    def __call__(self, row: Any) -> str:
        return repr([row[place] for place in self._places])


def ranges_of(lower: int, upper: int, count: int) -> list[tuple[int, int]]:
    """So many ranges of about the same size, both ends included, as Flink has them.

    Example:
        >>> ranges_of(0, 9, 3)
        [(0, 3), (4, 6), (7, 9)]
    """
    total = upper - lower + 1
    count = min(count, total)
    each, longer = divmod(total, count)
    found, start = [], lower
    for number in range(count):
        end = start + each + (number < longer)
        found.append((start, end - 1))
        start = end
    return found
