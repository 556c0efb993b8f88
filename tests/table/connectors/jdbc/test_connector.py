"""Tables of databases: which there can be, and what is read and written in a file of SQLite."""

import sqlite3
from contextlib import closing

import pytest

from windrow.datastream import StreamExecutionEnvironment
from windrow.errors import SqlError, WindrowError
from windrow.table import StreamTableEnvironment
from windrow.table.connectors.jdbc.connector import ranges_of

COLUMNS = "id BIGINT, name STRING"


@pytest.fixture
def tables():
    """Tables of an environment in this process."""
    env = StreamExecutionEnvironment.create_local_environment(parallelism=1)
    made = StreamTableEnvironment.create(env)
    made.create_temporary_view("words", made.from_elements([(1, "b"), (2, "c"), (1, "a"), (3, "z")], ["id", "name"]))
    return made


@pytest.fixture
def file(tmp_path):
    """A file of SQLite, with a table that has a key."""
    found = tmp_path / "a.db"
    run(found, "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT)")
    return found


def run(file, sql):
    with closing(sqlite3.connect(file)) as connection, connection:
        return connection.execute(sql).fetchall()


def create(tables, file, columns=COLUMNS, name="t", **changed):
    """A table of the file; double underscores stand for dots, single ones for hyphens, None leaves one out."""
    options = {"connector": "jdbc", "url": f"jdbc:sqlite:{file}", "table-name": "t"}
    options |= {key.replace("__", ".").replace("_", "-"): value for key, value in changed.items()}
    listed = ", ".join(f"'{key}' = '{value}'" for key, value in options.items() if value is not None)
    tables.execute_sql(f"CREATE TABLE {name} ({columns}) WITH ({listed})")


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"url": None}, "needs the option 'url'"),
        ({"table_name": None, "tablename": "t"}, "needs the option 'table-name'; 'tablename' is none"),
        ({"username": "me"}, "'username' and 'password' are given both, or neither"),
        ({"pasword": "pa55"}, "did you mean 'password'?"),
        ({"sink__max_retries": "some"}, "'sink.max-retries' takes a whole number; got 'some'"),
        ({"scan__partition__num": "2"}, "'scan.partition.num' needs the option 'scan.partition.column' as well"),
        (
            {
                "scan__partition__num": "2",
                "scan__partition__column": "ix",
                "scan__partition__lower_bound": "0",
                "scan__partition__upper_bound": "9",
            },
            "'scan.partition.column' = 'ix': there is no such stored column",
        ),
    ],
)
def test_a_wrong_table_is_refused_when_it_is_made(tables, file, changed, said):
    """Each message names the option, and none shows a password."""
    with pytest.raises(SqlError) as raised:
        create(tables, file, **changed)
    assert said in str(raised.value)
    assert "pa55" not in str(raised.value)


def test_rows_are_appended_and_read(tables, file):
    """Without a PRIMARY KEY; a bounded table has its end."""
    run(file, "DROP TABLE t")
    run(file, "CREATE TABLE t (id INT, name TEXT)")
    create(tables, file)
    tables.execute_sql("INSERT INTO t SELECT id, name FROM words").wait()
    assert run(file, "SELECT * FROM t ORDER BY name") == [(1, "a"), (1, "b"), (2, "c"), (3, "z")]
    assert sorted(tuple(row) for row in tables.execute_sql("SELECT id, UPPER(name) FROM t").collect()) == [
        (1, "A"),
        (1, "B"),
        (2, "C"),
        (3, "Z"),
    ]


def test_a_table_with_a_key_keeps_the_last_row_of_each(tables, file):
    """Whether rows are inserted or a result changes."""
    create(tables, file, f"{COLUMNS}, PRIMARY KEY (id) NOT ENFORCED")
    tables.execute_sql("INSERT INTO t SELECT id, name FROM words").wait()
    assert run(file, "SELECT * FROM t ORDER BY id") == [(1, "a"), (2, "c"), (3, "z")]
    tables.execute_sql("INSERT INTO t SELECT id, LISTAGG(name) FROM words GROUP BY id").wait()
    assert run(file, "SELECT * FROM t ORDER BY id") == [(1, "b,a"), (2, "c"), (3, "z")]


def test_a_row_that_is_deleted_goes(tables, file):
    """Here those of which there are not two."""
    create(tables, file, "n BIGINT, id BIGINT, PRIMARY KEY (id) NOT ENFORCED", name="counts", table_name="counts")
    run(file, "CREATE TABLE counts (n INT, id INT PRIMARY KEY)")
    run(file, "INSERT INTO counts VALUES (9, 9)")
    once = "SELECT MAX(id), n FROM (SELECT id, COUNT(*) AS n FROM words GROUP BY id) GROUP BY n"
    tables.execute_sql(f"INSERT INTO counts {once}").wait()
    assert run(file, "SELECT id, n FROM counts ORDER BY id") == [(1, 3), (2, 1), (9, 9)]


def test_a_changing_result_needs_a_key(tables, file):
    """Else nobody knows which row an update is about."""
    create(tables, file)
    with pytest.raises(SqlError, match="doesn't support consuming update changes"):
        tables.execute_sql("INSERT INTO t SELECT id, MAX(name) FROM words GROUP BY id")


def test_ranges_are_read_apart(tables, file):
    """What is outside the bounds is not read, as in Flink."""
    run(file, "INSERT INTO t VALUES (-1, 'x'), (0, 'a'), (3, 'b'), (4, 'c'), (9, 'd'), (10, 'y')")
    bounds = {"scan__partition__lower_bound": "0", "scan__partition__upper_bound": "9"}
    create(tables, file, **bounds, scan__partition__column="id", scan__partition__num="3", scan__fetch_size="1")
    assert sorted(row[1] for row in tables.execute_sql("SELECT id, name FROM t").collect()) == ["a", "b", "c", "d"]


def test_ranges_cover_the_bounds():
    """Each number once; no more ranges than numbers."""
    assert ranges_of(0, 9, 3) == [(0, 3), (4, 6), (7, 9)]
    assert ranges_of(5, 6, 4) == [(5, 5), (6, 6)]


def test_a_table_that_is_not_there_is_an_error_with_its_database(tables, file):
    """And with the query, and what the database says."""
    create(tables, file, table_name="tt")
    with pytest.raises(WindrowError, match=r"could not be read with 'SELECT id, name FROM tt'.*no such table"):
        list(tables.execute_sql("SELECT id FROM t").collect())
