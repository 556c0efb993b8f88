"""The table of batches."""

import threading

import pytest
import sqlalchemy

from tests.connectors.jdbc.building import context, postgres_options, sqlite_options
from windrow.connectors.jdbc.batches import BatchesTable
from windrow.connectors.jdbc.databases import engine
from windrow.connectors.spool import Contents, Written

SOME = Contents(3, 17)


@pytest.fixture(params=["sqlite", "postgres"])
def database(request, tmp_path):
    """An engine, and nothing in the database yet."""
    if request.param == "sqlite":
        yield engine(sqlite_options(tmp_path / "a.db").sqlalchemy_url)
        return
    server = request.getfixturevalue("postgres")
    yield engine(postgres_options(server).sqlalchemy_url)
    server.run("DROP TABLE IF EXISTS numbers")


@pytest.fixture
def table(database, monkeypatch):
    """The table in it."""
    monkeypatch.setattr("windrow.connectors.jdbc.batches._there", set())
    made = BatchesTable("numbers")
    made.ensure(database)
    return made


def begin(table, database, *args, contents=SOME, **kwargs):
    with database.begin() as connection:
        return table.begin(connection, context(*args, **kwargs), contents)


def test_a_batch_is_noted_once(table, database):
    """And each further one takes its place."""
    found = [begin(table, database, batch) for batch in (0, 0, 1, 5, 5)]
    assert found == [None, Written(0, SOME), None, None, Written(5, SOME)]
    assert begin(table, database, 3) == Written(5, SOME)


def test_jobs_sinks_and_partitions_are_apart(table, database):
    """Each has a line of its own, also a sink with a very long name."""
    for other in ({}, {"job": "other"}, {"tag": "other"}, {"partition": 1}, {"tag": "x" * 1000}, {"tag": "x" * 1001}):
        assert begin(table, database, 0, **other) is None
        assert begin(table, database, 0, **other) == Written(0, SOME)


def test_what_is_rolled_back_is_not_noted(table, database):
    """The rows of that attempt are gone, too."""
    for batch in (0, 1):
        with database.connect() as connection:
            assert table.begin(connection, context(batch), SOME) is None
            connection.rollback()
        assert begin(table, database, batch) is None


def test_a_job_is_forgotten(table, database):
    """And no other one."""
    begin(table, database, 0)
    begin(table, database, 0, job="other")
    table.forget(database, "a job")
    assert begin(table, database, 0, job="other") == Written(0, SOME)
    assert begin(table, database, 0) is None


def test_a_second_attempt_waits_for_the_first(postgres):
    """Both at once: the one that comes second finds the number, whether the first one's line is new or not."""
    database = engine(postgres_options(postgres).sqlalchemy_url)
    table = BatchesTable("attempts")
    table.ensure(database)
    for batch in (0, 1):
        found = []
        with database.begin() as connection:
            assert table.begin(connection, context(batch), SOME) is None
            second = threading.Thread(target=lambda: found.append(attempt(table, database, batch)))  # noqa: B023
            second.start()
            second.join(0.3)
            assert found == []
        second.join(30)
        assert found == [Written(batch, SOME)]


def attempt(table, database, batch):
    from windrow.connectors.jdbc.batches import RacedError

    try:
        return begin(table, database, batch)
    except RacedError:
        return begin(table, database, batch)


def test_many_may_make_the_table_at_once(database, monkeypatch):
    """As the writers of the first batch do."""
    monkeypatch.setattr("windrow.connectors.jdbc.batches._there", set())
    errors = []

    def make():
        try:
            BatchesTable("numbers").ensure(database)
        except sqlalchemy.exc.SQLAlchemyError as error:
            errors.append(error)

    threads = [threading.Thread(target=make) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert sqlalchemy.inspect(database).has_table("numbers")


def test_the_table_may_be_in_a_schema(postgres):
    """Where the user may make tables."""
    database = engine(postgres_options(postgres).sqlalchemy_url)
    postgres.run("CREATE SCHEMA apart")
    table = BatchesTable("apart.numbers")
    table.ensure(database)
    assert begin(table, database, 0) is None
    assert postgres.run("SELECT batch, row_count FROM apart.numbers") == [(0, 3)]
    postgres.run("DROP SCHEMA apart CASCADE")
