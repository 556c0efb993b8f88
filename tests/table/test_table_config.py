"""SET and RESET, and what they do."""

import threading

import pytest

from windrow.common import Configuration, Types
from windrow.datastream import RuntimeExecutionMode, StreamExecutionEnvironment
from windrow.errors import ConfigurationError, ConfigurationTypeError, UserFunctionError
from windrow.table import DataTypes, EnvironmentSettings, StreamTableEnvironment, TableEnvironment
from windrow.table.udf import udf


def local():
    """Tables of an environment of their own, in this process."""
    given = Configuration.from_dict({"windrow.runtime": "local", "parallelism.default": "2"})
    return TableEnvironment.create(EnvironmentSettings(configuration=given))


def test_reset_gives_all_settings_again_that_the_environment_was_made_with(tmp_path):
    """And nothing else: what was set besides is gone, and jobs run as they would have."""
    given = Configuration.from_dict(
        {"windrow.runtime": "local", "parallelism.default": "3", "execution.checkpointing.dir": str(tmp_path)}
    )
    tables = TableEnvironment.create(EnvironmentSettings(streaming=True, configuration=given))
    before = tables.get_config().get_configuration().to_dict()
    env = tables._environment
    for key, value in (
        ("parallelism.default", "5"),
        ("table.local-time-zone", "Asia/Tokyo"),
        ("windrow.runtime", "spark"),
        ("execution.checkpointing.interval", "7 s"),
        ("restart-strategy.type", "fixed-delay"),
        ("table.optimizer.join-reorder-enabled", "true"),
    ):
        tables.execute_sql(f"SET '{key}' = '{value}'")
    assert (env.get_parallelism(), env.get_checkpoint_interval()) == (5, 7000)
    tables.execute_sql("RESET")
    assert tables.get_config().get_configuration().to_dict() == before
    assert (env.get_parallelism(), env.get_checkpoint_interval()) == (3, -1)
    assert tables.get_config().get_local_timezone() == "UTC"
    assert [tuple(row) for row in tables.execute_sql("SELECT 1").collect()] == [(1,)]


def test_reset_of_a_key_gives_that_one_alone():
    """The value of the beginning, or none; the others stay as they were set."""
    tables = local()
    env, config = tables._environment, tables.get_config()
    tables.execute_sql("SET 'parallelism.default' = '7'")
    tables.execute_sql("SET 'table.local-time-zone' = 'Asia/Tokyo'")
    tables.execute_sql("SET 'pipeline.name' = 'mine'")
    tables.execute_sql("SET 'parallelism.default' = '5'")
    tables.execute_sql("RESET 'parallelism.default'")
    assert env.get_parallelism() == 2
    assert (config.get("pipeline.name", ""), config.get_local_timezone()) == ("mine", "Asia/Tokyo")
    tables.execute_sql("RESET 'pipeline.name'")
    assert config.get("pipeline.name", "none") == "none"
    assert config.get_local_timezone() == "Asia/Tokyo"
    tables.execute_sql("RESET 'my.own'")


def test_what_the_program_sets_meanwhile_stays():
    """RESET takes back what SET has done."""
    env = StreamExecutionEnvironment.create_local_environment(parallelism=1)
    tables = StreamTableEnvironment.create(env)
    tables.execute_sql("SET 'pipeline.object-reuse' = 'true'")
    env.set_parallelism(4)
    tables.execute_sql("RESET")
    assert env.get_parallelism() == 4
    assert not env.get_config().is_object_reuse_enabled()


def test_settings_of_jobs_are_made_by_set():
    """As where the environment is configured; what cannot be is an error there."""
    tables = local()
    counted = "SELECT x, COUNT(*) AS n FROM (VALUES (1)) AS t(x) GROUP BY x"
    assert "level 1, 2 subtasks\n" in tables.explain_sql(counted)
    tables.get_config().set("parallelism.default", "1")
    assert "level 1, 1 subtask\n" in tables.explain_sql(counted)
    with pytest.raises(ConfigurationError, match=r"'parallelism.default'"):
        tables.execute_sql("SET 'parallelism.default' = 'many'")
    with pytest.raises(ConfigurationTypeError, match=r"the value of 'parallelism.default' must be an object of str"):
        tables.get_config().set("parallelism.default", 1)
    assert tables._environment.get_parallelism() == 1


BATCH = "SET 'execution.runtime-mode' = 'batch'"
COUNT = "SELECT COUNT(*) AS n FROM (VALUES (1), (2)) AS t(x)"


def results(tables, query):
    return [(str(row.get_row_kind()), *row) for row in tables.execute_sql(query).collect()]


