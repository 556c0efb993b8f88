"""Statements that cannot be run."""

import pytest

from windrow.datastream import StreamExecutionEnvironment
from windrow.errors import WindrowError
from windrow.table import StreamTableEnvironment

W = "TUMBLE(TABLE b, DESCRIPTOR(ts), INTERVAL '1' MINUTE)"
WRONG = [
    "",
    ";",
    "SELECT",
    "SELECT * FROM",
    "FOO BAR",
    "SELECT SUM(DISTINCT) FROM b",
    "SELECT COUNT() FROM b",
    "SELECT SUM(n, n) FROM {W} GROUP BY window_start, window_end",
    "SELECT LISTAGG(item, n) FROM {W} GROUP BY window_start, window_end",
    "SELECT n FROM b ORDER BY n",
    "SELECT n FROM b ORDER BY ts DESC",
    "SELECT n FROM b ORDER BY 2 LIMIT 1",
    "SELECT DISTINCT n FROM b ORDER BY item LIMIT 1",
    "SELECT n FROM b UNION SELECT item FROM b",
    "SELECT n FROM b EXCEPT SELECT 1",
    "SELECT n FROM b INTERSECT ALL SELECT item FROM b",
    "SELECT RANK(n) OVER (PARTITION BY n ORDER BY ts) FROM b",
    "SELECT LAG() OVER (ORDER BY ts) FROM b",
    "SELECT LAG(n, n) OVER (ORDER BY ts) FROM b",
    "SELECT LAG(n, 1, item) OVER (ORDER BY ts) FROM b",
    "SELECT GROUPING(n) FROM b",
    "SELECT GROUPING() FROM b GROUP BY ROLLUP (n)",
    "SELECT JSON_VALUE(item, '$.a' RETURNING BIGINT) FROM b",
    "SELECT JSON_VALUE(item, '$.a' RETURNING INT DEFAULT n ON EMPTY) FROM b",
    "SELECT JSON_VALUE(item, '$.a' EMPTY ARRAY ON ERROR) FROM b",
    "SELECT JSON_EXISTS(item, '$.a' TRUE ON EMPTY) FROM b",
    "SELECT JSON_QUERY(item, '$.a' WITH CONDITIONAL) FROM b",
    "SELECT * FROM b, b",
    "SELECT * FROM b AS x JOIN b AS y ON x.n = y.n",
    "SELECT * FROM b CROSS JOIN b AS y",
    "SELECT * FROM b AS x JOIN b FOR SYSTEM_TIME AS OF x.p AS y ON x.n=y.n",
    "SELECT * FROM b MATCH_RECOGNIZE (ORDER BY ts MEASURES A.n AS x PATTERN (A) DEFINE A AS A.n > 1)",
    "SELECT * FROM TUMBLE(b, ts, 5)",
    "SELECT * FROM TUMBLE(TABLE b, DESCRIPTOR(ts), 5)",
    "SELECT * FROM TUMBLE(TABLE b, DESCRIPTOR(ts), INTERVAL '1' MONTH)",
    "SELECT * FROM TUMBLE(TABLE b, DESCRIPTOR(ts), INTERVAL 'x' MINUTE)",
    "SELECT * FROM TUMBLE(TABLE b, DESCRIPTOR(nope), INTERVAL '1' MINUTE)",
    "SELECT * FROM HOP(TABLE b, DESCRIPTOR(ts), SIZ => INTERVAL '1' MINUTE)",
    "SELECT * FROM LATERAL TABLE(f(1))",
    "SELECT * FROM b, UNNEST(n) AS t(x)",
    "SELECT CAST(n AS FOO) FROM b",
    "SELECT CAST(ts AS INT) FROM b",
    "SELECT n.x FROM b",
    "SELECT n[1] FROM b",
    "SELECT ARRAY[1,'a']",
    "SELECT CASE WHEN 1 THEN 2 END",
    "SELECT IF(1,2)",
    "SELECT SUBSTRING()",
    "SELECT UPPER(1)",
    "SELECT UPPER('a','b')",
    "SELECT EXTRACT(FOO FROM ts) FROM b",
    "SELECT EXTRACT(YEAR FROM item) FROM b",
    "SELECT FLOOR(ts TO FOO) FROM b",
    "SELECT TIMESTAMPDIFF(FOO, ts, ts) FROM b",
    "SELECT DATE 'x'",
    "SELECT INTERVAL '1' FOO",
    "SELECT 1 + INTERVAL '1' DAY",
    "SELECT item LIKE 1 FROM b",
    "SELECT n BETWEEN 'a' AND 'b' FROM b",
    "SELECT COUNT(*) FILTER (WHERE n) FROM {W} GROUP BY window_start, window_end",
    "SELECT (SELECT 1)",
    "SELECT n FROM b WHERE n IN (SELECT n FROM b)",
    "SELECT n FROM b WHERE EXISTS (SELECT 1)",
    "SELECT n FROM b WHERE n NOT IN (SELECT n FROM b)",
    "VALUES (1),(1,2)",
    "VALUES (1),('a')",
    "INSERT INTO b SELECT 1",
    "INSERT INTO nope SELECT 1",
    "INSERT INTO b (zz) SELECT 1",
    "CREATE TABLE x (a FOO) WITH ('connector'='print')",
    "CREATE TABLE x (a INT) WITH (connector=print)",
    "CREATE TABLE x (a INT)",
    "CREATE TABLE b (a INT) WITH ('connector'='print')",
    "CREATE TABLE x (a INT, WATERMARK FOR a AS a) WITH ('connector'='print')",
    "CREATE TABLE x (a TIMESTAMP(9)) WITH ('connector'='print')",
    "CREATE TABLE x (a INT METADATA) WITH ('connector'='print')",
    "CREATE TABLE x LIKE nope",
    "CREATE FUNCTION f AS 'x'",
    "CREATE CATALOG c",
    "DROP TABLE nope",
    "DROP x",
    "DESCRIBE nope",
    "SHOW FOO",
    "USE CATALOG foo",
    "SET a",
    "SET 'table.local-time-zone' = 'Mars'",
    "EXPLAIN SELECT nope FROM b",
    "ALTER TABLE b RENAME a",
    "ALTER TABLE b FROB x",
    "ALTER TABLE nope ADD x INT",
    "ALTER TABLE b ADD x",
    "CREATE TABLE x (a) {T}",
    "CREATE TABLE x {T} AS SELECT NULL AS a",
    "CREATE TABLE x {T} LIKE b AS SELECT 1 AS a",
    "UPDATE b SET n = 1",
    "SELECT * FROM b WHERE n = (1,2)",
    "SELECT n FROM b LIMIT x",
    "SELECT TUMBLE_START(ts, INTERVAL '1' DAY) FROM b GROUP BY n",
    "SELECT n FROM b GROUP BY TUMBLE(n, INTERVAL '1' DAY)",
    "SELECT a FROM (SELECT n AS a FROM b) WHERE b = 1",
    "SELECT b.* , c.* FROM b",
    "WITH x AS (SELECT 1) SELECT * FROM y",
    "SELECT 'abc",
    "SELECT `abc",
    "SELECT MAP[1]",
    "SELECT COALESCE()",
    "SELECT GREATEST(1,'a')",
    "SELECT MOD(1)",
    "SELECT TRIM(1)",
    "SELECT POSITION('a')",
    "SELECT OVERLAY('a')",
    "SELECT CEIL('a')",
    "SELECT TIMESTAMPADD(DAY, 'a', DATE '2020-01-01')",
    "SELECT JSON_VALUE('a')",
    "SELECT -'a'",
    "SELECT NOT 1",
    "SELECT n FROM b HAVING n > 1",
    "SELECT SUM(n) FROM b WHERE SUM(n) > 1",
    "SELECT SUM(SUM(n)) FROM {W} GROUP BY window_start, window_end",
    "SELECT * FROM b TABLESAMPLE (10 PERCENT)",
    "SELECT * FROM b PIVOT (SUM(n) FOR item IN ('a'))",
]


