"""Texts as values; what is taken and what is not was read off Flink 2.3."""

import datetime
import math
from decimal import Decimal

import pytest

from windrow.common import Types
from windrow.common.basic_types import LocalTimeTypeInfo
from windrow.common.parse_text import from_text
from windrow.errors import TypeConversionError

LOCAL_DATE = LocalTimeTypeInfo(LocalTimeTypeInfo.TimeType.LOCAL_DATE)
LOCAL_DATE_TIME = LocalTimeTypeInfo(LocalTimeTypeInfo.TimeType.LOCAL_DATE_TIME)
LOCAL_TIME = LocalTimeTypeInfo(LocalTimeTypeInfo.TimeType.LOCAL_TIME)

DAY = datetime.date(2020, 2, 29)
TIME = datetime.time(1, 2, 3)


@pytest.mark.parametrize(
    ("type_info", "text", "value"),
    [
        (Types.STRING(), " a ", " a "),
        (Types.BOOLEAN(), "TRUE ", True),
        (Types.BOOLEAN(), "yes", False),
        (Types.BYTE(), "-128", -128),
        (Types.INT(), " +5 ", 5),
        (Types.LONG(), "99999999999", 99999999999),
        (Types.BIG_INT(), "99999999999999999999", 99999999999999999999),
        (Types.DOUBLE(), " 5 ", 5.0),
        (Types.DOUBLE(), "1.5f", 1.5),
        (Types.DOUBLE(), "-Infinity", -math.inf),
        (Types.FLOAT(), "0.1", 0.10000000149011612),
        (Types.BIG_DEC(), "1.10", Decimal("1.10")),
        (Types.SQL_DATE(), "2020-02-29", DAY),
        (Types.SQL_TIME(), "01:02:03", TIME),
        (Types.SQL_TIME(), "01:02:03Z", TIME),
        (Types.SQL_TIMESTAMP(), "2020-02-29 01:02:03", datetime.datetime.combine(DAY, TIME)),
        (Types.SQL_TIMESTAMP(), "2020-02-29T01:02:03.5Z", datetime.datetime(2020, 2, 29, 1, 2, 3, 500_000)),
        (Types.SQL_TIMESTAMP(), "2020-02-29T01:02:03.000001999Z", datetime.datetime(2020, 2, 29, 1, 2, 3, 1)),
        (LOCAL_DATE, "2020-02-29", DAY),
        (LOCAL_TIME, "01:02:03", TIME),
        (
            LOCAL_DATE_TIME,
            "2020-02-29 01:02:03",
            datetime.datetime.combine(DAY, TIME),
        ),
        (Types.PRIMITIVE_ARRAY(Types.BYTE()), "aGk=", b"hi"),
    ],
)
def test_texts_are_read_as_java_reads_them(type_info, text, value):
    """Numbers may have blanks around them and a sign, times are those of ISO 8601 or of JDBC."""
    assert from_text(type_info)(text) == value


@pytest.mark.parametrize(
    ("type_info", "text"),
    [
        (Types.INT(), ""),
        (Types.INT(), "1_0"),
        (Types.INT(), "1.0"),
        (Types.INT(), "2147483648"),
        (Types.BYTE(), "128"),
        (Types.DOUBLE(), "nan"),
        (Types.DOUBLE(), "1_0"),
        (Types.BIG_DEC(), "NaN"),
        (Types.CHAR(), "ab"),
        (Types.SQL_DATE(), "20200229"),
        (Types.SQL_DATE(), "2020-02-30"),
        (Types.SQL_TIME(), "01:02"),
        (Types.SQL_TIMESTAMP(), "2020-02-29"),
        (Types.SQL_TIMESTAMP(), "2020-02-29T01:02:03+01:00"),
        (Types.PRIMITIVE_ARRAY(Types.BYTE()), "5"),
    ],
)
def test_other_texts_are_refused(type_info, text):
    """What Python takes for a number or a time and Java does not, what is out of range, other zones than UTC."""
    with pytest.raises((ValueError, TypeConversionError)):
        from_text(type_info)(text)


@pytest.mark.parametrize("type_info", [Types.INSTANT(), Types.ROW([]), Types.LIST(Types.INT())])
def test_some_types_have_no_text(type_info):
    """They are rows, arrays and instants."""
    assert from_text(type_info) is None
