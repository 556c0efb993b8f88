"""Statements about tables, functions and plans, as Flink's SQL client takes them."""

import pytest

from windrow.datastream import StreamExecutionEnvironment
from windrow.errors import SqlError
from windrow.table import EnvironmentSettings, StreamTableEnvironment
from windrow.table.udf import udf


@udf(result_type="BIGINT")
def plus_one(number):
    return number + 1


@pytest.fixture
def tables():
    made = StreamTableEnvironment.create(StreamExecutionEnvironment.create_local_environment(parallelism=1))
    made.execute_sql(
        "CREATE TABLE ones (a INT COMMENT 'x', b AS a * 2 COMMENT 'y', ab STRING) COMMENT 'numbers' "
        "WITH ('connector' = 'datagen', 'number-of-rows' = '2', 'fields.a.min' = '1', 'fields.a.max' = '1')"
    )
    made.execute_sql("CREATE VIEW v COMMENT 'z' AS SELECT a FROM ones")
    return made


def shown(tables, statement):
    return [row[0] for row in tables.execute_sql(statement).collect()]


@pytest.mark.parametrize(
    ("statement", "names"),
    [
        ("SHOW TABLES LIKE 'o%'", ["ones"]),
        ("SHOW TABLES NOT LIKE 'o_es'", ["v"]),
        ("SHOW TABLES ILIKE 'ONES'", ["ones"]),
        ("SHOW TABLES LIKE 'ONES'", []),
        ("SHOW TABLES FROM default_database LIKE 'v'", ["v"]),
        ("SHOW VIEWS IN default_catalog.default_database", ["v"]),
        ("SHOW FUNCTIONS LIKE 'json_o%'", ["json_object", "json_objectagg"]),
        ("SHOW COLUMNS FROM ones", ["a", "b", "ab"]),
        ("SHOW COLUMNS IN ones LIKE 'a%'", ["a", "ab"]),
        ("SHOW MODULES", ["core"]),
        ("DESCRIBE EXTENDED ones", ["a", "b", "ab"]),
    ],
)
def test_show_names_those_that_fit(tables, statement, names):
    """LIKE and ILIKE have % and _, as SQL has them."""
    assert shown(tables, statement) == names


def test_another_database_is_refused(tables):
    """There is one."""
    with pytest.raises(SqlError, match="there is one catalog"):
        tables.execute_sql("SHOW TABLES FROM other")


@pytest.mark.parametrize("detail", ["", "PLAN FOR ", "AST FOR ", "CHANGELOG_MODE ", "ESTIMATED_COST, PLAN_ADVICE "])
def test_explain_takes_flinks_details(tables, detail):
    """And shows the same; of an INSERT its query and the table as sink, of a statement set one job."""
    (plan,) = shown(tables, f"EXPLAIN {detail}SELECT a FROM ones")
    assert plan == tables.explain_sql("SELECT a FROM ones")
    tables.execute_sql("CREATE TABLE nowhere (a INT) WITH ('connector' = 'blackhole')")
    insert = "INSERT INTO nowhere SELECT a FROM ones"
    written = plan.replace("Sink: Collect", "Sink: nowhere")
    assert shown(tables, f"EXPLAIN {detail}{insert}") == [written] == [tables.explain_sql(insert)]
    (both,) = shown(tables, f"EXPLAIN {detail}STATEMENT SET BEGIN {insert}; {insert}; END")
    assert (both.count("TableSourceScan"), both.count("Source: ones"), both.count("sink Sink: nowhere")) == (2, 1, 2)


