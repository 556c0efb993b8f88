"""Tables that are files: folders that are values, and rows that are added."""

import datetime as dt
import os

import pytest

from windrow.common import Configuration
from windrow.datastream import StreamExecutionEnvironment
from windrow.errors import SqlError, WindrowError
from windrow.table import EnvironmentSettings, StreamTableEnvironment

COLUMNS = "day DATE, n INT, shop STRING"


@pytest.fixture
def tables():
    """Tables of an environment in this process."""
    return StreamTableEnvironment.create(StreamExecutionEnvironment.create_local_environment(parallelism=1))


def create(tables, folder, columns=COLUMNS, by="PARTITIONED BY (shop, day)", file_format="csv", **options):
    """A table of a folder; double underscores stand for dots, single ones for hyphens."""
    given = {"connector": "filesystem", "path": folder, "format": file_format}
    given |= {key.replace("__", ".").replace("_", "-"): value for key, value in options.items()}
    listed = ", ".join(f"'{key}' = '{value}'" for key, value in given.items())
    tables.execute_sql(f"CREATE TABLE t ({columns}) {by} WITH ({listed})")


def insert(tables, sql):
    tables.execute_sql(f"INSERT INTO t {sql}").wait()


def rows(tables, query="SELECT * FROM t"):
    return sorted([tuple(row) for row in tables.execute_sql(query).collect()], key=lambda row: row[-2:][0])


def folders(path):
    return sorted({str(file.parent.relative_to(path)) for file in path.rglob("part-*")})


@pytest.mark.parametrize("file_format", ["csv", "json", "parquet"])
def test_values_of_columns_are_folders(env, tmp_path, file_format):
    """Written and read; NULL has a folder of its own, and what a path may not have is written in other signs."""
    tables = StreamTableEnvironment.create(env)
    create(tables, tmp_path, file_format=file_format)
    insert(tables, "VALUES (DATE '2024-03-10', 1, 'a/b'), (DATE '2024-03-11', 2, CAST(NULL AS STRING))")
    assert folders(tmp_path) == ["shop=__DEFAULT_PARTITION__/day=2024-03-11", "shop=a%2Fb/day=2024-03-10"]
    assert rows(tables) == [(dt.date(2024, 3, 10), 1, "a/b"), (dt.date(2024, 3, 11), 2, None)]


def test_a_file_has_the_other_columns_alone(tables, tmp_path):
    """As Hive, Spark and Flink write them; the folder of NULL may have another name."""
    create(tables, tmp_path, partition__default_name="none")
    insert(tables, "SELECT CAST(NULL AS DATE), 7, 'x'")
    (file,) = tmp_path.rglob("part-*")
    assert file.read_text() == "7\n"
    assert folders(tmp_path) == ["shop=x/day=none"]


def test_a_partition_is_fixed_by_the_statement(tables, tmp_path):
    """``PARTITION (column = value)``: the query has the other columns."""
    create(tables, tmp_path)
    insert(tables, "PARTITION (day = DATE '2024-03-10', shop = 'x') SELECT 1")
    insert(tables, "PARTITION (shop = 'y') SELECT DATE '2024-03-11', 2")
    insert(tables, "PARTITION (shop = 'z') (n) SELECT 3")
    assert rows(tables) == [
        (dt.date(2024, 3, 10), 1, "x"),
        (dt.date(2024, 3, 11), 2, "y"),
        (None, 3, "z"),
    ]


def test_what_was_inserted_stays(tables, tmp_path):
    """INSERT INTO adds files to those that are there."""
    create(tables, tmp_path, "n INT", by="")
    for number in (1, 2):
        insert(tables, f"VALUES ({number})")
    assert rows(tables) == [(1,), (2,)]
    assert folders(tmp_path) == ["."]


