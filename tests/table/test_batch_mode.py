"""Tables that are read at once: no row is late, whatever watermark their table declares."""

import datetime as dt
import random

import pytest

from windrow.common import Configuration
from windrow.datastream import RuntimeExecutionMode, StreamExecutionEnvironment
from windrow.errors import ConfigurationError
from windrow.table import EnvironmentSettings, StreamTableEnvironment

#: More than a source gives at once: watermarks come between them.
ROWS = 34_000
NAMES = 10
#: A row of each second.
BEGIN = dt.datetime(2024, 1, 1)
TUMBLE = "TABLE(TUMBLE(TABLE e, DESCRIPTOR(ts), INTERVAL '1' HOUR))"
HOURS = -(-ROWS // 3600)

#: Queries of two numbers, and what they are.
QUERIES = {
    "windows": (
        f"SELECT COUNT(*), SUM(n) FROM (SELECT COUNT(*) AS n FROM {TUMBLE} GROUP BY name, window_start, window_end)",
        (HOURS * NAMES, ROWS),
    ),
    "older windows": (
        "SELECT COUNT(*), SUM(n) FROM (SELECT COUNT(*) AS n FROM e GROUP BY TUMBLE(ts, INTERVAL '1' HOUR))",
        (HOURS, ROWS),
    ),
    "sessions": (
        "SELECT COUNT(*), SUM(n) FROM (SELECT COUNT(*) AS n FROM TABLE(SESSION(TABLE e PARTITION BY name, "
        f"DESCRIPTOR(ts), INTERVAL '{2 * NAMES}' SECOND)) GROUP BY name, window_start, window_end)",
        (NAMES, ROWS),
    ),
    "first rows of windows": (
        "SELECT COUNT(*), MIN(id) FROM "
        "(SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY ts) "
        f"AS n FROM {TUMBLE}) WHERE n = 1",
        (HOURS, 0),
    ),
    "over": (
        "SELECT COUNT(*), MAX(n) FROM (SELECT COUNT(*) OVER (PARTITION BY name ORDER BY ts) AS n FROM e)",
        (ROWS, ROWS // NAMES),
    ),
    "within an interval": (
        "SELECT COUNT(*), COUNT(DISTINCT d.id) FROM e JOIN e AS d ON d.name = e.name "
        f"AND d.ts BETWEEN e.ts AND e.ts + INTERVAL '{NAMES}' SECOND",
        (2 * ROWS - NAMES, ROWS),
    ),
    "join": ("SELECT COUNT(*), MAX(u.age) FROM e JOIN u ON e.name = u.name", (ROWS, NAMES - 1)),
    "left join": (
        "SELECT COUNT(*), COUNT(u.age) FROM e LEFT JOIN u ON e.name = u.name AND u.age > 0",
        (ROWS, ROWS * 9 // 10),
    ),
    "semi join": ("SELECT COUNT(*), 0 FROM e WHERE name IN (SELECT name FROM u)", (ROWS, 0)),
    "join of windows with rows": (
        "SELECT COUNT(*), SUM(n) FROM "
        f"(SELECT name, COUNT(*) AS n FROM {TUMBLE} GROUP BY name, window_start, window_end) AS w "
        "JOIN u ON w.name = u.name",
        (HOURS * NAMES, ROWS),
    ),
}


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Rows in an order of chance, and ages by name."""
    folder, order = tmp_path_factory.mktemp("batch"), list(range(ROWS))
    random.Random(1).shuffle(order)
    rows = [f"{number},n{number % NAMES},{BEGIN + dt.timedelta(seconds=number)}\n" for number in order]
    (folder / "e.csv").write_text("".join(rows))
    (folder / "u.csv").write_text("".join(f"n{number},{number}\n" for number in range(NAMES)))
    return folder


def tables_of(env, files):
    tables = StreamTableEnvironment.create(env, EnvironmentSettings.in_batch_mode())
    columns = {"e": "id INT, name STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts", "u": "name STRING, age INT"}
    for name, of_table in columns.items():
        options = f"'connector' = 'filesystem', 'format' = 'csv', 'path' = '{files}/{name}.csv'"
        tables.execute_sql(f"CREATE TABLE {name} ({of_table}) WITH ({options})")
    return tables


@pytest.mark.parametrize("name", QUERIES)
def test_no_row_is_late(files, name):
    """As in Flink, which sorts what batch mode reads."""
    query, expected = QUERIES[name]
    tables = tables_of(StreamExecutionEnvironment.create_local_environment(parallelism=2), files)
    assert [tuple(row) for row in tables.sql_query(query).execute().collect()] == [expected]


def test_no_row_is_late_on_both_runtimes(env, files):
    """So it is on Spark: windows whose sums are joined with rows."""
    query, expected = QUERIES["join of windows with rows"]
    assert [tuple(row) for row in tables_of(env, files).sql_query(query).execute().collect()] == [expected]


def test_tables_are_read_as_the_environment_runs_its_jobs():
    """An environment in BATCH has tables that are read at once, and one with such tables runs its jobs in BATCH."""
    batch = StreamExecutionEnvironment.get_execution_environment(
        Configuration.from_dict({"execution.runtime-mode": "BATCH"})
    )
    described = StreamTableEnvironment.create(batch).sql_query("SELECT COUNT(*) AS n FROM (VALUES (1), (2)) AS t(x)")
    assert [tuple(row) for row in described.execute().collect()] == [(2,)]
    with pytest.raises(ConfigurationError, match=r"runs its jobs in BATCH.*take EnvironmentSettings.in_batch_mode"):
        StreamTableEnvironment.create(batch, EnvironmentSettings.in_streaming_mode())
    streams = StreamExecutionEnvironment.create_local_environment()
    StreamTableEnvironment.create(streams, EnvironmentSettings.in_batch_mode())
    assert streams._runtime_mode is RuntimeExecutionMode.BATCH
