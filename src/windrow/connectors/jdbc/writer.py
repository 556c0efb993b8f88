"""Writes the rows of one partition of one batch, in one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from time import sleep
from typing import TYPE_CHECKING, Any, NoReturn

from windrow.connectors.interfaces import SinkWriter, WriterContext
from windrow.connectors.jdbc.batches import BatchesTable, RacedError
from windrow.connectors.jdbc.databases import JdbcConnectorError, engine, error_message, is_transient, log
from windrow.connectors.jdbc.sqlalchemy_package import sqlalchemy
from windrow.connectors.spool import Contents, Spool, Values, Written
from windrow.errors import TypeConversionError, shorten

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from windrow.connectors.jdbc.sink import JdbcSink

#: Seconds before the first retry; before the second it is twice as long, and so on, as in Flink.
PAUSE = 1.0
#: What ends an attempt: SQLAlchemy's errors, and what drivers raise for values that they cannot send.
_DRIVER_ERRORS = (ArithmeticError, LookupError, TypeError, ValueError)


class JdbcWriter(SinkWriter):
    """Keeps rows until the batch ends, and sends them in one transaction.

    So the transaction is short, and can be tried again.
    """

    def __init__(self, sink: JdbcSink, context: WriterContext) -> None:
        self._sink = sink
        self._context = context
        self._name = f"JdbcSink {context.sink!r}"
        self._batches: BatchesTable | None = sink.batches if context.job is not None else None
        self._spool = Spool(checks=self._batches is not None)

    def write(self, values: Sequence[Any], timestamps: Sequence[int]) -> None:
        try:
            rows = self._sink.statement.values(values)
        except TypeConversionError as error:
            msg = f"{self._name}: {error}"
            raise TypeConversionError(msg) from None
        self._spool.add(rows)

    def prepare_commit(self) -> str | None:
        """Write the rows; what is returned is to be said in the program's process."""
        attempt = 0
        try:
            while True:
                try:
                    return self._transfer()
                except RacedError:
                    continue  # now the other attempt's number is there
                except sqlalchemy().exc.SQLAlchemyError as error:
                    if not is_transient(error) or attempt >= self._sink.max_retries:
                        self._refuse(error, attempt)
                    attempt += 1
                    pause = PAUSE * attempt
                    log.warning(
                        "%s: %s; attempt %d of %d in %g s",
                        self._name, error_message(error), attempt + 1, self._sink.max_retries + 1, pause,
                    )  # fmt: skip
                    sleep(pause)
        finally:
            self._spool.close()

    def abort(self) -> None:
        self._spool.close()

    def _transfer(self) -> str | None:
        database = engine(self._sink.url)
        if self._batches is not None:
            self._ensure_table(self._batches, database)
        with database.begin() as connection:
            if self._batches is not None:
                contents = self._spool.contents
                written = self._batches.begin(connection, self._context, contents)
                if written is not None:
                    return self._skipped(written, contents)
            self._send(connection)
        return None

    def _ensure_table(self, batches: BatchesTable, database: Any) -> None:
        try:
            batches.ensure(database)
        except sqlalchemy().exc.SQLAlchemyError as error:
            if is_transient(error):
                raise
            msg = (
                f"{self._name} cannot make the table {batches} at {self._sink.shown_url}, where it notes which batches "
                f"are written: {error_message(error)}; have it made by somebody who may (docs/jdbc.md has the "
                "statement), or give JdbcSink.sink the delivery_guarantee DeliveryGuarantee.AT_LEAST_ONCE, which needs "
                "no table"
            )
            raise JdbcConnectorError(msg) from None

    def _skipped(self, written: Written, contents: Contents) -> str | None:
        context = self._context
        if written.batch > context.batch:
            msg = (
                f"{self._name} is to write batch {context.batch}, and batch {written.batch} of the same checkpoint is "
                f"in {self._sink.shown_url} already: the checkpoint is older than the database; go on from the "
                f"checkpoint that wrote there last, or remove the job {context.job!r} from the table "
                f"{self._batches} to have the batches written again"
            )
            raise JdbcConnectorError(msg)
        return written.differing(self._name, context, contents, "rows", " in the database")

    def _send(self, connection: Connection) -> None:
        statement = self._sink.statement
        for number, rows in enumerate(self._spool.batches(self._sink.batch_size)):
            try:
                statement.execute(connection, rows)
            except (sqlalchemy().exc.SQLAlchemyError, *_DRIVER_ERRORS) as error:
                if is_transient(error):
                    raise
                connection.rollback()
                self._refuse_row(self._first_refused(number) or (None, error))

    def _first_refused(self, batch: int) -> tuple[Values | None, Exception] | None:
        """Write everything again, from ``batch`` on row by row, to see which one is refused; nothing of it stays."""
        statement = self._sink.statement
        with engine(self._sink.url).connect() as connection:
            for number, rows in enumerate(self._spool.batches(self._sink.batch_size)):
                for some in [rows] if number < batch else [[row] for row in rows]:
                    try:
                        statement.execute(connection, some)
                    except (sqlalchemy().exc.SQLAlchemyError, *_DRIVER_ERRORS) as error:
                        return (some[0] if len(some) == 1 else None), error
                if number == batch:
                    break
        return None

    def _refuse_row(self, refused: tuple[Values | None, Exception]) -> NoReturn:
        row, error = refused
        what = "rows" if row is None else f"the row {shorten(row)}"
        msg = (
            f"{self._name} could not write {what} with {self._sink.statement.sql!r}: {error_message(error)}; mend the "
            "statement, or such rows in front of the sink (INSERT ... ON CONFLICT says what becomes of keys "
            "that are there)"
        )
        raise JdbcConnectorError(msg) from None

    def _refuse(self, error: Exception, retries: int) -> NoReturn:
        tried = f" (tried {retries + 1} times)" if retries else ""
        msg = (
            f"{self._name} could not write to {self._sink.shown_url}{tried}: {error_message(error)}; check that the "
            "database runs there, that this machine reaches it and that it takes this user; how often it is tried "
            "again is JdbcExecutionOptions.builder().with_max_retries"
        )
        raise JdbcConnectorError(msg) from None
