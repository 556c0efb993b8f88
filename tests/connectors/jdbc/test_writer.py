"""What a partition writes: once, in one transaction, tried again."""

import logging
import sqlite3

import pytest

from tests.connectors.jdbc.building import context, pairs, postgres_options, run_sqlite, sqlite_options, write
from tests.postgres_server import PASSWORD
from windrow.connectors.jdbc import writer as writer_module
from windrow.connectors.jdbc.databases import JdbcConnectorError
from windrow.connectors.jdbc.writer import JdbcWriter
from windrow.datastream.connectors.base import DeliveryGuarantee
from windrow.datastream.connectors.jdbc import JdbcConnectionOptions
from windrow.errors import TypeConversionError

ROWS = [(1, "one"), (2, "two"), (3, None)]


@pytest.fixture(autouse=True)
def no_pause(monkeypatch):
    monkeypatch.setattr(writer_module, "PAUSE", 0)


class Sqlite:
    """A table of pairs in a file."""

    def __init__(self, folder):
        self.file = folder / "a.db"
        self.table = "pairs"
        run_sqlite(self.file, "CREATE TABLE pairs (id INT PRIMARY KEY, name TEXT)")
        self.options = sqlite_options(self.file)

    def run(self, sql):
        return run_sqlite(self.file, sql)


class Postgres:
    """A table of pairs on the server."""

    def __init__(self, server):
        self.table = server.table("id INT PRIMARY KEY, name TEXT")
        self.options = postgres_options(server)
        self.run = server.run


@pytest.fixture(params=["sqlite", "postgres"])
def database(request, tmp_path):
    return Sqlite(tmp_path) if request.param == "sqlite" else Postgres(request.getfixturevalue("postgres"))


def rows(database):
    return database.run(f"SELECT id, name FROM {database.table} ORDER BY id")


@pytest.mark.parametrize("size", [1, 2, 5000])
def test_rows_are_there_when_the_batch_ends_and_not_before(database, size):
    """However many are sent at a time."""
    sink = pairs(database.options, database.table, size=size)
    writer = sink.create_writer(context(tag=database.table))
    writer.write(ROWS[:1], [0])
    writer.write(ROWS[1:], [0, 0])
    assert rows(database) == []
    assert writer.prepare_commit() is None
    assert rows(database) == ROWS


def test_a_batch_that_is_run_again_changes_nothing(database):
    """Nor does a second attempt at it; the batch behind it is written."""
    sink = pairs(database.options, database.table)
    for _ in range(3):
        assert write(sink, ROWS, 4) is None
    assert write(sink, [(4, "four")], 5) is None
    assert rows(database) == [*ROWS, (4, "four")]


def test_two_jobs_write_one_table(database):
    """The one's batches are not taken for the other's; nor are those of two sinks and two partitions."""
    sink = pairs(database.options, database.table)
    for place, other in enumerate([{"job": "a"}, {"job": "b"}, {"tag": "another sink"}, {"partition": 7}]):
        write(sink, [(place, "x")], 0, **other)
    assert [place for place, _ in rows(database)] == [0, 1, 2, 3]


def test_a_batch_that_gives_other_rows_the_second_time_is_said(database):
    """What was written first stays: the next batches may rest on it."""
    sink = pairs(database.options, database.table)
    write(sink, ROWS)
    said = write(sink, [(9, "nine")])
    assert said.startswith("JdbcSink 'pairs': batch 0 was run again and gave other rows in partition 0 (1, and 3 bef")
    assert write(sink, ROWS[::-1]) is None
    assert rows(database) == ROWS


def test_a_checkpoint_older_than_the_database_is_refused(database):
    """Its batches have the numbers of others that are there."""
    sink = pairs(database.options, database.table)
    write(sink, ROWS, 7)
    with pytest.raises(JdbcConnectorError, match="is to write batch 6, and batch 7 of the same checkpoint is in"):
        write(sink, [(4, "four")], 6)
    assert rows(database) == ROWS


def test_at_least_once_does_without_the_table_of_batches(database):
    """A batch that is run again is written again: for statements that are upserts, and users who may make no table."""
    sink = pairs(
        database.options,
        database.table,
        delivery_guarantee=DeliveryGuarantee.AT_LEAST_ONCE,
        batches_table="never_made",
    )
    write(sink, ROWS)
    with pytest.raises(JdbcConnectorError, match="could not write the row"):
        write(sink, ROWS)
    with pytest.raises(Exception, match="never_made"):
        database.run("SELECT * FROM never_made")


@pytest.mark.parametrize("size", [1, 2, 5000])
def test_a_row_that_the_database_refuses_is_named(database, size):
    """With the sink, the statement and what the database says; nothing of the batch is written, and it can be again."""
    sink = pairs(database.options, database.table, size=size)
    write(sink, ROWS)
    with pytest.raises(JdbcConnectorError) as raised:
        write(sink, [(5, "five"), (6, "six"), (3, "again"), (7, "seven"), (1, "again")], 1)
    said = str(raised.value)
    assert said.startswith(
        f"JdbcSink 'pairs' could not write the row (3, 'again') with 'INSERT INTO {database.table} VALUES (?, ?)': "
    )
    assert "UNIQUE constraint failed: pairs.id" in said or "Key (id)=(3) already exists" in said
    assert rows(database) == ROWS
    write(sink, [(5, "five")], 1)
    assert rows(database) == [*ROWS, (5, "five")]


def test_a_wrong_statement_is_said_with_what_the_database_says(database):
    """A table that is not there, say; it is not tried again."""
    with pytest.raises(JdbcConnectorError, match=r"could not write the row .* with 'INSERT INTO nowhere .*nowhere"):
        write(pairs(database.options, "nowhere", retries=5), ROWS)


