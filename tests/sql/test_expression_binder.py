"""Expressions of SQL by themselves: what they give, and which are refused before anything runs."""

import datetime as dt
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pytest

from windrow.errors import SqlError
from windrow.expressions.evaluation import Input, evaluate
from windrow.expressions.logical_types import arrow_of, name_of
from windrow.sql.dialect import parse
from windrow.sql.expression_binder import ExpressionBinder
from windrow.sql.plan import Column
from windrow.sql.scope import Scope
from windrow.table import DataTypes

COLUMNS = {
    "n": (DataTypes.INT(), 1),
    "s": (DataTypes.STRING(), "1_000"),
    "f": (DataTypes.FLOAT(), 0.1),
    "missing": (DataTypes.INT(), None),
    "least": (DataTypes.INT(), -(2**31)),
    # Half past two in the night, there where these expressions are.
    "z": (DataTypes.TIMESTAMP_LTZ(3), dt.datetime(2020, 5, 6, 18, 30, tzinfo=dt.UTC)),
}


def bound(written):
    """The expression, in a session far from UTC."""
    columns = [Column(name, kind) for name, (kind, _) in COLUMNS.items()]
    text = f"SELECT {written}"
    scope = Scope(columns, [None] * len(columns), text)
    return ExpressionBinder(scope, "Asia/Shanghai").bind(parse(text)[0].expressions[0])


