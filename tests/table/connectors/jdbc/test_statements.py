"""Statements in a database's own words."""

import pytest

from windrow.errors import ConfigurationError
from windrow.table.connectors.jdbc.statements import TableStatements

sqlalchemy = pytest.importorskip("sqlalchemy")


def of(url, keys=("id",), columns=("id", "order", "first name")):
    return TableStatements(sqlalchemy.make_url(url), "shop.Orders", columns, keys)


def test_rows_are_read_in_the_order_of_their_key():
    """So that reading can go on where it was."""
    assert of("sqlite://").select() == 'SELECT id, "order", "first name" FROM shop.Orders ORDER BY id'
    assert of("sqlite://", keys=()).select("id").endswith("FROM shop.Orders WHERE id BETWEEN :lower AND :upper")


def test_a_row_takes_the_place_of_the_one_with_its_key():
    """As each database says it."""
    insert = 'INSERT INTO shop.Orders (id, "order", "first name") VALUES (?, ?, ?)'
    conflict = 'ON CONFLICT (id) DO UPDATE SET "order" = EXCLUDED."order", "first name" = EXCLUDED."first name"'
    assert of("sqlite://").upsert() == f"{insert} {conflict}"
    assert of("sqlite://", ("id",), ("id",)).upsert().endswith("ON CONFLICT (id) DO NOTHING")
    of_mysql = of("mysql+pymysql://", ("id",), ("id", "n")).upsert()
    assert of_mysql.endswith("ON DUPLICATE KEY UPDATE n = VALUES(n)")


def test_a_row_is_deleted_by_its_key():
    """All columns of it."""
    assert of("sqlite://", ("id", "order")).delete() == 'DELETE FROM shop.Orders WHERE id = ? AND "order" = ?'


def test_an_unknown_database_is_refused():
    """How it says an upsert is not known."""
    with pytest.raises(ConfigurationError, match="a table of mssql with a PRIMARY KEY cannot be written from SQL"):
        of("mssql+pymssql://").upsert()