def test_the_runtime_mode_may_be_set_at_the_head_of_statements(tmp_path):
    """For those behind it, as Flink's client takes it; tables that were made before are read so, too."""
    tables = local()
    (tmp_path / "n.csv").write_text("1\n2\n")
    options = f"'connector' = 'filesystem', 'format' = 'csv', 'path' = '{tmp_path}/n.csv'"
    tables.execute_sql(f"CREATE TABLE t (x INT) WITH ({options})")
    count = "SELECT COUNT(*) AS n FROM t"
    assert results(tables, count) == [("+I", 1), ("-U", 1), ("+U", 2)]
    tables.execute_sql(BATCH)
    assert tables._environment._runtime_mode is RuntimeExecutionMode.BATCH
    assert results(tables, count) == [("+I", 2)]
    tables.execute_sql("SET 'execution.runtime-mode' = 'STREAMING'")
    assert results(tables, count) == [("+I", 1), ("-U", 1), ("+U", 2)]
    tables.execute_sql(BATCH)
    tables.execute_sql("RESET")
    assert tables._environment._runtime_mode is RuntimeExecutionMode.STREAMING
    assert results(tables, count) == [("+I", 1), ("-U", 1), ("+U", 2)]


def test_a_result_runs_in_the_mode_in_which_it_was_planned():
    """Also where it is read behind a SET of another one."""
    tables = local()
    streaming = tables.execute_sql(COUNT)
    tables.execute_sql(BATCH)
    batch = tables.execute_sql(COUNT)
    tables.execute_sql("RESET")
    assert [tuple(row) for row in streaming.collect()] == [(1,), (1,), (2,)]
    assert [tuple(row) for row in batch.collect()] == [(2,)]


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda tables: tables.execute_sql("CREATE VIEW v AS SELECT 1 AS n"), "view 'v'"),
        (lambda tables: tables.sql_query("SELECT 1 AS n"), "a table of the program"),
        (
            lambda tables: (
                tables.execute_sql("CREATE TABLE b (n INT) WITH ('connector' = 'blackhole')"),
                tables.create_statement_set().add_insert_sql("INSERT INTO b SELECT 1"),
            ),
            "a statement set of the program",
        ),
    ],
)
def test_the_runtime_mode_stays_where_something_was_planned_for_it(make, said):
    """It is named, with what to do; the same mode again is no change."""
    tables = local()
    make(tables)
    tables.execute_sql("SET 'execution.runtime-mode' = 'streaming'")
    words = rf"is STREAMING here, and cannot become BATCH any more: {said} was planned for it.*in_batch_mode\(\)"
    with pytest.raises(ConfigurationError, match=words):
        tables.execute_sql(BATCH)
    assert tables._streaming
    with pytest.raises(ConfigurationError, match="of tables is STREAMING or BATCH; got 'automatic'"):
        tables.execute_sql("SET 'execution.runtime-mode' = 'automatic'")


def test_the_runtime_mode_of_the_programs_streams_stays():
    """An environment of theirs takes another one while it is empty."""
    env = StreamExecutionEnvironment.create_local_environment()
    tables = StreamTableEnvironment.create(env)
    tables.execute_sql(BATCH)
    tables.execute_sql("RESET 'execution.runtime-mode'")
    env.from_collection([1], Types.INT())
    with pytest.raises(ConfigurationError, match="a stream of its environment of streams was planned for it"):
        tables.execute_sql(BATCH)


RELEASED = threading.Event()


@udf(result_type=DataTypes.INT())
def released(n):
    """The number, some time after it was asked for."""
    RELEASED.wait(0.2)
    RELEASED.set()
    return n


@udf(result_type=DataTypes.INT())
def failing(n):
    """Never anything."""
    raise ValueError(n)


def inserting(function):
    tables = local()
    tables.get_config().set("table.dml-sync", "true")
    tables.execute_sql("CREATE TABLE b (n INT) WITH ('connector' = 'blackhole')")
    tables.create_temporary_function("f", function)
    return tables


@pytest.mark.parametrize(
    "insert",
    [
        lambda tables: tables.execute_sql("INSERT INTO b SELECT f(x) FROM (VALUES (1)) AS t(x)"),
        lambda tables: tables.sql_query("SELECT f(x) FROM (VALUES (1)) AS t(x)").execute_insert("b"),
        lambda tables: (
            tables.create_statement_set()
            .add_insert_sql("INSERT INTO b SELECT f(x) FROM (VALUES (1)) AS t(x)")
            .execute()
        ),
        lambda tables: tables.execute_sql(
            "CREATE TABLE c WITH ('connector' = 'blackhole') AS SELECT f(x) AS n FROM (VALUES (1)) AS t(x)"
        ),
    ],
    ids=["execute_sql", "execute_insert", "statement set", "create table as"],
)
def test_inserts_are_waited_for_where_dml_sync_says_so(insert):
    """The job has ended when the call returns, and its error is raised there."""
    RELEASED.clear()
    insert(inserting(released))
    assert RELEASED.is_set()
    with pytest.raises(UserFunctionError, match="ValueError"):
        insert(inserting(failing))


def test_dml_sync_is_true_or_false():
    """Anything else is an error where it is set."""
    with pytest.raises(ConfigurationError, match=r"table\.dml-sync is true or false; got 'yes'"):
        local().execute_sql("SET 'table.dml-sync' = 'yes'")


def test_a_table_that_was_made_with_rows_stays_where_their_job_fails():
    """As in Flink: it was made, and what the job has written is in it."""
    tables = inserting(failing)
    with pytest.raises(UserFunctionError):
        tables.execute_sql(
            "CREATE TABLE c WITH ('connector' = 'blackhole') AS SELECT f(x) AS n FROM (VALUES (1)) AS t(x)"
        )
    assert "c" in tables.list_tables()
