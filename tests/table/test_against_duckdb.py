"""Random queries over random tables: what changelogs come to, and joins and aggregates of windows, are DuckDB's."""

import datetime as dt
from collections import Counter
from decimal import Decimal

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.property_examples import examples
from windrow.common.types import RowKind
from windrow.datastream import StreamExecutionEnvironment
from windrow.table import DataTypes, Schema, StreamTableEnvironment

#: A number of its own for each row, two keys, and values of several kinds.
TYPES = {
    "id": (DataTypes.INT(), "INTEGER"),
    "k": (DataTypes.INT(), "INTEGER"),
    "s": (DataTypes.STRING(), "VARCHAR"),
    "a": (DataTypes.BIGINT(), "BIGINT"),
    "d": (DataTypes.DOUBLE(), "DOUBLE"),
    "m": (DataTypes.DECIMAL(9, 2), "DECIMAL(9, 2)"),
    "p": (DataTypes.BOOLEAN(), "BOOLEAN"),
    "ts": (DataTypes.TIMESTAMP(3), "TIMESTAMP"),
}
BEGIN = dt.datetime(2020, 4, 15, 8, 0)


def maybe(values):
    return st.one_of(st.none(), values)


def tables_of(most):
    """Rows without their numbers; few keys, so that groups have several rows, and NULL everywhere but in the time."""
    row = st.tuples(
        maybe(st.integers(0, 2)),
        maybe(st.sampled_from(["x", "y", "Zz", ""])),
        maybe(st.integers(-3, 3)),
        maybe(st.integers(-16, 16).map(lambda n: n / 8)),
        maybe(st.integers(-999, 999).map(lambda n: Decimal(n).scaleb(-2))),
        maybe(st.booleans()),
        st.integers(0, 29).map(lambda seconds: BEGIN + dt.timedelta(seconds=seconds)),
    )
    return st.lists(row, max_size=most).map(lambda rows: [(number, *each) for number, each in enumerate(rows)])


CONDITIONS = st.sampled_from(["a > 0", "d <= 0.5", "p", "s = 'x'", "s IS NOT NULL", "m <> 0 OR k = 1", "NOT (a < d)"])
VALUES = st.sampled_from(["a", "d", "m", "s", "CASE WHEN p THEN a ELSE id END", "UPPER(s)", "a + k"])
NUMBERS = st.sampled_from(["a", "d", "m", "CASE WHEN p THEN a END", "a * k", "CHAR_LENGTH(s)"])


@st.composite
def aggregates(draw, distinct=True):
    """One aggregate, maybe of some rows only."""
    forms = [
        st.just("COUNT(*)"),
        VALUES.map(lambda value: f"COUNT({value})"),
        NUMBERS.map(lambda value: f"SUM({value})"),
        NUMBERS.map(lambda value: f"AVG(CAST({value} AS DOUBLE))"),
        VALUES.map(lambda value: f"MIN({value})"),
        VALUES.map(lambda value: f"MAX({value})"),
        st.sampled_from(["STDDEV_POP(d)", "VAR_POP(d)", "VAR_SAMP(d)", "STDDEV_SAMP(d)"]),
    ]
    if distinct:
        forms += [VALUES.map(lambda value: f"COUNT(DISTINCT {value})"), st.just("SUM(DISTINCT a)")]
    made = draw(st.one_of(forms))
    return f"{made} FILTER (WHERE {draw(CONDITIONS)})" if draw(st.booleans()) else made


@st.composite
def groups(draw):
    """Aggregates of the groups of some keys, under the names ``c0``, ``c1`` and so on."""
    keys = draw(st.sampled_from([["k"], ["s"], ["k", "s"], ["p", "k"], []]))
    made = draw(st.lists(aggregates(), min_size=1, max_size=4))
    shown = ", ".join([*keys, *[f"{each} AS c{place}" for place, each in enumerate(made)]])
    where = f" WHERE {draw(CONDITIONS)}" if draw(st.booleans()) else ""
    by = f" GROUP BY {', '.join(keys)}" if keys else ""
    # In a stream there is no row where there was none, also of aggregates without keys; elsewhere there is one.
    conditions = ["COUNT(*) > 0", "COUNT(*) > 1", "SUM(a) > 0", "MAX(d) IS NOT NULL"]
    having = f" HAVING {draw(st.sampled_from(conditions))}" if not keys or draw(st.booleans()) else ""
    return f"SELECT {shown} FROM r{where}{by}{having}"


