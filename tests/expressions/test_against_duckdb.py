"""Random expressions of SQL give what DuckDB gives."""

import datetime as dt
import math
from decimal import Decimal

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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


class Expressions:
    """Strategies of expressions of each kind, at most ``depth`` deep: made of those that are less deep.

    They end by themselves, so that Hypothesis need not throw away any that have grown too long.
    """

    def __init__(self, depth):
        self.number = st.one_of(
            st.sampled_from(["a", "b"]),
            small.map(lambda n: f"CAST({n} AS BIGINT)"),
            st.sampled_from(["YEAR", "MONTH", "DAY", "QUARTER"]).map(lambda unit: f"EXTRACT({unit} FROM t)"),
        )
        self.fraction = st.just("d")
        self.decimal = st.sampled_from(["m", "(m + m)", "(m - 1.25)", "ABS(m)"])
        self.text = st.one_of(st.just("s"), st.text("abcXYZ ", min_size=1, max_size=4).map(lambda value: f"'{value}'"))
        self.truth = st.just("p")
        if depth:
            self._deepen(Expressions(depth - 1))
        self.any = st.one_of(self.number, self.fraction, self.decimal, self.text, self.truth)

    def _deepen(self, less):
        number, fraction, decimal, text, truth = less.number, less.fraction, less.decimal, less.text, less.truth
        self.number |= st.one_of(
            either("+", "-")(number, number),
            call("ABS", number),
            call("COALESCE", number, number),
            call("NULLIF", number, number),
            call("CHAR_LENGTH", text).map(lambda e: f"CAST({e} AS BIGINT)"),
            st.tuples(truth, number, number).map(lambda p: f"CASE WHEN {p[0]} THEN {p[1]} ELSE {p[2]} END"),
        )
        self.fraction |= st.one_of(
            number.map(lambda e: f"CAST({e} AS DOUBLE)"),
            either("+", "-", "*")(fraction, st.just("d")),
            call("COALESCE", fraction, fraction),
        )
        self.text |= st.one_of(
            call("UPPER", text),
            call("LOWER", text),
            either("||")(text, text),
            call("COALESCE", text, text),
            number.map(lambda e: f"CAST({e} AS VARCHAR(99))"),
        )
        self.truth |= st.one_of(
            either("=", "<>", "<", "<=", ">", ">=")(number, number),
            either("=", "<", ">=")(fraction, fraction),
            either("=", "<", ">=")(decimal, decimal),
            either("=", "<>", "<")(text, text),
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
@settings(max_examples=25, deadline=None)
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
