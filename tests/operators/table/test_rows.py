"""Elements of streams as tuples of a table."""

import pytest

from windrow.errors import UserFunctionError
from windrow.expressions.logical_types import BIGINT, STRING
from windrow.operators.table.rows import ToTuplesOperator
from windrow.testing import OperatorHarness


def test_dicts_have_their_values_by_name():
    """None is NULL, and what no column is called is left out."""
    harness = OperatorHarness(ToTuplesOperator(["n", "s"], [BIGINT, STRING], [0, 1]))
    harness.process_elements([({"s": "a", "n": 1, "x": 2}, 0), ({"n": None, "s": None}, 0)])
    assert harness.values() == [(1, "a"), (None, None)]


def test_a_dict_without_a_column_is_an_error():
    """A name that was misspelt would be a column of NULL."""
    harness = OperatorHarness(ToTuplesOperator(["amuont"], [BIGINT], [0]))
    with pytest.raises(
        UserFunctionError, match=r"column 'amuont': the element, a dict, has no such key; it has \['amount'\]"
    ):
        harness.process_element({"amount": 1}, 0)
