"""Random expressions of SQL give what DuckDB gives."""

import datetime as dt
import math
from decimal import Decimal

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.property_examples import examples
from windrow.datastream import StreamExecutionEnvironment
from windrow.table import DataTypes, StreamTableEnvironment

ROW = DataTypes.ROW(
    [
        DataTypes.FIELD("a", DataTypes.BIGINT()),
        DataTypes.FIELD("b", DataTypes.BIGINT()),
        DataTypes.FIELD("d", DataTypes.DOUBLE()),
        DataTypes.FIELD("s", DataTypes.STRING()),
        DataTypes.FIELD("p", DataTypes.BOOLEAN()),
        DataTypes.FIELD("m", DataTypes.DECIMAL(9, 2)),
        DataTypes.FIELD("t", DataTypes.DATE()),
    ]
)
small = st.integers(-1000, 1000)
rows = st.lists(
    st.tuples(
        *[
            st.one_of(st.none(), values)
            for values in (
                small,
                small,
                st.integers(-4000, 4000).map(lambda n: n / 8),
                st.text("abcXYZ %_", max_size=6),
                st.booleans(),
                st.integers(-99999, 99999).map(lambda n: Decimal(n).scaleb(-2)),
                st.dates(dt.date(1990, 1, 1), dt.date(2030, 1, 1)),
            )
        ]
    ),
    min_size=1,
    max_size=6,
)


def call(name, *arguments):
    return st.tuples(*arguments).map(lambda parts: f"{name}({', '.join(parts)})")


def either(*operators):
    return lambda one, other: st.tuples(one, st.sampled_from(operators), other).map(
        lambda parts: f"({' '.join(parts)})"
    )


class Named:
    """A strategy that is shown by its name: those of deep expressions have very long descriptions."""

    def __init__(self, name, strategy):
        self.name, self.strategy = name, strategy

    def __repr__(self):
        return self.name


@st.composite
def of(draw, named):
    return draw(named.strategy)


