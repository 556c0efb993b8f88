"""Rows that are printed."""

import pytest

from windrow.datastream import StreamExecutionEnvironment
from windrow.table import StreamTableEnvironment

#: A type, a value of it, and what Flink prints.
VALUES = [
    ("BOOLEAN", "TRUE", "true"),
    ("TINYINT", "CAST(-1 AS TINYINT)", "-1"),
    ("INT", "2", "2"),
    ("FLOAT", "CAST(1.1 AS FLOAT)", "1.1"),
    ("DOUBLE", "1e10", "1.0E10"),
    ("DOUBLE", "CAST(0.5 AS DOUBLE)", "0.5"),
    ("DECIMAL(10, 2)", "CAST(6 AS DECIMAL(10, 2))", "6.00"),
    ("DECIMAL(12, 8)", "CAST(0.00000001 AS DECIMAL(12, 8))", "1E-8"),
    ("DECIMAL(12, 8)", "CAST(0 AS DECIMAL(12, 8))", "0E-8"),
    ("STRING", "'x'", "x"),
    ("STRING", "CAST(NULL AS STRING)", "null"),
    ("BYTES", "x'61ff'", "[97, -1]"),
    ("DATE", "DATE '2020-04-15'", "2020-04-15"),
    ("TIME", "TIME '08:10:00'", "08:10"),
    ("TIME", "TIME '08:10:05'", "08:10:05"),
    ("TIMESTAMP(3)", "TIMESTAMP '2020-04-15 08:10:00.000'", "2020-04-15T08:10"),
    ("TIMESTAMP(3)", "TIMESTAMP '2020-04-15 08:10:05.120'", "2020-04-15T08:10:05.120"),
    ("TIMESTAMP(6)", "TIMESTAMP '2020-04-15 08:10:00.000120'", "2020-04-15T08:10:00.000120"),
    ("TIMESTAMP_LTZ(3)", "TO_TIMESTAMP_LTZ(0, 3)", "1970-01-01T00:00:00Z"),
    ("TIMESTAMP_LTZ(3)", "TO_TIMESTAMP_LTZ(1500, 3)", "1970-01-01T00:00:01.500Z"),
    ("ARRAY<STRING>", "ARRAY['a', CAST(NULL AS STRING)]", "[a, null]"),
    ("ARRAY<BYTES>", "ARRAY[x'01']", "[[1]]"),
    ("MAP<STRING, DOUBLE>", "MAP['a', CAST(1 AS DOUBLE)]", "{a=1.0}"),
    ("MAP<STRING, BYTES>", "MAP['k', x'02']", "{k=[2]}"),
    ("ROW<n INT, s STRING>", "CAST(ROW(1, 'a') AS ROW<n INT, s STRING>)", "+I[1, a]"),
    ("ARRAY<ROW<n INT, b BOOLEAN>>", "ARRAY[CAST(ROW(1, TRUE) AS ROW<n INT, b BOOLEAN>)]", "[+I[1, true]]"),
]


@pytest.fixture
def local():
    """Tables of an environment in this process."""
    return StreamTableEnvironment.create(StreamExecutionEnvironment.create_local_environment(parallelism=1))


@pytest.mark.parametrize("zone", ["UTC", "Asia/Tokyo"])
def test_a_print_table_prints_rows_as_flink_does(local, capsys, zone):
    """Each value as Java's ``toString`` has it, whatever the time zone; NULL is null."""
    local.get_config().set("table.local-time-zone", zone)
    columns = ", ".join(f"c{place} {kind}" for place, (kind, _, _) in enumerate(VALUES))
    local.execute_sql(f"CREATE TABLE p ({columns}) WITH ('connector' = 'print')")
    local.execute_sql(f"INSERT INTO p SELECT {', '.join(value for _, value, _ in VALUES)}").wait()
    printed = capsys.readouterr().out
    assert printed.startswith("+I[")
    assert printed == f"+I[{', '.join(text for _, _, text in VALUES)}]\n"


def test_an_identifier_stands_before_each_row(local, capsys):
    """Columns that INSERT names come in the order of the table."""
    local.execute_sql("CREATE TABLE p (n INT, s STRING) WITH ('connector' = 'print', 'print-identifier' = 'p')")
    local.execute_sql("INSERT INTO p (s, n) VALUES ('x', 1), (CAST(NULL AS STRING), 2)").wait()
    assert capsys.readouterr().out.splitlines() == ["p> +I[1, x]", "p> +I[2, null]"]


def test_changes_are_printed_with_their_kinds(local, capsys):
    """On standard error, if that is said; a multiset is a map of how often there is each value."""
    local.execute_sql(
        "CREATE TABLE p (k STRING, n BIGINT, m MULTISET<STRING>) "
        "WITH ('connector' = 'print', 'standard-error' = 'true')"
    )
    rows = "(VALUES ('a'), ('a')) AS t(k)"
    local.execute_sql(f"INSERT INTO p SELECT k, COUNT(*), COLLECT(k) FROM {rows} GROUP BY k").wait()
    out, err = capsys.readouterr()
    lines = [line for line in err.splitlines() if line.startswith(("+", "-"))]
    assert (out, lines) == ("", ["+I[a, 1, {a=1}]", "-U[a, 1, {a=1}]", "+U[a, 2, {a=2}]"])
