"""Rows of a changelog in a table."""

import pytest

from tests.connectors.jdbc.building import run_sqlite, sqlite_options
from windrow.common import Row, Types
from windrow.connectors.jdbc.change_statement import ChangeStatement
from windrow.connectors.jdbc.databases import engine
from windrow.connectors.jdbc.statement import Statement

pytest.importorskip("sqlalchemy", reason="no SQLAlchemy: pip install 'windrow[jdbc]'")

PAIR = Types.ROW([Types.INT(), Types.STRING()])


def test_the_last_row_of_a_key_counts(tmp_path):
    """Written, or deleted: a statement for each, in one piece of rows."""
    file = tmp_path / "a.db"
    run_sqlite(file, "CREATE TABLE t (id INT PRIMARY KEY, name TEXT)")
    run_sqlite(file, "INSERT INTO t VALUES (1, 'old'), (2, 'old'), (3, 'old')")
    upsert = Statement(
        "INSERT INTO t VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET name = excluded.name", PAIR, "sqlite"
    )
    delete = Statement("DELETE FROM t WHERE id = ?", Types.ROW([Types.INT()]), "sqlite")
    statement = ChangeStatement(upsert, delete, [0])
    changes = [(1, "a", 2), (2, "b", 0), (1, "a", 1), (1, "c", 2), (2, "b", 3), (4, None, 0)]
    values = statement.values([Row(*change) for change in changes])
    with engine(sqlite_options(file).sqlalchemy_url).begin() as connection:
        statement.execute(connection, values)
    assert sorted(run_sqlite(file, "SELECT * FROM t")) == [(1, "c"), (3, "old"), (4, None)]
