import datetime

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from windrow.common import Row, Types
from windrow.elements.from_table import as_table, columns_from_table, declared_shape, is_table
from windrow.errors import ElementError

TABLE = pa.table({"n": [1, 2], "s": ["a", "b"]})


class Frame:
    """What any library gives that knows Arrow's interface."""

    def __arrow_c_stream__(self, requested_schema=None):
        return TABLE.__arrow_c_stream__(requested_schema)


@pytest.mark.parametrize(
    "result",
    [TABLE, TABLE.to_batches()[0], TABLE.to_pandas(), Frame(), {"n": np.array([1, 2]), "s": ["a", "b"]}],
    ids=["Table", "RecordBatch", "pandas", "interface", "dict"],
)
def test_whatever_arrow_reads_is_a_table(result):
    """Tables, frames of any library with Arrow's interface and dicts of columns are tables."""
    assert is_table(result)
    assert as_table(result).to_pydict() == TABLE.to_pydict()


def test_an_index_is_left_out():
    """What is left of a frame has no column for its index."""
    frame = pd.DataFrame({"n": [1, 2, 3]})

    assert as_table(frame[frame["n"] > 1]).to_pydict() == {"n": [2, 3]}


def test_arrays_are_copied():
    """Who writes into an array of NumPy or pandas again changes no element."""
    array = np.array([1, 2])
    frame = pd.DataFrame({"n": array}, copy=False)
    tables = [as_table({"n": array}), as_table(frame)]
    array[:] = 0
    frame["n"] = 0

    assert [table.to_pydict() for table in tables] == [{"n": [1, 2]}] * 2


@pytest.mark.parametrize("result", [5, None, [1], pa.array([1]), pd.Series([1]), {"n": 5}, {"n": [1], "m": [1, 2]}])
def test_what_is_no_table(result):
    """Anything else is an error that says what a function may return, or what is wrong with it."""
    with pytest.raises(ElementError, match=r"must return a table|cannot be read as a table"):
        as_table(result)


def test_what_rows_become():
    """Rows with the names of the columns, or what the declared type says; a Row's fields are found by name."""
    assert list(columns_from_table(TABLE)) == [Row(n=1, s="a"), Row(n=2, s="b")]
    turned = Types.ROW_NAMED(["s", "n"], [Types.STRING(), Types.LONG()])
    assert list(columns_from_table(TABLE, turned)) == [Row(s="a", n=1), Row(s="b", n=2)]
    assert list(columns_from_table(TABLE, Types.TUPLE([Types.LONG(), Types.STRING()]))) == [(1, "a"), (2, "b")]
    assert list(columns_from_table(TABLE.select(["s"]), Types.STRING())) == ["a", "b"]


@pytest.mark.parametrize(
    ("declared", "message"),
    [
        (Types.ROW_NAMED(["n", "t"], [Types.LONG(), Types.LONG()]), r"has the columns \['n', 't'\]"),
        (Types.TUPLE([Types.LONG()]), "a tuple of 1 fields"),
        (Types.LONG(), "that of one column"),
    ],
)
def test_other_columns_than_declared(declared, message):
    """A table with other columns than the declared type is an error that names both."""
    with pytest.raises(ElementError, match=message):
        columns_from_table(TABLE, declared)


def test_columns_of_one_name():
    """Two columns of one name are no Row."""
    with pytest.raises(ElementError, match="different names"):
        columns_from_table(pa.table([[1], [2]], names=["n", "n"]))


def test_rows_without_columns():
    """A table of rows without columns has no elements."""
    with pytest.raises(ElementError, match="2 rows without any"):
        columns_from_table(TABLE.select([]))
    assert list(columns_from_table(pa.table({}))) == []


@pytest.mark.parametrize(
    ("array", "kind"),
    [
        (pa.array([1, None], pa.int8()), pa.int64()),
        (pa.array([1], pa.uint64()), pa.int64()),
        (pa.array([2**63], pa.uint64()), pa.uint64()),
        (pa.array([0.5], pa.float32()), pa.float64()),
        (pa.array(["a", "b", "a"]).dictionary_encode(), pa.string()),
        (pa.array(["a"], pa.large_string()), pa.string()),
        (pa.array([datetime.datetime(2024, 1, 1)], pa.timestamp("ns")), pa.timestamp("us")),
        (pa.array([datetime.timedelta(1)], pa.duration("ns")), pa.duration("us")),
    ],
)
def test_columns_are_made_plain(array, kind):
    """Narrow numbers, large texts, dictionaries and nanoseconds become types that other operators know."""
    columns = columns_from_table(pa.table({"n": pa.chunked_array([array, array])}))

    assert columns.shape.types == (kind,)
    assert [row.n for row in columns] == array.cast(kind).to_pylist() * 2


def test_the_shape_that_a_type_says():
    """Types of plain values say their columns before there are any; any Python object does not."""
    assert declared_shape(Types.PICKLED_BYTE_ARRAY()) is None
    assert declared_shape(Types.LIST(Types.LONG())) is None
    for declared in (Types.LONG(), Types.TUPLE([Types.INT()]), Types.ROW_NAMED(["n"], [Types.LONG()])):
        assert declared_shape(declared) == columns_from_table(pa.table({"n": [1]}), declared).shape
