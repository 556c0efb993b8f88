"""Aggregate functions of a program's own in SQL and in the Table API."""

import sys

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from tests.table.events import EVENT, EVENTS, schema_of_events
from windrow.common.types import RowKind
from windrow.datastream import StreamExecutionEnvironment
from windrow.errors import ConfigurationError, SqlError, UsageError, WindrowError
from windrow.table import DataTypes, EnvironmentSettings, StreamTableEnvironment, Tumble
from windrow.table.expressions import call, col, lit
from windrow.table.udf import AggregateFunction, FunctionContext, udaf

WINDOWS = "TABLE(TUMBLE(TABLE events, DESCRIPTOR(rt), INTERVAL '1' MINUTE))"


class Mean(AggregateFunction):
    """The mean of values with weights; NULL is counted among those that were seen."""

    def create_accumulator(self):
        return {"sum": 0, "weights": 0, "nulls": 0}

    def accumulate(self, accumulator, value, weight=1):
        if value is None:
            accumulator["nulls"] += 1
            return
        accumulator["sum"] += value * weight
        accumulator["weights"] += weight

    def get_value(self, accumulator):
        return accumulator["sum"] / accumulator["weights"] if accumulator["weights"] else None

    def get_result_type(self):
        return DataTypes.DOUBLE()


class MeanTakenBack(Mean):
    """The same, with all that an aggregate can be asked for."""

    def retract(self, accumulator, value, weight=1):
        self.accumulate(accumulator, value, -weight)

    def merge(self, accumulator, accumulators):
        for other in accumulators:
            for key, value in other.items():
                accumulator[key] += value


class Seen(AggregateFunction):
    """All values as an array: its accumulator itself."""

    def open(self, function_context):
        assert isinstance(function_context, FunctionContext)
        self.prefix = function_context.get_job_parameter("prefix", "none")

    def create_accumulator(self):
        return []

    def accumulate(self, accumulator, value):
        accumulator.append(f"{self.prefix}-{value}")

    def get_value(self, accumulator):
        return accumulator

    def get_result_type(self):
        return "ARRAY<STRING>"


@udaf(result_type="INT", func_type="pandas")
def spread(numbers):
    return numbers.max() - numbers.min()


def tables_of(env, settings=None):
    tables = StreamTableEnvironment.create(env, settings)
    events = tables.from_data_stream(env.from_collection(EVENTS, EVENT), schema_of_events())
    tables.create_temporary_view("events", events)
    tables.create_temporary_system_function("mean", Mean())
    tables.create_temporary_function("mean2", MeanTakenBack)
    tables.create_temporary_system_function("seen", udaf(Seen))
    tables.create_temporary_system_function("spread", spread)
    return tables


@pytest.fixture
def local():
    """Tables of an environment in this process, with a view of events."""
    return tables_of(StreamExecutionEnvironment.create_local_environment(parallelism=1))


def rows(tables, query):
    return [tuple(row) for row in tables.execute_sql(query).collect()]


def changes(tables, query):
    return [(row.get_row_kind(), *row) for row in tables.execute_sql(query).collect()]


def test_windows_have_aggregates_of_ones_own(local):
    """Beside those of SQL, of rows or of series, with several arguments, DISTINCT and FILTER; in HAVING as well."""
    made = rows(
        local, f"SELECT k, mean(n), MEAN(n, n), spread(n), COUNT(*) FROM {WINDOWS} GROUP BY k, window_start, window_end"
    )
    assert made == [("a", 1.0, 1.0, 0, 1), ("b", 5.0, 5.0, 0, 1), ("a", 3.5, 25 / 7, 1, 2)]
    group = "GROUP BY window_start, window_end HAVING mean(n) > 3"
    assert rows(local, f"SELECT mean(DISTINCT n - n), mean(n) FILTER (WHERE n > 3) FROM {WINDOWS} {group}") == [
        (0.0, 4.0)
    ]


def test_sessions_merge_what_was_seen(local):
    """By the function's own merge, without which sessions are refused."""
    session = "FROM events GROUP BY SESSION(rt, INTERVAL '2' SECOND)"
    assert rows(local, f"SELECT mean2(n), spread(n) {session}") == [(3.0, 4), (3.5, 1)]
    with pytest.raises(ConfigurationError, match="function Mean has no merge"):
        rows(local, f"SELECT mean(n) {session}")


