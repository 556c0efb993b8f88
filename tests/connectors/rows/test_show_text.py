"""Values as texts."""

import datetime
import math
import struct
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from windrow.common import Types
from windrow.common.basic_types import LocalTimeTypeInfo
from windrow.common.parse_text import from_text
from windrow.common.printing import java_string
from windrow.connectors.rows.show_text import to_text

LOCAL_DATE_TIME = LocalTimeTypeInfo(LocalTimeTypeInfo.TimeType.LOCAL_DATE_TIME)

SINGLES = st.floats(width=32, allow_nan=False)
VALUES = st.one_of(
    st.tuples(st.just(Types.STRING()), st.text()),
    st.tuples(st.just(Types.BOOLEAN()), st.booleans()),
    st.tuples(st.just(Types.LONG()), st.integers(-(2**63), 2**63 - 1)),
    st.tuples(st.just(Types.DOUBLE()), st.floats(allow_nan=False)),
    st.tuples(st.just(Types.FLOAT()), SINGLES),
    st.tuples(st.just(Types.SQL_DATE()), st.dates(datetime.date(1, 1, 1))),
    st.tuples(st.just(Types.SQL_TIME()), st.times()),
    st.tuples(st.just(Types.SQL_TIMESTAMP()), st.datetimes()),
    st.tuples(st.just(LOCAL_DATE_TIME), st.datetimes()),
    st.tuples(st.just(Types.PRIMITIVE_ARRAY(Types.BYTE())), st.binary()),
)


@given(VALUES)
def test_what_is_shown_is_read_back(typed):
    """Whatever the type and the value."""
    type_info, value = typed
    assert from_text(type_info)(to_text(type_info)(value)) == value


@given(st.decimals(allow_nan=False, allow_infinity=False, places=9))
def test_decimals_have_all_their_digits(value):
    """And no exponent."""
    shown = to_text(Types.BIG_DEC())(value)
    assert Decimal(shown) == value
    assert "E" not in shown


@given(st.floats())
def test_doubles_are_javas(value):
    """Also between the bounds where Python's text is taken."""
    assert to_text(Types.DOUBLE())(value) == java_string(value, Types.DOUBLE())


@pytest.mark.parametrize(
    ("type_info", "value", "text"),
    [
        (Types.DOUBLE(), 1e-5, "1.0E-5"),
        (Types.DOUBLE(), math.nan, "NaN"),
        (Types.FLOAT(), struct.unpack("f", struct.pack("f", 0.1))[0], "0.1"),
        (Types.BIG_DEC(), Decimal("1E+30"), "1" + "0" * 30),
        (Types.SQL_TIME(), datetime.time(1, 2), "01:02:00"),
        (Types.SQL_TIMESTAMP(), datetime.datetime(2020, 2, 29, 1, 2), "2020-02-29 01:02:00.0"),
        (
            LOCAL_DATE_TIME,
            datetime.datetime(2020, 2, 29, 1, 2, 3, 500_000),
            "2020-02-29 01:02:03.5",
        ),
        (
            LOCAL_DATE_TIME,
            datetime.datetime(2020, 2, 29, 0, 0, tzinfo=datetime.timezone(datetime.timedelta(hours=1))),
            "2020-02-28 23:00:00",
        ),
    ],
)
def test_texts_are_flinks(type_info, value, text):
    """Read off Flink 2.3; a time with a zone is shown in UTC."""
    assert to_text(type_info)(value) == text