class Expressions:
    """Strategies of expressions of each kind, at most ``depth`` deep: made of those that are less deep.

    They end by themselves, so that Hypothesis need not throw away any that have grown too long.
    """

    def __init__(self, depth):
        self.number = st.one_of(
            st.sampled_from(["a", "b"]),
            small.map(lambda n: f"CAST({n} AS BIGINT)"),
            st.sampled_from(["YEAR", "MONTH", "DAY", "QUARTER", "WEEK", "DOY"]).map(lambda u: f"EXTRACT({u} FROM t)"),
            st.sampled_from(["YEAR", "MONTH", "QUARTER", "WEEK", "DAYOFMONTH", "DAYOFYEAR"]).map(lambda n: f"{n}(t)"),
        )
        self.fraction = st.just("d")
        self.decimal = st.sampled_from(["m", "(m + m)", "(m - 1.25)", "ABS(m)"])
        self.text = st.one_of(st.just("s"), st.text("abcXYZ ", min_size=1, max_size=4).map(lambda value: f"'{value}'"))
        self.truth = st.just("p")
        self.date = st.one_of(
            st.just("t"),
            st.dates(dt.date(1990, 1, 1), dt.date(2030, 1, 1)).map(lambda day: f"DATE '{day}'"),
            # DuckDB makes a TIMESTAMP of it.
            st.tuples(st.sampled_from("+-"), st.integers(1, 99), st.sampled_from(["DAY", "MONTH"])).map(
                lambda p: f"CAST(t {p[0]} INTERVAL '{p[1]}' {p[2]} AS DATE)"
            ),
        )
        if depth:
            self._deepen(Expressions(depth - 1))
        for name in ("number", "fraction", "decimal", "text", "truth", "date"):
            setattr(self, name, of(Named(f"{name} {depth}", getattr(self, name))))
        self.any = st.one_of(self.number, self.fraction, self.decimal, self.text, self.truth, self.date)

    def _deepen(self, less):
        number, fraction, decimal, text, truth = less.number, less.fraction, less.decimal, less.text, less.truth
        date, few = less.date, st.integers(0, 7).map(str)
        self.number |= st.one_of(
            either("+", "-")(number, number),
            call("ABS", number),
            call("COALESCE", number, number),
            call("NULLIF", number, number),
            call("CHAR_LENGTH", text).map(lambda e: f"CAST({e} AS BIGINT)"),
            st.tuples(truth, number, number).map(lambda p: f"CASE WHEN {p[0]} THEN {p[1]} ELSE {p[2]} END"),
            st.tuples(number, number, number).map(lambda p: f"CASE {p[0]} WHEN 1 THEN {p[1]} WHEN 2 THEN {p[2]} END"),
            st.tuples(number, st.integers(1, 9)).map(lambda p: f"({p[0]} % {p[1]})"),
            st.tuples(text, text).map(lambda p: f"CAST(POSITION({p[0]} IN {p[1]}) AS BIGINT)"),
            number.map(lambda e: f"CAST(SIGN({e}) AS BIGINT)"),
        )
        self.fraction |= st.one_of(
            number.map(lambda e: f"CAST({e} AS DOUBLE)"),
            either("+", "-", "*")(fraction, st.just("d")),
            call("COALESCE", fraction, fraction),
            call("FLOOR", fraction),
            call("CEIL", fraction),
            st.tuples(truth, fraction).map(lambda p: f"CASE WHEN {p[0]} THEN {p[1]} END"),
        )
        self.date |= st.one_of(
            call("COALESCE", date, date),
            st.tuples(truth, date, date).map(lambda p: f"CASE WHEN {p[0]} THEN {p[1]} ELSE {p[2]} END"),
        )
        self.text |= st.one_of(
            call("UPPER", text),
            call("LOWER", text),
            either("||")(text, text),
            call("COALESCE", text, text),
            st.one_of(number, date).map(lambda e: f"CAST({e} AS VARCHAR(99))"),
            call("TRIM", text),
            call("REVERSE", text),
            call("LEFT", text, few),
            call("RIGHT", text, few),
            call("SUBSTRING", text, st.integers(1, 7).map(str), few),
            call("REPLACE", text, st.sampled_from(["'a'", "'X'"]), st.sampled_from(["''", "'Yb'"])),
            call("LPAD", text, few, st.just("'ab'")),
            call("RPAD", text, few, st.just("'ab'")),
            st.tuples(truth, text, text).map(lambda p: f"CASE WHEN {p[0]} THEN {p[1]} ELSE {p[2]} END"),
        )
        self.truth |= st.one_of(
            either("=", "<>", "<", "<=", ">", ">=")(number, number),
            either("=", "<", ">=")(fraction, fraction),
            either("=", "<", ">=")(decimal, decimal),
            either("=", "<>", "<")(text, text),
            either("=", "<>", "<", ">=")(date, date),
            st.tuples(truth, st.sampled_from(["TRUE", "NOT TRUE", "FALSE", "NOT FALSE"])).map(
                lambda p: f"({p[0]} IS {p[1]})"
            ),
            either("AND", "OR")(truth, truth),
            truth.map(lambda e: f"(NOT {e})"),
            st.one_of(number, text).map(lambda e: f"({e} IS NULL)"),
            either("IS DISTINCT FROM", "IS NOT DISTINCT FROM")(number, number),
            st.tuples(number, number, number).map(lambda p: f"({p[0]} BETWEEN {p[1]} AND {p[2]})"),
            st.tuples(number, number, number).map(lambda p: f"({p[0]} IN ({p[1]}, {p[2]}))"),
            text.map(lambda e: f"({e} LIKE '%a_%')"),
        )


def same(one, other):
    if isinstance(one, float) and isinstance(other, float):
        return one == other or math.isclose(one, other, rel_tol=1e-12)
    return one == other


@pytest.mark.slow
@given(rows, st.lists(Expressions(depth=3).any, min_size=3, max_size=8))
@settings(max_examples=examples(25), deadline=None)
def test_expressions_give_what_duckdb_gives(given_rows, asked):
    """NULL, comparisons, arithmetic and functions of text, on a few rows."""
    tables = StreamTableEnvironment.create(StreamExecutionEnvironment.create_local_environment(parallelism=1))
    tables.create_temporary_view("r", tables.from_elements(given_rows, ROW))
    query = f"SELECT {', '.join(f'{each} AS c{place}' for place, each in enumerate(asked))} FROM r"
    mine = [list(row) for row in tables.sql_query(query).execute().collect()]
    database = duckdb.connect()
    database.execute("CREATE TABLE r (a BIGINT, b BIGINT, d DOUBLE, s VARCHAR, p BOOLEAN, m DECIMAL(9, 2), t DATE)")
    database.executemany("INSERT INTO r VALUES (?, ?, ?, ?, ?, ?, ?)", given_rows)
    theirs = [list(row) for row in database.execute(query).fetchall()]
    database.close()
    assert len(mine) == len(theirs)
    for place, each in enumerate(asked):
        for one, other in zip(mine, theirs, strict=True):
            assert same(one[place], other[place]), f"{each}: {one[place]!r}, and DuckDB gives {other[place]!r}"