def test_groups_without_a_window_change(local):
    """With each row; a row that is taken back is taken out by retract, without which that is refused."""
    assert changes(local, "SELECT k, mean(n) FROM events GROUP BY k") == [
        (RowKind.INSERT, "a", 1.0),
        (RowKind.INSERT, "b", 5.0),
        (RowKind.UPDATE_BEFORE, "a", 1.0),
        (RowKind.UPDATE_AFTER, "a", 2.0),
        (RowKind.UPDATE_BEFORE, "a", 2.0),
        (RowKind.UPDATE_AFTER, "a", 8 / 3),
    ]
    counts = "FROM (SELECT k, COUNT(*) AS c FROM events GROUP BY k)"
    assert rows(local, f"SELECT mean2(c) {counts}")[-1] == (2.0,)
    with pytest.raises(ConfigurationError, match="function Mean has no retract, and here rows are taken back"):
        rows(local, f"SELECT mean(c) {counts}")
    with pytest.raises(ConfigurationError, match="function spread takes columns of all rows of a group"):
        rows(local, "SELECT spread(n) FROM events")


def test_a_result_is_what_it_was_when_it_was_asked_for(local):
    """Even if the function gives its accumulator, which changes afterwards."""
    assert changes(local, "SELECT seen(n) FROM events WHERE k = 'a'")[:3] == [
        (RowKind.INSERT, ["none-1"]),
        (RowKind.UPDATE_BEFORE, ["none-1"]),
        (RowKind.UPDATE_AFTER, ["none-1", "none-3"]),
    ]


def test_aggregates_over_the_rows_before(local):
    """Values leave a bounded frame by retract, without which it is refused; of series it needs nothing."""
    over = "OVER (PARTITION BY k ORDER BY rt ROWS BETWEEN {} PRECEDING AND CURRENT ROW)"
    made = rows(local, f"SELECT k, mean2(n) {over.format(1)}, spread(n) {over.format(1)} FROM events")
    assert made == [("a", 1.0, 0), ("b", 5.0, 0), ("a", 2.0, 2), ("a", 3.5, 1)]
    assert rows(local, f"SELECT mean(n) {over.format('UNBOUNDED')} FROM events")[-1] == (8 / 3,)
    with pytest.raises(ConfigurationError, match="function Mean has no retract, which OVER with a bounded frame needs"):
        rows(local, f"SELECT mean(n) {over.format(1)} FROM events")


def test_verbs_take_aggregates_of_ones_own(local):
    """By their names or as they are, with the names of columns that aggregates have; and over windows."""
    events, n = local.from_path("events"), col("n")
    window = Tumble.over(lit(1).minutes).on(col("rt")).alias("w")
    made = events.window(window).group_by(col("w")).select(call("mean", n, n), spread(n), call("mean", n).distinct)
    assert made.get_schema().get_field_names() == ["EXPR$0", "EXPR$1", "EXPR$2"]
    assert [tuple(row) for row in made.execute().collect()] == [(26 / 6, 4, 3.0), (25 / 7, 1, 3.5)]


def test_aggregates_of_a_table_that_ends(local):
    """Once all rows are there, of series as well."""
    local = StreamExecutionEnvironment.create_local_environment(parallelism=1)
    tables = tables_of(local, EnvironmentSettings.in_batch_mode())
    assert sorted(rows(tables, "SELECT k, mean(n), spread(n) FROM events GROUP BY k")) == [
        ("a", 8 / 3, 3),
        ("b", 5.0, 0),
    ]
    assert rows(tables, "SELECT mean(CAST(NULL AS INT)), spread(n) FROM events") == [(None, 4)]


def test_series_may_be_given_to_an_object(local):
    """Its accumulate gets a series of each argument, once."""

    class Weighted(AggregateFunction):
        def create_accumulator(self):
            return []

        def accumulate(self, accumulator, values, weights):
            accumulator.append((values * weights).sum() / weights.sum())

        def get_value(self, accumulator):
            return accumulator[0]

    local.create_temporary_function("weighted", udaf(Weighted(), ["BIGINT", "BIGINT"], "DOUBLE", func_type="pandas"))
    assert rows(local, f"SELECT weighted(n, n) FROM {WINDOWS} GROUP BY window_start, window_end")[-1] == (25 / 7,)


