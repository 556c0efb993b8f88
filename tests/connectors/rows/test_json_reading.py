"""JSON values as rows; what they become was read off Flink 2.3."""

import datetime
from decimal import Decimal

import pytest

from windrow.common import Row, Types
from windrow.common.basic_types import LocalTimeTypeInfo
from windrow.connectors.rows.errors import FieldError
from windrow.connectors.rows.json_reading import JsonRows, has_decimals

LOCAL_TIME = LocalTimeTypeInfo(LocalTimeTypeInfo.TimeType.LOCAL_TIME)

INNER = Types.ROW_NAMED(["x", "y"], [Types.INT(), Types.STRING()])


def rows(type_info, *values, fail_on_missing_field=False, ignore_parse_errors=False):
    row_type = Types.ROW_NAMED(["a"], [type_info])
    reader = JsonRows(row_type, fail_on_missing_field=fail_on_missing_field, ignore_parse_errors=ignore_parse_errors)
    return [row["a"] for row in reader.rows([{"a": value} for value in values])]


@pytest.mark.parametrize(
    ("type_info", "values", "expected"),
    [
        (Types.BOOLEAN(), [True, "TRUE ", 1, "x", None], [True, True, False, False, None]),
        (
            Types.STRING(),
            ["a", 5, 1e10, True, [1, "é"], {"x": None}, Decimal("1.10")],
            ["a", "5", "1.0E10", "true", '[1,"é"]', '{"x":null}', "1.1"],
        ),
        (Types.INT(), [5, " +5 ", 1.9, -1.9, None], [5, 5, 1, -1, None]),
        (Types.LONG(), [3e9, Decimal("2.5"), "7"], [3_000_000_000, 2, 7]),
        (Types.SHORT(), [5, "5"], [5, 5]),
        (Types.DOUBLE(), [5, "1.5f", 0.5, Decimal("0.1")], [5.0, 1.5, 0.5, 0.1]),
        (Types.DOUBLE(), [10**400], [float("inf")]),
        (Types.FLOAT(), [0.1], [0.10000000149011612]),
        (Types.BIG_DEC(), [1, Decimal("1.10"), "1.10"], [Decimal(1), Decimal("1.1"), Decimal("1.10")]),
        (Types.BIG_DEC(), [Decimal("0." + "123456789" * 5)], [Decimal("0." + "123456789" * 5)]),
        (Types.BIG_INT(), [10**20, "5"], [10**20, 5]),
        (Types.SQL_DATE(), ["2020-02-29"], [datetime.date(2020, 2, 29)]),
        (LOCAL_TIME, ["01:02:03Z"], [datetime.time(1, 2, 3)]),
        (Types.PRIMITIVE_ARRAY(Types.BYTE()), ["aGk=", None], [b"hi", None]),
        (Types.PRIMITIVE_ARRAY(Types.INT()), [[1, "2"]], [[1, 2]]),
        (Types.OBJECT_ARRAY(Types.STRING()), [["a", None, 1], []], [["a", None, "1"], []]),
        (Types.BASIC_ARRAY(Types.INT()), [[1, "2"]], [[1, 2]]),
        (Types.LIST(INNER), [[{"x": 1}]], [[Row(x=1, y=None)]]),
        (Types.MAP(Types.INT(), Types.STRING()), [{"1": 2, "3": None}], [{1: "2", 3: None}]),
        (INNER, [{"y": 2, "x": "1", "z": 0}, None], [Row(x=1, y="2"), None]),
    ],
)
def test_values_become_what_flink_makes_of_them(type_info, values, expected):
    """Numbers of texts, texts of everything, whole numbers of fractions; types included."""
    assert repr(rows(type_info, *values)) == repr(expected)


@pytest.mark.parametrize(
    ("type_info", "value"),
    [
        (Types.INT(), 3e9),
        (Types.INT(), 2**31),
        (Types.INT(), True),
        (Types.INT(), "x"),
        (Types.INT(), []),
        (Types.BOOLEAN(), []),
        (Types.BYTE(), 1.0),
        (Types.BIG_INT(), 1.5),
        (Types.DOUBLE(), True),
        (Types.BIG_DEC(), "NaN"),
        (Types.SQL_DATE(), 5),
        (Types.PRIMITIVE_ARRAY(Types.BYTE()), 5),
        (Types.OBJECT_ARRAY(Types.STRING()), "a"),
        (Types.BASIC_ARRAY(Types.INT()), ["x"]),
        (Types.MAP(Types.INT(), Types.STRING()), {"x": "a"}),
        (Types.MAP(Types.STRING(), Types.STRING()), []),
        (INNER, [1, "x"]),
        (INNER, {"x": "q"}),
    ],
)
def test_other_values_are_errors_or_none(type_info, value):
    """The error names the field; where parse errors are ignored, it is None."""
    with pytest.raises(FieldError, match="field 'a'"):
        rows(type_info, value)
    ignored = rows(type_info, value, ignore_parse_errors=True)
    assert ignored in ([None], [[None]], [{None: "a"}], [Row(x=None, y=None)])


def test_inner_fields_are_ignored_one_by_one():
    """What can be read of a row, an array or a map is kept."""
    assert rows(INNER, {"x": "q", "y": 1}, ignore_parse_errors=True) == [Row(x=None, y="1")]
    assert rows(Types.LIST(Types.INT()), [1, "q"], ignore_parse_errors=True) == [[1, None]]


def test_a_missing_field_is_none_or_an_error():
    """Also in inner rows; a null is not missing."""
    assert rows(INNER, {"x": 1}) == [Row(x=1, y=None)]
    assert rows(INNER, {"x": None, "y": None}, fail_on_missing_field=True) == [Row(x=None, y=None)]
    with pytest.raises(FieldError, match="field 'a': field 'y': it is missing"):
        rows(INNER, {"x": 1}, fail_on_missing_field=True)


def test_nulls_among_objects_are_none():
    """And everything else is refused."""
    reader = JsonRows(INNER, fail_on_missing_field=False, ignore_parse_errors=False)
    assert reader.rows([{"x": 1, "y": "a"}, None]) == [Row(x=1, y="a"), None]
    with pytest.raises(TypeError, match="a JSON object is expected"):
        reader.rows([[1]])


@pytest.mark.parametrize("type_info", [Types.INSTANT(), Types.PICKLED_BYTE_ARRAY(), Types.TUPLE([Types.INT()])])
def test_types_without_json_are_refused_at_once(type_info):
    """Not at the first message."""
    with pytest.raises(FieldError, match="there is no JSON"):
        rows(type_info)


def test_decimals_are_found_wherever_they_are():
    """Then fractions are read with all their digits."""
    for type_info in (
        Types.ROW_NAMED(["a"], [Types.BIG_DEC()]),
        Types.MAP(Types.STRING(), Types.BIG_DEC()),
        Types.LIST(Types.BIG_DEC()),
    ):
        assert has_decimals(Types.ROW([Types.INT(), type_info]))
    assert not has_decimals(Types.ROW([Types.INT(), Types.BIG_INT(), Types.SQL_DATE()]))
