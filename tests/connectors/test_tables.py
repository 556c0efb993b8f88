"""What ``from_collection`` takes for elements."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from windrow.common import Row, Types
from windrow.connectors.tables import elements_of
from windrow.errors import ConfigurationTypeError


class Stream:
    """A table that only gives Arrow's stream and its columns, as Polars' do."""

    columns = ("n",)

    def __arrow_c_stream__(self, requested_schema=None):
        return pa.table({"n": [1, 2]}).__arrow_c_stream__(requested_schema)


@pytest.mark.parametrize(
    "table",
    [
        pd.DataFrame({"n": [1, 2]}),
        pd.DataFrame({"n": [1, 2]}, index=["x", "y"]),
        pa.table({"n": [1, 2]}),
        pa.record_batch({"n": [1, 2]}),
        pa.table({"n": [1, 2]}).to_reader(),
        Stream(),
    ],
    ids=["pandas", "pandas with an index", "arrow", "record batch", "reader", "stream"],
)
def test_rows_of_a_table(table):
    """Named as its columns are, and of their types."""
    elements, type_info = elements_of(table)
    assert elements == [Row(n=1), Row(n=2)]
    assert type_info == Types.ROW_NAMED(["n"], [Types.LONG()])


def test_what_is_missing_is_none():
    """Pandas' NaN is a null."""
    elements, type_info = elements_of(pd.DataFrame({"s": ["a", None], "f": [1.5, float("nan")], "t": [[1], [2]]}))
    assert elements == [Row(s="a", f=1.5, t=[1]), Row(s=None, f=None, t=[2])]
    assert type_info.get_field_types() == [Types.STRING(), Types.DOUBLE(), Types.PICKLED_BYTE_ARRAY()]


def test_a_table_without_columns():
    """It has no rows, or as many empty ones as it says."""
    assert elements_of(pd.DataFrame())[0] == []


@pytest.mark.parametrize(
    ("collection", "elements"),
    [
        ([1, "a"], [1, "a"]),
        ((1, 2), [1, 2]),
        ({1}, [1]),
        (range(2), [0, 1]),
        ((n for n in (1, 2)), [1, 2]),
        ({"a": 1}.items(), [("a", 1)]),
        (np.array([1, 2]), [1, 2]),
        (np.array([[1], [2]]), [[1], [2]]),
        (np.array([(1, 2.5)], dtype=[("a", "i4"), ("b", "f8")]), [(1, 2.5)]),
        (pd.Series([1, 2]), [1, 2]),
        (pa.array([1, None]), [1, None]),
    ],
    ids=str,
)
def test_elements(collection, elements):
    """In order, as Python's own values."""
    given, type_info = elements_of(collection)
    assert given == elements
    assert list(map(type, given)) == list(map(type, elements))
    assert type_info is None


class SparkFrame:
    isStreaming = False  # noqa: N815


class Lazy:
    columns = ("a",)


@pytest.mark.parametrize(
    ("collection", "remedy"),
    [
        ("abc", "give a list of elements"),
        (b"abc", "give a list of elements"),
        (7, "give a list of elements"),
        (None, "give a list of elements"),
        ({"a": 1}, r"its keys: give list\(d.items\(\)\)"),
        (SparkFrame(), "env.from_dataframe takes a Spark DataFrame"),
        (Lazy(), "make a pandas or Arrow table of it"),
        (np.array(1), "it is one value"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_is_no_collection_of_elements(collection, remedy):
    """The error says what to give instead."""
    with pytest.raises(ConfigurationTypeError, match=f"from_collection takes a list of elements; got .*{remedy}"):
        elements_of(collection)
