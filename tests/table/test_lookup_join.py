"""Rows with what a table has for them when they come: FOR SYSTEM_TIME AS OF processing time."""

import sqlite3

import pytest

from tests.table.clock import by_batch, local_tables, tables_of, without_restarts
from windrow.errors import ConfigurationError, SqlError, UserFunctionError
from windrow.operators.table.lookup import Lookup
from windrow.table.connectors.lookups import LookupTable, cache_of
from windrow.table.connectors.tables import CONNECTORS, TableConnector

ROWS = [("a", 10, "x"), ("a", 20, "y"), ("c", 30, "z")]
asked = []


class Remembered(Lookup):
    """Looks in a list, and notes what it was asked for."""

    def __init__(self, places):
        self._places = places

    def rows(self, keys):
        asked.append(sorted(keys))
        return [[row for row in ROWS if tuple(row[place] for place in self._places) == key] for key in keys]


class Failing(Lookup):
    def rows(self, keys):
        raise OSError("the database is away")


class Dim(TableConnector):
    """A table that can be looked up alone."""

    name = "dim"

    def configure(self):
        self.cache = cache_of(self.options)
        self._fails = self.options.flag("fails")

    def lookup(self, keys):
        return Failing() if self._fails else Remembered([self.names.index(key) for key in keys])


@pytest.fixture(autouse=True)
def _connectors(monkeypatch):
    asked.clear()
    monkeypatch.setitem(CONNECTORS, "dim", Dim)


def with_table(tables, options="", columns="k STRING, m INT, word STRING"):
    tables.execute_sql(f"CREATE TABLE d ({columns}) WITH ('connector' = 'dim'{options})")
    return tables


JOIN = "JOIN d FOR SYSTEM_TIME AS OF t.proc AS d ON t.k = d.k"
FOUND = [("a", 1, 10), ("a", 1, 20), ("a", 3, 10), ("a", 3, 20), ("a", 4, 10), ("a", 4, 20)]


def rows_of(tables, query):
    return sorted((tuple(row) for row in tables.sql_query(query).execute().collect()), key=repr)


def test_rows_have_what_the_table_has_for_them():
    """Each row as often as the table has rows for its key, and once with NULL in a left join that finds none."""
    tables = with_table(local_tables())
    assert isinstance(Dim(tables._catalog.find("d")), LookupTable)
    assert rows_of(tables, f"SELECT t.k, n, m FROM t {JOIN}") == FOUND
    nothing = [("b", 2, None), ("b", 5, None)]
    assert rows_of(tables, f"SELECT t.k, n, m FROM t LEFT {JOIN}") == [*FOUND, *nothing]


def test_a_batch_asks_once_for_the_keys_that_differ():
    """All of them together."""
    rows_of(with_table(local_tables()), f"SELECT m FROM t {JOIN}")
    assert asked == [[("a",), ("b",)]]


def test_a_cache_is_asked_first():
    """With PARTIAL, rows are asked for once until they expire; by default each batch asks."""
    query = f"SELECT n FROM t LEFT {JOIN}"
    times = [0, 1, 2, 60_000, 60_001]
    for options, expected in (
        ("", ["a", "b", "a", "a", "b"]),
        (", 'lookup.cache' = 'PARTIAL', 'lookup.partial-cache.max-rows' = '10'", ["a", "b"]),
        (", 'lookup.cache' = 'PARTIAL', 'lookup.partial-cache.expire-after-write' = '1 min'", ["a", "b", "a", "b"]),
    ):
        asked.clear()
        tables = with_table(local_tables(), options)
        without_restarts(tables, query, times)
        assert [key for keys in asked for (key,) in keys] == expected, options


def test_conditions_and_views_of_the_table_are_looked_at():
    """Further conditions choose among the rows that were found; a view of the table is looked up as well."""
    tables = with_table(local_tables())
    assert rows_of(tables, f"SELECT n, m FROM t {JOIN} AND d.m > t.n * 5 AND word <> 'x'") == [(1, 20), (3, 20)]
    assert rows_of(tables, f"SELECT n, m FROM t LEFT {JOIN} AND d.m > 10 WHERE t.k = 'a' AND n < 2") == [(1, 20)]
    tables.execute_sql("CREATE VIEW v AS SELECT k AS key, UPPER(word) AS word FROM d WHERE m < 20")
    query = "SELECT n, word FROM t LEFT JOIN v FOR SYSTEM_TIME AS OF t.proc ON v.key = t.k WHERE n < 3"
    assert rows_of(tables, query) == [(1, "X"), (2, None)]