def value(written):
    """What it gives for the one row."""
    columns = [pa.array([given], arrow_of(kind)) for kind, given in COLUMNS.values()]
    (found,) = evaluate(bound(written), Input(columns, np.zeros(1, np.int64))).to_pylist()
    return found


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        # Fractions beyond the ends of the integers take the nearest of these, and no others do.
        ("CAST(5e18 AS BIGINT)", 5 * 10**18),
        ("CAST(-5e18 AS BIGINT)", -5 * 10**18),
        ("CAST(1e19 AS BIGINT)", 2**63 - 1),
        ("CAST(3e9 AS INT)", 2**31 - 1),
        ("CAST(12345678901234567890123 AS BOOLEAN)", True),
        ("CAST(0.0 AS BOOLEAN)", False),
        # Rows are cast by place, in collections too.
        ("CAST(ROW(1, 'a') AS ROW<x BIGINT, y STRING>)", {"x": 1, "y": "a"}),
        ("CAST(ROW(n, missing) AS ROW<x STRING, y STRING>)", {"x": "1", "y": None}),
        ("CAST(ARRAY[ROW(1), ROW(2)] AS ARRAY<ROW<x STRING>>)", [{"x": "1"}, {"x": "2"}]),
        ("CAST(MAP['a', ROW(1)] AS MAP<STRING, ROW<x BIGINT>>)", [("a", {"x": 1})]),
        ("CAST(MAP['7', 1.5] AS MAP<INT, INT>)", [(7, 1)]),
        # Formats are Java's.
        ("TO_DATE('2020-5-7', 'yyyy-M-d')", dt.date(2020, 5, 7)),
        ("TO_DATE('7 May 20', 'd MMM yy')", dt.date(2020, 5, 7)),
        ("TO_TIMESTAMP('2020-5-7', 'yyyy-MM-dd')", dt.datetime(2020, 5, 7)),
        ("TO_TIMESTAMP('2020/5/7', 'yyyy/MM/dd')", None),
        ("TO_TIMESTAMP('20200507 08:9:01.25', 'yyyyMMdd HH:m:ss.SS')", dt.datetime(2020, 5, 7, 8, 9, 1, 250000)),
        ("TO_TIMESTAMP('08:09', 'HH:mm')", dt.datetime(1970, 1, 1, 8, 9)),
        ("TO_TIMESTAMP('2020-128 12 AM', 'yyyy-DDD hh a')", dt.datetime(2020, 5, 7)),
        ("UNIX_TIMESTAMP('1970-1-1 8:0', 'yyyy-M-d H:m')", 0),
        (
            "DATE_FORMAT(TIMESTAMP '2020-05-07 13:04:05', 'EEE d.M.yy ''um'' h:m:s a D')",
            "Thu 7.5.20 um 1:4:5 PM 128",
        ),
        ("FROM_UNIXTIME(0, 'yyyy-MM-dd''T''HH:mm')", "1970-01-01T08:00"),
        # Text of JSON is asked of what kind it is, and NULL is none.
        ("'{\"a\": 1}' IS JSON ARRAY", False),
        ("'{\"a\": 1}' IS JSON OBJECT", True),
        ("'[1]' IS NOT JSON ARRAY", False),
        ("'null' IS JSON SCALAR", True),
        ("CAST(missing AS STRING) IS JSON SCALAR", False),
        ("TYPEOF(ARRAY[s], TRUE)", "ARRAY<VARCHAR(2147483647)> NOT NULL"),
        ("TYPEOF(ARRAY[s], FALSE)", "ARRAY<STRING> NOT NULL"),
        ("s SIMILAR TO '1!_%' ESCAPE '!'", True),
        # Integers divide as Java's do, and NULL by zero is NULL.
        ("least / -1", -(2**31)),
        ("7 / -1", -7),
        ("missing / 0", None),
        ("missing % 0", None),
        ("CAST(NULL AS DECIMAL(5, 2)) / 0.0", None),
        ("SIGN(-1.5)", Decimal("-1.0")),
        # Points in time are shown, cut and compared by the clocks of the session.
        ("FLOOR(z TO DAY)", dt.datetime(2020, 5, 6, 16, tzinfo=dt.UTC)),
        ("CEIL(z TO DAY)", dt.datetime(2020, 5, 7, 16, tzinfo=dt.UTC)),
        ("EXTRACT(DAY FROM z)", 7),
        ("EXTRACT(EPOCH FROM z)", int(dt.datetime(2020, 5, 6, 18, 30, tzinfo=dt.UTC).timestamp())),
        ("TIMESTAMPDIFF(HOUR, TIMESTAMP '2020-05-07 00:30:00', z)", 2),
        ("EXTRACT(MINUTE FROM INTERVAL '-01:30' HOUR TO MINUTE)", -30),
        # Text is read as a number that is greater or less, or stands before IN.
        ("n >= '1'", True),
        ("n IN ('1', '2')", True),
        ("f = CAST(0.1 AS DOUBLE)", False),
        ("CAST(0.1 AS DOUBLE) = f", False),
        ("f IS NOT DISTINCT FROM CAST(0.1 AS DOUBLE)", False),
        ("'a' || NULL", None),
        ("NULL = NULL", None),
        ("NULL IS NOT DISTINCT FROM NULL", True),
        # Numbers and times are read to their end, with digits of ASCII.
        ("TRY_CAST(s AS DOUBLE)", None),
        ("TRY_CAST(s AS DECIMAL(5, 1))", None),
        ("TRY_CAST('\u0661\u0662' AS INT)", None),
        ("TRY_CAST('nan' AS DOUBLE)", None),
        ("CAST('-Infinity' AS DOUBLE)", -float("inf")),
        ("CAST(' 1.5e3d ' AS DOUBLE)", 1500.0),
        ("TRY_CAST('2020-05-07 10:00:00 garbage' AS TIMESTAMP(3))", None),
        ("TRY_CAST('2020-05-07  garbage' AS TIMESTAMP(3))", None),
        ("IS_DECIMAL('1_0')", False),
    ],
)
def test_expressions_give_what_flink_gives(written, expected):
    """Each by the rule above it."""
    assert value(written) == expected


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ("TO_DATE('x', 'YYYY-MM-dd')", "'YYYY', which is not supported"),
        ("TO_TIMESTAMP('x', 'hh:mm')", "which half of the day"),
        ("DATE_FORMAT(z, 'yyyy-MM-dd zzz')", "'zzz', which is not supported"),
        ("DATE_FORMAT(z, 'yyyy[-MM]')", "'[', which is not supported"),
        ("DATE_FORMAT(z, 'yyyy ''at')", "which is not supported"),
        ("COALESCE(n, 'x')", "COALESCE takes values of one type"),
        ("IF(n = 1, n, 'x')", "IF gives values of one type"),
        ("ARRAY[1, 'x']", "ARRAY holds values of one type"),
        ("EXTRACT(FOO FROM z)", "EXTRACT of TIMESTAMP_LTZ(3) takes YEAR"),
        ("EXTRACT(YEAR FROM TIME '10:00:00')", "takes HOUR, MINUTE, SECOND, MILLISECOND; got YEAR"),
        ("EXTRACT(MONTH FROM INTERVAL '1' YEAR)", "EXTRACT takes a date or time; got INTERVAL MONTH"),
        ("FLOOR(z TO FOO)", "FLOOR of TIMESTAMP_LTZ(3) takes MONTH"),
        ("FLOOR('a' TO DAY)", "FLOOR takes a date or time"),
        ("TIMESTAMPDIFF(FOO, z, z)", "TIMESTAMPDIFF of TIMESTAMP_LTZ(3) takes"),
        ("CEIL(TIME '10:00:00' TO HOUR)", "CEIL takes a day, with or without its time; got TIME(0)"),
        ("TIMESTAMPADD(DAY, 'a', z)", "TIMESTAMPADD takes an integer of DAY; got CHAR(1)"),
        ("TIMESTAMPADD(FOO, 1, z)", "TIMESTAMPADD of TIMESTAMP_LTZ(3) takes"),
        ("n SIMILAR TO 'a'", "SIMILAR TO takes text; got INT"),
        ("n IS JSON ARRAY", "IS JSON takes text; got INT"),
        ("ARRAY[1, 2][1, 2]", "[...] takes one index or key; got 2"),
        ("TIMESTAMP(3) '2020-01-01 00:00:00'", "as many digits of a second as are written"),
        ("TYPEOF(n, s)", "the second argument of TYPEOF is TRUE or FALSE"),
        ("CAST(MAP['a', 1] AS MAP<STRING, DATE>)", "cannot be cast"),
    ],
)
def test_what_cannot_be_computed_is_refused_when_it_is_bound(written, says):
    """The error says what is not supported."""
    with pytest.raises(SqlError) as refused:
        bound(written)
    assert says in str(refused.value)


