"""Tables of PostgreSQL: what SQL reads and writes."""

import datetime as dt
from decimal import Decimal

import pytest

from tests.postgres_server import PASSWORD, USER
from windrow.errors import WindrowError
from windrow.table import StreamTableEnvironment

COLUMNS = {
    "id": ("INT", "int primary key", 7),
    "word": ("STRING", "text", "it's"),
    "big": ("BIGINT", "bigint", 2**60),
    "price": ("DECIMAL(10, 2)", "numeric(10, 2)", Decimal("12.50")),
    "share": ("DOUBLE", "double precision", 0.1),
    "ok": ("BOOLEAN", "boolean", True),
    "content": ("BYTES", "bytea", b"\x00\xff"),
    "on_day": ("DATE", "date", dt.date(1969, 12, 31)),
    "at_time": ("TIMESTAMP(6)", "timestamp", dt.datetime(2024, 3, 10, 2, 30, 0, 1)),
    "instant": ("TIMESTAMP_LTZ(3)", "timestamptz", dt.datetime(2024, 3, 10, 7, 30, tzinfo=dt.UTC)),
    "numbers": ("ARRAY<BIGINT>", "bigint[]", [1, 2**40]),
}


def create(tables, postgres, name, table, columns, **changed):
    options = {
        "connector": "jdbc",
        "url": f"jdbc:postgresql://127.0.0.1:{postgres.port}/postgres",
        "username": USER,
        "password": PASSWORD,
        "driver": "org.postgresql.Driver",
        "table-name": table,
        **{key.replace("__", ".").replace("_", "-"): value for key, value in changed.items()},
    }
    listed = ", ".join(f"'{key}' = '{value}'" for key, value in options.items())
    tables.execute_sql(f"CREATE TABLE {name} ({columns}) WITH ({listed})")


def test_every_type_is_written_and_read_as_it_is(env, postgres):
    """NULL in every column but the key."""
    tables = StreamTableEnvironment.create(env)
    made = [postgres.table(", ".join(f"{name} {column}" for name, (_, column, _) in COLUMNS.items())) for _ in "ab"]
    marks = ", ".join(["%s"] * len(COLUMNS))
    values = [value for _, _, value in COLUMNS.values()]
    postgres.run(f"INSERT INTO {made[0]} VALUES ({marks})", *values)
    postgres.run(f"INSERT INTO {made[0]} (id) VALUES (8)")
    columns = ", ".join(f"{name} {kind}" for name, (kind, _, _) in COLUMNS.items())
    for name, table in zip(("given", "written"), made, strict=True):
        create(tables, postgres, name, table, f"{columns}, PRIMARY KEY (id) NOT ENFORCED")
    tables.execute_sql("INSERT INTO written SELECT * FROM given").wait()
    assert postgres.run(f"SELECT * FROM {made[1]} ORDER BY id") == [tuple(values), (8, *[None] * (len(COLUMNS) - 1))]


def test_a_changing_result_keeps_a_table_up_to_date(env, postgres):
    """Rows are written in the place of others, and deleted."""
    tables = StreamTableEnvironment.create(env)
    table = postgres.table('n bigint primary key, "user" bigint')
    create(tables, postgres, "counts", table, "n BIGINT, `user` BIGINT, PRIMARY KEY (n) NOT ENFORCED")
    tables.create_temporary_view("words", tables.from_elements([(1,), (2,), (1,), (1,), (3,)], ["id"]))
    by_count = "SELECT n, MAX(id) FROM (SELECT id, COUNT(*) AS n FROM words GROUP BY id) GROUP BY n"
    tables.execute_sql(f"INSERT INTO counts {by_count}").wait()
    assert postgres.run(f"SELECT * FROM {table} ORDER BY n") == [(1, 3), (3, 1)]


def test_rows_are_appended_once(env, postgres):
    """Ranges are read by several readers."""
    tables = StreamTableEnvironment.create(env)
    made = [postgres.table("n int"), postgres.table("n int")]
    postgres.run(f"INSERT INTO {made[0]} SELECT generate_series(0, 99)")
    ranges = {"scan__partition__column": "n", "scan__partition__num": "4"}
    bounds = {"scan__partition__lower_bound": "0", "scan__partition__upper_bound": "89"}
    create(tables, postgres, "given", made[0], "n INT", **ranges, **bounds)
    create(tables, postgres, "written", made[1], "n INT", sink__buffer_flush__max_rows="7")
    tables.execute_sql("INSERT INTO written SELECT n FROM given").wait()
    assert postgres.run(f"SELECT n FROM {made[1]} ORDER BY n") == [(number,) for number in range(90)]


def test_a_password_is_in_no_plan_and_no_error(env, postgres, capfd):
    """Nor in what is printed and logged."""
    tables = StreamTableEnvironment.create(env)
    create(tables, postgres, "t", "nowhere", "n INT")
    shown = tables.explain_sql("SELECT n FROM t")
    with pytest.raises(WindrowError) as raised:
        list(tables.execute_sql("SELECT n FROM t").collect())
    assert "nowhere" in str(raised.value)
    out, err = capfd.readouterr()
    for text in (shown, str(raised.value), str(raised.value.__cause__), out, err):
        assert PASSWORD not in text
