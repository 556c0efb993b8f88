"""A statement and the rows that fill it."""

import pickle

import pytest

from windrow.common import Row, Types
from windrow.connectors.jdbc.statement import Statement
from windrow.errors import ConfigurationError, ConfigurationTypeError, TypeConversionError

NAMED = Types.ROW_NAMED(["shop", "cents"], [Types.STRING(), Types.LONG()])


def test_rows_fill_the_placeholders_in_order():
    """Rows, tuples, lists; rows and dictionaries with names by these."""
    statement = Statement("INSERT INTO t VALUES (?, ?)", NAMED, "sqlite")
    elements = [Row("a", 1), ("b", 2), ["c", 3], Row(cents=4, shop="d"), {"cents": 5, "shop": None}]
    assert statement.values(elements) == [("a", 1), ("b", 2), ("c", 3), ("d", 4), (None, 5)]
    assert statement.parameters([("a", 1)]) == [{"p0": "a", "p1": 1}]


@pytest.mark.parametrize("fields", [1, 3])
def test_there_are_as_many_placeholders_as_fields(fields):
    """Else the call is refused, with both numbers."""
    with pytest.raises(ConfigurationError, match=f"has 2 placeholders, and type_info {fields} fields"):
        Statement("INSERT INTO t VALUES (?, ?)", Types.ROW([Types.INT()] * fields), "sqlite")


@pytest.mark.parametrize("type_info", [None, Types.INT(), [Types.INT()], int])
def test_the_type_is_that_of_a_row(type_info):
    """Fields are what placeholders are filled from."""
    with pytest.raises(ConfigurationTypeError, match=r"type_info of JdbcSink\.sink must be the type of a row"):
        Statement("INSERT INTO t VALUES (?)", type_info, "sqlite")


@pytest.mark.parametrize("element", [None, ("a", "b"), ("a",), 3, ("a", 2**63)])
def test_an_element_of_another_type_is_refused(element):
    """Also by databases that take anything for a number, as SQLite does."""
    with pytest.raises(TypeConversionError):
        Statement("INSERT INTO t VALUES (?, ?)", NAMED, "sqlite").values([element])


def test_statements_travel_to_workers():
    """As a part of the sink."""
    statement = pickle.loads(pickle.dumps(Statement("INSERT INTO t VALUES (?, ?)", NAMED, "postgresql")))
    assert str(statement.text) == "INSERT INTO t VALUES (:p0, :p1)"