def test_options_of_a_query_stand_in_place_of_the_tables_own(tables):
    """For this mention of the table alone."""
    query = "SELECT COUNT(*) AS n FROM ones /*+ OPTIONS('number-of-rows' = '3', 'fields.a.max' = '1') */ AS o"
    assert list(tables.sql_query(query).to_pandas()["n"]) == [3]
    assert list(tables.sql_query("SELECT COUNT(*) AS n FROM ones").to_pandas()["n"]) == [2]


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("SELECT * FROM ones /*+ OPTIONS('numbr-of-rows' = '3') */", "did you mean 'number-of-rows'"),
        ("SELECT * FROM ones /*+ OPTIONS('number-of-rows' = '3') LOOKUP() */", "a hint is written"),
        ("SELECT * FROM v /*+ OPTIONS('number-of-rows' = '3') */", "'v' is a view, which has no options"),
        ("SELECT /*+ BROADCAST(ones) */ * FROM ones", "of hints there is OPTIONS"),
        ("INSERT INTO ones /*+ OPTIONS('number-of-rows' = '3') */ SELECT 1", "no SQL that Windrow reads"),
    ],
)
def test_other_hints_are_refused(tables, statement, said):
    """And those that stand elsewhere, or name no option."""
    with pytest.raises(SqlError, match=said):
        tables.execute_sql(statement)


def test_functions_need_not_be_temporary(tables):
    """Those of the catalog are kept as long as it is, as Flink's in memory is."""
    tables.execute_sql(f"CREATE FUNCTION more AS '{__name__}.plus_one' LANGUAGE PYTHON")
    assert shown(tables, "SELECT more(3)") == [4]
    assert shown(tables, "SHOW USER FUNCTIONS") == ["more"]
    tables.execute_sql("DROP FUNCTION more")
    assert shown(tables, "SHOW USER FUNCTIONS") == []


def test_execute_may_stand_before_insert(tables, capsys):
    """As Flink has it."""
    tables.execute_sql("CREATE TABLE p (a INT) WITH ('connector' = 'print')")
    tables.execute_sql("EXECUTE INSERT INTO p SELECT a FROM ones").wait()
    assert capsys.readouterr().out == "+I[1]\n+I[1]\n"


@pytest.mark.parametrize("batch", [True, False])
def test_create_table_as_writes_the_rows_of_a_query(batch, tmp_path):
    """Into a table of its columns; with definitions of its own these come first, and NULL stands where no column is."""
    mode = EnvironmentSettings.in_batch_mode() if batch else EnvironmentSettings.in_streaming_mode()
    tables = StreamTableEnvironment.create(StreamExecutionEnvironment.create_local_environment(parallelism=1), mode)
    stored = f"WITH ('connector' = 'filesystem', 'path' = '{tmp_path}/made', 'format' = 'json')"
    query = "SELECT * FROM (VALUES (1, 'a'), (2, 'b')) AS t(n, word)"
    tables.execute_sql(f"CREATE TABLE made (more STRING, n BIGINT, twice AS n * 2) {stored} AS {query}").wait()
    rows = sorted(tuple(row) for row in tables.execute_sql("SELECT more, twice, n, word FROM made").collect())
    assert rows == [(None, 2, 1, "a"), (None, 4, 2, "b")]
    tables.execute_sql(f"CREATE TABLE IF NOT EXISTS made {stored} AS {query}").wait()
    assert len(list(tables.execute_sql("SELECT n FROM made").collect())) == 2


def test_a_table_whose_rows_cannot_be_had_is_not_made(tables):
    """CREATE TABLE ... AS makes the table with the job that fills it, or neither."""
    with pytest.raises(SqlError, match="doesn't support consuming update changes"):
        tables.execute_sql(
            "CREATE TABLE counts WITH ('connector' = 'filesystem', 'path' = '/nowhere', 'format' = 'csv') "
            "AS SELECT a, COUNT(*) AS n FROM ones GROUP BY a"
        )
    assert shown(tables, "SHOW TABLES") == ["ones", "v"]


