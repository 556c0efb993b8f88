"""Tables of rows that a program gives."""

from collections import namedtuple
from dataclasses import dataclass

import pytest

from tests.table.columns import columns_of
from windrow.common import Row
from windrow.datastream import StreamExecutionEnvironment
from windrow.errors import ConfigurationError, ConfigurationTypeError
from windrow.table import DataTypes, StreamTableEnvironment

KINDS = DataTypes.ROW([DataTypes.FIELD("b", DataTypes.INT()), DataTypes.FIELD("a", DataTypes.STRING())])
Pair = namedtuple("Pair", "b a")


@dataclass
class Point:
    y: int
    x: int


@pytest.fixture
def tables():
    return StreamTableEnvironment.create(StreamExecutionEnvironment.create_local_environment(parallelism=1))


def rows(table):
    return [tuple(row) for row in table.execute().collect()]


def test_dicts_are_rows_whose_columns_are_sorted_by_name(tables):
    """As in PyFlink; behind those of the first one come what others have more, and what one lacks is NULL."""
    table = tables.from_elements([{"b": 1, "a": "x"}, {"c": True, "a": "y"}])
    assert columns_of(table) == [("a", "STRING"), ("b", "BIGINT"), ("c", "BOOLEAN")]
    assert rows(table) == [("x", 1, None), ("y", None, True)]
    assert rows(tables.from_elements([{"b": 1, "a": "x"}], ["b", "a"])) == [("x", 1)]
    with pytest.raises(ConfigurationError, match=r"element 0 has fields that schema does not name: b"):
        tables.from_elements([{"b": 1, "a": "x"}], ["a"])


def test_dicts_are_rows_of_a_type_by_its_names(tables):
    """In the order of the type."""
    assert rows(tables.from_elements([{"a": "x", "b": 1}, {"b": 2, "a": None}], KINDS)) == [(1, "x"), (2, None)]


@pytest.mark.parametrize("row", [Row(b=1, a="x"), Pair(1, "x")], ids=["Row", "namedtuple"])
def test_rows_with_names_have_columns_of_these_names(tables, row):
    """Unless others are given."""
    assert columns_of(tables.from_elements([row])) == [("b", "BIGINT"), ("a", "STRING")]
    assert columns_of(tables.from_elements([row], ["m", "n"])) == [("m", "BIGINT"), ("n", "STRING")]


def test_objects_are_rows_of_their_fields(tables):
    """Sorted by name, as dicts are."""
    assert columns_of(tables.from_elements([Point(1, 2)])) == [("x", "BIGINT"), ("y", "BIGINT")]
    assert rows(tables.from_elements([Point(1, 2)])) == [(2, 1)]


def test_values_without_a_name_are_numbered(tables):
    """Those behind the names that are given as well; none is left out."""
    table = tables.from_elements([(1, "x"), (2, "y", True)], ["n"])
    assert columns_of(table) == [("n", "BIGINT"), ("_2", "STRING"), ("_3", "BOOLEAN")]
    assert rows(table) == [(1, "x", None), (2, "y", True)]
    with pytest.raises(ConfigurationError, match=r"schema has 3 names, and element 1 2 values: \(3, 4\)"):
        tables.from_elements([(1, 2, 3), (3, 4)], ["a", "b", "c"])


def test_no_elements_are_a_table_where_their_types_are_said(tables):
    """Else nothing says what columns there are."""
    empty = tables.from_elements([], KINDS)
    assert columns_of(empty) == [("b", "INT"), ("a", "STRING")]
    assert rows(empty) == []
    for schema in (None, ["a", "b"]):
        with pytest.raises(ConfigurationError, match=r"got no elements.*give the schema DataTypes.ROW"):
            tables.from_elements([], schema)


def test_what_is_no_row_is_refused(tables):
    """With its place; so is a schema that is none."""
    with pytest.raises(ConfigurationTypeError, match=r"element 1 is 7 \(int\)"):
        tables.from_elements([(1,), 7])
    with pytest.raises(ConfigurationTypeError, match=r"schema of from_elements is DataTypes.ROW"):
        tables.from_elements([(1,)], DataTypes.INT())