def test_an_element_of_another_type_is_an_error_of_the_sink(database):
    """Before anything is sent."""
    with pytest.raises(TypeConversionError, match=r"JdbcSink 'pairs': field f0 of a Types\.ROW: Types\.INT"):
        write(pairs(database.options, database.table), [("one", "one")])


def test_a_number_that_the_driver_cannot_send_is_named(tmp_path):
    """SQLite's integers have 64 bits."""
    from windrow.common import Types
    from windrow.datastream.connectors.jdbc import JdbcSink

    database = Sqlite(tmp_path)
    sink = JdbcSink.sink("INSERT INTO pairs VALUES (?, 'x')", Types.ROW([Types.BIG_INT()]), database.options)
    with pytest.raises(JdbcConnectorError, match=r"could not write the row \(1267650600228229401496703205376,\)"):
        write(sink, [(1,), (2**100,)])
    assert rows(database) == []


# Connections


def test_a_dead_connection_is_not_used(postgres):
    """One that the server has closed between two batches."""
    database = Postgres(postgres)
    sink = pairs(database.options, database.table)
    write(sink, ROWS[:1], 0)
    postgres.disconnect()
    write(sink, ROWS[1:], 1)
    assert rows(database) == ROWS


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_connection_lost_around_the_commit_is_tried_again(moment, postgres, monkeypatch, caplog):
    """Whether the database has committed or not, the rows are there once."""
    database = Postgres(postgres)
    send, lost = JdbcWriter._send, []

    def losing(self, connection):
        send(self, connection)
        if not lost:
            lost.append(moment)
            if moment == "after":
                connection.connection.driver_connection.commit()
            postgres.disconnect()
            connection.exec_driver_sql("SELECT 1")

    monkeypatch.setattr(JdbcWriter, "_send", losing)
    with caplog.at_level(logging.WARNING, "windrow.jdbc"):
        write(pairs(database.options, database.table, retries=1), ROWS)
    assert lost
    assert rows(database) == ROWS
    (line,) = caplog.messages
    assert line.startswith("JdbcSink 'pairs': AdminShutdown: ")
    assert line.endswith("attempt 2 of 2 in 0 s")


def test_a_server_that_comes_back_is_waited_for(own_postgres, monkeypatch):
    """As often as the options say; then what it was is said, without the password."""
    database = Postgres(own_postgres)
    write(pairs(database.options, database.table), ROWS[:1], 0)
    own_postgres.kill()
    waits = []

    monkeypatch.setattr(writer_module, "sleep", waits.append)
    monkeypatch.setattr(writer_module, "PAUSE", 1)
    with pytest.raises(JdbcConnectorError) as raised:
        write(pairs(database.options, database.table, retries=2), ROWS[1:], 1)
    assert "JdbcSink 'pairs' could not write to postgresql+psycopg://windrow:***@127.0.0.1" in str(raised.value)
    assert "(tried 3 times): OperationalError: connection" in str(raised.value)
    assert waits == [1, 2]
    monkeypatch.setattr(writer_module, "sleep", lambda _: own_postgres.start())
    write(pairs(database.options, database.table, retries=1), ROWS[1:], 1)
    assert rows(database) == ROWS


def test_a_wrong_password_is_said_and_not_shown(postgres):
    """What the database says is; nor is the password in the text of the sink."""
    right = postgres_options(postgres)
    options = (
        JdbcConnectionOptions.JdbcConnectionOptionsBuilder()
        .with_url(right.get_db_url())
        .with_user_name("windrow")
        .with_password("wrong secret")
        .build()
    )
    sink = pairs(options, "pairs")
    with pytest.raises(JdbcConnectorError, match='password authentication failed for user "windrow"') as raised:
        write(sink, ROWS)
    for text in (str(raised.value), repr(sink), repr(pairs(right, "pairs"))):
        assert "wrong secret" not in text
        assert PASSWORD not in text


def test_who_may_not_make_the_table_of_batches_is_told_what_to_do(postgres):
    """Somebody else makes it, or at least once will do."""
    database = Postgres(postgres)
    postgres.run("CREATE ROLE guest LOGIN PASSWORD 'guest'")
    postgres.run(f"GRANT INSERT ON {database.table} TO guest")
    options = (
        JdbcConnectionOptions.JdbcConnectionOptionsBuilder()
        .with_url(postgres.url + "?user=guest&password=guest")
        .build()
    )
    with pytest.raises(JdbcConnectorError, match=r"cannot make the table absent_yet .* permission denied.*LEAST_ONCE"):
        write(pairs(options, database.table, batches_table="absent_yet"), ROWS)
    write(pairs(options, database.table, delivery_guarantee=DeliveryGuarantee.AT_LEAST_ONCE), ROWS)
    assert rows(database) == ROWS


def test_a_file_that_somebody_else_writes_is_waited_for(tmp_path, monkeypatch):
    """SQLite has one writer at a time."""
    monkeypatch.setattr("windrow.connectors.jdbc.databases._SQLITE_TIMEOUT", 0.1)
    database = Sqlite(tmp_path)
    other = sqlite3.connect(database.file, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(JdbcConnectorError, match=r"tried 2 times.*database is locked"):
        write(pairs(database.options, database.table, retries=1), ROWS)
    monkeypatch.setattr(writer_module, "sleep", lambda _: other.execute("COMMIT") if other.in_transaction else None)
    write(pairs(database.options, database.table, retries=1), ROWS)
    other.close()
    assert rows(database) == ROWS
