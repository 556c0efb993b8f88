"""Functions of a program's own in SQL."""

import asyncio
import datetime as dt
import sys
from decimal import Decimal

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from windrow.common import Row, Types
from windrow.datastream import StreamExecutionEnvironment
from windrow.errors import ConfigurationError, SqlError, UsageError, UserFunctionError, WindrowError
from windrow.table import DataTypes, EnvironmentSettings, Schema, StreamTableEnvironment, TableEnvironment
from windrow.table.expressions import col
from windrow.table.udf import AsyncScalarFunction, FunctionContext, ScalarFunction, udf

opened = []


class Counted(ScalarFunction):
    """Says how often it was called, with a prefix that its job gives."""

    def open(self, function_context):
        assert isinstance(function_context, FunctionContext)
        self.prefix = function_context.get_job_parameter("prefix", "none")
        self.count = 0
        opened.append("open")

    def eval(self, value):
        self.count += 1
        return f"{self.prefix}-{self.count}"

    def close(self):
        opened.append("close")

    def is_deterministic(self):
        return False


@udf(result_type=DataTypes.BIGINT())
def squared(number):
    return None if number is None else number * number


@pytest.fixture
def local():
    """Tables of an environment in this process, with a view of numbers."""
    tables = StreamTableEnvironment.create(StreamExecutionEnvironment.create_local_environment(parallelism=1))
    tables.execute_sql(
        "CREATE TEMPORARY VIEW v AS SELECT * FROM (VALUES (1, 'a'), (2, 'b'), (3, CAST(NULL AS STRING))) AS t(n, s)"
    )
    return tables


def rows(tables, query):
    return [tuple(row) for row in tables.execute_sql(query).collect()]


def test_a_function_is_called_for_each_row(local):
    """In projections, conditions, groups and arguments of aggregates; its name in any case; NULL is None."""
    local.create_temporary_system_function("squared", squared)
    assert rows(local, "SELECT SQUARED(n) FROM v WHERE Squared(n) > 1") == [(4,), (9,)]
    assert rows(local, "SELECT squared(CAST(NULL AS INT))") == [(None,)]
    last = rows(local, "SELECT SUM(squared(n)) FROM v")[-1]
    assert last == (14,)
    assert sorted(rows(local, "SELECT squared(n - 2), COUNT(*) FROM v GROUP BY squared(n - 2)"))[-1] == (1, 2)


def test_values_are_those_of_python(local):
    """Each type reaches the function as Python has it, and comes back."""
    seen = []

    def look(*values):
        seen.extend(values)
        return Row(len(values), {"k": 1}, [Decimal("1.50"), None])

    kind = DataTypes.ROW(
        [
            DataTypes.FIELD("n", DataTypes.INT()),
            DataTypes.FIELD("m", DataTypes.MAP(DataTypes.STRING(), DataTypes.INT())),
            DataTypes.FIELD("a", DataTypes.ARRAY(DataTypes.DECIMAL(5, 2))),
        ]
    )
    local.create_temporary_function("look", udf(look, result_type=kind))
    times = "DATE '2020-01-02', TIMESTAMP '2020-01-02 03:04:05.006'"
    given = f"{times}, CAST(1.5 AS DECIMAL(5, 2)), ARRAY[1, 2], MAP['a', 1], ENCODE('a', 'UTF-8')"
    (row,) = rows(local, f"SELECT r.n, r.m['k'], r.a[1], r.a[2] FROM (SELECT look({given}) AS r)")
    assert row == (6, 1, Decimal("1.50"), None)
    assert seen[:5] == [
        dt.date(2020, 1, 2), dt.datetime(2020, 1, 2, 3, 4, 5, 6000), Decimal("1.50"), [1, 2], {"a": 1},
    ]  # fmt: skip
    assert seen[5] == b"a"


def test_a_function_of_series_is_called_for_many_rows(local):
    """It gets a pandas.Series of each argument."""
    kinds = []

    @udf(result_type="DOUBLE", func_type="pandas")
    def halved(numbers):
        kinds.append(type(numbers).__name__)
        return numbers / 2

    local.create_temporary_function("halved", halved)
    assert rows(local, "SELECT halved(n) FROM v") == [(0.5,), (1.0,), (1.5,)]
    assert kinds == ["Series"]


