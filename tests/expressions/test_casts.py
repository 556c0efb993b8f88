"""CAST of collections, whose elements Arrow keeps beside them."""

import datetime as dt

import pyarrow as pa
import pytest

from windrow.expressions.casts import cast, last_moments
from windrow.expressions.logical_types import arrow_of
from windrow.table import DataTypes

TEXTS, NUMBERS = DataTypes.ARRAY(DataTypes.STRING()), DataTypes.ARRAY(DataTypes.INT())
TEXT_MAP = DataTypes.MAP(DataTypes.STRING(), DataTypes.STRING())
NUMBER_MAP = DataTypes.MAP(DataTypes.INT(), DataTypes.INT())


@pytest.mark.parametrize(
    ("source", "target", "given", "expected"),
    [
        (TEXTS, NUMBERS, [["x"], ["1", None], None, [], ["2"]], [[1, None], None, [], [2]]),
        (TEXT_MAP, NUMBER_MAP, [[("x", "y")], [("1", "2")], None, [("3", None)]], [[(1, 2)], None, [(3, None)]]),
    ],
)
def test_elements_before_a_slice_are_not_cast(source, target, given, expected):
    """They are there, and no value shows them."""
    values = pa.array(given, arrow_of(source))[1:]
    found = cast(values, source, target)
    assert found.type == arrow_of(target)
    assert found.to_pylist() == expected
    assert cast(values[:0], source, target).to_pylist() == []


def test_elements_behind_null_are_not_cast():
    """Arrow may keep some there."""
    texts = pa.array(["x", "1"])
    values = pa.ListArray.from_arrays(pa.array([0, 1, 2], pa.int32()), texts, mask=pa.array([True, False]))
    assert cast(values, TEXTS, NUMBERS).to_pylist() == [None, [1]]


def test_rows_of_a_slice_keep_their_nulls():
    """The fields of a row that is NULL are not looked at."""
    source = DataTypes.ROW([DataTypes.FIELD("a", DataTypes.STRING())])
    target = DataTypes.ROW([DataTypes.FIELD("b", DataTypes.INT())])
    values = pa.array([{"a": "x"}, {"a": "1"}, None, {"a": None}], arrow_of(source))[1:]
    assert cast(values, source, target).to_pylist() == [{"b": 1}, None, {"b": None}]


@pytest.mark.parametrize(
    ("shown", "moment"),
    [
        ("2024-03-10 01:59", "2024-03-10 06:59"),
        ("2024-03-10 02:00", "2024-03-10 07:00"),
        ("2024-03-10 02:30", "2024-03-10 07:30"),
        ("2024-03-10 03:00", "2024-03-10 07:00"),
        ("2024-11-03 00:30", "2024-11-03 04:30"),
        ("2024-11-03 01:30", "2024-11-03 05:30"),
        ("2024-11-03 02:00", "2024-11-03 07:00"),
    ],
)
def test_what_clocks_show_is_a_moment_as_in_java(shown, moment):
    """In New York 02:30 is left out in March, and counts from before the change; 01:30 is there twice in November."""
    values = pa.array([dt.datetime.fromisoformat(shown), None])
    found = cast(values, DataTypes.TIMESTAMP(6), DataTypes.TIMESTAMP_LTZ(6), options=("America/New_York",))
    assert found.to_pylist() == [dt.datetime.fromisoformat(moment + "+00:00"), None]


@pytest.mark.parametrize(
    ("end", "moment"),
    [
        ("2024-03-10 02:00", "2024-03-10 07:00"),
        ("2024-03-10 02:30", "2024-03-10 07:00"),
        ("2024-03-10 03:00", "2024-03-10 07:00"),
        ("2024-11-03 01:00", "2024-11-03 05:00"),
        ("2024-11-03 01:30", "2024-11-03 06:30"),
        ("2024-11-03 02:00", "2024-11-03 07:00"),
    ],
)
def test_what_ends_in_an_hour_that_there_is_twice_ends_in_the_second(end, moment):
    """Clocks show it again an hour later, and a window until then is to have what is in both."""
    values = pa.array([dt.datetime.fromisoformat(end), None])
    last = dt.datetime.fromisoformat(moment + "+00:00") - dt.timedelta(milliseconds=1)
    assert last_moments(values, "America/New_York").to_pylist() == [last, None]