def test_a_job_with_a_checkpoint_keeps_its_names(tmp_path):
    """It goes on with the files that it has begun."""
    env = StreamExecutionEnvironment.create_local_environment(parallelism=1)
    env.configure(Configuration().set_string("execution.checkpointing.dir", str(tmp_path / "checkpoint")))
    tables = StreamTableEnvironment.create(env)
    create(tables, tmp_path / "out", "n INT", by="")
    insert(tables, "VALUES (1)")
    assert [file.name for file in (tmp_path / "out").glob("part-*")] == ["part-0-0-0"]


def test_a_file_outside_of_the_folders_is_an_error(tables, tmp_path):
    """It says which folder is missing."""
    create(tables, tmp_path)
    (tmp_path / "shop=x").mkdir()
    (tmp_path / "shop=x" / "a.csv").write_text("1\n")
    with pytest.raises(WindrowError, match=r"a\.csv: .*none of its folders is day=\.\.\."):
        rows(tables)


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        (
            "CREATE TABLE x (a INT) PARTITIONED BY (c) WITH ('connector' = 'print')",
            "there is no stored column 'c'",
        ),
        ("CREATE TABLE x (a INT, b INT) PARTITIONED BY (a, a) WITH ('connector' = 'print')", "'a' is written twice"),
        ("CREATE TABLE x (a INT, b INT) PARTITIONED BY (a, b) WITH ('connector' = 'print')", "no column left"),
        (
            "CREATE TABLE x (a INT, b INT) PARTITIONED BY (a) WITH ('connector' = 'print')",
            "has no PARTITIONED BY",
        ),
        ("INSERT INTO t PARTITION (n = 1) SELECT 1", "'n' is no column of PARTITIONED BY"),
        ("INSERT INTO t PARTITION (shop = 'x') (n, shop) SELECT 1, 'y'", "PARTITION fixes column 'shop': leave it out"),
    ],
)
def test_a_wrong_partition_is_refused(tables, tmp_path, statement, said):
    """By its name."""
    create(tables, tmp_path)
    with pytest.raises(SqlError) as raised:
        tables.execute_sql(statement)
    assert said in str(raised.value)


@pytest.mark.parametrize("file_format", ["csv", "parquet"])
def test_files_are_overwritten(tmp_path, file_format):
    """In batch mode: without PARTITIONED BY all of them, else the folders that get rows and the one that is fixed."""
    environment = StreamExecutionEnvironment.create_local_environment(parallelism=2)
    tables = StreamTableEnvironment.create(environment, EnvironmentSettings.in_batch_mode())
    create(tables, tmp_path / "all", "n INT, s STRING", by="", file_format=file_format)
    insert(tables, "VALUES (1, 'a'), (2, 'b')")
    tables.execute_sql("INSERT OVERWRITE t SELECT n + 10, s FROM t WHERE n > 1").wait()
    assert rows(tables) == [(12, "b")]
    tables.execute_sql("INSERT OVERWRITE t SELECT n, s FROM t WHERE n > 99").wait()
    assert rows(tables) == []
    tables.execute_sql("DROP TABLE t")
    create(tables, tmp_path / "parts", file_format=file_format)
    insert(tables, "VALUES (DATE '2024-03-10', 1, 'a'), (DATE '2024-03-11', 2, 'a'), (DATE '2024-03-10', 3, 'b')")
    tables.execute_sql("INSERT OVERWRITE t VALUES (DATE '2024-03-10', 4, 'a')").wait()
    day, next_day = dt.date(2024, 3, 10), dt.date(2024, 3, 11)
    assert sorted(rows(tables)) == [(day, 3, "b"), (day, 4, "a"), (next_day, 2, "a")]
    fixed = "PARTITION (shop = 'b', day = DATE '2024-03-10')"
    tables.execute_sql(f"INSERT OVERWRITE t {fixed} SELECT n FROM t WHERE n > 99").wait()
    assert sorted(rows(tables)) == [(day, 4, "a"), (next_day, 2, "a")]