@pytest.mark.parametrize("chunked", [False, True])
def test_a_function_of_arrays_is_called_for_many_rows(local, chunked):
    """It gets a pyarrow.Array of each argument, and gives one, or one in chunks; its values are cast."""
    kinds = []

    @udf(result_type="DOUBLE", func_type="arrow")
    def doubled(numbers):
        kinds.append(numbers.type)
        made = pc.add(numbers, numbers)
        return pa.chunked_array([made[:1], made[1:]]) if chunked else made

    local.create_temporary_function("doubled", doubled)
    assert rows(local, "SELECT doubled(n) FROM v") == [(2.0,), (4.0,), (6.0,)]
    assert rows(local, "SELECT doubled(n) FROM v WHERE n > 3") == []
    assert kinds == [pa.int32()]


def test_arguments_are_cast_to_the_types_that_are_said(local):
    """And counted; the types may be written as in SQL."""
    local.create_temporary_function("text_of", udf(repr, ["STRING"], "STRING"))
    assert rows(local, "SELECT text_of(n) FROM v WHERE n = 1") == [("'1'",)]
    with pytest.raises(SqlError, match="cannot be called with 2 arguments"):
        local.sql_query("SELECT text_of(n, n) FROM v")


def test_a_result_is_said_by_an_annotation(local):
    """Of a function, or of eval."""

    class Shouted(ScalarFunction):
        def eval(self, text: str) -> str:
            return text.upper()

    local.create_temporary_function("shouted", Shouted)
    assert rows(local, "SELECT shouted(s) FROM v WHERE s IS NOT NULL") == [("A",), ("B",)]
    with pytest.raises(ConfigurationError, match="what function squares gives is not known"):
        local.create_temporary_function("squares", udf(lambda n: n, name="squares"))


def test_a_function_object_is_opened_and_closed_once(local):
    """It knows the job's parameters, and what it counts; its result is computed once for all that name it."""
    opened.clear()
    local.create_temporary_function("counted", udf(Counted(), result_type="STRING"))
    assert rows(local, "SELECT c, c FROM (SELECT counted(n) AS c FROM v) WHERE c <> 'none-2'") == [
        ("none-1", "none-1"),
        ("none-3", "none-3"),
    ]
    assert opened == ["open", "close"]


def test_the_users_traceback_comes_first(local):
    """The error names the function and what it was called with."""

    def divided(n):
        return 1 // (n - 2)

    local.create_temporary_function("divided", udf(divided, result_type="INT"))
    with pytest.raises(WindrowError) as caught:
        rows(local, "SELECT divided(n) FROM v")
    said = str(caught.value)
    assert said.index("in divided") < said.index("ZeroDivisionError") < said.index("function divided' on element (2,)")


def test_a_function_is_called_only_where_its_result_is_needed(local):
    """A CASE and a condition spare it the others."""
    local.create_temporary_function("divided", udf(lambda n: 1 // (n - 2), result_type="INT"))
    query = "SELECT CASE WHEN n = 2 THEN 0 ELSE divided(n) END FROM v WHERE n = 2 OR divided(n) < 5"
    assert rows(local, query) == [(-1,), (0,), (1,)]


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (udf(lambda n: "x", result_type="INT", name="f"), "function f gave 'x', and its result_type is INT"),
        (udf(lambda n: 1.5, result_type="INT", name="f"), "function f gave 1.5, and its result_type is INT"),
        (
            udf(lambda n: 2**40, result_type="INT", name="f"),
            "function f gave 1099511627776, and its result_type is INT",
        ),
        (udf(lambda n: n[:1], result_type="INT", func_type="pandas", name="f"), "function f gave 1 values for 3 rows"),
        (udf(lambda n: 1, result_type="INT", func_type="pandas", name="f"), "function f gave int for 3 rows"),
        (
            udf(lambda n: n[:1], result_type="INT", func_type="arrow", name="f"),
            r"for 3 rows.*it gives a pyarrow\.Array",
        ),
        (
            udf(lambda n: pc.cast(n, "string"), result_type="BOOLEAN", func_type="arrow", name="f"),
            "function f gave '.', and its result_type is BOOLEAN",
        ),
        (
            udf(lambda n: pc.multiply(pc.cast(n, "int64"), 2**31), result_type="INT", func_type="arrow", name="f"),
            "function f gave 2147483648, and its result_type is INT",
        ),
    ],
)
def test_a_wrong_result_is_named(local, function, said):
    """With the function, what it gave, and what was said of it."""
    local.create_temporary_function("f", function)
    with pytest.raises(WindrowError, match=said):
        rows(local, "SELECT f(n) FROM v")


