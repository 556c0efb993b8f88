"""Table functions of a program's own, and UNNEST, in SQL and in the Table API."""

import sys
from collections import Counter

import pytest

from tests.table.columns import columns_of
from tests.table.events import EVENT, EVENTS, schema_of_events
from windrow.common import Row
from windrow.common.types import RowKind
from windrow.datastream import StreamExecutionEnvironment
from windrow.errors import ConfigurationError, ConfigurationTypeError, SqlError, UsageError, WindrowError
from windrow.table import DataTypes, StreamTableEnvironment
from windrow.table.expressions import call, col, lit
from windrow.table.udf import FunctionContext, TableFunction, udf, udtf

LINES = (
    "CREATE TEMPORARY VIEW lines AS SELECT * FROM (VALUES (1, 'a bb', ARRAY[5, 6], MAP['x', 1]), "
    "(2, '', CAST(NULL AS ARRAY<INT>), CAST(NULL AS MAP<STRING, INT>)), "
    "(3, 'c', ARRAY[7], MAP['y', 2])) AS t(n, s, a, m)"
)


@udtf(result_types=["STRING", "INT"])
def words(line):
    for word in line.split():
        yield word, len(word)


class Repeated(TableFunction):
    """Says its argument again and again, with a prefix that its job gives."""

    def open(self, function_context):
        assert isinstance(function_context, FunctionContext)
        self.prefix = function_context.get_job_parameter("prefix", "p")

    def eval(self, number):
        return [f"{self.prefix}{number}"] * number


@pytest.fixture
def local():
    """Tables of an environment in this process, with a view of lines."""
    tables = StreamTableEnvironment.create(StreamExecutionEnvironment.create_local_environment(parallelism=1))
    tables.execute_sql(LINES)
    tables.create_temporary_system_function("words", words)
    return tables


def rows(tables, query):
    return [tuple(row) for row in tables.execute_sql(query).collect()]


def test_each_row_stands_beside_the_rows_that_are_made_of_it(local):
    """With CROSS JOIN, behind a comma, or with a condition; with LEFT JOIN NULL stands beside a row without any."""
    made = [(1, "a", 1), (1, "bb", 2), (3, "c", 1)]
    lateral = "LATERAL TABLE(words(s)) AS t(w, l)"
    assert rows(local, f"SELECT n, w, l FROM lines, {lateral}") == made
    assert rows(local, f"SELECT n, w, l FROM lines CROSS JOIN {lateral} WHERE l < n") == [(3, "c", 1)]
    assert rows(local, f"SELECT n, w, l FROM lines JOIN {lateral} ON l < n") == [(3, "c", 1)]
    left = rows(local, f"SELECT n, t.w, l FROM lines LEFT JOIN {lateral} ON TRUE")
    assert left == [*made[:2], (2, None, None), made[2]]
    fits = rows(local, f"SELECT n, t.w FROM lines LEFT JOIN {lateral} ON l > 1 AND l > n")
    assert fits == [(1, "bb"), (2, None), (3, None)]
    computed = "LATERAL TABLE(words(UPPER(s) || ' x')) AS t(w, l)"
    assert rows(local, f"SELECT n, w FROM lines, {computed} WHERE n = 2") == [(2, "x")]
    assert rows(local, "SELECT w FROM LATERAL TABLE(words('a bb')) AS t(w, l)") == [("a",), ("bb",)]


def test_columns_have_the_names_of_the_row_where_none_are_written(local):
    """Of a row in the words of SQL; else they are numbered."""
    local.create_temporary_function("named", udtf(words.function, result_types="ROW<word STRING, size INT>"))
    assert columns_of(local.sql_query("SELECT word, size FROM lines, LATERAL TABLE(named(s))")) == [
        ("word", "STRING"), ("size", "INT"),
    ]  # fmt: skip
    assert rows(local, "SELECT f0, f1 FROM lines, LATERAL TABLE(words(s)) WHERE n = 3") == [("c", 1)]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (lambda n: range(0, n, 1), [0, 1]),
        (lambda n: [(n,), Row(n + 1), n + 2], [2, 3, 4]),
        (lambda n: (each for each in (n, None)), [2, None]),
        (lambda n: iter([n]), [2]),
        (lambda n: n, [2]),
        (lambda n: None, []),
    ],
    ids=["range", "list", "generator", "iterator", "value", "none"],
)
def test_what_is_a_row_of_what_a_function_gives(local, given, expected):
    """Each of a list, a range or what yields; anything else is one row, and None is none."""
    local.create_temporary_function("given", udtf(given, result_types=DataTypes.INT()))
    assert rows(local, "SELECT x FROM lines, LATERAL TABLE(given(n)) AS t(x) WHERE n = 2") == [(x,) for x in expected]