@st.composite
def groups_of_groups(draw):
    """Aggregates of what changes: values are taken back."""
    value = draw(st.sampled_from(["SUM(a)", "MAX(a)", "COUNT(*)", "MIN(d)", "COUNT(DISTINCT s)", "SUM(d)"]))
    key = draw(st.sampled_from(["COUNT(*)", "MAX(s)", "SUM(a)"]))
    inner = f"SELECT k, s, {key} AS g, {value} AS v FROM r GROUP BY k, s"
    made = draw(
        st.lists(
            st.sampled_from(
                ["COUNT(*)", "SUM(v)", "MIN(v)", "MAX(v)", "COUNT(DISTINCT v)", "AVG(CAST(v AS DOUBLE))", "MIN(s)"]
            ),
            min_size=1,
            max_size=4,
        )
    )
    shown = ", ".join(f"{each} AS c{place}" for place, each in enumerate(made))
    return draw(
        st.sampled_from(
            [
                f"SELECT g, {shown} FROM ({inner}) GROUP BY g",
                f"SELECT {shown} FROM ({inner}) HAVING COUNT(*) > 0",
                f"SELECT DISTINCT g, v FROM ({inner})",
                f"SELECT g, v, k FROM ({inner}) WHERE v > 0",
            ]
        )
    )


ORDERS = ["a DESC NULLS LAST", "a NULLS FIRST", "d DESC NULLS LAST", "s NULLS FIRST", "m NULLS FIRST"]


@st.composite
def first_rows(draw):
    """The first rows of each key, of rows and of groups; each order ends with what only one row has."""
    shown = draw(st.sampled_from(["id, k, a", "k, id, n", "*"]))
    partition = draw(st.sampled_from(["PARTITION BY k ", "PARTITION BY s, p ", ""]))
    order = ", ".join([*draw(st.lists(st.sampled_from(ORDERS), max_size=2, unique=True)), "id"])
    of_groups = draw(st.booleans())
    rows = "(SELECT k, s, p, MAX(id) AS id, SUM(a) AS a, MIN(d) AS d, MAX(m) AS m FROM r GROUP BY k, s, p)"
    condition = draw(st.sampled_from(["n <= 1", "n <= 2", "n <= 3", "n >= 2 AND n <= 3"]))
    numbered = f"SELECT *, ROW_NUMBER() OVER ({partition}ORDER BY {order}) AS n FROM {rows if of_groups else 'r'}"
    return f"SELECT {shown} FROM ({numbered}) WHERE {condition}"


DISTINCT = st.lists(
    st.sampled_from(["k", "s", "p", "a > 0", "UPPER(s)", "CASE WHEN a > 0 THEN s ELSE 'none' END"]),
    min_size=1,
    max_size=3,
).map(lambda columns: f"SELECT DISTINCT {', '.join(f'{each} AS c{n}' for n, each in enumerate(columns))} FROM r")


@st.composite
def windows(draw):
    """Aggregates of windows and keys: those that are folded on columns, and those that need all rows."""
    kind = draw(st.sampled_from(["{tumble}", "{hop}"]))
    keys = draw(st.sampled_from([["k"], ["s", "k"], []]))
    made = draw(st.lists(aggregates(distinct=draw(st.booleans())), min_size=1, max_size=4))
    shown = ", ".join(["window_start", *keys, *[f"{each} AS c{place}" for place, each in enumerate(made)]])
    where = f" WHERE {draw(CONDITIONS)}" if draw(st.booleans()) else ""
    return f"SELECT {shown} FROM {kind}{where} GROUP BY {', '.join(['window_start', 'window_end', *keys])}"


@st.composite
def window_joins(draw):
    """Rows of both tables in the same windows, by a key or none, with another condition or none."""
    condition = "l.window_start = r.window_start AND l.window_end = r.window_end"
    condition += draw(st.sampled_from(["", " AND l.k = r.k", " AND l.k = r.k AND l.s = r.s"]))
    left, right = "(SELECT * FROM {tumble}) AS l", "(SELECT * FROM {tumble2}) AS r"
    if draw(st.booleans()):
        negated = draw(st.sampled_from(["", "NOT "]))
        return (
            f"SELECT l.id, l.window_start FROM {left} WHERE {negated}EXISTS (SELECT 1 FROM {right} WHERE {condition})"
        )
    condition += draw(st.sampled_from(["", " AND l.a <= r.a", " AND (l.p OR r.d > 0)"]))
    side = draw(st.sampled_from(["INNER", "LEFT", "RIGHT", "FULL OUTER"]))
    shown = "l.id, r.id AS other, l.k, r.s, COALESCE(l.window_start, r.window_start) AS at_"
    return f"SELECT {shown} FROM {left} {side} JOIN {right} ON {condition}"


