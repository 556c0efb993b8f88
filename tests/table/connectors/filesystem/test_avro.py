"""Tables of Avro's files."""

import datetime as dt
import io
from decimal import Decimal

import fastavro
import pytest

from windrow.datastream import StreamExecutionEnvironment
from windrow.errors import SqlError
from windrow.table import StreamTableEnvironment

COLUMNS = """
    b BOOLEAN, i INT NOT NULL, l BIGINT, s STRING, d DECIMAL(10, 2), f DOUBLE, day DATE, at TIME(3), ts TIMESTAMP(3),
    words ARRAY<STRING>, counts MAP<STRING, INT>, inner_row ROW<x INT, y ARRAY<TIMESTAMP(3)>>
"""
TIME = "TIMESTAMP '2024-03-10 08:30:00.250'"
ROW = f"""
    TRUE, 7, CAST(5000000000 AS BIGINT), 'caf\u00e9', CAST(1.50 AS DECIMAL(10, 2)), 2.5e0, DATE '2024-03-10',
    CAST(TIME '08:30:00' AS TIME(3)), {TIME}, ARRAY['a', 'b'], MAP['x', 1], ROW(1, ARRAY[{TIME}])
"""
MOMENT = dt.datetime(2024, 3, 10, 8, 30, 0, 250_000)


def create(tables, path, columns=COLUMNS, more=""):
    tables.execute_sql(
        f"CREATE TABLE t ({columns}) WITH ('connector' = 'filesystem', 'path' = '{path}', 'format' = 'avro'{more})"
    )


def local():
    return StreamTableEnvironment.create(StreamExecutionEnvironment.create_local_environment(parallelism=1))


def test_rows_are_records(env, tmp_path):
    """Each type there and back, NULL as well; times are UTC's in the files, as in Flink."""
    tables = StreamTableEnvironment.create(env)
    create(tables, tmp_path)
    tables.execute_sql(f"INSERT INTO t SELECT {ROW}").wait()
    tables.execute_sql("INSERT INTO t (i, s) VALUES (8, 'only')").wait()
    first, second = sorted([tuple(row) for row in tables.execute_sql("SELECT * FROM t").collect()], key=lambda r: r[1])
    assert first[:-1] == (
        True, 7, 5_000_000_000, "caf\u00e9", Decimal("1.50"), 2.5, MOMENT.date(), dt.time(8, 30), MOMENT,
        ["a", "b"], {"x": 1},
    )  # fmt: skip
    assert (first[-1].x, first[-1].y) == (1, [MOMENT])
    assert second == (None, 8, None, "only", *[None] * 8)
    files = [io.BytesIO(path.read_bytes()) for path in tmp_path.glob("part-*")]
    records = [record for file in files for record in fastavro.reader(file)]
    assert {record["ts"] for record in records} == {None, MOMENT.replace(tzinfo=dt.UTC)}


def test_a_schema_is_that_of_flinks(tmp_path):
    """Fields that may be NULL are unions with null in front; a column that is not in the files is an error."""
    tables = local()
    create(tables, tmp_path, "n BIGINT NOT NULL, t TIMESTAMP(3)", ", 'avro.codec' = 'xz'")
    tables.execute_sql(f"INSERT INTO t VALUES (CAST(1 AS BIGINT), {TIME})").wait()
    (path,) = tmp_path.glob("part-*")
    reader = fastavro.reader(io.BytesIO(path.read_bytes()))
    assert reader.codec == "xz"
    assert [(field["name"], field["type"]) for field in reader.writer_schema["fields"]] == [
        ("n", "long"),
        ("t", ["null", {"type": "long", "logicalType": "timestamp-millis"}]),
    ]


@pytest.mark.parametrize(
    ("columns", "more", "said"),
    [
        ("t TIMESTAMP(6)", "", r"format 'avro' has no TIMESTAMP\(6\)"),
        ("t TIMESTAMP_LTZ(3)", "", r"format 'avro' has no TIMESTAMP_LTZ\(3\)"),
        ("m MAP<INT, INT>", "", "format 'avro' has no MAP"),
        ("n INT", ", 'avro.codec' = 'snappy'", "avro.codec"),
        ("n INT", ", 'avro.codek' = 'xz'", "avro.codek"),
    ],
)
def test_what_avro_has_not_is_refused(columns, more, said, tmp_path):
    """When the table is made."""
    with pytest.raises(SqlError, match=said):
        create(local(), tmp_path, columns, more)


def test_folders_that_are_values_are_refused(tmp_path):
    """They are there for other formats."""
    with pytest.raises(SqlError, match="no PARTITIONED BY here"):
        local().execute_sql(
            f"CREATE TABLE t (n INT, day DATE) PARTITIONED BY (day) "
            f"WITH ('connector' = 'filesystem', 'path' = '{tmp_path}', 'format' = 'avro')"
        )