def test_rows_that_change_have_rows_beside_them_that_change(local):
    """With the kind of the row that they are made of."""
    counted = "(SELECT l, COUNT(*) AS c FROM lines, LATERAL TABLE(words(s)) AS t(w, l) GROUP BY l)"
    lateral = "LATERAL TABLE(words(CAST(c AS STRING))) AS u(w, k)"
    query = f"SELECT l, c, w FROM {counted} LEFT JOIN {lateral} ON TRUE WHERE l = 1"
    assert [(row.get_row_kind(), *row) for row in local.execute_sql(query).collect()] == [
        (RowKind.INSERT, 1, 1, "1"), (RowKind.UPDATE_BEFORE, 1, 1, "1"), (RowKind.UPDATE_AFTER, 1, 2, "2"),
    ]  # fmt: skip


def test_rows_keep_their_time_and_their_window(local):
    """So windows may be made behind a table function, and groups of windows that were made before it."""
    events = local.from_data_stream(local._environment.from_collection(EVENTS, EVENT), schema_of_events())
    local.create_temporary_view("events", events)
    local.create_temporary_function("repeated", udtf(Repeated(), result_types=["STRING"]))
    lateral = "LATERAL TABLE(repeated(n)) AS t(x)"
    made = f"SELECT rt, k, x FROM events, {lateral}"
    local.create_temporary_view("made", local.sql_query(made))
    window = "TABLE(TUMBLE(TABLE {}, DESCRIPTOR(rt), INTERVAL '1' MINUTE))"
    expected = [("a", 1), ("a", 7), ("b", 5)]
    count, group = "SELECT k, COUNT(x) FROM", "GROUP BY k, window_start, window_end"
    assert sorted(rows(local, f"{count} {window.format('made')} {group}")) == expected
    assert sorted(rows(local, f"{count} {window.format('events')}, {lateral} {group}")) == expected


def test_arrays_and_maps_are_rows(local):
    """Of an array of rows their fields are columns; NULL and what is empty has none."""
    assert rows(local, "SELECT n, x FROM lines CROSS JOIN UNNEST(a) AS t(x)") == [(1, 5), (1, 6), (3, 7)]
    assert rows(local, "SELECT n, k, v FROM lines, UNNEST(lines.m) AS t(k, v)") == [(1, "x", 1), (3, "y", 2)]
    left = "SELECT n, x, i FROM lines LEFT JOIN UNNEST(a) WITH ORDINALITY AS t(x, i) ON TRUE"
    assert rows(local, left) == [(1, 5, 1), (1, 6, 2), (2, None, None), (3, 7, 1)]
    array = "ARRAY[ROW(n, CAST(s AS STRING)), ROW(n + 1, CAST('z' AS STRING))]"
    of_rows = f"(SELECT n, {array} AS r FROM lines WHERE n > 1)"
    assert rows(local, f"SELECT n, x, y FROM {of_rows} CROSS JOIN UNNEST(r) AS t(x, y)") == [
        (2, 2, ""), (2, 3, "z"), (3, 3, "c"), (3, 4, "z"),
    ]  # fmt: skip
    assert rows(local, "SELECT x FROM UNNEST(ARRAY[1, 2]) AS x") == [(1,), (2,)]


def test_multisets_are_rows(local):
    """Each value as often as it comes, numbered within its multiset; NULL and what is empty has none."""
    pairs = "(VALUES (1, 'a'), (1, 'b'), (1, 'a'), (2, 'c'), (3, CAST(NULL AS STRING))) AS t(n, x)"
    collected = f"(SELECT n, COLLECT(x) AS c FROM {pairs} GROUP BY n)"
    made = f"SELECT n, x, i FROM {collected} AS p LEFT JOIN UNNEST(c) WITH ORDINALITY AS t(x, i) ON TRUE"
    left = Counter()
    for row in local.execute_sql(made).collect():
        left[tuple(row)] += 1 if row.get_row_kind() in (RowKind.INSERT, RowKind.UPDATE_AFTER) else -1
    assert +left == Counter([(1, "a", 1), (1, "a", 2), (1, "b", 3), (2, "c", 1), (3, None, None)])


def test_verbs_take_table_functions(local):
    """By name or as they are, with names of columns; flat_map gives their columns alone."""
    lines, n = local.from_path("lines").select(col("n"), col("s")), col("n")
    joined = lines.join_lateral(words(col("s")).alias("w", "l"))
    made = [(1, "a bb", "a", 1), (1, "a bb", "bb", 2), (3, "c", "c", 1)]
    assert [tuple(row) for row in joined.execute().collect()] == made
    outer = lines.left_outer_join_lateral(call("words", col("s")).alias("w", "l"), lit(True)).select(n, col("w"))
    assert [tuple(row) for row in outer.execute().collect()] == [(1, "a"), (1, "bb"), (2, None), (3, "c")]
    chosen = lines.join_lateral(words(col("s")).alias("w", "l"), col("l") < n).select(n, col("w"))
    assert [tuple(row) for row in chosen.execute().collect()] == [(3, "c")]
    flat = lines.flat_map(words(col("s")).alias("w", "l"))
    assert flat.get_schema().get_field_names() == ["w", "l"]
    assert [tuple(row) for row in flat.where(col("l") > 1).execute().collect()] == [("bb", 2)]
    with pytest.raises(ConfigurationError, match="join_lateral: two columns are called 'n'"):
        lines.join_lateral(words(col("s")).alias("n", "l"))
    with pytest.raises(ConfigurationTypeError, match="join_lateral takes a function"):
        lines.join_lateral("words")


