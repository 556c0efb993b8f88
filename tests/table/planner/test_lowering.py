"""What windows give is calculated once, and only what is asked for."""

import pytest

from tests.table.events import EVENT, EVENTS, schema_of_events
from windrow.datastream import StreamExecutionEnvironment
from windrow.expressions.nodes import Call
from windrow.table import StreamTableEnvironment
from windrow.table.planner.lowering import Lowering

SUMS = (
    "SELECT window_start, window_end, k, SUM(n) AS s FROM TABLE(TUMBLE(TABLE e, DESCRIPTOR(rt), INTERVAL '1' MINUTE)) "
    "GROUP BY window_start, window_end, k"
)
QUERIES = {
    f"SELECT k, s FROM ({SUMS})": [("a", 1), ("b", 5), ("a", 7)],
    f"SELECT s FROM ({SUMS}) WHERE k = 'a'": [(1,), (7,)],
    f"SELECT s * 2, s + 1 FROM ({SUMS}) WHERE s > 1": [(10, 6), (14, 8)],
    f"SELECT MINUTE(window_end), k FROM ({SUMS}) WHERE s = 7": [(2, "a")],
    f"SELECT k, s FROM ({SUMS}) WHERE RAND() < 2": [("a", 1), ("b", 5), ("a", 7)],
}


def environment():
    env = StreamExecutionEnvironment.create_local_environment(parallelism=1)
    tables = StreamTableEnvironment.create(env)
    stream = env.from_collection(EVENTS, EVENT)
    tables.create_temporary_view("e", tables.from_data_stream(stream, schema_of_events()))
    return tables


def rows(tables, query):
    with tables.sql_query(query).execute().collect() as found:
        return sorted(tuple(row) for row in found)


def operators(tables, query):
    """The names behind windows."""
    (_, text) = tables.explain_sql(query).split("== Operators ==")
    return [line.split(":")[0].strip() for line in text.split("TumblingEventTimeWindows:")[-1].splitlines()]


@pytest.mark.parametrize("query", QUERIES)
def test_a_projection_of_windows_results_is_calculated_with_them(query):
    """With a condition or without: there is one Calc, and it gives what two did."""
    tables = environment()
    assert operators(tables, query).count("Calc") == 1
    assert rows(tables, query) == sorted(QUERIES[query])


def test_what_nobody_asks_for_is_not_calculated(monkeypatch):
    """The ends of windows are no columns of the result."""
    calculated = []
    plain = Lowering.calculated

    def seen(self, stream, types, expressions, *others):
        calculated.append([each for each in expressions if isinstance(each, Call)])
        return plain(self, stream, types, expressions, *others)

    monkeypatch.setattr(Lowering, "calculated", seen)
    tables = environment()
    assert rows(tables, f"SELECT k FROM ({SUMS})") == [("a",), ("a",), ("b",)]
    assert calculated[-1] == []
    assert len(calculated[-2]) >= 2, "the window's own, which nobody reads"


def test_results_that_two_read_are_calculated_for_both():
    """Each has what it asks for."""
    tables = environment()
    tables.create_temporary_view("sums", tables.sql_query(SUMS))
    query = "SELECT k FROM sums WHERE s > 1 UNION ALL SELECT CAST(s AS STRING) FROM sums"
    assert rows(tables, query) == sorted([("a",), ("b",), ("1",), ("5",), ("7",)])
