"""Remembers which batches are in a database: a small table, written in the transactions that write the rows.

A batch of Spark that is run again finds its number there and writes nothing. Whoever comes first locks the line of its
partition, so a second attempt at the same time waits, and then finds the number.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from windrow.connectors.interfaces import WriterContext
from windrow.connectors.jdbc.sqlalchemy_package import sqlalchemy
from windrow.connectors.spool import Contents, Written

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine, Table

#: The longest name of a sink that fits the table.
_NAME = 200

#: Tables that are known to be there, by engine and name.
_there: set[tuple[Engine, str]] = set()


class RacedError(Exception):
    """Another attempt at the same batch has come first."""


class BatchesTable:
    """The table of batches.

    Args:
        name: Its name, perhaps behind a schema's.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def ensure(self, engine: Engine) -> None:
        """Make the table if it is not there.

        Raises:
            SQLAlchemyError: it is not there and cannot be made.
        """
        if (engine, self._name) in _there:
            return
        library = sqlalchemy()
        table = self._table()
        if not library.inspect(engine).has_table(table.name, schema=table.schema):
            try:
                table.create(engine, checkfirst=True)
            except library.exc.SQLAlchemyError:
                # Somebody else may have made it at the same time.
                if not library.inspect(engine).has_table(table.name, schema=table.schema):
                    raise
        _there.add((engine, self._name))

    def begin(self, connection: Connection, context: WriterContext, contents: Contents) -> Written | None:
        """Note within a transaction that the batch of the context is written, and lock out other attempts at it.

        Returns:
            What stands there already, where that is this batch or a later one: then nothing is noted.

        Raises:
            RacedError: another attempt at the batch has noted it meanwhile.
        """
        library = sqlalchemy()
        table = self._table()
        here = _line(table, context)
        values = {
            "batch": context.batch,
            "row_count": contents.rows,
            "checksum": contents.checksum,
            "written_at": library.func.current_timestamp(),
        }
        # The update comes first: it takes the lock, in SQLite as well, whose readers cannot become writers.
        if connection.execute(table.update().where(here, table.c.batch < context.batch).values(values)).rowcount:
            return None
        found = connection.execute(
            library.select(table.c.batch, table.c.row_count, table.c.checksum).where(here)
        ).one_or_none()
        if found is not None:
            return Written(found.batch, Contents(found.row_count, found.checksum))
        try:
            connection.execute(table.insert().values({**_key(context), **values}))
        except library.exc.IntegrityError:
            raise RacedError from None
        return None

    def forget(self, engine: Engine, job: str) -> None:
        """Remove all lines of a job."""
        table = self._table()
        if sqlalchemy().inspect(engine).has_table(table.name, schema=table.schema):
            with engine.begin() as connection:
                connection.execute(table.delete().where(table.c.job == job))

    def __str__(self) -> str:
        return self._name

    def _table(self) -> Table:
        library = sqlalchemy()
        schema, _, name = self._name.rpartition(".")
        number = library.BigInteger
        table: Table = library.Table(
            name,
            library.MetaData(),
            library.Column("job", library.String(64), primary_key=True),
            library.Column("sink", library.String(_NAME), primary_key=True),
            library.Column("part", library.Integer, primary_key=True, autoincrement=False),
            library.Column("batch", number, nullable=False),
            library.Column("row_count", number, nullable=False),
            library.Column("checksum", number, nullable=False),
            library.Column("written_at", library.DateTime, nullable=False),
            schema=schema or None,
        )
        return table


def _key(context: WriterContext) -> dict[str, Any]:
    tag = context.tag
    if len(tag) > _NAME:
        tag = hashlib.sha256(tag.encode()).hexdigest()
    return {"job": context.job, "sink": tag, "part": context.partition}


def _line(table: Table, context: WriterContext) -> Any:
    return sqlalchemy().and_(*(table.c[name] == value for name, value in _key(context).items()))
