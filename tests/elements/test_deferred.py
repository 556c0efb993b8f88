"""Fields that are made when somebody asks for them."""

import numpy as np
import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from windrow.elements.batch import Batch
from windrow.elements.columns import Columns
from windrow.elements.deferred import ReadFields
from windrow.elements.shape import RowShape, TupleShape

TYPES = (pa.int64(), pa.string(), pa.float64(), pa.int32(), pa.bool_(), pa.int64())
NAMES = ("n", "s", "f", "i", "b", "t")
VALUES = st.tuples(
    st.none() | st.integers(-(2**63), 2**63 - 1),
    st.none() | st.text(),
    st.floats(allow_nan=False),
    st.integers(-(2**31), 2**31 - 1),
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1),
)
SHAPES = st.sampled_from([TupleShape(TYPES), RowShape(TYPES, field_names=NAMES)])


class Reader:
    """Gives arrays, and notes which."""

    def __init__(self, rows):
        columns = list(zip(*rows, strict=True)) or [()] * len(TYPES)
        self.arrays = [pa.array(values, kind) for values, kind in zip(columns, TYPES, strict=True)]
        self.read_fields = []

    def read(self, number, index):
        self.read_fields.append(index)
        return self.arrays[index]


def batches(rows, shape):
    """The same elements as plain columns, and as columns whose fields are read when they are asked for."""
    reader = Reader(rows)
    plain = Columns(pa.RecordBatch.from_arrays(reader.arrays, schema=shape.schema), shape)
    fields = ReadFields(reader, 0, len(TYPES), len(rows))
    # A field may be the timestamps, as where a row carries its own.
    made = [
        Batch(elements, np.asarray(elements.fields[-1].to_numpy()))
        for elements in (plain, Columns.deferred(shape, fields))
    ]
    return *made, reader


def arrow(field):
    return field if isinstance(field, pa.Array) else pa.array(field)


def content(batch):
    return list(batch.elements), batch.timestamp_list()


@settings(deadline=None)
@given(rows=st.lists(VALUES, max_size=12), shape=SHAPES, data=st.data())
def test_they_are_what_the_columns_are(rows, shape, data):
    """Whatever is cut, chosen, copied or asked for in between, and in what order."""
    plain, deferred, _ = batches(rows, shape)
    for _ in range(data.draw(st.integers(0, 4))):
        count = len(plain)
        what = data.draw(st.sampled_from(["slice", "take", "keep", "copy", "ask", "arrays", "part"]))
        if what == "slice":
            start = data.draw(st.integers(0, count))
            stop = data.draw(st.integers(start, count + 2))
            plain, deferred = plain.slice(start, stop), deferred.slice(start, stop)
        elif what == "part":
            start, stop = data.draw(st.integers(0, count + 2)), data.draw(st.integers(0, count + 2))
            assert list(plain.elements.part(start, stop)) == list(deferred.elements.part(start, stop))
        elif what == "take" and count:
            indexes = np.array(data.draw(st.lists(st.integers(0, count - 1))), np.int64)
            plain, deferred = plain.take(indexes), deferred.take(indexes)
        elif what == "keep":
            keep = np.array(data.draw(st.lists(st.booleans(), min_size=count, max_size=count)), np.bool_)
            plain, deferred = plain.kept(keep), deferred.kept(keep)
        elif what == "copy":
            plain, deferred = plain.copied(), deferred.copied()
        elif what == "ask":
            index = data.draw(st.integers(-6, 5))
            assert arrow(plain.elements.fields[index]).equals(arrow(deferred.elements.fields[index]))
        else:
            deferred.arrays()
        assert len(plain) == len(deferred)
        assert deferred.columns is not None
    assert deferred.elements.batch.equals(plain.elements.batch)
    assert content(plain) == content(deferred)


def test_what_nobody_asks_for_is_not_read():
    """Nor is it copied where elements are chosen."""
    rows = [(n, str(n), n / 2, n, n % 2 == 0, -n) for n in range(9)]
    _, batch, reader = batches(rows, RowShape(TYPES, field_names=NAMES))
    chosen = batch.take(np.array([1, 5, 7])).slice(1, 3).copied()
    assert reader.read_fields == [5]  # the timestamps
    assert chosen.elements.is_deferred
    assert list(chosen.elements.fields[0]) == [5, 7]
    assert reader.read_fields == [5, 0]
    assert [row.s for row in chosen.elements] == ["5", "7"]
    assert sorted(reader.read_fields) == [0, 1, 2, 3, 4, 5]
    assert not chosen.elements.is_deferred


def test_a_field_that_is_the_timestamps_stays_the_same_array():
    """It crosses an exchange once."""
    rows = [(n, str(n), n / 2, n, n % 2 == 0, -n) for n in range(9)]
    _, batch, _ = batches(rows, RowShape(TYPES, field_names=NAMES))
    arrays, layout = batch.take(np.array([1, 5, 7])).arrays()
    assert layout.fields[5] == layout.timestamps
    assert arrays[layout.timestamps].tolist() == [-1, -5, -7]
