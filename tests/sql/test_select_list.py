"""The list behind SELECT."""

import pytest

from windrow.errors import SqlError
from windrow.table import DataTypes, EnvironmentSettings, TableEnvironment

INNER = DataTypes.ROW([DataTypes.FIELD("a", DataTypes.INT())])
ROW = DataTypes.ROW([DataTypes.FIELD("n", DataTypes.INT()), DataTypes.FIELD("r", INNER)])


def columns(query):
    tables = TableEnvironment.create(EnvironmentSettings.in_batch_mode())
    tables.create_temporary_view("t", tables.from_elements([(1, (2,))], ROW))
    return tables.sql_query(query).get_schema().get_field_names()


@pytest.mark.parametrize(
    ("listed", "names"),
    [
        ("*", ["n", "r"]),
        ("t.*, n", ["n", "r", "n0"]),
        ("n, n, n + 1", ["n", "n0", "EXPR$2"]),
        ("r.*, n AS m", ["a", "m"]),
        ("t.r.*", ["a"]),
    ],
)
def test_columns_have_the_names_that_are_written(listed, names):
    """A star stands for all columns, of a table or of a row; what has no name, or one of another, gets a number."""
    assert columns(f"SELECT {listed} FROM t") == names


def test_a_star_of_nothing_is_an_error():
    """Of a name that is neither a table's nor a row's."""
    with pytest.raises(SqlError, match="there is no table 's' here: "):
        columns("SELECT s.* FROM t")
