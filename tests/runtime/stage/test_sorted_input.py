"""The whole input of a subtask in the order of its timestamps."""

from threading import Lock

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from windrow.common.limits import NO_TIMESTAMP
from windrow.elements.batch import Batch
from windrow.elements.columns import Columns
from windrow.elements.shape import ScalarShape, TupleShape
from windrow.runtime.stage import sorted_input
from windrow.runtime.stage.sorted_input import SortedInput
from windrow.state.page_store import MemoryPageStore, NoPages
from windrow.state.storable import NotStorableError

stamps = st.one_of(st.integers(-3, 3), st.just(NO_TIMESTAMP))
chunks = st.lists(st.tuples(st.integers(0, 2), st.lists(stamps, max_size=6)), max_size=8)
TEXTS = ScalarShape((pa.string(),))
NUMBERS = TupleShape((pa.int64(), pa.int64(), pa.int64()))


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Runs of seven elements, in blocks of two; parts of three."""
    monkeypatch.setattr(sorted_input, "ELEMENTS_PER_RUN", 7)
    monkeypatch.setattr(sorted_input, "ELEMENTS_PER_BLOCK", 2)
    monkeypatch.setattr(sorted_input, "ELEMENTS_PER_CHUNK", 3)
    monkeypatch.setattr(sorted_input, "COLUMN_ELEMENTS_PER_CHUNK", 3)


def numbered(given_chunks):
    """Chunks whose values say input, place and timestamp, in the order in which they arrive."""
    number = 0
    for which, timestamps in given_chunks:
        values = [(which, number + at, timestamp) for at, timestamp in enumerate(timestamps)]
        number += len(values)
        yield which, Batch(values, timestamps, [f"key {place}" for _, place, _ in values])


def as_columns(batch):
    """The same as columns."""
    if not len(batch):
        return batch
    fields = [np.array(field, np.int64) for field in zip(*batch.elements, strict=True)]
    keys = Columns.of(TEXTS, [pa.array(batch.keys)])
    return Batch(Columns.of(NUMBERS, fields), np.array(batch.timestamps, np.int64), keys)


def taken(gathered):
    """All that comes, after a look at each part."""
    elements = []
    for part in gathered.parts():
        batch = part.batch
        assert 0 < len(batch) <= 3
        for key, value, timestamp in zip(batch.keys, batch.elements, batch.timestamp_list(), strict=True):
            assert (part.input, f"key {value[1]}", value[2]) == (value[0], key, timestamp)
            elements.append(value)
    return elements


@given(given_chunks=chunks, stored=st.booleans(), restarts=st.sets(st.integers(0, 8)))
def test_elements_come_by_timestamp_then_input_then_arrival(given_chunks, stored, restarts):
    """However they were cut, whether in memory, in a file or in the store, and by whom they are read."""
    store = MemoryPageStore() if stored else NoPages()
    gathered = SortedInput("window/input")
    gathered.attach(store)
    expected = []
    for number, chunk in enumerate(numbered(given_chunks)):
        gathered.add(*chunk)
        expected += chunk[1].elements
        if stored and number in restarts:
            gathered.write()
            runs = gathered.runs
            gathered = SortedInput("window/input")
            gathered.attach(store, runs)
    assert taken(gathered) == sorted(expected, key=lambda value: (value[2], value[0], value[1]))
    assert gathered.runs == []
    if stored:
        assert store.pages == {}


@given(
    given_chunks=chunks,
    rows=st.sets(st.integers(0, 8)),
    writes=st.sets(st.integers(0, 8)),
    most_bytes=st.sampled_from([0, 300, 1 << 20]),
)
def test_columns_come_in_the_order_of_rows(given_chunks, rows, writes, most_bytes):
    """Where rows come in between, there are more than may wait, another input has some, or they are written down."""
    gathered = SortedInput("window/input")
    gathered.attach(MemoryPageStore() if writes else NoPages())
    expected = []
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sorted_input, "MOST_BYTES", most_bytes)
        for number, (which, batch) in enumerate(numbered(given_chunks)):
            expected += batch.elements
            gathered.add(which, batch if number in rows else as_columns(batch))
            if number in writes:
                gathered.write()
        assert taken(gathered) == sorted(expected, key=lambda value: (value[2], value[0], value[1]))


@pytest.mark.parametrize("stamped", [[1, 2, 2, 3], [3, 2, 1, 2], [NO_TIMESTAMP] * 4])
def test_columns_of_one_input_stay_columns(stamped):
    """Whether they have to be sorted or not."""
    gathered = SortedInput("window/input")
    for which, batch in numbered([(0, stamped[:2]), (0, stamped[2:])]):
        gathered.add(which, as_columns(batch))
    parts = list(gathered.parts())
    assert [len(part.batch.columns) for part in parts] == [3, 1]
    assert [time for part in parts for time in part.batch.timestamp_list()] == sorted(stamped)
    assert list(gathered.parts()) == []


def test_another_state_is_shown_from_its_beginning():
    """Nothing of one store is left when another is shown, nor of a run that failed in the middle."""
    first, second = MemoryPageStore(), MemoryPageStore()
    gathered = SortedInput("window/input")
    gathered.attach(first)
    gathered.add(0, Batch([(0, 0, 5)], [5], ["key 0"]))
    gathered.write()
    gathered.add(0, Batch([(0, 1, 4)], [4], ["key 1"]))
    gathered.attach(second)
    assert taken(gathered) == []
    gathered.attach(first, [1])
    assert taken(gathered) == [(0, 0, 5)]


def test_a_temporary_file_goes_with_the_input():
    """What was spilled is given up when the elements were read, or the task is closed."""
    gathered = SortedInput("window/input")
    gathered.attach(NoPages())
    for at in range(9):
        gathered.add(0, Batch([(0, at, -at)], [-at], [f"key {at}"]))
    spilled = gathered._spilled
    assert taken(gathered) == [(0, at, -at) for at in reversed(range(9))]
    assert spilled._file.closed
    gathered.add(0, Batch([(0, 1, 0)] * 8, [0] * 8, ["key 1"] * 8))
    spilled = gathered._spilled
    gathered.close()
    assert spilled._file.closed


def test_an_element_that_cannot_be_stored_is_named():
    """What waits for the end of the input has to outlive the batch."""
    gathered = SortedInput("window/input")
    gathered.attach(MemoryPageStore())
    gathered.add(0, Batch([1, Lock()], [1, 2], ["a", "b"]))
    with pytest.raises(NotStorableError, match=r"its input, which waits to be sorted, holds <unlocked _thread.lock"):
        gathered.write()
