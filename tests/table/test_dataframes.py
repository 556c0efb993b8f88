"""Spark's DataFrames as tables, and tables as DataFrames."""

import datetime as dt
from decimal import Decimal

import pytest

from tests.table.columns import columns_of
from windrow.common import Configuration
from windrow.datastream import StreamExecutionEnvironment
from windrow.errors import ConfigurationError, ConfigurationTypeError, SqlError
from windrow.table import Schema, StreamTableEnvironment
from windrow.table.dataframes import spark_schema


@pytest.fixture
def local():
    return StreamTableEnvironment.create(StreamExecutionEnvironment.create_local_environment(parallelism=1))


@pytest.mark.spark
def test_dataframes_are_tables_and_tables_are_dataframes(spark_session):
    """With their types and times; what a schema adds stands behind the columns."""
    spark = spark_session
    configuration = Configuration().set_string("windrow.runtime", "spark")
    tables = StreamTableEnvironment.create(StreamExecutionEnvironment.get_execution_environment(configuration, spark))
    rows = [("a", 1, dt.datetime(2020, 1, 1, 0, 0, 1)), ("b", 2, dt.datetime(2020, 1, 1, 0, 1, 1))]
    frame = spark.createDataFrame(rows, "k string, n int, ts timestamp_ntz")
    builder = Schema.new_builder().column_by_expression("twice", "n * 2")
    given = tables.from_dataframe(frame, builder.watermark("ts", "ts - INTERVAL '1' SECOND").build())
    kinds = [("k", "STRING"), ("n", "INT"), ("ts", "TIMESTAMP(6)"), ("twice", "INT")]
    assert columns_of(given) == kinds
    tables.create_temporary_view("t", given)
    made = tables.sql_query(
        "SELECT window_start, SUM(twice) AS s, CAST(1.5 AS DECIMAL(5, 2)) AS d, ARRAY[MAX(k)] AS a "
        "FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) GROUP BY window_start, window_end"
    ).to_dataframe()
    assert made.dtypes == [
        ("window_start", "timestamp_ntz"),
        ("s", "int"),
        ("d", "decimal(5,2)"),
        ("a", "array<string>"),
    ]
    assert sorted(map(tuple, made.collect())) == [
        (dt.datetime(2020, 1, 1), 2, Decimal("1.50"), ["a"]),
        (dt.datetime(2020, 1, 1, 0, 1), 4, Decimal("1.50"), ["b"]),
    ]


@pytest.mark.spark
def test_tables_of_sparks_are_read_by_name(spark_session):
    """By the connector ``spark``, which does not write."""
    configuration = Configuration().set_string("windrow.runtime", "spark")
    env = StreamExecutionEnvironment.get_execution_environment(configuration, spark_session)
    spark_session.createDataFrame([("a", 1), ("b", 5)], "k string, n int").createOrReplaceTempView("of_spark")
    tables = StreamTableEnvironment.create(env)
    tables.execute_sql("CREATE TABLE s (n INT, k STRING) WITH ('connector' = 'spark', 'table-name' = 'of_spark')")
    assert sorted(map(tuple, tables.sql_query("SELECT k, n + 1 FROM s").execute().collect())) == [("a", 2), ("b", 6)]
    with pytest.raises(
        SqlError, match=r"table 's' cannot be written.*to_dataframe\(\).write.*saveAsTable\('of_spark'\)"
    ):
        tables.execute_sql("INSERT INTO s SELECT 1, 'a'")


def test_what_is_no_dataframe_is_refused(local):
    """With what came."""
    with pytest.raises(ConfigurationTypeError, match="takes a Spark DataFrame; got 3"):
        local.from_dataframe(3)


def test_types_that_spark_has_not_are_refused(local):
    """And rows that take back others."""
    query = "SELECT CAST(ROW(1, MAP['a', x'01']) AS ROW<n INT, m MAP<STRING, BYTES>>) AS r, TO_TIMESTAMP_LTZ(0, 3) AS z"
    relation = local.sql_query(query)._relation
    assert spark_schema(relation) == "`r` struct<`n`:int,`m`:map<string,binary>>, `z` timestamp"
    with pytest.raises(ConfigurationError, match=r"no type for column 't', which is TIME\(0\)"):
        local.sql_query("SELECT TIME '10:00:00' AS t").to_dataframe()
    with pytest.raises(ConfigurationError, match="takes a table whose rows stay"):
        local.sql_query("SELECT COUNT(*) FROM (VALUES (1)) AS t(n)").to_dataframe()