def test_wrong_statements_end_with_an_error_of_ours():
    """Whatever is wrong or missing, Windrow says it, and nobody sees the inside."""
    tables = StreamTableEnvironment.create(StreamExecutionEnvironment.create_local_environment(parallelism=1))
    tables.execute_sql(
        "CREATE TABLE b (ts TIMESTAMP(3), price DECIMAL(10,2), item STRING, n INT, p AS PROCTIME(), "
        "WATERMARK FOR ts AS ts) WITH ('connector' = 'datagen', 'number-of-rows' = '3')"
    )
    run = []
    for statement in WRONG:
        try:
            list(tables.execute_sql(statement.replace("{W}", W)).lines())
        except WindrowError:
            continue
        run.append(statement)
    assert run == []


PLAIN = "SELECT n FROM b"
JOINED = "FROM {W} AS b WHERE EXISTS (SELECT {inner} {W} AS y {rest})"
SILENT = [
    # A clause that is not read is an error, with its name.
    ("SELECT * EXCEPT(n) FROM b", "* EXCEPT is not supported"),
    ("SELECT b.* EXCEPT(n) FROM b", "* EXCEPT is not supported"),
    ("SELECT * REPLACE(n + 1 AS n) FROM b", "* REPLACE is not supported"),
    ("SELECT n FROM b GROUP BY n WITH ROLLUP", "WITH ROLLUP is not supported"),
    ("SELECT n FROM b GROUP BY n WITH CUBE", "WITH CUBE is not supported"),
    ("SELECT n FROM b GROUP BY ALL", "GROUP BY takes neither ALL nor DISTINCT"),
    ("SELECT n FROM b GROUP BY DISTINCT n", "GROUP BY takes neither ALL nor DISTINCT"),
    ("SELECT n INTO x FROM b", "SELECT INTO is not supported"),
    ("SELECT n FROM b FOR UPDATE", "FOR UPDATE"),
    ("SELECT n FROM b CLUSTER BY n", "CLUSTER BY is not supported"),
    ("SELECT n FROM b SORT BY n", "SORT BY is not supported"),
    ("SELECT n FROM b DISTRIBUTE BY n", "DISTRIBUTE BY is not supported"),
    ("SELECT SUM(n) OVER v FROM b WINDOW w AS (ORDER BY ts)", "there is no window 'v'"),
    ("SELECT SUM(n) OVER (ORDER BY n) FROM b", "can only be ordered by a single time attribute"),
    ("SELECT LEAD(n) OVER (ORDER BY ts) FROM b", "LEAD() OVER"),
    ("SELECT n FROM b QUALIFY n > 1", "QUALIFY takes a condition on what stands before OVER"),
    # A comma has something on both sides.
    ("SELECT n, FROM b", "something is missing behind this comma"),
    ("SELECT n,, item FROM b", "something is missing behind this comma"),
    ("SELECT , n FROM b", "something is missing before this comma"),
    ("SELECT ABS(n,) FROM b", "something is missing behind this comma"),
    ("SELECT n FROM b WHERE n IN (1, 2,)", "something is missing behind this comma"),
    ("SELECT n FROM b,", "something is missing behind this comma"),
    # Types that do not fit are both named.
    ("SELECT n FROM b WHERE n = '1'", "= compares values of one type; got INT and CHAR(1) NOT NULL: CAST one of them"),
    ("SELECT n FROM b WHERE item <> n", "<> compares values of one type; got STRING and INT: CAST one of them"),
    ("SELECT n FROM b WHERE item IN ('a', 1)", "IN compares values of one type; got STRING"),
    ("SELECT n FROM b WHERE n IS DISTINCT FROM item", "got INT and STRING: CAST one of them"),
    ("SELECT NULLIF(n, item) FROM b", "NULLIF compares values of one type; got INT and STRING"),
    ("SELECT CASE n WHEN '1' THEN 2 END FROM b", "= compares values of one type; got INT and CHAR(1) NOT NULL"),
    (
        "SELECT CASE WHEN n = 1 THEN 'a' ELSE n END FROM b",
        "CASE gives values of one type; got CHAR(1) NOT NULL and INT",
    ),
    (
        "SELECT 1 FROM b JOIN b AS y ON b.n = y.item AND b.ts BETWEEN y.ts AND y.ts + {M}",
        "= compares values of one type; got INT and STRING",
    ),
    ("SELECT bb.n FROM b", "there is no table or column 'bb' here: did you mean 'b'?"),
    ("SELECT TIMESTAMP '2024-01-01T10:00:00'", "Invalid timestamp: '2024-01-01T10:00:00'"),
    ("SELECT n FROM b CONNECT BY n = 1", "CONNECT in SELECT is not supported"),
    ("SELECT AS STRUCT n FROM b", "KIND in SELECT is not supported"),
    ("SELECT n FROM b WITH ORDINALITY", "WITH ORDINALITY is not supported"),
    ("SELECT n FROM b UNION ALL BY NAME SELECT n FROM b", "BY NAME is not supported"),
    ("WITH RECURSIVE x AS (SELECT 1) SELECT * FROM x", "WITH RECURSIVE is not supported"),
    ("CREATE VIEW v AS SELECT * EXCEPT(n) FROM b", "* EXCEPT is not supported"),
    ("SELECT * FROM b STRAIGHT_JOIN b AS y ON b.n = y.n", "STRAIGHT_JOIN"),
    # Nothing sorts; LIMIT stands behind every kind of query.
    ("SELECT n FROM b ORDER BY ts, n", "a stream is sorted by a single time attribute"),
    (f"{PLAIN} UNION ALL {PLAIN} ORDER BY n", "a stream is sorted by a single time attribute"),
    (f"{PLAIN} UNION ALL {PLAIN} ORDER BY n + 1 LIMIT 1", "ORDER BY behind UNION takes its columns: n"),
    ("SELECT n FROM b ORDER BY ts OFFSET 1", "a stream is sorted by a single time attribute"),
    ("SELECT item, COUNT(*) FROM b GROUP BY item LIMIT 1", "without ORDER BY, which says what is first"),
    (f"{PLAIN} OFFSET n", "OFFSET takes a number of rows; got n"),
    ("VALUES (1) ORDER BY 1", "a stream is sorted by a single time attribute"),
    (f"{PLAIN} LIMIT 1 BY item", "BY in LIMIT is not supported"),
    (f"{PLAIN} LIMIT '1'", "LIMIT takes a number of rows"),
    (f"{PLAIN} LIMIT 1 + 1", "LIMIT takes a number of rows"),
    (f"{PLAIN} FETCH FIRST 3 ROWS WITH TIES", "WITH TIES is not supported"),
    ("SELECT COUNT(*) FROM b LIMIT 1", "LIMIT of a query that takes rows back"),
    # Queries in IN and EXISTS.
    ("SELECT n {J}", "a join without a bound in time", "n FROM", "GROUP BY n"),
    ("SELECT n {J}", "a join without a bound in time", "n FROM", "LIMIT 1"),
    ("SELECT n {J}", "a join without a bound in time", "DISTINCT n FROM", ""),
    ("SELECT n {J}", "a join without a bound in time", "n FROM b AS z JOIN", "ON 1 = 1"),
    ("SELECT n {J}", "a join without a bound in time", "COUNT(*) FROM", ""),
    ("SELECT n FROM b WHERE n IN (SELECT n, n AS m FROM b AS y)", "IN takes a query of one column here; got 2"),
    ("SELECT n FROM b WHERE n IN (SELECT n FROM b UNION ALL SELECT 1)", "a join without a bound in time"),
    ("SELECT n, (SELECT MAX(n) FROM b) FROM b", "a query in the place of a value is joined with all rows"),
    ("SELECT n, n IN (SELECT n FROM b) FROM b", "a query in IN is joined with all rows"),
    ("SELECT n FROM b WHERE n = ANY (SELECT n FROM b)", "a join without a bound in time"),
    ("SELECT n FROM b WHERE n > ALL (SELECT n FROM b)", "a query in ANY or ALL is joined with all rows"),
    ("SELECT n FROM b WHERE n = ANY (ARRAY[1])", "there is no function ANY"),
    ("SELECT n FROM b WHERE ANY (SELECT n FROM b) = n", "ANY, SOME and ALL stand behind a comparison, with a query"),
    (
        "SELECT n FROM b LEFT JOIN b AS y ON b.n = y.n AND b.n > (SELECT 1)",
        "stands in SELECT, WHERE, GROUP BY or HAVING",
    ),
    # A month has no fixed length.
    (
        "SELECT 1 FROM b JOIN b AS y ON b.n = y.n AND y.ts BETWEEN b.ts AND b.ts + INTERVAL '1' MONTH",
        "a bound of months has no fixed length",
    ),
    ("CREATE TABLE x (ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' MONTH) {T}", "of days to seconds"),
    ("CREATE TABLE x (ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '-1' DAY) {T}", "not below zero"),
    # What INSERT INTO writes fits the table.
    ("INSERT INTO p (i) SELECT big FROM b", "'i' is BIGINT, and 'i' of the table INT: CAST it"),
    ("INSERT INTO p (i) SELECT d FROM b", "'i' is DOUBLE, and 'i' of the table INT: CAST it"),
    ("INSERT INTO p (i) SELECT 1.7", "'i' of the table INT: CAST it"),
    ("INSERT INTO p (f) SELECT d FROM b", "'f' of the table FLOAT: CAST it"),
    ("INSERT INTO p (a) SELECT ARRAY[big] FROM b", "'a' of the table ARRAY<INT>: CAST it"),
    ("INSERT INTO p (day) SELECT ts FROM b", "'day' of the table DATE: CAST it"),
    ("EXPLAIN INSERT INTO p (i) SELECT big FROM b", "'i' of the table INT: CAST it"),
    ("INSERT INTO p (i, i, f) SELECT 1, 2, 3", "column 'i' is written twice"),
    ("INSERT INTO strict (n) SELECT 1", "column 'item' is NOT NULL"),
    ("INSERT INTO strict SELECT 1, NULL", "'item' is NOT NULL, and would always be NULL"),
    ("EXPLAIN INSERT INTO nosuch SELECT 1", "there is no table 'nosuch'"),
    # Tables.
    ("DROP VIEW b", "'b' is a table: write DROP TABLE"),
    ("DROP TABLE IF EXISTS some", "'some' is a view: write DROP VIEW"),
    ("SELECT n FROM default_catalog.nosuch.b", "there is one database, default_database; got 'nosuch'"),
    ("SELECT n FROM nosuch.default_database.b", "there is one catalog, default_catalog; got 'nosuch'"),
    ("INSERT INTO nosuch.p (i) SELECT 1", "there is one database"),
    ("SHOW DATABASES FROM nosuch", "there is one catalog, default_catalog, with default_database; got 'nosuch'"),
    ("ALTER TABLE b RENAME TO nosuch.c", "there is one database, default_database; got 'nosuch'"),
    ("CREATE DATABASE d", "takes TABLE, VIEW or FUNCTION; got DATABASE: there is one catalog, default_catalog, with"),
    ("DROP DATABASE d", "takes TABLE, VIEW or FUNCTION; got DATABASE: there is one catalog, default_catalog, with"),
    ("ALTER DATABASE d SET ('a' = 'b')", "takes TABLE or VIEW; got DATABASE: there is one catalog"),
    ("CREATE CATALOG c", "takes TABLE, VIEW or FUNCTION; got CATALOG: there is one catalog"),
    ("SELECT CURRENT_DATABASE(1)", "CURRENT_DATABASE takes 0 arguments; got 1"),
    ("USE default_catalog.nosuch", "there is one catalog, default_catalog, with default_database"),
    ("CREATE TABLE x (a INT, a INT) {T}", "column 'a' is written twice"),
    ("CREATE TABLE x (a INT, PRIMARY KEY (c) NOT ENFORCED) {T}", "PRIMARY KEY: there is no stored column 'c'"),
    ("CREATE TABLE x (a INT, PRIMARY KEY (a)) {T}", "write PRIMARY KEY ... NOT ENFORCED"),
    ("CREATE TABLE x (a INT PRIMARY KEY) {T}", "write PRIMARY KEY ... NOT ENFORCED"),
    (
        "CREATE TABLE x (a INT PRIMARY KEY NOT ENFORCED, c INT, PRIMARY KEY (c) NOT ENFORCED) {T}",
        "a table has one PRIMARY KEY",
    ),
    (
        "CREATE TABLE x (a TIMESTAMP(3), c TIMESTAMP(3), WATERMARK FOR a AS a, WATERMARK FOR c AS c) {T}",
        "a table has one WATERMARK; there is that of a already",
    ),
    (
        "CREATE TABLE x (a INT) WITH ('connector' = 'print', 'connector' = 'print')",
        "option 'connector' is written twice",
    ),
    ("CREATE TABLE x (a INT) WITH ('connector' = print)", "options are written 'key' = 'value'"),
    ("SHOW CREATE TABLE", "SHOW CREATE TABLE takes a name"),
    # Windows.
    ("SELECT * FROM TABLE(TUMBLE(TABLE b, DESCRIPTOR(ts), {M}, {M}, {M}))", "got 5 arguments"),
    (
        "SELECT * FROM TABLE(TUMBLE(DATA => TABLE b, TIMECOL => DESCRIPTOR(ts), SIZE => {M}, SIZE => {M}))",
        "SIZE is written",
    ),
    ("SELECT COUNT(*) FROM b GROUP BY TUMBLE()", "TUMBLE in GROUP BY takes a time attribute and SIZE, OFFSET; got 0"),
    ("SELECT COUNT(*) FROM b GROUP BY TUMBLE(ts)", "got 1 arguments"),
    ("SELECT COUNT(*) FROM b GROUP BY TUMBLE(ts, {M}, {M}, {M})", "got 4 arguments"),
    ("SELECT COUNT(*) FROM b GROUP BY TUMBLE(ts, {M}), HOP(ts, {M}, {M})", "GROUP BY takes one window"),
    (
        "SELECT TUMBLE_START(ts, INTERVAL '2' MINUTE) FROM b GROUP BY TUMBLE(ts, {M})",
        "TUMBLE_START takes what TUMBLE takes in GROUP BY",
    ),
    ("SELECT TUMBLE_START() FROM b GROUP BY TUMBLE(ts, {M})", "got 0 arguments"),
    ("SELECT n FROM b WHERE n == 1", "this is no SQL that Windrow reads"),
    ("SELECT LISTAGG(n) FROM TABLE({TUMBLE}) GROUP BY window_start, window_end", "LISTAGG takes text; got INT"),
    ("SELECT LISTAGG(item, item) FROM TABLE({TUMBLE}) GROUP BY window_start, window_end", "LISTAGG takes a separator"),
    ("VALUES (CURRENT_TIMESTAMP)", "the current time is not known in VALUES"),
    (
        "SELECT 1 FROM b JOIN b AS c ON b.n = c.n AND b.ts BETWEEN c.ts AND c.ts + {M} AND c.big < YEAR(CURRENT_DATE)",
        "the current time is not known in the condition of a join",
    ),
    # Settings that would change results, and those that there are not.
    ("SET 'table.exec.emit.early-fire.enabled' = 'yes'", "takes true or false; got 'yes'"),
    ("SET 'table.exec.source.idle-timeout' = 'soon'", "takes a span of time such as '5 s'"),
    ("SET 'table.exec.state.ttl' = 'long'", "takes a span of time such as '5 s'"),
    ("SET 'state.ttl' = '1 h'", "state is kept as long as results need it"),
    ("SET 'table.exec.sink.not-null-enforcer' = 'DROP'", "leave such rows out with WHERE"),
    ("SET 'table.local-timezone' = 'UTC'", "did you mean 'table.local-time-zone'?"),
    ("SET 'parallelism.defualt' = '2'", "did you mean 'parallelism.default'?"),
    ("SET 'parallelism.default' = 2", "SET is written SET 'key' = 'value'"),
    # Hints are no comments.
    ("INSERT INTO b /*+ OPTIONS('number-of-rows' = '1') */ SELECT 1", "no SQL that Windrow reads"),
    ("SELECT /*+ BROADCAST(b) */ n FROM b", "of hints there is OPTIONS"),
]