def test_what_is_computed_of_no_row_is_null():
    """A computed column of a row that was not found is NULL, also where it is not NULL of NULL."""
    columns = "k STRING, m INT, word STRING, c AS COALESCE(word, 'none'), p AS PROCTIME()"
    tables = with_table(local_tables(), columns=columns)
    assert rows_of(tables, f"SELECT n, c FROM t LEFT {JOIN} WHERE n IN (1, 2)") == [(1, "x"), (1, "y"), (2, None)]


def test_null_is_looked_up_nowhere():
    """A key that is NULL is equal to nothing, and nobody is asked for it."""
    tables = with_table(local_tables([("a", 1), (None, 2)]))
    assert rows_of(tables, f"SELECT n, m FROM t LEFT {JOIN}") == [(1, 10), (1, 20), (2, None)]
    assert asked == [[("a",)]]


def test_times_go_through_a_lookup_join():
    """Rows go on with their event time and processing time."""
    tables = with_table(local_tables())
    tables.create_temporary_view("j", tables.sql_query(f"SELECT t.proc, m FROM t {JOIN}"))
    window = "TUMBLE(TABLE j, DESCRIPTOR(proc), INTERVAL '1' MINUTE)"
    query = f"SELECT SUM(m) FROM TABLE({window}) GROUP BY window_start, window_end"
    assert by_batch(tables, query, [0, 1, 2, 3, 60_000])[-1] == [(90,)]


def test_a_database_is_looked_up(env, tmp_path):
    """On both runtimes."""
    path = tmp_path / "d.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE rows_of_d (k TEXT, m TEXT, word TEXT, since TEXT)")
        connection.executemany("INSERT INTO rows_of_d VALUES (?, ?, ?, '2024-03-10')", ROWS)
    connection.close()
    tables = tables_of(env)
    tables.execute_sql(
        "CREATE TABLE d (k STRING, m INT, since DATE) WITH ('connector' = 'jdbc', 'table-name' = 'rows_of_d', "
        f"'url' = 'jdbc:sqlite:{path}', 'lookup.cache' = 'PARTIAL')"
    )
    assert rows_of(tables, f"SELECT t.k, n, m FROM t {JOIN} AND since = DATE '2024-03-10'") == FOUND


def test_an_error_of_the_table_ends_the_job():
    """With what it says."""
    tables = with_table(local_tables(), ", 'fails' = 'true'")
    with pytest.raises(UserFunctionError, match="the database is away"):
        rows_of(tables, f"SELECT n FROM t {JOIN}")


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("SELECT 1 FROM t JOIN d FOR SYSTEM_TIME AS OF PROCTIME() AS d ON t.k = d.k", "of the left table: proc"),
        ("SELECT 1 FROM t JOIN d FOR SYSTEM_TIME AS OF t.proc AS d ON t.n < d.m", "takes ON a.k = b.k with a column"),
        ("SELECT 1 FROM t JOIN d FOR SYSTEM_TIME AS OF t.proc AS d ON t.k = UPPER(d.k)", "takes ON a.k = b.k with"),
        ("SELECT 1 FROM t AS s JOIN t FOR SYSTEM_TIME AS OF s.proc AS d ON s.k = d.k", "this one cannot be asked"),
    ],
)
def test_what_is_no_lookup_join_is_refused(query, message):
    """Each error says what is missing, and what to write."""
    with pytest.raises(SqlError, match=message):
        with_table(local_tables()).sql_query(query)


def test_rows_that_change_are_refused():
    """What was found for a row that is taken back may not be found again."""
    tables = with_table(local_tables())
    query = f"SELECT 1 FROM (SELECT k, PROCTIME() AS proc FROM t GROUP BY k) AS t {JOIN}"
    with pytest.raises(ConfigurationError, match="LookupJoin doesn't support consuming"):
        tables.sql_query(query).execute()


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("'lookup.cache' = 'FULL'", "'FULL'.*PARTIAL"),
        ("'lookup.partial-cache.max-rows' = '0'", "above zero"),
        ("'lookup.partial-cache.expire-after-write' = 'soon'", "takes a span of time such as '5 s'; got 'soon'"),
    ],
)
def test_options_of_the_cache_are_checked(option, message):
    """A wrong value is an error of CREATE TABLE."""
    with pytest.raises(SqlError, match=message):
        with_table(local_tables(), f", {option}")
