"""The sink of databases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from windrow.common.checks import instance_of, text
from windrow.common.typeinfo import RowTypeInfo, TupleTypeInfo
from windrow.connectors.interfaces import DeliveryGuarantee, SinkWriter, WriterContext, WriterSink
from windrow.connectors.jdbc.batches import BatchesTable
from windrow.connectors.jdbc.change_statement import ChangeStatement
from windrow.connectors.jdbc.databases import engine, error_message, log
from windrow.connectors.jdbc.options import JdbcConnectionOptions, JdbcExecutionOptions
from windrow.connectors.jdbc.sqlalchemy_package import sqlalchemy
from windrow.connectors.jdbc.statement import Statement
from windrow.connectors.jdbc.writer import JdbcWriter

if TYPE_CHECKING:
    from sqlalchemy import URL


class JdbcSink(WriterSink):
    """Writes rows to a database with a statement (Flink's ``JdbcSink``); made by :meth:`sink`.

    On Spark a row is written once: the rows of a partition of a batch, and the number of the batch in a table of the
    sink's, are written in one transaction, so a batch that is run again is passed over.
    """

    def __init__(
        self,
        statement: Statement | ChangeStatement,
        connection: JdbcConnectionOptions,
        execution: JdbcExecutionOptions,
        batches: BatchesTable | None,
    ) -> None:
        self.statement = statement
        self._url = connection.sqlalchemy_url
        self._secret = connection.secret
        self.batch_size = execution.get_batch_size()
        self.max_retries = execution.get_max_retries()
        self.batches = batches

    @staticmethod
    def sink(
        sql: str,
        type_info: RowTypeInfo | TupleTypeInfo,
        jdbc_connection_options: JdbcConnectionOptions,
        jdbc_execution_options: JdbcExecutionOptions | None = None,
        *,
        delivery_guarantee: DeliveryGuarantee = DeliveryGuarantee.EXACTLY_ONCE,
        batches_table: str = "windrow_batches",
    ) -> JdbcSink:
        """A sink for ``sink_to``.

        Args:
            sql: A statement (INSERT, UPDATE, DELETE, an upsert) with a question mark for each field of a row.
            type_info: The rows' type, such as ``Types.ROW([Types.STRING(), Types.INT()])``: its fields fill the
                question marks in their order.
            jdbc_connection_options: Where the database is.
            jdbc_execution_options: How rows are sent; ``JdbcExecutionOptions.defaults()`` if it is left out.
            delivery_guarantee: AT_LEAST_ONCE does without the table of batches: a batch that is run again is written
                again. (Flink's sink has no such parameter.)
            batches_table: The table of batches, perhaps behind a schema; made if it is not there.

        Raises:
            ConfigurationTypeError: an argument is of another type.
            ConfigurationError: the statement has more or fewer placeholders than a row has fields, or a field has a
                type that the database does not have.

        Example:
            >>> from windrow.common import Types
            >>> JdbcSink.sink(
            ...     "INSERT INTO totals (shop, cents) VALUES (?, ?)",
            ...     Types.ROW([Types.STRING(), Types.LONG()]),
            ...     JdbcConnectionOptions.JdbcConnectionOptionsBuilder().with_url("jdbc:sqlite:/data/shops.db").build(),
            ... )
            JdbcSink('INSERT INTO totals (shop, cents) VALUES (?, ?)', sqlite+pysqlite:////data/shops.db)
        """
        connection = instance_of(jdbc_connection_options, JdbcConnectionOptions, "jdbc_connection_options")
        execution = instance_of(
            jdbc_execution_options or JdbcExecutionOptions.defaults(), JdbcExecutionOptions, "jdbc_execution_options"
        )
        guarantee = instance_of(delivery_guarantee, DeliveryGuarantee, "delivery_guarantee of JdbcSink.sink")
        table = text(batches_table, "batches_table of JdbcSink.sink")
        if execution.get_batch_interval_ms():
            log.warning(
                "JdbcSink: batch_interval_ms=%d has no effect: rows are sent when their batch of Spark ends, and "
                "windrow.trigger.interval says how long that takes",
                execution.get_batch_interval_ms(),
            )
        return JdbcSink(
            Statement(text(sql, "sql of JdbcSink.sink"), type_info, connection.sqlalchemy_url.get_backend_name()),
            connection,
            execution,
            BatchesTable(table) if guarantee is DeliveryGuarantee.EXACTLY_ONCE else None,
        )

    @property
    def shown_url(self) -> str:
        """The database's URL, without the password."""
        return self._url.render_as_string(hide_password=True)

    @property
    def url(self) -> URL:
        """The database's URL, with the password."""
        return self._url if self._secret is None else self._url.set(password=self._secret.get())

    def create_writer(self, context: WriterContext) -> SinkWriter:
        return JdbcWriter(self, context)

    def commit(self, batch: int, committables: Sequence[str]) -> None:
        """Nothing is left to be done; say what writers had to say."""
        for warning in committables:
            log.warning("%s", warning)

    def forget(self, job: str) -> None:
        if self.batches is None:
            return
        try:
            self.batches.forget(engine(self.url), job)
        except sqlalchemy().exc.SQLAlchemyError as error:
            log.warning("JdbcSink could not remove %r from the table %s: %s", job, self.batches, error_message(error))

    def __repr__(self) -> str:
        return f"JdbcSink({self.statement.sql!r}, {self.shown_url})"
