"""Which changes a table gets, and which streams there are of a table that changes."""

import pytest

from windrow.common import Row, RowKind, Types
from windrow.datastream import StreamExecutionEnvironment
from windrow.errors import ConfigurationError, SqlError
from windrow.table import StreamTableEnvironment
from windrow.table.changelog_mode import ChangelogMode
from windrow.table.connectors.tables import CONNECTORS, TableConnector

written = []


class Kept(TableConnector):
    """Keeps what it gets, and takes what its option says."""

    name = "kept"

    def configure(self):
        self.mode = self.options.get("mode")

    def changelog_mode(self):
        return {"upsert": ChangelogMode.upsert, "all": ChangelogMode.all}.get(self.mode, ChangelogMode.insert_only)()

    def write(self, stream, types):
        return stream.map(lambda row: written.append(row) or row).print()

    def write_changes(self, stream, types):
        return self.write(stream, types)


@pytest.fixture
def local(monkeypatch):
    """Tables of an environment in this process, a view of pairs, and a connector that keeps what it gets."""
    written.clear()
    monkeypatch.setitem(CONNECTORS, "kept", Kept)
    env = StreamExecutionEnvironment.create_local_environment(parallelism=1)
    tables = StreamTableEnvironment.create(env)
    pairs = env.from_collection(
        [("a", 1), ("b", 2), ("a", 3)], Types.ROW_NAMED(["k", "n"], [Types.STRING(), Types.INT()])
    )
    tables.create_temporary_view("pairs", pairs)
    return tables


def insert(tables, mode, key="PRIMARY KEY (k) NOT ENFORCED", query="SELECT k, SUM(n) FROM pairs GROUP BY k"):
    columns = ", ".join(filter(None, ["k STRING", "total INT", key]))
    tables.execute_sql(f"CREATE TABLE sums ({columns}) WITH ('connector' = 'kept', 'mode' = '{mode}')")
    tables.execute_sql(f"INSERT INTO sums {query}").wait()


def test_an_upsert_table_gets_no_old_rows(local):
    """Only what takes the place of the row with the same key."""
    insert(local, "upsert")
    kinds = RowKind.INSERT.value, RowKind.UPDATE_AFTER.value
    assert written == [("a", 1, kinds[0]), ("b", 2, kinds[0]), ("a", 4, kinds[1])]


def test_a_table_that_takes_all_gets_all(local):
    """Old rows before new ones; it needs no key."""
    insert(local, "all", key="")
    kinds = [RowKind(kind) for _, _, kind in written]
    assert kinds == [RowKind.INSERT, RowKind.INSERT, RowKind.UPDATE_BEFORE, RowKind.UPDATE_AFTER]


def test_insertions_have_no_kind(local):
    """A table that takes changes gets plain rows of a query that takes nothing back."""
    insert(local, "upsert", query="SELECT k, n FROM pairs")
    assert written == [("a", 1), ("b", 2), ("a", 3)]


@pytest.mark.parametrize(
    ("mode", "key", "said"),
    [
        ("insert", "", "doesn't support consuming update changes which is produced by node GroupAggregate"),
        ("upsert", "", r"the last row of each PRIMARY KEY \(none\), and the key of the query's changes is k"),
        (
            "upsert",
            "PRIMARY KEY (total) NOT ENFORCED",
            r"PRIMARY KEY \(total\), and the key of the query's changes is k",
        ),
    ],
)
def test_changes_that_a_table_cannot_take_are_refused(local, mode, key, said):
    """Where it is written, with what to write."""
    with pytest.raises(SqlError, match=said):
        insert(local, mode, key)


def test_streams_of_a_table_that_changes(local):
    """Rows with their kinds, with or without old ones; a stream of plain rows is refused, with the reason."""
    table = local.sql_query("SELECT k, SUM(n) AS total FROM pairs GROUP BY k")
    every = [(row.get_row_kind(), *row) for row in local.to_changelog_stream(table).execute_and_collect()]
    assert every == [
        (RowKind.INSERT, "a", 1),
        (RowKind.INSERT, "b", 2),
        (RowKind.UPDATE_BEFORE, "a", 1),
        (RowKind.UPDATE_AFTER, "a", 4),
    ]
    upserts = local.to_changelog_stream(table, changelog_mode=ChangelogMode.upsert()).execute_and_collect()
    assert [row.get_row_kind() for row in upserts] == [RowKind.INSERT, RowKind.INSERT, RowKind.UPDATE_AFTER]
    with pytest.raises(ConfigurationError, match="changes"):
        local.to_data_stream(table)
    plain = local.to_changelog_stream(local.sql_query("SELECT k FROM pairs")).execute_and_collect()
    assert list(plain) == [Row(k="a"), Row(k="b"), Row(k="a")]


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("SELECT l.k FROM pairs AS l JOIN pairs AS r ON l.k = r.k", "join"),
        (
            "SELECT * FROM pairs MATCH_RECOGNIZE (ORDER BY n MEASURES A.n AS m PATTERN (A) DEFINE A AS A.n > 1)",
            "MATCH_RECOGNIZE is not",
        ),
    ],
)
def test_what_would_keep_all_rows_is_refused(local, query, said):
    """By name, with what to use instead."""
    with pytest.raises(SqlError, match=said) as caught:
        local.sql_query(query)
    assert "interval" in str(caught.value) or "KeyedProcessFunction" in str(caught.value)
