"""Jobs that write to databases."""

import datetime
import logging
import pickle
from decimal import Decimal

import pytest

from tests.connectors.jdbc.building import PAIR, execution, pairs, postgres_options, run_sqlite, sqlite_options
from windrow.common import Configuration, Instant, Row, Types
from windrow.connectors.interfaces import WriterContext
from windrow.datastream import StreamExecutionEnvironment
from windrow.datastream.connectors.jdbc import JdbcConnectorError, JdbcExecutionOptions, JdbcSink
from windrow.errors import ConfigurationTypeError, JobExecutionError

FIELDS = {
    "a_byte": (Types.BYTE(), "smallint", -5),
    "a_short": (Types.SHORT(), "smallint", 300),
    "an_int": (Types.INT(), "int", -7),
    "a_long": (Types.LONG(), "bigint", 2**60),
    "a_big_int": (Types.BIG_INT(), "numeric", 2**80),
    "a_decimal": (Types.BIG_DEC(), "numeric(40, 20)", Decimal("12345678901234567890.12345678901234567890")),
    "a_float": (Types.FLOAT(), "real", 0.5),
    "a_double": (Types.DOUBLE(), "double precision", 0.1),
    "a_bool": (Types.BOOLEAN(), "boolean", True),
    "a_text": (Types.STRING(), "text", "it's 100 % 'quoted': ünï ?"),
    "a_char": (Types.CHAR(), "char(1)", "x"),
    "some_bytes": (Types.PRIMITIVE_ARRAY(Types.BYTE()), "bytea", b"\x00\xff"),
    "a_date": (Types.SQL_DATE(), "date", datetime.date(1969, 12, 31)),
    "a_time": (Types.SQL_TIME(), "time", datetime.time(23, 59, 59, 999_999)),
    "a_timestamp": (Types.SQL_TIMESTAMP(), "timestamp", datetime.datetime(2024, 3, 10, 2, 30, 0, 1)),
    "an_instant": (Types.INSTANT(), "timestamptz", datetime.datetime(2024, 3, 10, 7, 30, tzinfo=datetime.UTC)),
    "json": (Types.STRING(), "jsonb", {"a": [1, None]}),
    "a_uuid": (Types.STRING(), "uuid", "8c1f7b1e-0000-4000-8000-000000000001"),
    "numbers": (Types.LIST(Types.LONG()), "bigint[]", [1, 2**40]),
    "words": (Types.OBJECT_ARRAY(Types.STRING()), "text[]", ["a", None, "{b}"]),
}
#: What is sent where it is not what is found.
SENT = {"an_instant": Instant(1710055800, 0), "json": '{"a": [1, null]}'}


def test_every_type_comes_to_postgresql_as_it_is(env, postgres):
    """As the column has it; None is NULL in every one."""
    table = postgres.table(", ".join(f"{name} {column}" for name, (_, column, _) in FIELDS.items()))
    types = Types.ROW_NAMED(list(FIELDS), [type_info for type_info, _, _ in FIELDS.values()])
    full = [SENT.get(name, value) for name, (_, _, value) in FIELDS.items()]
    marks = ", ".join("?" * len(FIELDS))
    sink = JdbcSink.sink(f"INSERT INTO {table} VALUES ({marks})", types, postgres_options(postgres), execution())
    env.from_collection([Row(*full), Row(*[None] * len(FIELDS))], types).sink_to(sink)
    env.execute("types")
    found = postgres.run(f"SELECT {', '.join(FIELDS)} FROM {table} ORDER BY a_byte NULLS LAST")
    expected = [value for _, _, value in FIELDS.values()]
    assert [str(value) if name == "a_uuid" else value for name, value in zip(FIELDS, found[0], strict=True)] == expected
    assert found[1] == (None,) * len(FIELDS)