def windrow(query, rows, others, parallelism):
    """What is left of the changes that a query gives; a change that takes back what is not there is an error."""
    tables = StreamTableEnvironment.create(StreamExecutionEnvironment.create_local_environment(parallelism=parallelism))
    kinds = DataTypes.ROW([DataTypes.FIELD(name, kind) for name, (kind, _) in TYPES.items()])
    schema = Schema.new_builder()
    for name, (kind, _) in TYPES.items():
        schema.column(name, kind)
    timed = schema.watermark("ts", "ts - INTERVAL '1' HOUR").build()
    for name, each in (("r", rows), ("r2", others)):
        stream = tables.to_data_stream(tables.from_elements(each, kinds))
        tables.create_temporary_view(name, stream, timed)
    tumble = "TABLE(TUMBLE(TABLE {}, DESCRIPTOR(ts), INTERVAL '10' SECOND))"
    hop = "TABLE(HOP(TABLE r, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '10' SECOND))"
    asked = query.format(tumble=tumble.format("r"), tumble2=tumble.format("r2"), hop=hop)
    left = Counter()
    for row in tables.execute_sql(asked).collect():
        kind, values = row.get_row_kind(), told(row)
        if kind in (RowKind.INSERT, RowKind.UPDATE_AFTER):
            left[values] += 1
        else:
            assert left[values] > 0, f"{kind} takes back {values}, which is not there"
            left[values] -= 1
    return +left


def other_engine(query, rows, others):
    """DuckDB's rows."""
    database = duckdb.connect()
    for name, each in (("r", rows), ("r2", others)):
        database.execute(f"CREATE TABLE {name} ({', '.join(f'{n} {kind}' for n, (_, kind) in TYPES.items())})")
        if each:
            database.executemany(f"INSERT INTO {name} VALUES ({', '.join('?' * len(TYPES))})", each)
    second = "INTERVAL '1 second'"
    end = f"window_start + 10 * {second} AS window_end"
    tumble = f"(SELECT *, time_bucket(10 * {second}, ts) AS window_start, {end} FROM {{}})"
    earlier = f"time_bucket(5 * {second}, ts) - seconds * {second}"
    hop = f"(SELECT *, {earlier} AS window_start, {end} FROM r, (VALUES (0), (5)) AS earlier(seconds))"
    asked = query.format(tumble=tumble.format("r"), tumble2=tumble.format("r2"), hop=hop)
    found = Counter(told(row) for row in database.execute(asked).fetchall())
    database.close()
    return found


def told(row):
    """A row that can be counted: floats to nine digits, and no zero below zero."""
    return tuple(round(value, 9) + 0.0 if isinstance(value, float) else value for value in row)


def check(query, rows, others, parallelism=1):
    mine, theirs = windrow(query, rows, others, parallelism), other_engine(query, rows, others)
    assert mine == theirs, f"{query}\nhas {dict(mine - theirs)}, and DuckDB {dict(theirs - mine)}"


@pytest.mark.slow
@given(
    tables_of(12),
    st.one_of(groups(), groups_of_groups(), first_rows(), DISTINCT),
    st.integers(min_value=1, max_value=2),
)
@settings(max_examples=examples(100), deadline=None)
def test_changes_come_to_what_duckdb_gives(rows, query, parallelism):
    """Groups, groups of groups, first rows and DISTINCT: what is left of all changes is the result."""
    check(query, rows, [], parallelism)


@pytest.mark.slow
@given(tables_of(12), windows())
@settings(max_examples=examples(40), deadline=None)
def test_windows_give_what_duckdb_gives(rows, query):
    """TUMBLE and HOP, with keys and without."""
    check(query, rows, [])


@pytest.mark.slow
@given(tables_of(8), tables_of(8), window_joins())
@settings(max_examples=examples(40), deadline=None)
def test_window_joins_give_what_duckdb_gives(rows, others, query):
    """Inner, left, right, full, semi and anti joins."""
    check(query, rows, others)
