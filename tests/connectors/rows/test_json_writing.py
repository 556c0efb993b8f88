"""Rows as JSON; the texts were read off Flink 2.3."""

import datetime
import math
from decimal import Decimal

import pytest

from windrow.common import Row, Types
from windrow.common.basic_types import LocalTimeTypeInfo
from windrow.connectors.rows.errors import FieldError
from windrow.connectors.rows.json_writing import json_writer, row_writer

LOCAL_DATE_TIME = LocalTimeTypeInfo(LocalTimeTypeInfo.TimeType.LOCAL_DATE_TIME)
LOCAL_TIME = LocalTimeTypeInfo(LocalTimeTypeInfo.TimeType.LOCAL_TIME)

INNER = Types.ROW_NAMED(["x", "y"], [Types.INT(), Types.STRING()])


@pytest.mark.parametrize(
    ("type_info", "value", "text"),
    [
        (Types.INT(), 5, "5"),
        (Types.BOOLEAN(), True, "true"),
        (Types.STRING(), 'é"\\\n/\x01', '"é\\"\\\\\\n/\\u0001"'),
        (Types.DOUBLE(), 1e10, "1.0E10"),
        (Types.DOUBLE(), math.nan, '"NaN"'),
        (Types.DOUBLE(), -math.inf, '"-Infinity"'),
        (Types.FLOAT(), 0.10000000149011612, "0.1"),
        (Types.BIG_DEC(), Decimal("1.10"), "1.10"),
        (Types.BIG_DEC(), Decimal("1E+3"), "1000"),
        (Types.BIG_INT(), 10**20, "1" + "0" * 20),
        (Types.SQL_DATE(), datetime.date(2020, 2, 29), '"2020-02-29"'),
        (Types.SQL_TIME(), datetime.time(1, 2), '"01:02:00Z"'),
        (LOCAL_TIME, datetime.time(1, 2, 3), '"01:02:03Z"'),
        (Types.SQL_TIMESTAMP(), datetime.datetime(2020, 2, 29, 1, 2), '"2020-02-29T01:02:00Z"'),
        (
            LOCAL_DATE_TIME,
            datetime.datetime(2020, 2, 29, 1, 2, 3, 5),
            '"2020-02-29T01:02:03.000005Z"',
        ),
        (Types.PRIMITIVE_ARRAY(Types.BYTE()), b"hi\xff", '"aGn/"'),
        (Types.OBJECT_ARRAY(Types.STRING()), ["a", None], '["a",null]'),
        (Types.PRIMITIVE_ARRAY(Types.INT()), [1, 2], "[1,2]"),
        (Types.MAP(Types.INT(), Types.STRING()), {1: "a", 2: None}, '{"1":"a","2":null}'),
        (INNER, Row(1, None), '{"x":1,"y":null}'),
        (INNER, None, "null"),
    ],
)
def test_values_are_written_as_flink_writes_them(type_info, value, text):
    """Byte for byte."""
    assert json_writer("a", type_info)(value) == text


def test_names_are_texts():
    """Whatever is in them."""
    assert row_writer(Types.ROW_NAMED(['%s"'], [Types.INT()]))(Row(1)) == '{"%s\\"":1}'


@pytest.mark.parametrize("type_info", [Types.INSTANT(), Types.PICKLED_BYTE_ARRAY(), Types.TUPLE([Types.INT()])])
def test_types_without_json_are_refused_at_once(type_info):
    """Not at the first row."""
    with pytest.raises(FieldError, match="field 'a': there is no JSON"):
        json_writer("a", type_info)