def test_a_function_of_arrays_is_called_for_a_group(local):
    """It gets a pyarrow.Array of each argument, for all rows of a group, and may give Arrow's scalar."""
    kinds = set()

    @udaf(result_type="BIGINT", func_type="arrow")
    def total(numbers):
        kinds.add(type(numbers))
        return pc.sum(numbers)

    local.create_temporary_function("total", total)
    query = f"SELECT total(n), SUM(n) FROM {WINDOWS} GROUP BY window_start, window_end"
    assert all(one == other for one, other in rows(local, query))
    assert all(issubclass(kind, pa.Array) for kind in kinds)
    assert kinds
    with pytest.raises(WindrowError, match="takes columns of all rows of a group"):
        rows(local, "SELECT k, total(n) FROM events GROUP BY k")


def test_aggregates_by_statements(local, monkeypatch, tmp_path):
    """As other functions are."""
    module = """
from windrow.table.udf import AggregateFunction, udaf

class Longest(AggregateFunction):
    def create_accumulator(self):
        return [""]
    def accumulate(self, accumulator, text):
        accumulator[0] = max(accumulator[0], text, key=len)
    def get_value(self, accumulator):
        return accumulator[0]

longest = udaf(Longest(), result_type="STRING")
"""
    (tmp_path / "aggregates_of_mine.py").write_text(module)
    monkeypatch.syspath_prepend(tmp_path)
    create = "CREATE TEMPORARY SYSTEM FUNCTION longest AS 'aggregates_of_mine.{}' LANGUAGE PYTHON"
    with pytest.raises(SqlError, match="get_result_type"):
        local.execute_sql(create.format("Longest"))
    local.execute_sql(create.format("longest"))
    sys.modules.pop("aggregates_of_mine")
    assert rows(local, f"SELECT longest(k) FROM {WINDOWS} GROUP BY window_start, window_end") == [("a",), ("a",)]


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("SELECT mean() FROM events", "function Mean cannot be called with 0 arguments"),
        ("SELECT mean(*) FROM events", r"function Mean takes columns; got \*"),
        ("SELECT n FROM events WHERE mean(n) > 1", "Mean is an aggregate, and there is no group here for it"),
        ("SELECT n, mean(n) FROM events", "neither in GROUP BY nor in an aggregate"),
        ("SELECT typed(k) FROM events", "argument 1 of typed takes ARRAY<INT>; got STRING"),
    ],
)
def test_wrong_calls_are_named(local, query, said):
    """With the place in the text."""
    local.create_temporary_function("typed", udaf(Mean(), ["ARRAY<INT>"], name="typed"))
    with pytest.raises(SqlError, match=said):
        local.sql_query(query)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: udaf(max, result_type="INT"), "udaf takes an AggregateFunction; got"),
        (lambda: udaf(3, result_type="INT", func_type="pandas"), "udaf takes a function of columns"),
        (lambda: udaf(spread.function, func_type="pandas"), "what .* gives is not said"),
        (lambda: udaf(Mean(), func_type="polars"), "func_type of udaf is one of general, pandas, arrow"),
    ],
)
def test_what_is_no_aggregate_is_refused(make, said):
    """Where it is made."""
    with pytest.raises(UsageError, match=said):
        make()


def test_errors_of_aggregates_name_them(local):
    """With the user's traceback first, or what it gave and what was said of it."""
    local.create_temporary_function("wrong", udaf(Mean(), result_type="INT", name="wrong"))
    with pytest.raises(WindrowError, match=r"function wrong gave 3\.5, and its result_type is INT"):
        rows(local, f"SELECT wrong(n) FROM {WINDOWS} GROUP BY window_start, window_end")
    with pytest.raises(WindrowError) as caught:
        rows(local, "SELECT mean(k, 1.5) FROM events")
    said = str(caught.value)
    assert said.index("in accumulate") < said.index("TypeError") < said.index("function Mean")


def test_aggregates_of_ones_own_run_where_jobs_run(env):
    """Function objects travel, and what they have seen is state."""
    tables = tables_of(env)
    found = rows(tables, f"SELECT k, mean(n), spread(n), seen(n) FROM {WINDOWS} GROUP BY k, window_start, window_end")
    assert sorted(found) == [
        ("a", 1.0, 0, ["none-1"]), ("a", 3.5, 1, ["none-3", "none-4"]), ("b", 5.0, 0, ["none-5"]),
    ]  # fmt: skip
    assert sorted(rows(tables, "SELECT k, mean2(n) FROM events GROUP BY k"))[-2:] == [("a", 8 / 3), ("b", 5.0)]
