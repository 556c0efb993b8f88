"""A table of a database as a source with an end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from windrow.connectors.iterator_source import IteratorSource, SourceBatch, SplitPart
from windrow.connectors.jdbc.databases import JdbcConnectorError, engine, error_message
from windrow.connectors.jdbc.options import JdbcConnectionOptions
from windrow.connectors.jdbc.sqlalchemy_package import sqlalchemy

if TYPE_CHECKING:
    from sqlalchemy import URL

#: Makes a field of what the driver gives for a column; it is not called for NULL.
Convert = Callable[[Any], Any]


class JdbcScan(IteratorSource):
    """The rows that a query gives, as tuples (Flink's ``JdbcRowDataInputFormat``).

    Args:
        connection: Where the database is.
        sql: The query; with ranges it has the parameters ``:lower`` and ``:upper``.
        converters: For each column; None: values are taken as they come.
        ranges: The query is run for each, in parallel; None: once.
        fetch_size: How many rows are asked for at a time.
    """

    def __init__(
        self,
        connection: JdbcConnectionOptions,
        sql: str,
        converters: Sequence[Convert | None],
        ranges: Sequence[tuple[int, int]] | None = None,
        fetch_size: int = 8192,
    ) -> None:
        self._connection = connection
        self._sql = sql
        self._converters = list(converters)
        self._ranges = ranges
        self._fetch_size = fetch_size

    def plan(self, parallelism: int) -> list[list[SplitPart]]:
        ranges: Sequence[tuple[int, int] | None] = self._ranges or [None]
        parts = [
            JdbcScanPart(self._connection, self._sql, bounds, self._converters, self._fetch_size) for bounds in ranges
        ]
        channels = min(parallelism, len(parts))
        return [list(parts[channel::channels]) for channel in range(channels)]

    def __repr__(self) -> str:
        return f"JdbcScan({self._sql!r}, {self._connection.sqlalchemy_url.render_as_string(hide_password=True)})"


class JdbcScanPart(SplitPart):
    """The rows of one range."""

    def __init__(
        self,
        connection: JdbcConnectionOptions,
        sql: str,
        bounds: tuple[int, int] | None,
        converters: Sequence[Convert | None],
        fetch_size: int,
    ) -> None:
        self._url, self._secret = connection.sqlalchemy_url, connection.secret
        self._sql = sql
        self._bounds = bounds
        self._converters = converters
        self._fetch_size = fetch_size

    def read(self) -> Iterator[SourceBatch]:
        """Raises JdbcConnectorError where the database cannot be read."""
        library = sqlalchemy()
        bounds = {} if self._bounds is None else dict(zip(("lower", "upper"), self._bounds, strict=True))
        try:
            with engine(self._connected()).connect() as connection:
                streamed = connection.execution_options(stream_results=True)
                for rows in streamed.execute(library.text(self._sql), bounds).partitions(self._fetch_size):
                    yield SourceBatch([self._fields(row) for row in rows])
        except library.exc.SQLAlchemyError as error:
            shown = self._url.render_as_string(hide_password=True)
            msg = (
                f"{shown} could not be read with {self._sql!r}: {error_message(error)}; check that the database runs "
                "there, that it takes this user, and that the table has these columns"
            )
            raise JdbcConnectorError(msg) from None

    def _connected(self) -> URL:
        return self._url if self._secret is None else self._url.set(password=self._secret.get())

    def _fields(self, row: Sequence[Any]) -> tuple[Any, ...]:
        return tuple(
            [
                value if value is None or convert is None else convert(value)
                for value, convert in zip(row, self._converters, strict=True)
            ]
        )