@pytest.mark.parametrize("written", ["CASE WHEN n = 1 THEN 'x' ELSE n END", "CASE WHEN n = 1 THEN n ELSE 'x' END"])
def test_case_of_numbers_and_text_is_refused(written):
    """Whichever comes first, with both types."""
    with pytest.raises(SqlError, match=r"CASE gives values of one type; got .*INT.*: CAST one of them"):
        bound(written)


@pytest.mark.parametrize(
    ("written", "expected", "kind"),
    [
        ("x'0A'", b"\n", "BINARY(1) NOT NULL"),
        ("X'0aFf'", b"\n\xff", "BINARY(2) NOT NULL"),
        ("DECODE(x'48616C6C6F', 'UTF-8')", "Hallo", "STRING NOT NULL"),
        ("x'41' = ENCODE(s, 'UTF-8')", False, "BOOLEAN"),
    ],
)
def test_bytes_are_written_in_two_digits_each(written, expected, kind):
    """In upper or lower case; their number is their type's."""
    assert value(written) == expected
    assert name_of(bound(written).type) == kind


def test_half_a_byte_is_refused():
    """With the place of the digits."""
    with pytest.raises(SqlError, match=r"for each byte; got '0'\nline 1:\n  SELECT x'0'"):
        bound("x'0'")
