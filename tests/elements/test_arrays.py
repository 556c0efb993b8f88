"""A batch of columns as arrays, each of which is there once."""

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from windrow.elements.arrays import Parts
from windrow.elements.batch import Batch, Gathered
from windrow.elements.columns import Columns
from windrow.elements.shape import LONG, TupleShape

PAIR = TupleShape((pa.int64(), pa.int64()))
TEXT = TupleShape((pa.int64(), pa.string()))


def pairs(times):
    """Pairs whose second field is the timestamp, keyed by the first."""
    keys = times % 3
    return Batch(Columns.of(PAIR, [keys, times]), times, Columns.of(LONG, [keys]))


def test_a_field_that_is_the_timestamp_or_the_key_is_one_array_with_it():
    """It is found by where it lies in memory."""
    arrays, layout = pairs(np.array([5, 7, 9])).arrays()
    assert [array.tolist() for array in arrays] == [[2, 1, 0], [5, 7, 9]]
    assert (layout.fields, layout.timestamps, layout.key_fields) == ((0, 1), 1, (0,))


def test_arrays_that_only_begin_at_one_place_are_several():
    """Of another length, another type, or another distance between their numbers."""
    times = np.arange(6)
    for other in (times[:3], times.view(np.float64), times[::2]):
        elements = Columns.of(TupleShape((pa.from_numpy_dtype(other.dtype),)), [other[:3]])
        arrays, _ = Parts(elements, times[3:]).arrays()
        assert len(arrays) == 2


def test_what_was_one_array_is_one_after_it_was_taken_or_joined():
    """Else it would be taken, joined and written again, as often as it is there."""
    batch = pairs(np.arange(10))
    taken = batch.take(np.array([7, 3]))
    assert (list(taken.elements), taken.timestamp_list(), list(taken.keys)) == ([(1, 7), (0, 3)], [7, 3], [1, 0])
    assert len(taken.arrays()[0]) == 2
    gathered = Gathered()
    for part in (batch.slice(0, 4), taken, batch.slice(4, 5)):
        gathered.extend(Batch(part.elements, part.timestamps))
    assert gathered.all().timestamp_list() == [0, 1, 2, 3, 7, 3, 4]
    assert len(gathered.all().arrays()[0]) == 2


def test_parts_of_which_one_array_is_two_in_another_are_joined():
    """What they are in the first part says nothing of the others."""
    gathered = Gathered()
    shared, apart = np.arange(3), np.arange(3)
    gathered.extend(Batch(Columns.of(LONG, [shared]), shared))
    gathered.extend(Batch(Columns.of(LONG, [shared]), apart + 10))
    assert list(gathered.all().elements) == [0, 1, 2, 0, 1, 2]
    assert gathered.all().timestamp_list() == [0, 1, 2, 10, 11, 12]


@given(st.lists(st.tuples(st.none() | st.integers(-(2**63), 2**63 - 1), st.none() | st.text(max_size=3))), st.data())
def test_nulls_and_text_are_taken_and_joined_as_numbers_are(rows, data):
    """Whichever parts have nulls."""
    batch = Batch(
        Columns.of(
            TEXT,
            [
                pa.array(list(each), kind)
                for each, kind in zip(zip(*rows, strict=True) if rows else ((), ()), TEXT.types, strict=True)
            ],
        ),
        np.arange(len(rows)),
    )
    cut = data.draw(st.integers(0, len(rows)))
    gathered = Gathered()
    for part in (batch.slice(0, cut), batch.slice(cut, len(rows))):
        gathered.extend(part)
    assert list(gathered.all().elements) == rows
    indexes = data.draw(st.lists(st.integers(0, len(rows) - 1))) if rows else []
    assert list(batch.take(np.array(indexes, np.int64)).elements) == [rows[index] for index in indexes]
