"""Types of single values."""

import datetime
import decimal
import pickle

import numpy as np
import pytest

from windrow.common.basic_types import LocalTimeTypeInfo, SqlTimeTypeInfo
from windrow.common.time import Instant
from windrow.common.typeinfo import Types
from windrow.errors import TypeConversionError

MOMENT = datetime.datetime(2020, 1, 2, 3, 4, 5)

FITS = [
    (Types.STRING(), "a", "a"),
    (Types.STRING(), None, None),
    (Types.STRING(), np.str_("a"), "a"),
    (Types.BYTE(), -128, -128),
    (Types.SHORT(), 32767, 32767),
    (Types.INT(), 2**31 - 1, 2**31 - 1),
    (Types.INT(), True, 1),
    (Types.INT(), np.int64(7), 7),
    (Types.LONG(), -(2**63), -(2**63)),
    (Types.FLOAT(), 0.1, 0.10000000149011612),
    (Types.FLOAT(), 1, 1.0),
    (Types.FLOAT(), 1e300, float("inf")),
    (Types.DOUBLE(), 1, 1.0),
    (Types.DOUBLE(), np.float32(0.5), 0.5),
    (Types.CHAR(), "x", "x"),
    (Types.BOOLEAN(), np.bool_(True), True),
    (Types.BIG_INT(), 2**100, 2**100),
    (Types.BIG_INT(), None, None),
    (Types.BIG_DEC(), decimal.Decimal("1.5"), decimal.Decimal("1.5")),
    (Types.BIG_DEC(), 2, decimal.Decimal(2)),
    (Types.INSTANT(), Instant(1, 2), Instant(1, 2)),
    (Types.SQL_DATE(), MOMENT, MOMENT.date()),
    (Types.SQL_TIME(), MOMENT.time(), MOMENT.time()),
    (Types.SQL_TIMESTAMP(), MOMENT, MOMENT),
    (Types.PICKLED_BYTE_ARRAY(), object, object),
    (LocalTimeTypeInfo(LocalTimeTypeInfo.TimeType.LOCAL_DATE), MOMENT, MOMENT.date()),
    (LocalTimeTypeInfo(LocalTimeTypeInfo.TimeType.LOCAL_DATE_TIME), MOMENT, MOMENT),
]

REFUSED = [
    (Types.STRING(), 1),
    (Types.STRING(), b"a"),
    (Types.BYTE(), 128),
    (Types.SHORT(), -32769),
    (Types.INT(), 2**40),
    (Types.INT(), 1.0),
    (Types.INT(), "1"),
    (Types.INT(), None),
    (Types.LONG(), 2**63),
    (Types.FLOAT(), "1"),
    (Types.DOUBLE(), "1"),
    (Types.DOUBLE(), None),
    (Types.CHAR(), "ab"),
    (Types.BOOLEAN(), 1),
    (Types.BOOLEAN(), np.int64(1)),
    (Types.BIG_INT(), 1.5),
    (Types.BIG_DEC(), 1.5),
    (Types.INSTANT(), 1),
    (Types.SQL_DATE(), "2020-01-01"),
    (Types.SQL_TIME(), MOMENT),
    (Types.SQL_TIMESTAMP(), MOMENT.date()),
]


@pytest.mark.parametrize(("type_info", "given", "expected"), FITS)
def test_values_that_fit_are_converted(type_info, given, expected):
    """A value that fits comes out as the plain Python value of the type."""
    for convert in (type_info.to_internal_type, type_info.converter()):
        converted = convert(given)
        assert converted == expected
        assert type(converted) is type(expected)


@pytest.mark.parametrize(("type_info", "given"), REFUSED)
def test_values_that_do_not_fit_are_refused(type_info, given):
    """A value that does not fit is an error that names the type and the value."""
    with pytest.raises(TypeConversionError, match=r"^Types\.\w+\(\) takes .*got "):
        type_info.to_internal_type(given)


def test_types_are_values():
    """Types compare by what they describe, hash alike and survive pickling with what they do."""
    distinct = {type_info for type_info, *_ in FITS}
    assert len(distinct) == len({repr(type_info) for type_info in distinct}) == 18
    for type_info, given, expected in FITS:
        copy = pickle.loads(pickle.dumps(type_info))
        assert copy == type_info
        assert copy.to_internal_type(given) == expected


def test_only_pickled_elements_need_no_conversion():
    """A runtime may pass elements of no declared type on as they are."""
    assert not Types.PICKLED_BYTE_ARRAY().need_conversion()
    assert Types.INT().need_conversion()


def test_sql_types_have_two_names():
    """The types of java.sql are those of Types."""
    assert SqlTimeTypeInfo.DATE() == Types.SQL_DATE()
    assert SqlTimeTypeInfo.TIME() == Types.SQL_TIME()
    assert SqlTimeTypeInfo.TIMESTAMP() == Types.SQL_TIMESTAMP()