def test_functions_by_statements(local, monkeypatch, tmp_path):
    """CREATE, SHOW and DROP, with a function of a module."""
    (tmp_path / "functions_of_mine.py").write_text("def doubled(n: int) -> int:\n    return 2 * n\n")
    monkeypatch.syspath_prepend(tmp_path)
    create = "CREATE TEMPORARY SYSTEM FUNCTION {}doubled AS 'functions_of_mine.doubled' LANGUAGE PYTHON"
    local.execute_sql(create.format(""))
    local.execute_sql(create.format("IF NOT EXISTS "))
    sys.modules.pop("functions_of_mine")
    assert rows(local, "SELECT doubled(n) FROM v") == [(2,), (4,), (6,)]
    assert rows(local, "SHOW USER FUNCTIONS") == [("doubled",)]
    local.execute_sql("DROP TEMPORARY SYSTEM FUNCTION doubled")
    local.execute_sql("DROP TEMPORARY SYSTEM FUNCTION IF EXISTS doubled")
    with pytest.raises(SqlError, match="there is no function DOUBLED"):
        local.sql_query("SELECT doubled(n) FROM v")


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("CREATE FUNCTION f AS 'math.floor' LANGUAGE PYTHON", "'math.floor' names no function"),
        ("CREATE TEMPORARY FUNCTION f AS 'org.F'", "a function is written in Python; got Java"),
        ("CREATE TEMPORARY FUNCTION f AS 'math.flor' LANGUAGE PYTHON", "'math.flor' names no function"),
        ("CREATE TEMPORARY FUNCTION f AS 'math' LANGUAGE PYTHON", "write 'module.attribute'"),
        ("DROP TEMPORARY FUNCTION f", "there is no function 'f' of the program's own"),
        ("SELECT twise(n) FROM v", "did you mean TWICE"),
    ],
)
def test_wrong_statements_are_named(local, statement, said):
    """What came, and what to write."""
    local.create_temporary_function("twice", udf(lambda n: 2 * n, result_type="INT"))
    with pytest.raises(SqlError, match=said):
        local.execute_sql(statement)


def test_a_name_is_one_functions(local):
    """A second one of the name is refused; a system function comes before Flink's, another one behind them."""
    local.create_temporary_function("upper", udf(lambda s: "mine", result_type="STRING"))
    assert rows(local, "SELECT UPPER(s) FROM v WHERE n = 1") == [("A",)]
    local.create_temporary_system_function("UPPER", udf(lambda s: "mine", result_type="STRING"))
    assert rows(local, "SELECT UPPER(s) FROM v WHERE n = 1") == [("mine",)]
    with pytest.raises(ConfigurationError, match="there is a function 'upper' already"):
        local.create_temporary_system_function("upper", squared)
    assert local.list_user_defined_functions() == ["upper"]
    assert local.drop_temporary_system_function("Upper")
    assert not local.drop_temporary_system_function("Upper")
    assert local.drop_temporary_function("upper")


@pytest.mark.parametrize("given", [3, "math.floor", dict])
def test_what_is_no_function_is_refused(local, given):
    """Where it is given."""
    with pytest.raises((UsageError, TypeError, ConfigurationError)):
        local.create_temporary_function("f", given)


def test_a_function_is_called_in_values(local):
    """Once for each row that names it, beside rows that do not."""
    local.create_temporary_function("squared", squared)
    found = rows(
        local, "SELECT * FROM (VALUES (squared(2), 'a'), (7, 'b'), (squared(3), CAST(NULL AS STRING))) AS t(n, s)"
    )
    assert sorted(found) == [(4, "a"), (7, "b"), (9, None)]


def test_a_query_with_a_function_runs_where_jobs_run(env):
    """Function objects travel, and each subtask has its own."""
    tables = StreamTableEnvironment.create(env)
    numbers = env.from_collection([(n,) for n in range(6)], Types.ROW_NAMED(["n"], [Types.LONG()]))
    tables.create_temporary_view("numbers", numbers)
    tables.create_temporary_function("counted", udf(Counted(), result_type="STRING"))
    tables.create_temporary_function("squared", squared)
    found = rows(tables, "SELECT squared(n), counted(n) FROM numbers")
    assert sorted(square for square, _ in found) == [0, 1, 4, 9, 16, 25]
    assert {each.partition("-")[0] for _, each in found} == {"none"}


