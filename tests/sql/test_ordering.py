"""The order of rows, which tests/table/flink_sql/ordering*.json do not look at."""

import pytest

from tests.table.flink_sql_cases import CASES, answer
from windrow.datastream import StreamExecutionEnvironment
from windrow.table import EnvironmentSettings, StreamTableEnvironment

BATCH = next(case for case in CASES if case.name == "ordering_batch")


def rows(tables, query):
    return [tuple(row) for row in tables.execute_sql(query).collect()]


@pytest.mark.parametrize("query", BATCH.queries, ids=lambda query: query["sql"])
def test_rows_of_tables_that_end_come_in_flinks_order(query, tmp_path):
    """Where ORDER BY says all of it."""
    env = StreamExecutionEnvironment.create_local_environment(parallelism=1)
    assert answer(BATCH.environment(env, tmp_path), query["sql"])["printed"] == query["printed"]


def test_rows_are_in_order_on_both_runtimes(env):
    """With parallelism 2 one subtask has them all."""
    tables = StreamTableEnvironment.create(env, EnvironmentSettings.in_batch_mode())
    tables.create_temporary_view("t", tables.from_elements([(n * 7 % 11, str(n)) for n in range(11)], ["n", "s"]))
    assert rows(tables, "SELECT n FROM t ORDER BY n DESC LIMIT 3 OFFSET 1") == [(9,), (8,), (7,)]
    assert rows(tables, "SELECT s FROM t ORDER BY n")[:2] == [("0",), ("8",)]


def test_the_first_rows_of_a_stream_are_what_is_left_of_its_changes(env):
    """On both runtimes ORDER BY with LIMIT gives changes, behind which the first rows are left."""
    tables = StreamTableEnvironment.create(env)
    tables.create_temporary_view("t", tables.from_elements([(n * 7 % 11,) for n in range(11)], ["n"]))
    assert sorted(tables.sql_query("SELECT n FROM t ORDER BY n LIMIT 2 OFFSET 1").to_pandas()["n"]) == [1, 2]


def test_limit_zero_gives_nothing():
    """With an order and without one."""
    env = StreamExecutionEnvironment.create_local_environment(parallelism=1)
    tables = StreamTableEnvironment.create(env, EnvironmentSettings.in_batch_mode())
    for order in ("", "ORDER BY n"):
        assert rows(tables, f"SELECT n FROM (VALUES (1), (2)) AS t(n) {order} LIMIT 0") == []
