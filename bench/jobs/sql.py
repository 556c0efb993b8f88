"""The jobs in SQL: the texts in ``bench/sql``, which Flink's planner is given as well."""

from __future__ import annotations

from bench.environments import ROOT
from bench.jobs.events import Events
from bench.workload import BOUND_MS
from windrow.datastream import DataStream, StreamExecutionEnvironment
from windrow.table import StreamTableEnvironment

TEXTS = ROOT / "bench" / "sql"
#: The columns in the files, by the table that a query reads, and how many milliseconds its watermarks are behind.
TABLES = {
    "events": ("`key` BIGINT, amount BIGINT, `timestamp` BIGINT", BOUND_MS),
    "nexmark": (
        "kind BIGINT, auction BIGINT, person BIGINT, price BIGINT, `timestamp` BIGINT, name STRING",
        4_000,
    ),
}

#: The queries that join without a bound in time, and for how long rows wait there: longer than a run.
REGULAR_JOINS, STATE_TTL = frozenset({"q3", "q4"}), "1 h"

#: Its windows of processing time are dropped where they are open at the end of the input. While its results are
#: compared rows of other bidders come for as long as a window lasts, so that all windows with bids have their end.
BY_CLOCK, WITHOUT_OTHERS = "q12", "SELECT * FROM ({}) WHERE bidder >= 0"


class Query:
    """The rows of a query on events in Parquet files.

    Args:
        table: The table that it reads.
        name: Of its text.
    """

    def __init__(self, table: str, name: str) -> None:
        self._table, self._name = table, name

    def __call__(self, env: StreamExecutionEnvironment, events: Events) -> DataStream:
        tables = StreamTableEnvironment.create(env)
        tables.get_config().set("table.local-time-zone", "UTC")
        if self._name in REGULAR_JOINS:
            tables.get_config().set("table.exec.state.ttl", STATE_TTL)
        columns, delay = TABLES[self._table]
        folder = str(events.files / str(events.count)) if events.files else ""
        tables.execute_sql(f"""
            CREATE TEMPORARY TABLE {self._table} (
              {columns},
              ts AS TO_TIMESTAMP_LTZ(`timestamp`, 3),
              WATERMARK FOR ts AS ts - INTERVAL '{delay // 1_000}' SECOND
            ) WITH ('connector' = 'filesystem', 'path' = '{folder}', 'format' = 'parquet')
        """)
        if self._table == "nexmark":
            _run(tables, "views")
        text = _text(self._name)
        if self._name == BY_CLOCK and events.checked:
            _run(tables, "after_bids")
            text = WITHOUT_OTHERS.format(text)
        return tables.to_changelog_stream(tables.sql_query(text))


def _text(name: str) -> str:
    return (TEXTS / f"{name}.sql").read_text()


def _run(tables: StreamTableEnvironment, name: str) -> None:
    for statement in _text(name).split(";"):
        tables.execute_sql(statement)
