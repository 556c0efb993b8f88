"""What a program that writes to a database is told."""

import sqlite3
from contextlib import closing

import pytest

from tests.trials.trial import Trial, play, rows
from windrow.common import Types
from windrow.datastream.connectors.jdbc import (
    JdbcConnectionOptions,
    JdbcConnectorError,
    JdbcExecutionOptions,
    JdbcSink,
)
from windrow.errors import ConfigurationError, TypeConversionError

PAIR = Types.ROW([Types.INT(), Types.STRING()])
INSERT = "INSERT INTO pairs VALUES (?, ?)"


def _database(url):
    return JdbcConnectionOptions.JdbcConnectionOptionsBuilder().with_url(url).build()


def _writes(elements, sql=INSERT):
    def do(env, folder):
        with closing(sqlite3.connect(folder / "a.db")) as database, database:
            database.execute("CREATE TABLE pairs (id INT PRIMARY KEY, name TEXT)")
        sink = JdbcSink.sink(sql, PAIR, _database(f"jdbc:sqlite:{folder}/a.db"))
        env.from_collection(elements).sink_to(sink).name("pairs")
        env.execute("trial")
        with closing(sqlite3.connect(folder / "a.db")) as database:
            return database.execute("SELECT * FROM pairs ORDER BY id").fetchall()

    return do


def _reaches_nothing(env, folder):
    options = JdbcExecutionOptions.builder().with_max_retries(0).build()
    sink = JdbcSink.sink(INSERT, PAIR, _database("jdbc:postgresql://127.0.0.1:1/shop?user=me&password=secret"), options)
    env.from_collection([(1, "a")]).sink_to(sink).name("pairs")
    env.execute("trial")


TRIALS = [
    Trial("rows of several workers into one file", _writes([(1, "a"), (2, None)]), gives=[(1, "a"), (2, None)]),
    Trial(
        "a row that the database refuses",
        _writes([(1, "a"), (1, "b")]),
        error=JdbcConnectorError,
        says="JdbcSink 'pairs' could not write the row (1, 'b') with 'INSERT INTO pairs VALUES (?, ?)': "
        "IntegrityError: UNIQUE constraint failed: pairs.id; mend the statement, or such rows in front of the sink "
        "(INSERT ... ON CONFLICT says what becomes of keys that are there)",
    ),
    Trial(
        "an element of another type than the sink's",
        _writes([("one", "a")]),
        error=TypeConversionError,
        says="JdbcSink 'pairs': field f0 of a Types.ROW: Types.INT() takes an int from -2147483648 to 2147483647; got "
        "'one' (str)",
    ),
    Trial(
        "more placeholders than fields",
        _writes([(1, "a")], "INSERT INTO pairs VALUES (?, ?, ?)"),
        error=ConfigurationError,
        says="JdbcSink: the statement has 3 placeholders, and type_info 2 fields: each field fills one, in their "
        "order; got 'INSERT INTO pairs VALUES (?, ?, ?)' and RowTypeInfo(f0: Integer, f1: String)",
        runtimes=["local"],
    ),
    Trial(
        "a JDBC URL of a database that is not known",
        lambda env, folder: _database("jdbc:db2://me:secret@host/db"),
        error=ConfigurationError,
        says="JdbcConnectionOptions understands the JDBC URLs jdbc:postgresql:, jdbc:mysql:, jdbc:mariadb:, "
        "jdbc:sqlite:; got jdbc:db2://me:***@host/db: give SQLAlchemy's URL of the database instead, such as "
        "mssql+pymssql://host/database or oracle+oracledb://host/?service_name=name",
        runtimes=["local"],
    ),
    Trial(
        "a database that is not there",
        _reaches_nothing,
        error=JdbcConnectorError,
        says="JdbcSink 'pairs' could not write to postgresql+psycopg://me:***@127.0.0.1:1/shop: OperationalError: "
        'connection failed: connection to server at "127.0.0.1", port 1 failed: Connection refused Is the server '
        "running on that host and accepting TCP/IP connections?; check that the database runs there, that this "
        "machine reaches it and that it takes this user; how often it is tried again is "
        "JdbcExecutionOptions.builder().with_max_retries",
    ),
]


@pytest.mark.parametrize(("runtime", "trial"), rows(TRIALS))
def test_what_goes_wrong_with_a_database_is_said(trial, env, tmp_path):
    """In a line, with sink, row and statement; nothing but what was asked for is written."""
    play(trial, env, tmp_path)