@pytest.fixture(scope="module")
def small():
    """Tables of a local environment."""
    tables = StreamTableEnvironment.create(StreamExecutionEnvironment.create_local_environment(parallelism=1))
    tables.execute_sql(
        "CREATE TABLE b (ts TIMESTAMP(3), price DECIMAL(10,2), item STRING, n INT, big BIGINT, d DOUBLE, "
        "WATERMARK FOR ts AS ts) WITH ('connector' = 'datagen', 'number-of-rows' = '3')"
    )
    tables.execute_sql("CREATE TABLE p (i INT, f FLOAT, a ARRAY<INT>, `day` DATE) WITH ('connector' = 'blackhole')")
    tables.execute_sql("CREATE TABLE strict (n BIGINT, item STRING NOT NULL) WITH ('connector' = 'blackhole')")
    tables.execute_sql("CREATE VIEW some AS SELECT n FROM b")
    return tables


@pytest.mark.parametrize("case", SILENT, ids=lambda case: case[0][:60])
def test_what_is_not_supported_is_refused_by_name(case, small):
    """No clause is ignored: the error names it."""
    sql, message, *parts = case
    if parts:
        inner, rest = parts
        sql = sql.replace("{J}", JOINED.format(W="TABLE(" + W + ")", inner=inner, rest=rest))
    for name, words in (("T", "WITH ('connector' = 'print')"), ("M", "INTERVAL '1' MINUTE"), ("TUMBLE", W)):
        sql = sql.replace(f"{{{name}}}", words)
    with pytest.raises(WindrowError) as refused:
        small.execute_sql(sql)
    assert message in str(refused.value)