def test_types_come_to_sqlite(env, tmp_path):
    """Dates and times as ISO texts, decimals as texts, moments in UTC."""
    file = tmp_path / "a.db"
    run_sqlite(file, "CREATE TABLE t (n INT, x REAL, t TEXT, b BLOB, d DATE, at TEXT, i TEXT, ok INT, dec TEXT, z INT)")
    types = [Types.LONG(), Types.DOUBLE(), Types.STRING(), Types.PRIMITIVE_ARRAY(Types.BYTE()), Types.SQL_DATE()]
    types += [Types.SQL_TIMESTAMP(), Types.INSTANT(), Types.BOOLEAN(), Types.BIG_DEC(), Types.INT()]
    at = datetime.datetime(2024, 3, 10, 2, 30)
    row = Row(2**60, 0.1, "x", b"\0\1", at.date(), at, Instant(0, 0), True, Decimal("1.10"), None)
    sink = JdbcSink.sink(f"INSERT INTO t VALUES ({', '.join('?' * 10)})", Types.ROW(types), sqlite_options(file))
    env.from_collection([row], Types.ROW(types)).sink_to(sink)
    env.execute("types")
    times = "2024-03-10", "2024-03-10 02:30:00.000000", "1970-01-01 00:00:00.000000"
    assert run_sqlite(file, "SELECT * FROM t") == [(2**60, 0.1, "x", b"\0\1", *times, 1, "1.10", None)]


def test_an_upsert_keeps_the_last_row_of_a_key(env, postgres):
    """The elements of a key are written in their order; add_sink takes the sink as in PyFlink."""
    table = postgres.table("id INT PRIMARY KEY, name TEXT")
    upsert = f"INSERT INTO {table} VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET name = excluded.name"
    sink = JdbcSink.sink(upsert, PAIR, postgres_options(postgres), execution(size=7))
    numbers = env.from_collection([Row(place % 5, str(place)) for place in range(100)], PAIR).key_by(lambda row: row[0])
    numbers.map(lambda row: row, PAIR).add_sink(sink)
    env.execute("upserts")
    assert postgres.run(f"SELECT * FROM {table} ORDER BY id") == [(number, str(95 + number)) for number in range(5)]


def test_a_job_without_a_checkpoint_leaves_nothing_behind(env, postgres):
    """What was noted of its batches goes when it has finished."""
    table = postgres.table("id INT PRIMARY KEY, name TEXT")
    env.from_collection([(place, "x") for place in range(10)]).sink_to(
        pairs(postgres_options(postgres), table, batches_table=f"{table}_batches")
    )
    env.execute("once")
    assert postgres.run(f"SELECT count(*) FROM {table}") == [(10,)]
    there = postgres.run("SELECT 1 FROM pg_tables WHERE tablename = %s", f"{table}_batches")
    assert there == [] or postgres.run(f"SELECT * FROM {table}_batches") == []


class Failing(JdbcSink):
    """Fails when the database has committed a batch, and before Spark has."""

    fails_in = None

    def commit(self, batch, committables):
        super().commit(batch, committables)
        if batch == Failing.fails_in:
            msg = "the program dies here"
            raise RuntimeError(msg)


@pytest.mark.spark
def test_a_batch_that_is_run_again_is_passed_over(postgres, spark_session, tmp_path, monkeypatch):
    """The database has committed it, Spark has not: after the restart its rows are there once, and so are all others.

    Another job writes to the same table, from a checkpoint of its own.
    """
    table = postgres.table("id INT, name TEXT")
    sink = pairs(postgres_options(postgres), table)
    sink.__class__ = Failing
    monkeypatch.setattr(Failing, "fails_in", 0)
    with pytest.raises((RuntimeError, JobExecutionError), match="the program dies here"):
        write_numbers(8, spark_session, sink, tmp_path / "one")
    assert postgres.run(f"SELECT count(*) FROM {table}") == [(4,)]
    monkeypatch.setattr(Failing, "fails_in", None)
    write_numbers(8, spark_session, sink, tmp_path / "one")
    assert postgres.run(f"SELECT id FROM {table} ORDER BY id") == [(number,) for number in range(8)]
    write_numbers(4, spark_session, sink, tmp_path / "other")
    assert postgres.run(f"SELECT count(*), count(DISTINCT id) FROM {table}") == [(12, 8)]
    assert postgres.run("SELECT count(DISTINCT job) FROM windrow_batches WHERE sink = 'database'") == [(2,)]


