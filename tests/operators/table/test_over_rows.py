"""Aggregates and ranks over rows in any order, beside DuckDB's."""

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.property_examples import examples
from windrow.datastream import StreamExecutionEnvironment
from windrow.errors import SqlError
from windrow.table import EnvironmentSettings, StreamTableEnvironment

BOUNDS = ["UNBOUNDED {side}", "2 {side}", "CURRENT ROW"]
FRAMES = [
    f"{kind} BETWEEN {start.format(side='PRECEDING')} AND {end.format(side='FOLLOWING')}"
    for kind in ("ROWS", "RANGE")
    for start in BOUNDS
    for end in BOUNDS
] + ["ROWS BETWEEN 3 PRECEDING AND 1 PRECEDING", "ROWS BETWEEN 1 FOLLOWING AND 2 FOLLOWING", ""]
AGGREGATES = ["SUM(v)", "COUNT(v)", "COUNT(*)", "MIN(v)", "MAX(v)"]
RANKS = ["RANK()", "DENSE_RANK()", "NTILE(3)", "PERCENT_RANK()", "CUME_DIST()", "ROW_NUMBER()", "LEAD(v)", "LAG(v, 2)"]
ORDERS = ["o ASC NULLS FIRST", "o DESC NULLS LAST", "o ASC NULLS LAST", "o DESC NULLS FIRST"]
NUMBERS = st.one_of(st.none(), st.integers(0, 6))
ROWS = st.lists(st.tuples(NUMBERS, NUMBERS, st.sampled_from(["a", "b", None])), min_size=1, max_size=12)


def answers(rows, query):
    """Windrow's rows, and DuckDB's."""
    env = StreamExecutionEnvironment.create_local_environment(parallelism=1)
    tables = StreamTableEnvironment.create(env, EnvironmentSettings.in_batch_mode())
    values = ", ".join(
        f"({place}, {_cast(o, 'INT')}, {_cast(v, 'INT')}, {_cast(k and repr(k), 'STRING')})"
        for place, (o, v, k) in enumerate(rows)
    )
    whole = f"{query} FROM (VALUES {values}) AS t(id, o, v, k)"
    found = sorted(map(tuple, tables.sql_query(whole).execute().collect()))
    with duckdb.connect() as connection:
        return found, sorted(connection.execute(whole).fetchall())


def _cast(value, kind):
    return f"CAST({'NULL' if value is None else value} AS {kind})"


@settings(max_examples=examples(60), deadline=None)
@given(rows=ROWS, function=st.sampled_from(AGGREGATES), frame=st.sampled_from(FRAMES), order=st.sampled_from(ORDERS))
def test_aggregates_of_frames_are_those_of_duckdb(rows, function, frame, order):
    """With rows that are equal in the order; where ROWS would choose among them, the number of the row decides."""
    by = f"{order}, id" if frame.startswith("ROWS") else order
    mine, others = answers(rows, f"SELECT id, {function} OVER (PARTITION BY k ORDER BY {by} {frame})")
    assert mine == others


@settings(max_examples=examples(40), deadline=None)
@given(rows=ROWS, function=st.sampled_from(RANKS), order=st.sampled_from(ORDERS))
def test_ranks_are_those_of_duckdb(rows, function, order):
    """NULL is a value in the order, and in partitions."""
    of_rows = function.startswith(("NTILE", "ROW_NUMBER", "LEAD", "LAG"))
    by = f"{order}, id" if of_rows else order
    mine, others = answers(rows, f"SELECT id, {function} OVER (PARTITION BY k ORDER BY {by})")
    assert mine == others


def test_several_windows_stand_in_one_query(env):
    """On both runtimes, with parallelism 2; each has its own order and frame."""
    tables = StreamTableEnvironment.create(env, EnvironmentSettings.in_batch_mode())
    tables.create_temporary_view(
        "t", tables.from_elements([(n, n * 7 % 5, "ab"[n % 2]) for n in range(6)], ["n", "m", "k"])
    )
    found = tables.sql_query(
        "SELECT n, SUM(n) OVER (PARTITION BY k), RANK() OVER (ORDER BY m DESC), "
        "LEAD(n, 1, CAST(-1 AS BIGINT)) OVER (ORDER BY n), ROW_NUMBER() OVER w FROM t WINDOW w AS (ORDER BY n DESC)"
    )
    assert sorted(map(tuple, found.execute().collect())) == [
        (0, 6, 5, 1, 6), (1, 9, 3, 2, 5), (2, 6, 1, 3, 4), (3, 9, 4, 4, 3), (4, 6, 2, 5, 2), (5, 9, 5, -1, 1),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("function", "said"),
    [
        ("RANK() OVER ()", "RANK.. OVER takes an ORDER BY"),
        ("RANK(n) OVER (ORDER BY m)", "RANK takes no arguments"),
        ("NTILE(0) OVER (ORDER BY m)", "NTILE takes a number of parts"),
        ("NTH_VALUE(n, 2) OVER (ORDER BY m)", "there is no function NTH_VALUE for OVER"),
        ("LEAD(n) OVER (ORDER BY m ROWS 1 PRECEDING)", "LEAD.. OVER takes no frame"),
        ("SUM(n) OVER (ORDER BY m, n RANGE 1 PRECEDING)", "RANGE takes a number or an interval"),
        ("SUM(n) OVER (ORDER BY m ROWS INTERVAL '1' DAY PRECEDING)", "ROWS takes a number of rows"),
    ],
)
def test_wrong_windows_are_refused(function, said):
    """With what is wrong."""
    env = StreamExecutionEnvironment.create_local_environment(parallelism=1)
    tables = StreamTableEnvironment.create(env, EnvironmentSettings.in_batch_mode())
    with pytest.raises(SqlError, match=said):
        tables.sql_query(f"SELECT {function} FROM (VALUES (1, 2)) AS t(n, m)")