def test_limit_stands_behind_every_query(small):
    """LIMIT and FETCH FIRST count behind UNION ALL and VALUES, too."""
    for query, count in (
        ("SELECT n FROM b UNION ALL SELECT n FROM b LIMIT 2", 2),
        ("SELECT n FROM b FETCH FIRST 2 ROWS ONLY", 2),
        ("SELECT n FROM b FETCH FIRST ROW ONLY", 1),
        ("VALUES (1), (2) LIMIT 1", 1),
        ("SELECT n FROM b -- + this is a comment\n /* +1 */", 3),
    ):
        with small.execute_sql(query).collect() as rows:
            assert len(list(rows)) == count, query


def test_a_null_for_a_not_null_column_fails(small):
    """Flink's constraint enforcer: the job fails, and names the column; other rows are written, to wider types too."""
    small.execute_sql("INSERT INTO strict SELECT n, item FROM b").wait()
    small.execute_sql("INSERT INTO strict SELECT n, CAST(n AS STRING) FROM b WHERE n IS NOT NULL").wait()
    with pytest.raises(WindrowError) as failed:
        small.execute_sql("INSERT INTO strict SELECT n, CASE WHEN n <> 0 THEN NULL ELSE item END FROM b").wait()
    assert "'item' of the table is NOT NULL, and the row has NULL for it" in str(failed.value)