def test_what_cannot_be_overwritten(tables, tmp_path):
    """Streams add rows, and so do other connectors; who keeps a checkpoint goes on with its own files."""
    create(tables, tmp_path)
    with pytest.raises(SqlError, match="INSERT OVERWRITE is for batch mode"):
        tables.execute_sql("INSERT OVERWRITE t VALUES (DATE '2024-03-10', 1, 'a')")
    batch = EnvironmentSettings.in_batch_mode()
    given = Configuration().set_string("execution.checkpointing.dir", str(tmp_path / "checkpoint"))
    for configuration, target, said in (
        (Configuration(), "p", "'print' cannot be"),
        (given, "t", "takes no execution"),
    ):
        environment = StreamExecutionEnvironment.get_execution_environment(configuration)
        others = StreamTableEnvironment.create(environment, batch)
        create(others, tmp_path)
        others.execute_sql(f"CREATE TABLE p ({COLUMNS}) WITH ('connector' = 'print')")
        with pytest.raises(SqlError, match=said):
            others.execute_sql(f"INSERT OVERWRITE {target} VALUES (DATE '2024-03-10', 1, 'a')")


INFO = """
    path STRING METADATA FROM 'file.path' VIRTUAL, `file.name` STRING METADATA VIRTUAL,
    size BIGINT METADATA FROM 'file.size' VIRTUAL, changed TIMESTAMP(3) METADATA FROM 'file.modification-time' VIRTUAL
"""


@pytest.mark.parametrize("by", ["", "PARTITIONED BY (shop, day)"])
@pytest.mark.parametrize("file_format", ["csv", "json", "parquet", "avro"])
def test_files_are_known_beside_their_rows(env, tmp_path, file_format, by):
    """Path, name, size and time of change, on both runtimes."""
    if file_format == "avro":
        pytest.importorskip("fastavro")
        if by:
            return
    tables = StreamTableEnvironment.create(env)
    create(tables, tmp_path, f"f1 INT, shop STRING, day DATE, {INFO}", by, file_format=file_format)
    insert(tables, "VALUES (1, 'x', DATE '2024-03-10'), (2, 'x', DATE '2024-03-10')")
    files = {str(file): file for file in tmp_path.rglob("part-*")}
    for file in files.values():
        os.utime(file, (1_700_000_000.5, 1_700_000_000.5))
    found = rows(tables, "SELECT f1, shop, `file.name`, size, changed, path FROM t")
    assert sorted(row[0] for row in found) == [1, 2]
    for _, shop, name, size, changed, path in found:
        file = files[path]
        assert (shop, name, size) == ("x", file.name, file.stat().st_size)
        assert changed == dt.datetime(2023, 11, 14, 22, 13, 20, 500_000)


def test_what_is_known_of_files_is_not_written(tables, tmp_path):
    """And there is nothing else that is known."""
    create(tables, tmp_path, "n INT, `file.size` BIGINT METADATA", by="")
    with pytest.raises(SqlError, match=r"metadata 'file.size' of 'filesystem' can only be read"):
        insert(tables, "SELECT 1, 2")
    with pytest.raises(SqlError, match=r"no metadata 'file.length'"):
        tables.execute_sql(
            "CREATE TABLE x (n INT, `file.length` BIGINT METADATA) WITH ('connector' = 'filesystem', 'path' = '/x', "
            "'format' = 'csv')"
        )


def test_files_are_chosen_by_their_paths(tables, tmp_path):
    """By all of it, in folders too."""
    (tmp_path / "day=1").mkdir()
    for name, line in (("a.csv", "1"), ("a.txt", "2"), ("day=1/b.csv", "3"), ("day=1/csv.b", "4")):
        (tmp_path / name).write_text(f"{line}\n")
    create(tables, tmp_path, "n INT", by="", source__path__regex_pattern=r".*\.csv")
    assert rows(tables) == [(1,), (3,)]
    with pytest.raises(SqlError, match=r"'source.path.regex-pattern' is no regular expression"):
        tables.execute_sql("ALTER TABLE t SET ('source.path.regex-pattern' = '(')")
