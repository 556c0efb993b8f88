"""What print shows. The Java forms were taken from Flink 2.3 on Java 17."""

import datetime
from decimal import Decimal

import pytest

from windrow.common.composite_types import ExternalTypeInfo
from windrow.common.printing import format_value
from windrow.common.time import Instant
from windrow.common.typeinfo import Types
from windrow.common.types import Row, RowKind

MOMENT = datetime.datetime(2020, 1, 1, 2, 3, 4)


@pytest.mark.parametrize(
    ("value", "shown"),
    [("text", "text"), (1, "1"), (True, "True"), (("a", 1.0), "('a', 1.0)"), (Row(a=1), "Row(a=1)"), (None, "None")],
)
def test_elements_of_no_declared_type_print_as_in_python(value, shown):
    """Without a type an element shows as its str."""
    assert format_value(value) == format_value(value, Types.PICKLED_BYTE_ARRAY()) == shown


def test_rows_print_with_their_kind():
    """A declared row shows as Flink's rows do, its fields as Python's str."""
    row_type = Types.ROW([Types.INT(), Types.STRING(), Types.BOOLEAN()])
    assert format_value(Row(1, "a", True), row_type) == "+I[1,a,True]"
    assert format_value(Row.of_kind(RowKind.DELETE, 1, None, False), ExternalTypeInfo(row_type)) == "-D[1,None,False]"


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        (0.0, "0.0"),
        (-0.0, "-0.0"),
        (1.0, "1.0"),
        (-1.5, "-1.5"),
        (100.0, "100.0"),
        (1e6, "1000000.0"),
        (9999999.0, "9999999.0"),
        (1e7, "1.0E7"),
        (1.234e7, "1.234E7"),
        (1e10, "1.0E10"),
        (0.001, "0.001"),
        (0.00099, "9.9E-4"),
        (1e-5, "1.0E-5"),
        (123456.789, "123456.789"),
        (1.0 / 3, "0.3333333333333333"),
        (1.7976931348623157e308, "1.7976931348623157E308"),
        (float("nan"), "NaN"),
        (float("inf"), "Infinity"),
        (float("-inf"), "-Infinity"),
        (1e21, "1.0E21"),
        (1.1e16, "1.1E16"),
    ],
)
def test_doubles_print_as_in_java(number, shown):
    """Double.toString: an exponent from 10^7 and below 10^-3."""
    assert format_value(number, Types.DOUBLE()) == shown


@pytest.mark.parametrize(
    ("number", "shown"),
    [(0.1, "0.1"), (1e7, "1.0E7"), (3.4e38, "3.4E38"), (16777216.0, "1.6777216E7"), (33333.33, "33333.33"), (0, "0.0")],
)
def test_floats_print_as_in_java(number, shown):
    """Float.toString: the fewest digits that are still the same single-precision number."""
    single = Types.FLOAT().to_internal_type(number)
    assert format_value(single, Types.FLOAT()) == shown


@pytest.mark.parametrize(
    ("value", "type_info", "shown"),
    [
        ("a", Types.STRING(), "a"),
        (True, Types.BOOLEAN(), "true"),
        (None, Types.STRING(), "null"),
        (("a", 1), Types.TUPLE([Types.STRING(), Types.INT()]), "(a,1)"),
        (("a", None), Types.TUPLE([Types.STRING(), Types.INT()]), "(a,null)"),
        (
            (Row(1, "a", None),),
            Types.TUPLE([Types.ROW([Types.INT(), Types.STRING(), Types.INT()])]),
            "(+I[1, a, null])",
        ),
        (({"a": 1, "b": 2},), Types.TUPLE([Types.MAP(Types.STRING(), Types.DOUBLE())]), "({a=1.0, b=2.0})"),
        (([1, 2],), Types.TUPLE([Types.LIST(Types.INT())]), "([1, 2])"),
        ((b"\x01\x02",), Types.TUPLE([Types.PRIMITIVE_ARRAY(Types.BYTE())]), "([1, 2])"),
        ([1, None], Types.BASIC_ARRAY(Types.INT()), "[1, null]"),
        (([1],), Types.TUPLE([Types.PICKLED_BYTE_ARRAY()]), "([1])"),
        (Decimal("1E+3"), Types.BIG_DEC(), "1E+3"),
        (2**70, Types.BIG_INT(), str(2**70)),
        (Instant(0, 0), Types.INSTANT(), "1970-01-01T00:00:00Z"),
        (Instant(1, 500_000_000), Types.INSTANT(), "1970-01-01T00:00:01.500Z"),
        (Instant(-1, 1), Types.INSTANT(), "1969-12-31T23:59:59.000000001Z"),
        (MOMENT, Types.SQL_TIMESTAMP(), "2020-01-01 02:03:04.0"),
        (MOMENT.replace(microsecond=120_000), Types.SQL_TIMESTAMP(), "2020-01-01 02:03:04.12"),
        (MOMENT.date(), Types.SQL_DATE(), "2020-01-01"),
        (MOMENT.time(), Types.SQL_TIME(), "02:03:04"),
        ((1.5,), Types.TUPLE([ExternalTypeInfo(Types.DOUBLE())]), "(1.5)"),
    ],
)
def test_declared_types_print_as_in_java(value, type_info, shown):
    """Everything of a declared type but a row shows as Java's toString."""
    assert format_value(value, type_info) == shown
