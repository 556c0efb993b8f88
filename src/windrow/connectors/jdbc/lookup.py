"""Asks a database for the rows of keys."""

from __future__ import annotations

from collections.abc import Sequence
from time import sleep
from typing import TYPE_CHECKING, Any

from windrow.connectors.jdbc.databases import JdbcConnectorError, engine, error_message, is_transient, log
from windrow.connectors.jdbc.options import JdbcConnectionOptions
from windrow.connectors.jdbc.scan import Convert
from windrow.connectors.jdbc.sqlalchemy_package import sqlalchemy
from windrow.operators.table.lookup import Key, Lookup, Values

if TYPE_CHECKING:
    from sqlalchemy import URL, Select

#: How many keys one statement asks for: databases bound how many parameters it has.
_KEYS = 200
#: Seconds before the first retry; before the second it is twice as long, and so on, as in Flink.
_PAUSE = 1.0


class JdbcLookup(Lookup):
    """The rows of a table in a database, as they are when they are asked for.

    Args:
        connection: Where the database is.
        table: The table's name, which may begin with its schema.
        columns: The columns that rows have, in their order.
        keys: Which of them are looked up.
        max_retries: How often it is asked again when the connection is lost (``lookup.max-retries``).
        converters: Makes a value of each column of what the driver gives; None: values are taken as they come.
    """

    def __init__(
        self,
        connection: JdbcConnectionOptions,
        table: str,
        columns: Sequence[str],
        keys: Sequence[str],
        max_retries: int = 3,
        converters: Sequence[Convert] | None = None,
    ) -> None:
        self._url = connection.sqlalchemy_url
        self._secret = connection.secret
        self._table = table
        self._columns, self._keys = list(columns), list(keys)
        self._max_retries = max_retries
        self._converters = converters

    def rows(self, keys: Sequence[Key]) -> list[list[Values]]:
        found: dict[Key, list[Values]] = {key: [] for key in keys}
        places = [self._columns.index(name) for name in self._keys]
        for first in range(0, len(keys), _KEYS):
            for row in self._asked(keys[first : first + _KEYS]):
                key = tuple([row[place] for place in places])
                if key in found:  # of other case, say, by the collation of the database
                    found[key].append(row)
        return [found[key] for key in keys]

    def _asked(self, keys: Sequence[Key]) -> list[Values]:
        statement, attempt = self._statement(keys), 0
        while True:
            try:
                with engine(self._connected).connect() as connection:
                    return [self._values(row) for row in connection.execute(statement)]
            except sqlalchemy().exc.SQLAlchemyError as error:
                if not is_transient(error) or attempt >= self._max_retries:
                    shown = self._url.render_as_string(hide_password=True)
                    msg = (
                        f"table {self._table!r} at {shown} could not be looked up: {error_message(error)}; check that "
                        "the database runs there and has the table with the columns "
                        f"{', '.join(self._columns)}; how often it is asked again is 'lookup.max-retries'"
                    )
                    raise JdbcConnectorError(msg) from None
                attempt += 1
                log.warning("lookup in %s: %s; attempt %d", self._table, error_message(error), attempt + 1)
                sleep(_PAUSE * attempt)

    def _values(self, row: Sequence[Any]) -> Values:
        if self._converters is None:
            return tuple(row)
        pairs = zip(row, self._converters, strict=True)
        return tuple([None if value is None else convert(value) for value, convert in pairs])

    @property
    def _connected(self) -> URL:
        return self._url if self._secret is None else self._url.set(password=self._secret.get())

    def _statement(self, keys: Sequence[Key]) -> Select[Any]:
        library = sqlalchemy()
        schema, _, name = self._table.rpartition(".")
        table = library.table(name, *[library.column(each) for each in self._columns], schema=schema or None)
        columns = [table.c[each] for each in self._keys]
        if len(columns) == 1:
            condition = columns[0].in_([key[0] for key in keys])
        else:
            condition = library.or_(
                *[library.and_(*[c == value for c, value in zip(columns, key, strict=True)]) for key in keys]
            )
        return library.select(*[table.c[each] for each in self._columns]).where(condition)  # type: ignore[no-any-return]