def test_a_statement_is_shown_of_what_has_one(tables):
    """A view of a query has one, which names what it is; one that the program made of a table has none."""
    tables.execute_sql("ALTER VIEW v RENAME TO w")
    (statement,) = shown(tables, "SHOW CREATE VIEW w")
    assert statement.startswith(
        "CREATE VIEW `default_catalog`.`default_database`.`w` (\n  `a`\n)\nCOMMENT 'z'\nAS SELECT a"
    )
    tables.create_temporary_view("made", tables.from_path("ones"))
    with pytest.raises(SqlError, match="view 'made' was made by the program"):
        tables.execute_sql("SHOW CREATE VIEW made")
    with pytest.raises(SqlError, match="'w' is a view: write SHOW CREATE VIEW"):
        tables.execute_sql("SHOW CREATE TABLE w")


def test_what_is_altered_is_shown_so(tables):
    """SHOW CREATE TABLE has the table as it has become; queries of before keep the table of before."""
    tables.execute_sql("ALTER TABLE ones ADD (c INT AFTER a)")
    tables.execute_sql("ALTER TABLE ones SET ('number-of-rows' = '1')")
    tables.execute_sql("ALTER TABLE ones RENAME ab TO text")
    (statement,) = shown(tables, "SHOW CREATE TABLE ones")
    assert statement.index("`a`") < statement.index("`c`") < statement.index("`b`") < statement.index("`text`")
    assert "'number-of-rows' = '1'" in statement
    assert len(shown(tables, "SELECT c FROM ones")) == 1
    assert len(shown(tables, "SELECT a FROM v")) == 2


def test_what_is_not_temporary_is_not_dropped_as_that(tables):
    """DROP TEMPORARY knows what was made so alone, and DROP what was not."""
    for what in ("TABLE ones", "VIEW v"):
        with pytest.raises(SqlError, match="is not temporary: leave out TEMPORARY"):
            tables.execute_sql(f"DROP TEMPORARY {what}")
        kind, name = what.split()
        tables.execute_sql(f"DROP TEMPORARY {kind} IF EXISTS {name}")
    assert shown(tables, "SHOW TABLES") == ["ones", "v"]
    tables.execute_sql("CREATE TEMPORARY TABLE passing (a INT) WITH ('connector' = 'blackhole')")
    tables.create_temporary_view("seen", tables.from_path("ones"))
    with pytest.raises(SqlError, match="'passing' is temporary: write DROP TEMPORARY TABLE"):
        tables.execute_sql("DROP TABLE IF EXISTS passing")
    tables.execute_sql("DROP TEMPORARY TABLE passing")
    tables.execute_sql("DROP TEMPORARY VIEW seen")
    assert shown(tables, "SHOW TABLES") == ["ones", "v"]


def test_a_table_takes_the_place_of_another_with_the_rows_of_a_query(tables):
    """CREATE OR REPLACE TABLE ... AS; where it cannot be made, the one before stays."""
    sink = "WITH ('connector' = 'blackhole') AS SELECT"
    for column in ("a", "b"):
        tables.execute_sql(f"CREATE OR REPLACE TABLE kept {sink} {column} FROM ones").wait()
        assert shown(tables, "SHOW COLUMNS FROM kept") == [column]
    with pytest.raises(SqlError, match="doesn't support consuming update changes"):
        tables.execute_sql(
            "CREATE OR REPLACE TABLE kept WITH ('connector' = 'filesystem', 'path' = '/nowhere', 'format' = 'csv') "
            "AS SELECT COUNT(*) AS n FROM ones"
        )
    assert shown(tables, "SHOW COLUMNS FROM kept") == ["b"]
    with pytest.raises(SqlError, match="'v' is a view: write CREATE OR REPLACE VIEW"):
        tables.execute_sql(f"CREATE OR REPLACE TABLE v {sink} a FROM ones")
    with pytest.raises(SqlError, match="OR REPLACE or IF NOT EXISTS, not both"):
        tables.execute_sql(f"CREATE OR REPLACE TABLE IF NOT EXISTS kept {sink} a FROM ones")
    with pytest.raises(SqlError, match="there is a table or view 'kept' already"):
        tables.execute_sql("CREATE OR REPLACE TABLE kept (a INT) WITH ('connector' = 'blackhole')")
