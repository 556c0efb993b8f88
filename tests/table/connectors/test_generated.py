"""Rows that are made up."""

import datetime as dt
import random
from decimal import Decimal

import pytest

from windrow.datastream import StreamExecutionEnvironment
from windrow.errors import SqlError
from windrow.table import StreamTableEnvironment
from windrow.table.connectors.made_values import Clock, Exact, Now


@pytest.fixture
def local():
    """Tables of an environment in this process."""
    return StreamTableEnvironment.create(StreamExecutionEnvironment.create_local_environment(parallelism=1))


def made(tables, columns, **options):
    """The rows of a table; double underscores stand for dots, single ones for hyphens."""
    given = {"connector": "datagen", "rows-per-second": "1000000", "number-of-rows": "40"}
    given |= {key.replace("__", ".").replace("_", "-"): value for key, value in options.items()}
    listed = ", ".join(f"'{key}' = '{value}'" for key, value in given.items() if value is not None)
    tables.execute_sql(f"CREATE TABLE g ({columns}) WITH ({listed})")
    return [tuple(row) for row in tables.sql_query("SELECT * FROM g").execute().collect()]


def test_datagen_makes_so_many_rows(local):
    """Sequences count, random values lie between their bounds."""
    local.execute_sql(
        "CREATE TABLE g (id BIGINT, n INT, s STRING) WITH ('connector' = 'datagen', 'fields.id.kind' = 'sequence', "
        "'fields.id.start' = '1', 'fields.id.end' = '5', 'fields.n.min' = '3', 'fields.n.max' = '4', "
        "'fields.s.length' = '2')"
    )
    rows = [tuple(row) for row in local.sql_query("SELECT * FROM g").execute().collect()]
    assert [row[0] for row in rows] == [1, 2, 3, 4, 5]
    assert all(3 <= n <= 4 and len(s) == 2 for _, n, s in rows)


def test_datagen_makes_rows_and_collections(local):
    """Their parts have options of their own; NULL comes for a share of the rows."""
    local.execute_sql(
        "CREATE TABLE g (r ROW<x INT, y STRING>, a ARRAY<INT>, m MAP<STRING, DOUBLE>, n INT) WITH ("
        "'connector' = 'datagen', 'number-of-rows' = '40', 'fields.r.x.min' = '3', 'fields.r.x.max' = '4', "
        "'fields.r.y.length' = '2', 'fields.a.length' = '5', 'fields.a.element.min' = '1', "
        "'fields.a.element.max' = '2', "
        "'fields.m.key.length' = '1', 'fields.n.null-rate' = '0.5')"
    )
    rows = list(local.sql_query("SELECT * FROM g").execute().collect())
    assert all(3 <= row.r.x <= 4 and len(row.r.y) == 2 and len(row.a) == 5 and set(row.a) <= {1, 2} for row in rows)
    assert all(1 <= len(row.m) <= 3 and all(len(key) == 1 for key in row.m) for row in rows)
    assert 0 < sum(row.n is None for row in rows) < 40
    with pytest.raises(SqlError, match="is a share, from 0 to 1"):
        local.execute_sql("CREATE TABLE h (n INT) WITH ('connector' = 'datagen', 'fields.n.null-rate' = '2')")


def test_days_and_times_are_those_of_the_machine(local):
    """As Flink's are, with as many digits of a second as the type has."""
    before = dt.datetime.now(dt.UTC).astimezone()
    rows = made(local, "d DATE, t TIME, p TIME(3)", number_of_rows="2")
    after = dt.datetime.now(dt.UTC).astimezone()
    assert all(before.date() <= day <= after.date() for day, _, _ in rows)
    if before.date() == after.date():
        assert all(before.time().replace(microsecond=0) <= time <= after.time() for _, time, _ in rows)
    assert {(time.microsecond, precise.microsecond % 1000) for _, time, precise in rows} == {(0, 0)}


def test_times_lie_in_the_past_as_far_as_the_option_says(local):
    """Up to it, and not all at the same distance."""
    rows = made(local, "t TIMESTAMP(3), z TIMESTAMP_LTZ(3)", fields__t__max_past="3 d")
    now = dt.datetime.now(dt.UTC).replace(tzinfo=None)
    distances = [now - time for time, _ in rows]
    assert all(dt.timedelta(0) <= each < dt.timedelta(days=3, seconds=60) for each in distances)
    assert max(distances) - min(distances) > dt.timedelta(hours=1)
    assert all(abs(now.replace(tzinfo=dt.UTC).timestamp() - zoned.seconds) < 60 for _, zoned in rows)


@pytest.mark.parametrize(("kind", "length"), [("CHAR(4)", 4), ("VARCHAR(5)", 5), ("BINARY(4)", 4), ("VARBINARY(5)", 5)])
def test_texts_and_bytes_are_as_long_as_their_type(local, kind, length):
    """Also those without an option."""
    assert {len(value) for (value,) in made(local, f"v {kind}")} == {length}


def test_bytes_without_a_length_have_a_hundred(local):
    """As texts have."""
    assert {(len(text), len(octets)) for text, octets in made(local, "s STRING, b BYTES")} == {(100, 100)}


