"""What a table takes over from the one that it is LIKE, by Flink's rules."""

import pytest

from windrow.datastream import StreamExecutionEnvironment
from windrow.errors import SqlError
from windrow.table import StreamTableEnvironment

BASE = """CREATE TABLE base (
    a INT PRIMARY KEY NOT ENFORCED, ts TIMESTAMP(3), c AS a + 1, o BIGINT METADATA FROM 'offset' VIRTUAL,
    WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
) WITH ('connector' = 'upsert-kafka', 'topic' = 't', 'properties.bootstrap.servers' = 's:1', 'key.format' = 'json',
    'value.format' = 'json')"""
PARTITIONED = """CREATE TABLE files (a INT, b INT) PARTITIONED BY (a)
    WITH ('connector' = 'filesystem', 'path' = '/tmp/x', 'format' = 'csv')"""
KAFKA = "'connector' = 'kafka', 'topic' = 't', 'properties.bootstrap.servers' = 's:1', 'format' = 'json'"


@pytest.fixture(scope="module")
def tables():
    """A table with all there is, and one of files."""
    made = StreamTableEnvironment.create(StreamExecutionEnvironment.create_local_environment(parallelism=1))
    made.execute_sql(BASE)
    made.execute_sql(PARTITIONED)
    made.execute_sql("CREATE VIEW v AS SELECT 1 AS n")
    return made


def shown(tables, statement):
    """What SHOW CREATE TABLE says of a table that is made and dropped."""
    tables.execute_sql(f"CREATE TABLE x {statement}")
    try:
        return next(iter(tables.execute_sql("SHOW CREATE TABLE x").collect()))[0]
    finally:
        tables.execute_sql("DROP TABLE x")


def test_all_is_taken_over_where_nothing_is_said(tables):
    """Its own columns come behind, and its options take the place of others."""
    assert shown(tables, "(b STRING) WITH ('topic' = 'u') LIKE base").splitlines() == [
        "CREATE TABLE `default_catalog`.`default_database`.`x` (",
        "  `a` INT NOT NULL,",
        "  `ts` TIMESTAMP(3),",
        "  `c` AS `a` + 1,",
        "  `o` BIGINT METADATA FROM 'offset' VIRTUAL,",
        "  `b` VARCHAR(2147483647),",
        "  WATERMARK FOR `ts` AS `ts` - INTERVAL '1' SECOND,",
        "  CONSTRAINT `PK_a` PRIMARY KEY (`a`) NOT ENFORCED",
        ")",
        "WITH (",
        "  'connector' = 'upsert-kafka',",
        "  'key.format' = 'json',",
        "  'properties.bootstrap.servers' = 's:1',",
        "  'topic' = 'u',",
        "  'value.format' = 'json'",
        ")",
    ]


def test_only_stored_columns_are_always_taken_over(tables):
    """EXCLUDING ALL, and what is included by its name."""
    bare = shown(tables, f"WITH ({KAFKA}) LIKE base (EXCLUDING ALL)")
    assert "METADATA" not in bare
    assert "`c`" not in bare
    assert "WATERMARK" not in bare
    assert "PRIMARY KEY" not in bare
    assert "upsert-kafka" not in bare
    assert "`a` INT,\n  `ts` TIMESTAMP(3)\n" in bare
    some = shown(tables, f"WITH ({KAFKA}) LIKE base (EXCLUDING ALL INCLUDING GENERATED INCLUDING WATERMARKS)")
    assert "`c` AS `a` + 1" in some
    assert "WATERMARK FOR `ts`" in some
    assert "METADATA" not in some


def test_what_is_overwritten_is_its_own(tables):
    """Computed columns, metadata, watermarks; a column keeps its place."""
    found = shown(
        tables,
        "(c AS a * 2, WATERMARK FOR ts AS ts) LIKE base (OVERWRITING GENERATED OVERWRITING WATERMARKS)",
    )
    assert "`ts` TIMESTAMP(3),\n  `c` AS `a` * 2,\n  `o`" in found
    assert "WATERMARK FOR `ts` AS `ts`," in found


def test_a_table_that_is_like_one_is_a_table(tables):
    """It may be that of another one."""
    tables.execute_sql("CREATE TABLE first (d INT) LIKE files")
    found = shown(tables, "(e INT) WITH ('path' = '/tmp/y') LIKE first")
    tables.execute_sql("DROP TABLE first")
    assert "`d` INT,\n  `e` INT\n" in found
    assert "PARTITIONED BY (`a`)" in found
    assert "'path' = '/tmp/y'" in found


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("LIKE v", "'v' is a view: LIKE takes a table"),
        ("LIKE bse", "did you mean 'base'?"),
        ("(a STRING) LIKE base", "column 'a' is one of the table that this one is LIKE"),
        ("(c AS a) LIKE base", "write EXCLUDING GENERATED or OVERWRITING GENERATED"),
        ("(o AS a) LIKE base (OVERWRITING GENERATED)", "column 'o' is one of the table that this one is LIKE"),
        ("(WATERMARK FOR ts AS ts) LIKE base", "write EXCLUDING WATERMARKS or OVERWRITING WATERMARKS"),
        ("(PRIMARY KEY (a) NOT ENFORCED) LIKE base", "write EXCLUDING CONSTRAINTS"),
        ("PARTITIONED BY (b) LIKE files", "write EXCLUDING PARTITIONS"),
        ("WITH ('topic' = 'u') LIKE base (INCLUDING ALL)", "write EXCLUDING OPTIONS or OVERWRITING OPTIONS"),
        ("LIKE base (OVERWRITING CONSTRAINTS)", "CONSTRAINTS is INCLUDING or EXCLUDING"),
        ("LIKE base (INCLUDING ALL INCLUDING ALL)", "ALL is written twice"),
        ("LIKE base (INCLUDING COMMENTS)", "there is no COMMENTS"),
        ("LIKE base (WITHOUT ALL)", "LIKE takes INCLUDING, EXCLUDING or OVERWRITING"),
    ],
)
def test_what_there_can_be_one_of_is_not_there_twice(tables, statement, said):
    """The message says what to write."""
    with pytest.raises(SqlError) as raised:
        tables.execute_sql(f"CREATE TABLE x {statement}")
    assert said in str(raised.value)