def write_numbers(count, spark, sink, checkpoint):
    """Batches of four numbers."""
    configuration = Configuration().set_string("execution.checkpointing.dir", str(checkpoint))
    configuration.set_string("windrow.runtime", "spark").set_integer("windrow.source.elements-per-split", 1)
    env = StreamExecutionEnvironment.get_execution_environment(configuration, spark).set_parallelism(2)
    numbers = env.from_collection(list(range(count))).rebalance().map(lambda number: (number, str(number)))
    numbers.sink_to(sink).uid("database")
    env.execute("numbers")


def test_the_interval_is_said_to_have_no_effect(tmp_path, caplog):
    """Rows are sent when their batch ends."""
    options = JdbcExecutionOptions.builder().with_batch_interval_ms(200).build()
    with caplog.at_level(logging.WARNING, "windrow.jdbc"):
        JdbcSink.sink("INSERT INTO t VALUES (?, ?)", PAIR, sqlite_options(tmp_path / "a.db"), options)
    assert caplog.messages == [
        "JdbcSink: batch_interval_ms=200 has no effect: rows are sent when their batch of Spark ends, and "
        "windrow.trigger.interval says how long that takes"
    ]


@pytest.mark.parametrize(
    ("arguments", "parameter"),
    [
        ((None, PAIR), "sql of JdbcSink.sink"),
        (("INSERT", PAIR, "jdbc:sqlite:x"), "jdbc_connection_options"),
        (("INSERT", PAIR, "options", "fast"), "jdbc_execution_options"),
    ],
)
def test_arguments_of_other_types_are_refused_by_the_call(arguments, parameter, tmp_path):
    """With the parameter's name."""
    options = sqlite_options(tmp_path / "a.db")
    arguments = [options if each == "options" else each for each in arguments]
    with pytest.raises(ConfigurationTypeError, match=parameter):
        JdbcSink.sink(*arguments, *([options] if len(arguments) < 3 else []))


def test_a_sink_travels_to_workers(tmp_path):
    """As it is."""
    run_sqlite(tmp_path / "a.db", "CREATE TABLE t (id INT, name TEXT)")
    sink = pickle.loads(pickle.dumps(pairs(sqlite_options(tmp_path / "a.db"), "t")))
    writer = sink.create_writer(WriterContext(0, 0))
    writer.write([(1, "a")], [0])
    writer.prepare_commit()
    assert run_sqlite(tmp_path / "a.db", "SELECT * FROM t") == [(1, "a")]


def test_what_writers_have_to_say_is_said_in_the_program(tmp_path, caplog):
    """Their own logs may be on other machines."""
    with caplog.at_level(logging.WARNING, "windrow.jdbc"):
        pairs(sqlite_options(tmp_path / "a.db"), "t").commit(0, ["batch 0 was run again"])
    assert caplog.messages == ["batch 0 was run again"]


def test_a_job_that_cannot_be_forgotten_is_no_failure(tmp_path, caplog):
    """Its rows are written; a line in the table of batches stays behind."""
    sink = pairs(sqlite_options(tmp_path / "no folder" / "a.db"), "t")
    with caplog.at_level(logging.WARNING, "windrow.jdbc"):
        sink.forget("a job")
    (said,) = caplog.messages
    assert said.startswith("JdbcSink could not remove 'a job' from the table windrow_batches: OperationalError")


def test_a_database_that_is_not_there_is_an_error_in_a_line(env):
    """With the sink's name, the address and what to do, and without the password."""
    from windrow.datastream.connectors.jdbc import JdbcConnectionOptions

    options = (
        JdbcConnectionOptions.JdbcConnectionOptionsBuilder()
        .with_url("jdbc:postgresql://127.0.0.1:1/shop?connectTimeout=5")
        .with_user_name("me")
        .with_password("secret")
        .build()
    )
    env.from_collection([(1, "a")]).sink_to(pairs(options, "t")).name("shops")
    with pytest.raises(JdbcConnectorError) as raised:
        env.execute("nowhere")
    said = str(raised.value)
    assert said.startswith("JdbcSink 'shops")
    assert "could not write to postgresql+psycopg://me:***@127.0.0.1:1/shop" in said
    assert "\n" not in said
    assert "secret" not in said
