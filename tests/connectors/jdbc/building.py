"""What several tests build."""

import sqlite3
from contextlib import closing

from tests.postgres_server import PASSWORD, USER
from windrow.common import Types
from windrow.connectors.interfaces import WriterContext
from windrow.datastream.connectors.jdbc import JdbcConnectionOptions, JdbcExecutionOptions, JdbcSink

PAIR = Types.ROW([Types.INT(), Types.STRING()])


def sqlite_options(file):
    """Where a SQLite file is."""
    return JdbcConnectionOptions.JdbcConnectionOptionsBuilder().with_url(f"jdbc:sqlite:{file}").build()


def postgres_options(server):
    """Where a server of the tests is."""
    return (
        JdbcConnectionOptions.JdbcConnectionOptionsBuilder()
        .with_url(server.url)
        .with_driver_name("org.postgresql.Driver")
        .with_user_name(USER)
        .with_password(PASSWORD)
        .build()
    )


def execution(retries=0, size=5000):
    """How rows are sent."""
    return JdbcExecutionOptions.builder().with_max_retries(retries).with_batch_size(size).build()


def pairs(options, table, retries=0, size=5000, **more):
    """A sink of pairs."""
    return JdbcSink.sink(f"INSERT INTO {table} VALUES (?, ?)", PAIR, options, execution(retries, size), **more)


def context(batch=0, partition=0, job="a job", tag="sink"):
    """Who writes, in a job that is run again from its checkpoint."""
    return WriterContext(batch, partition, "pairs", job, tag)


def write(sink, rows, *args, **kwargs):
    """Write rows as a worker does; what is to be said of it."""
    # Tables are a test's own; what is noted of sinks is not.
    writer = sink.create_writer(context(*args, **{"tag": sink.statement.sql, **kwargs}))
    try:
        writer.write(rows, [0] * len(rows))
    except BaseException:
        writer.abort()
        raise
    return writer.prepare_commit()


def run_sqlite(file, sql):
    """Run a statement; its rows."""
    with closing(sqlite3.connect(file)) as connection, connection:
        return connection.execute(sql).fetchall()
