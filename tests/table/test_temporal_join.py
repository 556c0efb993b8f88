"""Rows with the version of a table at their time: FOR SYSTEM_TIME AS OF."""

import pytest

from tests.datastream.streams.restarts import collect_with_restarts
from windrow.common import Types
from windrow.datastream import StreamExecutionEnvironment
from windrow.errors import ConfigurationError, SqlError
from windrow.table import EnvironmentSettings, Schema, StreamTableEnvironment

ORDERS = [(10, "EUR", 1), (25, "EUR", 2), (12, "USD", 3), (30, "GBP", 4), (5, "EUR", 5)]
RATES = [(0, "EUR", 100), (15, "USD", 90), (20, "EUR", 110), (28, "EUR", 120), (10, "EUR", 105)]
ROW = Types.ROW_NAMED(["at", "cur", "n"], [Types.LONG(), Types.STRING(), Types.INT()])
JOINED = [(1, 105), (2, 110), (3, None), (4, None), (5, 100)]
LEFT = "SELECT o.n, r.n FROM orders AS o LEFT JOIN {} FOR SYSTEM_TIME AS OF o.ts AS r ON o.cur = r.cur"


def schema(*key):
    made = Schema.new_builder().column("at", "BIGINT").column("cur", "STRING").column("n", "INT")
    made.column_by_expression("ts", "TO_TIMESTAMP_LTZ(at, 3)").watermark("ts", "ts - INTERVAL '1' SECOND")
    return made.primary_key(*key).build()


def tables_of(env, mode=None):
    """Orders, rates with a primary key, the same without one, and a view of the last one of each currency."""
    tables = StreamTableEnvironment.create(env, mode)
    for name, rows, key in (("orders", ORDERS, ()), ("rates", RATES, ("cur",)), ("plain", RATES, ())):
        tables.create_temporary_view(name, env.from_collection(rows, ROW), schema(*key))
    tables.execute_sql(
        "CREATE VIEW newest AS SELECT ts, n, cur FROM "
        "(SELECT *, ROW_NUMBER() OVER (PARTITION BY cur ORDER BY ts DESC) AS number FROM plain) WHERE number = 1"
    )
    return tables


def local_tables():
    return tables_of(StreamExecutionEnvironment.create_local_environment(parallelism=1))


def sorted_rows(rows):
    return sorted((tuple(row) for row in rows), key=repr)


def test_rows_meet_the_version_at_their_time(env):
    """On both runtimes, with several subtasks."""
    rows = tables_of(env).sql_query(LEFT.format("rates")).execute().collect()
    assert sorted_rows(rows) == sorted_rows(JOINED)


@pytest.mark.parametrize("size", [1, 2])
def test_versions_survive_restarts(size):
    """Whatever is in a batch, and whenever the job begins anew."""
    tables = local_tables()
    stream = tables.to_data_stream(tables.sql_query(LEFT.format("rates")))
    assert sorted_rows(collect_with_restarts(stream, size)) == sorted_rows(JOINED)


def test_a_view_of_the_last_rows_has_versions():
    """A version that comes behind a newer one is none of the view's: it has been dropped there."""
    rows = local_tables().sql_query(LEFT.format("newest")).execute().collect()
    assert sorted_rows(rows) == sorted_rows([(1, 100), *JOINED[1:]])


def test_a_table_and_its_columns_by_other_names_have_versions():
    """Projections and filters keep the key and the time, under whatever name."""
    tables = local_tables()
    tables.execute_sql("CREATE VIEW renamed AS SELECT n, ts AS since, cur AS money FROM rates WHERE n < 115")
    rows = tables.sql_query(
        "SELECT o.n, v.n FROM orders AS o JOIN renamed FOR SYSTEM_TIME AS OF o.ts AS v ON v.money = o.cur"
    )
    assert sorted_rows(rows.execute().collect()) == [(1, 105), (2, 110), (5, 100)]


def test_the_time_of_the_rows_is_the_left_ones():
    """Windows are made by it behind the join; the version's time is an attribute no more, and the error says why."""
    tables = local_tables()
    tables.execute_sql(
        "CREATE VIEW joined AS SELECT o.ts, r.ts AS since, r.n FROM orders AS o "
        "JOIN rates FOR SYSTEM_TIME AS OF o.ts AS r ON o.cur = r.cur"
    )
    window = "TUMBLE(TABLE joined, DESCRIPTOR({}), INTERVAL '0.02' SECOND)"
    query = f"SELECT SUM(n) FROM TABLE({window}) GROUP BY window_start, window_end"
    assert sorted_rows(tables.sql_query(query.format("ts")).execute().collect()) == [(110,), (205,)]
    with pytest.raises(SqlError, match=r"'since' .* is none: it is of the versioned side of a temporal join"):
        tables.sql_query(query.format("since"))


@pytest.mark.parametrize(
    ("query", "message"),
    [
        (LEFT.format("plain"), "has no primary key: declare PRIMARY KEY"),
        (
            "SELECT 1 FROM orders AS o RIGHT JOIN rates FOR SYSTEM_TIME AS OF o.ts AS r ON o.cur = r.cur",
            "INNER JOIN or",
        ),
        ("SELECT 1 FROM orders AS o JOIN rates FOR SYSTEM_TIME AS OF o.at AS r ON o.cur = r.cur", "left table: ts"),
        ("SELECT 1 FROM orders AS o JOIN rates FOR SYSTEM_TIME AS OF o.ts AS r ON o.n = r.n", r"key \(cur\) is equal"),
        ("SELECT 1 FROM orders AS o JOIN rates FOR SYSTEM_TIME AS OF o.ts AS r ON o.cur < r.cur", r"key \(cur\)"),
        ("SELECT 1 FROM orders AS o JOIN rates FOR SYSTEM_TIME AS OF o.ts AS r", "takes ON"),
        ("SELECT 1 FROM rates FOR SYSTEM_TIME AS OF ts AS r", "right side of a JOIN"),
        (
            "SELECT 1 FROM (SELECT *, PROCTIME() AS p FROM orders) AS o "
            "JOIN rates FOR SYSTEM_TIME AS OF o.p AS r ON o.cur = r.cur",
            "this one cannot be asked: take",
        ),
    ],
)
def test_what_is_no_temporal_join_is_refused(query, message):
    """Each error says what is missing, and what to write."""
    with pytest.raises(SqlError, match=message):
        local_tables().sql_query(query)


def test_a_left_side_that_changes_is_refused():
    """Rows that take others back would have to find the version that they met."""
    tables = local_tables()
    query = "SELECT 1 FROM newest AS o JOIN rates FOR SYSTEM_TIME AS OF o.ts AS r ON o.cur = r.cur"
    with pytest.raises(ConfigurationError, match="TemporalJoin doesn't support consuming"):
        tables.sql_query(query).execute()


def test_batch_mode_has_no_versions():
    """There is no event time there, as in Flink."""
    env = StreamExecutionEnvironment.create_local_environment(parallelism=1)
    tables = tables_of(env, EnvironmentSettings.in_batch_mode())
    with pytest.raises(ConfigurationError, match="not supported in batch mode, as in Flink"):
        tables.sql_query(LEFT.format("rates")).execute()


def test_a_primary_key_that_is_no_column_is_refused():
    """A schema's key names columns."""
    env = StreamExecutionEnvironment.create_local_environment(parallelism=1)
    with pytest.raises(ConfigurationError, match="there is no column 'curr'"):
        StreamTableEnvironment.create(env).from_data_stream(env.from_collection(RATES, ROW), schema("curr"))