def test_a_table_function_may_have_the_name_of_a_function_of_flinks(local):
    """Where rows are wanted it is meant, though Flink's comes before it elsewhere."""
    local.create_temporary_function("split", words)
    found = local.execute_sql("SELECT n, w FROM lines, LATERAL TABLE(split(s)) AS t(w, l) WHERE n = 3").collect()
    assert [tuple(row) for row in found] == [(3, "c")]


def test_functions_by_statements(local, monkeypatch, tmp_path):
    """A class of a module has no types, what udtf gives has."""
    module = """
from windrow.table.udf import TableFunction, udtf

class Letters(TableFunction):
    def eval(self, text):
        return list(text)

letters = udtf(Letters, result_types=["STRING"])
"""
    (tmp_path / "rows_of_mine.py").write_text(module)
    monkeypatch.syspath_prepend(tmp_path)
    create = "CREATE TEMPORARY SYSTEM FUNCTION letters AS 'rows_of_mine.{}' LANGUAGE PYTHON"
    with pytest.raises(SqlError, match=r"the columns of what .* gives are not said"):
        local.execute_sql(create.format("Letters"))
    local.execute_sql(create.format("letters"))
    sys.modules.pop("rows_of_mine")
    assert rows(local, "SELECT x FROM lines, LATERAL TABLE(letters(s)) AS t(x) WHERE n = 3") == [("c",)]


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("SELECT w FROM lines, LATERAL TABLE(word(s)) AS t(w, l)", "no table function WORD: did you mean 'WORDS'"),
        ("SELECT w FROM lines, LATERAL TABLE(up(s)) AS t(w, l)", "there is no table function UP"),
        ("SELECT words(s) FROM lines", r"words gives rows, and stands in FROM: write CROSS JOIN LATERAL TABLE\(words"),
        ("SELECT 1 FROM lines, LATERAL TABLE(words(s, s)) AS t(w, l)", "words cannot be called with 2 arguments"),
        ("SELECT 1 FROM lines, LATERAL TABLE(words(s)) AS t(w)", "1 names are given to 2 columns"),
        ("SELECT 1 FROM lines, LATERAL (SELECT 1) AS t(w)", r"LATERAL takes TABLE\(f\(...\)\)"),
        ("SELECT 1 FROM lines RIGHT JOIN LATERAL TABLE(words(s)) AS t(w, l) ON TRUE", "a RIGHT join with LATERAL"),
        ("SELECT 1 FROM lines CROSS JOIN UNNEST(n) AS t(x)", "UNNEST takes an ARRAY, MAP or MULTISET; got INT"),
        ("SELECT 1 FROM lines CROSS JOIN UNNEST(a, a) AS t(x, y)", "UNNEST takes one array or map; got 2"),
    ],
)
def test_wrong_queries_are_named(local, query, said):
    """With the place in the text."""
    local.create_temporary_function("up", udf(lambda s: s, result_type="STRING"))
    with pytest.raises(SqlError, match=said):
        local.sql_query(query)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: udtf(3, result_types=["INT"]), "udtf takes a function or a TableFunction; got 3"),
        (lambda: udtf(Repeated()), "the columns of what .* gives are not said"),
    ],
)
def test_what_is_no_table_function_is_refused(make, said):
    """Where it is made."""
    with pytest.raises(UsageError, match=said):
        make()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (lambda n: [(n, n)], r"function wrong gave \(1, 1\), and its rows have 1 columns"),
        (lambda n: ["x"], "function wrong gave 'x', and its result_type is INT"),
        (lambda n: [1.5], r"function wrong gave 1\.5, and its result_type is INT"),
        (lambda n: [1 // (n - 1)], "ZeroDivisionError(.|\n)*function wrong' on element"),
    ],
)
def test_errors_of_table_functions_name_them(local, given, said):
    """With what they gave, or what they were called with."""
    local.create_temporary_function("wrong", udtf(given, result_types=["INT"], name="wrong"))
    with pytest.raises(WindrowError, match=said):
        rows(local, "SELECT x FROM lines, LATERAL TABLE(wrong(n)) AS t(x)")


def test_table_functions_run_where_jobs_run(env):
    """Function objects travel, and each subtask has its own; arrays become rows as well."""
    tables = StreamTableEnvironment.create(env)
    events = tables.from_data_stream(env.from_collection(EVENTS, EVENT), schema_of_events())
    tables.create_temporary_view("events", events)
    tables.create_temporary_system_function("repeated", udtf(Repeated, result_types=["STRING"]))
    query = "SELECT k, n, x FROM events, LATERAL TABLE(repeated(n)) AS t(x) WHERE n < 4"
    assert sorted(rows(tables, query)) == [("a", 1, "p1"), *[("a", 3, "p3")] * 3]
    query = "SELECT n, x FROM (SELECT n, ARRAY[n, n * 2] AS a FROM events) CROSS JOIN UNNEST(a) AS t(x) WHERE n < 4"
    assert sorted(rows(tables, query)) == [(1, 1), (1, 2), (3, 3), (3, 6)]
