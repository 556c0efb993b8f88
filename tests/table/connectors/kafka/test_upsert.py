"""Which tables of topics whose records take the place of each other there can be."""

import pytest

from tests.table.connectors.kafka.building import local_tables, refusal, statement
from windrow.errors import ConfigurationError, SqlError
from windrow.table import EnvironmentSettings, TableEnvironment

UPSERT = {"connector": "upsert-kafka", "format": None, "key__format": "json", "value__format": "json"}
COLUMNS = "a INT PRIMARY KEY NOT ENFORCED, b STRING"


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"columns": "a INT, b STRING"}, "declare PRIMARY KEY (...) NOT ENFORCED"),
        ({"key__format": None}, "needs the option 'key.format'"),
        ({"value__format": None}, "needs the option 'value.format'"),
        ({"key__fields": "a"}, "has an option 'key.fields' that nobody knows"),
        ({"scan__startup__mode": "latest-offset"}, "has an option 'scan.startup.mode' that nobody knows"),
        ({"topic": None}, "needs the option 'topic'"),
        ({"sink__buffer_flush__interval": "often"}, "takes a span of time such as '5 s'; got 'often'"),
    ],
)
def test_a_wrong_table_is_refused(changed, said):
    """It is always read from its beginning, and its keys are those of the table."""
    assert said in refusal(**{"columns": COLUMNS, **UPSERT, **changed})


def test_a_plan_shows_where_changes_are_completed():
    """As in Flink: behind the watermark, which each partition has."""
    tables = local_tables()
    tables.execute_sql(statement(f"{COLUMNS}, ts TIMESTAMP(3), WATERMARK FOR ts AS ts", **UPSERT))
    shown = tables.explain_sql("SELECT a FROM k")
    assert "ChangelogNormalize(key=[a])" in shown
    assert "WatermarkAssigner(rowtime=[ts]" in shown
    assert "Changelog Normalize" in shown


def test_what_needs_rows_that_stay_refuses_them():
    """With what makes the changes; aggregates of HOP and joins without a bound in time take them."""
    tables = local_tables()
    tables.execute_sql(statement(f"{COLUMNS}, ts TIMESTAMP(3), WATERMARK FOR ts AS ts", **UPSERT))
    window = "TABLE(CUMULATE(TABLE k, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '1' HOUR))"
    window += " GROUP BY window_start, window_end"
    with pytest.raises((SqlError, ConfigurationError), match=r"produced by node ChangelogNormalize\(key=\[a\]\)"):
        tables.execute_sql(f"SELECT COUNT(*) FROM {window}").collect()
    assert "WindowAggregate" in tables.explain_sql(f"SELECT COUNT(*) FROM {window.replace('CUMULATE', 'HOP')}")
    tables.execute_sql("SET 'table.exec.state.ttl' = '1 h'")
    assert "Join(INNER, keys=[a])" in tables.explain_sql("SELECT x.b FROM k AS x JOIN k AS y ON x.a = y.a")


def test_batch_mode_reads_what_stays():
    """There is no last row of a key before the end."""
    tables = TableEnvironment.create(EnvironmentSettings.in_batch_mode())
    tables.execute_sql(statement(COLUMNS, scan__bounded__mode="latest-offset", **UPSERT))
    with pytest.raises(SqlError, match="table 'k' gives changes"):
        tables.sql_query("SELECT a FROM k")
