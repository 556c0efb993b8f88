"""The whole input of a subtask in the order of its timestamps."""

from threading import Lock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from windrow.common.limits import NO_TIMESTAMP
from windrow.elements.batch import Batch
from windrow.runtime.stage import sorted_input
from windrow.runtime.stage.sorted_input import SortedInput
from windrow.state.page_store import MemoryPageStore, NoPages
from windrow.state.storable import NotStorableError

stamps = st.one_of(st.integers(-3, 3), st.just(NO_TIMESTAMP))
chunks = st.lists(st.tuples(st.integers(0, 2), st.lists(stamps, max_size=6)), max_size=8)


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Runs of seven elements, in blocks of two; parts of three."""
    monkeypatch.setattr(sorted_input, "ELEMENTS_PER_RUN", 7)
    monkeypatch.setattr(sorted_input, "ELEMENTS_PER_BLOCK", 2)
    monkeypatch.setattr(sorted_input, "ELEMENTS_PER_CHUNK", 3)


def numbered(given_chunks):
    """Chunks whose values say input, place and timestamp, in the order in which they arrive."""
    number = 0
    for which, timestamps in given_chunks:
        values = [(which, number + at, timestamp) for at, timestamp in enumerate(timestamps)]
        number += len(values)
        yield which, Batch(values, timestamps, [f"key {place}" for _, place, _ in values])


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
