"""The statements that read and write a table of a database."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from windrow.errors import ConfigurationError

if TYPE_CHECKING:
    from sqlalchemy import URL

_PLAIN = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_CONFLICT, _DUPLICATE = ("postgresql", "sqlite"), ("mysql", "mariadb")


@dataclass(frozen=True)
class TableStatements:
    """Writes statements about one table in the database's own words.

    Attributes:
        url: The database.
        table: The table's name, perhaps behind a schema's.
        columns: Its columns, in their order.
        keys: Those of the PRIMARY KEY.
    """

    url: URL
    table: str
    columns: Sequence[str]
    keys: Sequence[str] = ()

    def select(self, partition: str | None = None) -> str:
        """All rows; with a partition column those between ``:lower`` and ``:upper``. A key puts them in order."""
        where = "" if partition is None else f" WHERE {self.quoted(partition)} BETWEEN :lower AND :upper"
        order = f" ORDER BY {self._listed(self.keys)}" if self.keys else ""
        return f"SELECT {self._listed(self.columns)} FROM {self._table}{where}{order}"

    def insert(self) -> str:
        """Write a row."""
        marks = ", ".join(["?"] * len(self.columns))
        return f"INSERT INTO {self._table} ({self._listed(self.columns)}) VALUES ({marks})"

    def upsert(self) -> str:
        """Write a row, in place of the one with its key.

        Raises:
            ConfigurationError: it is not known how the database says that.
        """
        others = [self.quoted(name) for name in self.columns if name not in self.keys]
        backend = self.url.get_backend_name()
        if backend in _CONFLICT:
            changed = ", ".join(f"{name} = EXCLUDED.{name}" for name in others)
            does = f"DO UPDATE SET {changed}" if others else "DO NOTHING"
            return f"{self.insert()} ON CONFLICT ({self._listed(self.keys)}) {does}"
        if backend in _DUPLICATE:
            names = others or [self.quoted(self.keys[0])]
            return f"{self.insert()} ON DUPLICATE KEY UPDATE {', '.join(f'{name} = VALUES({name})' for name in names)}"
        msg = (
            f"a table of {backend} with a PRIMARY KEY cannot be written from SQL: that is known of "
            f"{', '.join((*_CONFLICT, *_DUPLICATE))}; leave the PRIMARY KEY out, or write a stream with JdbcSink.sink"
        )
        raise ConfigurationError(msg)

    def delete(self) -> str:
        """Delete the row of a key."""
        keys = " AND ".join(f"{self.quoted(name)} = ?" for name in self.keys)
        return f"DELETE FROM {self._table} WHERE {keys}"

    def quoted(self, name: str) -> str:
        """A name, in quotes only where the database needs them: capitals are not told apart, as in Flink."""
        preparer = self.url.get_dialect()().identifier_preparer
        if _PLAIN.fullmatch(name) and name.lower() not in preparer.reserved_words:
            return name
        found: str = preparer.quote_identifier(name)
        return found

    @property
    def _table(self) -> str:
        return ".".join(self.quoted(part) for part in self.table.split("."))

    def _listed(self, names: Sequence[str]) -> str:
        return ", ".join(self.quoted(name) for name in names)