def test_what_draws_lots_is_drawn_once_for_all_that_name_it(local):
    """A random column of a query is one value, however often it is named."""
    (row,) = rows(local, "SELECT r, r, r2 + 1 - r2 FROM (SELECT RAND() AS r, RAND() AS r2) WHERE r >= 0 AND r2 < 2")
    assert row[0] == row[1]
    assert row[2] == pytest.approx(1)


class Delayed(AsyncScalarFunction):
    """Waits longer for what comes first, so that results come in another order than rows."""

    async def eval(self, number, text):
        await asyncio.sleep(0.01 * (3 - number))
        if text == "wrong":
            raise ValueError(text)
        return f"{text}{number}"


def test_functions_may_be_waited_for(env):
    """On both runtimes, many rows at once; results stand beside their rows."""
    tables = StreamTableEnvironment.create(env)
    tables.create_temporary_system_function("delayed", udf(Delayed(), result_type="STRING"))
    tables.create_temporary_view("t", tables.from_elements([(1, "a"), (2, "b"), (3, None)], ["n", "s"]))
    found = tables.sql_query("SELECT n, delayed(n, s) AS d FROM t").to_pandas()
    assert sorted(zip(found["n"], found["d"], strict=True)) == [(1, "a1"), (2, "b2"), (3, "None3")]


def test_an_error_of_a_function_that_is_waited_for_is_the_users(local):
    """With its arguments."""
    delayed = udf(Delayed(), result_type="STRING")
    with pytest.raises(UserFunctionError, match="ValueError: wrong"):
        local.from_elements([(1, "wrong")], ["n", "s"]).select(delayed(col("n"), col("s"))).to_pandas()


def test_a_function_computes_a_column_of_a_table(local, tmp_path):
    """Of a table in DDL, whose event time it may be, and of a stream's schema; opened like any other."""
    (tmp_path / "n.csv").write_text("1\n2\n")

    class Later(ScalarFunction):
        def open(self, function_context):
            self.begin = dt.datetime(2024, 1, 1)

        def eval(self, number):
            return self.begin + dt.timedelta(minutes=number)

    local.create_temporary_function("later", udf(Later(), result_type="TIMESTAMP(3)"))
    local.create_temporary_function("squared", squared)
    local.execute_sql(
        "CREATE TABLE t (n INT, s AS squared(n), ts AS later(n), WATERMARK FOR ts AS ts) "
        f"WITH ('connector' = 'filesystem', 'path' = '{tmp_path}/n.csv', 'format' = 'csv')"
    )
    windows = "SELECT SUM(s), window_end FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '2' MINUTE))"
    assert rows(local, f"{windows} GROUP BY window_start, window_end") == [
        (1, dt.datetime(2024, 1, 1, 0, 2)),
        (4, dt.datetime(2024, 1, 1, 0, 4)),
    ]
    stream = local._environment.from_collection([Row(n=3)], Types.ROW_NAMED(["n"], [Types.INT()]))
    schema = Schema.new_builder().column_by_expression("s", "squared(n) + 1").build()
    assert [tuple(row) for row in local.from_data_stream(stream, schema).execute().collect()] == [(3, 10)]


@pytest.mark.parametrize("mode", ["streaming", "batch"])
def test_a_function_in_the_condition_of_an_inner_join_is_asked_of_its_pairs(mode):
    """In Flink, too, it is of inner joins alone: of others a row without pairs would have to be known."""
    of_mode = EnvironmentSettings.in_batch_mode() if mode == "batch" else EnvironmentSettings.in_streaming_mode()
    tables = TableEnvironment.create(of_mode)
    tables.get_config().set("table.exec.state.ttl", "1 h")
    tables.create_temporary_function("squared", squared)
    tables.execute_sql("CREATE TEMPORARY VIEW v AS SELECT * FROM (VALUES (1, 'a'), (2, 'b'), (3, 'b')) AS t(n, s)")
    joined = "SELECT l.n, r.n FROM v AS l {} JOIN v AS r ON l.s = r.s AND squared(l.n) < r.n + 2"
    assert sorted(rows(tables, joined.format("INNER"))) == [(1, 1), (2, 3)]
    with pytest.raises(ConfigurationError, match="not called in the condition of a join: SELECT what they give"):
        rows(tables, joined.format("LEFT"))
