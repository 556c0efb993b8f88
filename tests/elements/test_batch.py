"""Elements with their timestamps and keys."""

import numpy as np
import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from windrow.elements.batch import Batch, Gathered, in_parts
from windrow.elements.columns import Columns
from windrow.elements.shape import RowShape, ScalarShape, TupleShape

NUMBERS = st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1, max_size=20)


def columns(numbers):
    return Columns.of(ScalarShape.of(pa.int64()), [np.array(numbers, np.int64)])


def batches(numbers):
    """The same elements, with keys and timestamps, as rows and as columns."""
    keys = [number % 7 for number in numbers]
    rows = Batch(list(numbers), list(range(len(numbers))), keys)
    return rows, Batch(columns(numbers), np.arange(len(numbers)), columns(keys))


def content(batch):
    return list(batch.elements), batch.timestamp_list(), None if batch.keys is None else list(batch.keys)


@settings(deadline=None)
@given(numbers=NUMBERS, data=st.data())
def test_rows_and_columns_are_cut_alike(numbers, data):
    """Slices, taken and kept elements are the same, with their timestamps and keys; columns stay columns."""
    rows, of_columns = batches(numbers)
    indexes = np.array(data.draw(st.lists(st.integers(0, len(numbers) - 1))), np.int64)
    keep = data.draw(st.lists(st.booleans(), min_size=len(numbers), max_size=len(numbers)))
    start = data.draw(st.integers(0, len(numbers)))
    stop = data.draw(st.integers(start, len(numbers)))
    for cut in (lambda b: b.slice(start, stop), lambda b: b.take(indexes), lambda b: b.kept(keep)):
        assert content(cut(rows)) == content(cut(of_columns))
        assert cut(of_columns).columns is not None
        assert cut(of_columns).key_columns is not None
    assert of_columns.elements.untouched


def test_columns_are_looked_at_in_parts_unless_a_row_can_be_changed():
    """Nobody can change a tuple or a number, so its row may be made where it is looked at, and be gone then."""
    numbers = columns([1, 2, 3])
    assert [list(part) for part in in_parts(numbers, 2)] == [[1, 2], [3]]
    assert numbers.untouched
    list(numbers)
    assert list(in_parts(numbers, 2)) == [numbers]
    rows = Columns.of(RowShape((pa.int64(),)), [np.array([1, 2, 3])])
    assert list(in_parts(rows, 2)) == [rows]


@given(places=st.lists(st.integers(0, 4), min_size=1))
def test_every_element_goes_to_one_place(places):
    """In order; a batch that goes to one place as a whole is not cut."""
    batch = Batch(list(range(len(places))), [0] * len(places))
    split = batch.split(np.array(places, np.int32))
    for place in range(5):
        expected = [index for index, other in enumerate(places) if other == place]
        if place not in split:
            assert expected == []
        else:
            mine = split[place]
            assert (list(range(len(places))) if mine is None else mine.tolist()) == expected
            assert (mine is None) == (len(split) == 1)


def test_a_batch_for_another_taker_has_elements_of_its_own():
    """Keys and timestamps cannot be changed."""
    batch = Batch([[1]], [5], ["k"])
    other = batch.copied()
    other.elements[0].append(2)
    assert content(batch) == ([[1]], [5], ["k"])
    assert content(other) == ([[1, 2]], [5], ["k"])


def test_timestamps_are_integers_of_python_one_by_one():
    """An array's wrap around."""
    assert {type(timestamp) for timestamp in Batch(["a"], np.array([5])).timestamp_list()} == {int}
    assert Batch(["a"], [5]).timestamp_array().dtype == np.int64


def test_what_was_gathered_is_columns_while_all_of_it_is():
    """Rows among them make rows of all, in order."""
    gathered = Gathered()
    gathered.extend(Batch(columns([1, 2]), [10, 20]))
    gathered.extend(Batch(columns([3]), [30]))
    assert isinstance(gathered.all().elements, Columns)
    assert content(gathered.all()) == ([1, 2, 3], [10, 20, 30], None)
    assert not gathered.are_rows
    gathered.extend(Batch(["a"], [40]))
    gathered.extend(Batch(columns([4]), [50]))
    assert content(gathered.all()) == ([1, 2, 3, "a", 4], [10, 20, 30, 40, 50], None)
    assert len(gathered) == 5
    assert gathered.are_rows


