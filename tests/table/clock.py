"""Tables whose processing time the test says."""

from tests.datastream.functions.test_process import run_batches
from tests.datastream.streams.restarts import ListSink
from windrow.common import Types
from windrow.datastream import StreamExecutionEnvironment
from windrow.runtime.local.executor import LocalExecutor
from windrow.table import Schema, StreamTableEnvironment

PAIR = Types.ROW_NAMED(["k", "n"], [Types.STRING(), Types.INT()])
PAIRS = [("a", 1), ("b", 2), ("a", 3), ("a", 4), ("b", 5)]


def tables_of(env, pairs=PAIRS, zone="UTC", mode=None):
    """Tables with a view ``t`` of pairs, in which ``proc`` is the time at which they come."""
    tables = StreamTableEnvironment.create(env, mode)
    tables.get_config().set("table.local-time-zone", zone)
    schema = Schema.new_builder().column("k", "STRING").column("n", "INT").column_by_expression("proc", "PROCTIME()")
    tables.create_temporary_view("t", env.from_collection(pairs, PAIR), schema.build())
    return tables


def local_tables(pairs=PAIRS, zone="UTC"):
    """The same on the local runtime."""
    return tables_of(StreamExecutionEnvironment.create_local_environment(parallelism=1), pairs, zone)


def by_batch(tables, query, times):
    """What a query gives in each batch: batches of one row of each table, at these times, restarted in between."""
    stream = tables.to_changelog_stream(tables.sql_query(query))
    return [[tuple(row) for row in rows] for rows in run_batches(stream, times)]


def without_restarts(tables, query, times):
    """Run a query in batches of one row of each table, at these times."""
    tables.to_changelog_stream(tables.sql_query(query)).sink_to(ListSink())
    clock = iter(times)
    LocalExecutor(tables._environment._take_job(None), 1, clock=lambda: next(clock)).run()