def test_settings_that_change_no_result_are_kept(small):
    """Those of Flink's planner that say how fast it is, and values that ask for what is done anyway."""
    for key, value in (
        ("table.exec.mini-batch.enabled", "true"),
        ("table.exec.sink.not-null-enforcer", "ERROR"),
        ("sql-client.execution.result-mode", "tableau"),
        ("parallelism.default", "1"),
    ):
        small.execute_sql(f"SET '{key}' = '{value}'")
        assert small.get_config().get(key, "") == value


RIGHT = (
    "SELECT {side}.window_start, {side}.window_end, COUNT(*) AS c "
    f"FROM (SELECT * FROM TABLE({W}) WHERE n IS NULL) AS l {{kind}} JOIN TABLE({W}) AS r "
    "ON l.window_start = r.window_start AND l.window_end = r.window_end GROUP BY {side}.window_start, {side}.window_end"
)


def test_the_window_of_a_right_join_is_that_of_its_right_side(small):
    """Groups by the right side's window end with it; by the left one, which may be NULL, rows are taken back."""
    with small.execute_sql(RIGHT.format(side="r", kind="RIGHT")).collect() as rows:
        assert sum(row[2] for row in rows) == 3
    for side, kind in (("l", "RIGHT"), ("l", "FULL"), ("r", "FULL")):
        with pytest.raises(WindrowError, match="doesn't support consuming update changes"):
            small.to_data_stream(small.sql_query(RIGHT.format(side=side, kind=kind)))