def test_what_is_taken_out_is_gone():
    """Rows that are taken out are none of those that wait, wherever their batch is cut."""
    gathered = Gathered()
    gathered.extend(Batch(["a", "b"], [10, 20]))
    gathered.extend(Batch(columns([3, 4]), [30, 40]))
    assert content(gathered.take_first(1)) == (["a"], [10], None)
    assert gathered.are_rows
    assert content(gathered.take_first(2)) == (["b", 3], [20, 30], None)
    assert (gathered.are_rows, len(gathered)) == (False, 1)
    assert content(gathered.take_first(1)) == ([4], [40], None)
    assert len(gathered) == 0


def test_columns_of_another_shape_are_not_joined():
    """They become rows."""
    gathered = Gathered()
    gathered.extend(Batch(columns([1]), [10]))
    gathered.extend(Batch(Columns.of(ScalarShape.of(pa.float64()), [np.array([0.5])]), [20]))
    assert content(gathered.all()) == ([1, 0.5], [10, 20], None)


def test_parts_of_a_batch_are_the_batch():
    """Columns are cut with keys and timestamps; rows, and columns whose rows can be changed, stay one batch."""
    for batch in batches(list(range(7))):
        parts = list(batch.in_parts(3))
        assert len(parts) == (1 if batch.columns is None else 3)
        gathered = Gathered()
        for part in parts:
            gathered.extend(part)
        assert content(gathered.all()) == content(batch)
    rows = Batch(Columns.of(RowShape((pa.int64(),), field_names=("n",)), [np.arange(7)]), np.arange(7))
    assert list(rows.in_parts(3)) == [rows]


def test_elements_are_split_by_their_places():
    """A place that gets all is told apart, and one that gets none is not there."""
    batch = Batch(["a", "b", "c"], [1, 2, 3])
    found = batch.split(np.array([4, 1, 4], np.int32))
    assert {place: indexes.tolist() for place, indexes in found.items()} == {1: [1], 4: [0, 2]}
    assert batch.split(np.array([3, 3, 3], np.int32)) == {3: None}
    assert batch.split(np.array([], np.int32)) == {}


FIELDS = st.lists(st.tuples(st.integers(-(2**63), 2**63 - 1), st.floats(), st.booleans()), min_size=1, max_size=20)


@settings(deadline=None)
@given(fields=FIELDS, data=st.data())
def test_lists_are_elements_timestamps_and_keys(fields, data):
    """Lists for a loop are what elements, timestamps and keys are, also where some of them are one array."""
    numbers, floats, truths = (list(column) for column in zip(*fields, strict=True))
    arrays = [np.array(numbers, np.int64), np.array(floats), np.array(truths)]
    places = data.draw(st.lists(st.integers(0, 2), min_size=1, max_size=3))
    types = [(pa.int64(), pa.float64(), pa.bool_())[place] for place in places]
    elements = Columns.of(TupleShape(tuple(types)), [arrays[place] for place in places])
    key = data.draw(st.sampled_from([None, 0, 2]))
    keys = None if key is None else Columns.of(ScalarShape.of((pa.int64(), None, pa.bool_())[key]), [arrays[key]])
    batch = Batch(elements, arrays[0], keys)
    if data.draw(st.booleans()):
        batch.arrays()
    expected = content(Batch(list(elements.shape.rows(elements.batch)), arrays[0], keys))
    start = data.draw(st.integers(0, len(numbers)))
    whole = [None if each is None else list(each) for each in batch.lists()]
    assert repr(whole) == repr(list(expected))
    assert repr([each and [*map(type, each)] for each in whole]) == repr(
        [each and [*map(type, each)] for each in expected]
    )
    part = [None if each is None else list(each) for each in batch.slice(start, len(numbers)).lists()]
    assert repr(part) == repr([None if each is None else each[start:] for each in expected])


def test_rows_that_may_be_changed_are_not_made_twice():
    """Where a row can be changed a loop gets the rows that everybody sees."""
    rows = Columns.of(RowShape((pa.list_(pa.int64()),), field_names=("n",)), [pa.array([[1]])])
    batch = Batch(rows, np.array([1]))
    batch.arrays()
    assert batch.lists()[0][0] is batch.elements[0]
