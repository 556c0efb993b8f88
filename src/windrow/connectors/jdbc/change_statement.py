"""The statements that bring rows of a changelog into a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from windrow.connectors.jdbc.statement import Statement
from windrow.connectors.spool import Values

if TYPE_CHECKING:
    from sqlalchemy import Connection

#: The values of ``RowKind`` of rows that take back others.
_TAKES_BACK = (1, 3)


class ChangeStatement:
    """Writes or deletes rows by their key; the last field of elements is the value of their ``RowKind``.

    Of several rows with one key only the last one counts.

    Args:
        upsert: Writes a row, in place of the one with its key.
        delete: Deletes the row of a key.
        keys: The places of the columns of the key.
    """

    def __init__(self, upsert: Statement, delete: Statement, keys: Sequence[int]) -> None:
        self._upsert = upsert
        self._delete = delete
        self._keys = list(keys)

    @property
    def sql(self) -> str:
        """The statement that writes a row."""
        return self._upsert.sql

    def values(self, elements: Sequence[Any]) -> list[Values]:
        """Make the values that are kept for elements.

        Raises:
            TypeConversionError: one is no row of the type.
        """
        rows = [tuple(element) for element in elements]
        written = self._upsert.values([row[:-1] for row in rows])
        return [(*values, row[-1]) for values, row in zip(written, rows, strict=True)]

    def execute(self, connection: Connection, rows: Sequence[Values]) -> None:
        """Bring the rows into the table."""
        last: dict[Values, Values] = {}
        for row in rows:
            last[self._key(row)] = row
        deleted = [key for key, row in last.items() if row[-1] in _TAKES_BACK]
        written = [row[:-1] for row in last.values() if row[-1] not in _TAKES_BACK]
        if deleted:
            self._delete.execute(connection, deleted)
        if written:
            self._upsert.execute(connection, written)

    def _key(self, row: Values) -> Values:
        return tuple([row[place] for place in self._keys])