@pytest.mark.parametrize("kind", ["STRING", "VARCHAR(9)", "BYTES", "VARBINARY(9)"])
def test_the_length_varies_if_that_is_said(local, kind):
    """From one to the length."""
    lengths = {len(value) for (value,) in made(local, f"v {kind}", fields__v__length="3", fields__v__var_len="true")}
    assert lengths == {1, 2, 3}


def test_a_multiset_has_values_of_its_element(local):
    """Each so often as chance says."""
    rows = made(local, "m MULTISET<STRING>", fields__m__length="2", fields__m__element__length="3")
    assert all(1 <= len(counts) <= 2 and all(len(value) == 3 for value in counts) for (counts,) in rows)
    assert all(1 <= often <= 10 for (counts,) in rows for often in counts.values())


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        ("STRING", ["7", "8"]),
        ("BYTES", [bytes(7) + b"\x07", bytes(7) + b"\x08"]),
        ("DECIMAL(5, 2)", [Decimal("7.00"), Decimal("8.00")]),
        ("DOUBLE", [7.0, 8.0]),
    ],
)
def test_sequences_are_of_several_types(local, kind, values):
    """Bytes are those of Java's numbers."""
    options = {"fields__v__kind": "sequence", "fields__v__start": "7", "fields__v__end": "8", "number_of_rows": None}
    assert [value for (value,) in made(local, f"v {kind}", **options)] == values


def test_decimals_lie_between_their_bounds_and_have_all_digits():
    """No binary fraction stands between."""
    least, greatest = Decimal("1.00"), Decimal("12345678901234567890123456789.12")
    make = Exact(least, greatest, 2)
    values = [make(number, random.Random(number)) for number in range(50)]
    assert all(least <= value <= greatest and value.as_tuple().exponent == -2 for value in values)
    assert len({str(value)[-2:] for value in values}) > 20


def test_times_have_no_more_digits_than_their_type():
    """Milliseconds at most."""
    chance = random.Random(0)
    assert {Now(0, 0, zoned=True)(0, chance).microsecond, Clock(0)(0, chance).microsecond} == {0}
    assert {Now(0, 6, zoned=False)(0, chance).microsecond % 1000, Clock(6)(0, chance).microsecond % 1000} == {0}


@pytest.mark.parametrize(
    ("column", "options", "said"),
    [
        ("n INT", {"fields__n__min": "x"}, "'fields.n.min' takes a whole number; got 'x'"),
        ("n DOUBLE", {"fields__n__max": "x"}, "'fields.n.max' takes a number of the column's type; got 'x'"),
        ("n DOUBLE", {"fields__n__max": "NaN"}, "'fields.n.max' takes a number of the column's type; got 'NaN'"),
        ("n DECIMAL(3, 2)", {"fields__n__max": "100"}, "'fields.n.max' takes a number of the column's type; got '100'"),
        ("n TINYINT", {"fields__n__max": "128"}, "'fields.n.max' is no TINYINT; got 128"),
        ("n INT", {"fields__n__null_rate": "x"}, "'fields.n.null-rate' is a share, from 0 to 1; got 'x'"),
        ("n INT", {"fields__n__null_rate": "2"}, "'fields.n.null-rate' is a share, from 0 to 1; got '2'"),
        (
            "n INT",
            {"fields__n__min": "5", "fields__n__max": "1"},
            "'fields.n.min' is above 'fields.n.max'; got 5 and 1",
        ),
        ("n DOUBLE", {"fields__n__max": "-1"}, "'fields.n.max' is below 'fields.n.min'; got 0.0 and -1.0"),
        ("n INT", {"rows_per_second": "0"}, "'rows-per-second' takes a number above zero; got 0"),
        ("n INT", {"number_of_rows": "-1"}, "'number-of-rows' takes a number from zero on; got -1"),
        ("n STRING", {"fields__n__length": "-1"}, "'fields.n.length' takes a number from zero on; got -1"),
        ("n VARCHAR(4)", {"fields__n__length": "5"}, "'fields.n.length' is at most that of VARCHAR(4); got 5"),
        ("n CHAR(4)", {"fields__n__length": "3"}, "an option 'fields.n.length' that nobody knows"),
        ("n INT", {"fields__n__length": "3"}, "an option 'fields.n.length' that nobody knows"),
        ("n DATE", {"fields__n__max_past": "3 d"}, "an option 'fields.n.max-past' that nobody knows"),
        ("n TIMESTAMP(3)", {"fields__n__max_past": "x"}, "'fields.n.max-past' takes a span of time"),
        ("n STRING", {"fields__n__var_len": "x"}, "'fields.n.var-len' = 'x'"),
        (
            "n DATE",
            {"fields__n__kind": "sequence"},
            "'fields.n.kind' = 'sequence' is for numbers, texts and bytes; it is DATE",
        ),
        (
            "n TINYINT",
            {"fields__n__kind": "sequence", "fields__n__end": "128"},
            "'fields.n.end' is no TINYINT; got 128",
        ),
        ("n INT", {"fields__n__kind": "sequence", "fields__n__end": "-1"}, "'fields.n.end' is below 'fields.n.start'"),
    ],
)
def test_what_does_not_fit_is_refused(local, column, options, said):
    """When the table is made, by its option."""
    with pytest.raises(SqlError) as raised:
        made(local, column, **options)
    assert said in str(raised.value)
