"""Columns as few bytes."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from windrow.elements.batch import Batch
from windrow.elements.columns import Columns
from windrow.elements.packed import packed
from windrow.elements.shape import LONG, RowShape, ScalarShape, TupleShape

EDGES = [0, 1, 255, 256, 65_535, 65_536, 2**32 - 1, 2**32, 2**63 - 1]
NUMBERS = st.sampled_from(EDGES + [-edge for edge in EDGES] + [-(2**63)]) | st.integers(-(2**63), 2**63 - 1)
TRIPLE = TupleShape((pa.int64(), pa.float64(), pa.string()))


@given(st.lists(NUMBERS, max_size=5), st.integers(-(2**63), 2**63 - 1), st.integers(0, 2**20))
def test_whole_numbers_come_back_whatever_their_range_is(numbers, timestamp, span):
    """The least and the greatest of 64 bits, too; timestamps and keys with them."""
    times = np.array([min(timestamp + index * span, 2**63 - 1) for index in range(len(numbers))], np.int64)
    keys = Columns.of(LONG, [np.array(numbers, np.int64)])
    sent = Batch(Columns.of(LONG, [np.array(numbers, np.int64)]), times, keys)
    back = packed(sent).batch()
    assert list(back.elements) == list(back.keys) == numbers
    assert back.timestamp_list() == times.tolist()
    assert back.columns.batch.schema == LONG.schema


@given(st.lists(st.tuples(st.none() | NUMBERS, st.none() | st.floats(allow_nan=False), st.none() | st.text())))
def test_other_columns_and_nulls_come_back(rows):
    """As Arrow writes them."""
    columns = zip(*rows, strict=True) if rows else ((), (), ())
    arrays = [pa.array(list(each), kind) for each, kind in zip(columns, TRIPLE.types, strict=True)]
    back = packed(Batch(Columns.of(TRIPLE, arrays), np.zeros(len(rows), np.int64), ["key"] * len(rows))).batch()
    assert list(back.elements) == rows
    assert back.keys == ["key"] * len(rows)


@pytest.mark.parametrize(
    ("numbers", "kind"),
    [
        ([7, 7], pa.null()),
        ([-1, 254], pa.uint8()),
        ([0, 256], pa.uint16()),
        ([5, 65_541], pa.uint32()),
        ([0, 2**32], pa.int64()),
        ([-(2**63), 2**63 - 1], pa.int64()),
    ],
)
def test_numbers_take_as_many_bytes_as_their_range(numbers, kind):
    """No bytes, where all of them are one number."""
    numbers = np.array(numbers)
    assert packed(Batch(Columns.of(LONG, [numbers]), numbers)).types == (kind,)


def test_numbers_of_other_types_stay_what_they_are():
    """Only integers of 64 bits are written in fewer."""
    shape = RowShape((pa.int32(), pa.float32()), field_names=("n", "f"))
    given = Columns.of(shape, [np.array([1, 2], np.int32), np.array([0.5, 1.5], np.float32)])
    back = packed(Batch(given, np.zeros(2, np.int64))).batch()
    assert back.columns.batch.equals(given.batch)


def test_rows_are_not_packed():
    """Nor are columns of elements without fields."""
    assert packed(Batch([1], [2])) is None
    assert packed(Batch(Columns(pa.record_batch({"f0": pa.array([1])}), ScalarShape.of(pa.int64())), [2])) is not None
