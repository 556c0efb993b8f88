"""Rows with names out of columns."""

import pickle

import pytest

from windrow.common import Row
from windrow.elements.named_rows import named_rows


def test_rows_are_as_if_made_one_by_one():
    """Equal, with kind and names, and they pickle."""
    rows = named_rows(["n", "s"], [[1, None], ("a", "b")])
    assert rows == [Row(n=1, s="a"), Row(n=None, s="b")]
    assert pickle.loads(pickle.dumps(rows)) == rows
    rows[0]["n"] = 5
    rows[0].set_field_names(["x", "y"])
    assert rows[1] == Row(n=None, s="b")


def test_columns_are_of_one_length():
    """None is cut."""
    with pytest.raises(ValueError, match="shorter"):
        named_rows(["n", "s"], [[1, 2], ["a"]])
