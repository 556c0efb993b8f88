"""Rows of a database by key."""

import pickle
import sqlite3

import pytest

from windrow.connectors.jdbc.lookup import JdbcLookup
from windrow.datastream.connectors.jdbc import JdbcConnectionOptions, JdbcConnectorError


@pytest.fixture
def options(tmp_path):
    path = tmp_path / "shops.db"
    with sqlite3.connect(path) as connection:
        connection.execute('CREATE TABLE shops (country TEXT, id INT, "full name" TEXT)')
        rows = [("de", n, f"shop {n}") for n in range(1_000)] + [("fr", 7, "un"), ("fr", 7, "deux"), (None, 8, "none")]
        connection.executemany("INSERT INTO shops VALUES (?, ?, ?)", rows)
    connection.close()
    return JdbcConnectionOptions.JdbcConnectionOptionsBuilder().with_url(f"jdbc:sqlite:{path}").build()


COLUMNS = ["id", "country", "full name"]


def test_each_key_has_its_rows(options):
    """In the order of the keys; none where there is none, several where there are."""
    lookup = JdbcLookup(options, "shops", COLUMNS, ["country", "id"])
    found = lookup.rows([("fr", 7), ("de", 9999), ("de", 3)])
    assert [sorted(rows) for rows in found] == [[(7, "fr", "deux"), (7, "fr", "un")], [], [(3, "de", "shop 3")]]


def test_many_keys_are_asked_for_in_several_statements(options):
    """However many parameters a statement may have; what is sent to another process asks there."""
    lookup = pickle.loads(pickle.dumps(JdbcLookup(options, "shops", COLUMNS, ["full name"])))
    keys = [(f"shop {n}",) for n in range(900, -1, -1)]
    assert lookup.rows(keys) == [[(n, "de", f"shop {n}")] for n in range(900, -1, -1)]


def test_a_table_that_is_not_there_is_an_error_with_what_to_check(options):
    """The table, the database, what it says."""
    lookup = JdbcLookup(options, "shoppes", ["id"], ["id"])
    with pytest.raises(JdbcConnectorError, match=r"table 'shoppes' at sqlite.* no such table: shoppes; check that"):
        lookup.rows([(1,)])


def test_a_connection_that_is_lost_is_tried_again(options, monkeypatch):
    """So often as was said, and then it is an error."""
    import sqlalchemy

    pauses, failures = [], []

    class Database:
        def connect(self):
            failures.append(1)
            raise sqlalchemy.exc.OperationalError("select", {}, OSError("gone"))

    monkeypatch.setattr("windrow.connectors.jdbc.lookup.engine", lambda url: Database())
    monkeypatch.setattr("windrow.connectors.jdbc.lookup.sleep", pauses.append)
    with pytest.raises(JdbcConnectorError, match="gone"):
        JdbcLookup(options, "shops", ["id"], ["id"], max_retries=2).rows([(1,)])
    assert (len(failures), pauses) == (3, [1.0, 2.0])
