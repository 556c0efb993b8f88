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
from windrow.elements.stored import dumps, loads
from windrow.runtime.stage import sorted_input, sorted_runs, spilled_runs, stored_runs
from windrow.runtime.stage.sorted_input import SortedInput
from windrow.state.page_store import MemoryPageStore, NoPages
from windrow.state.storable import NotStorableError

stamps = st.one_of(st.integers(-3, 3), st.just(NO_TIMESTAMP))
chunks = st.lists(st.tuples(st.integers(0, 2), st.lists(stamps, max_size=6)), max_size=8)
TEXTS = ScalarShape((pa.string(),))
NUMBERS = TupleShape((pa.int64(), pa.int64(), pa.int64()))
NARROW = TupleShape((pa.int32(), pa.int32(), pa.int64()))


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Runs of seven rows; blocks of two rows, or of columns of a hundred bytes; parts of three."""
    monkeypatch.setattr(sorted_input, "ELEMENTS_PER_RUN", 7)
    monkeypatch.setattr(sorted_runs, "ELEMENTS_PER_CHUNK", 3)
    monkeypatch.setattr(sorted_runs, "COLUMN_ELEMENTS_PER_CHUNK", 3)
    monkeypatch.setattr(spilled_runs, "COLUMN_ELEMENTS_PER_CHUNK", 3)
    monkeypatch.setattr(spilled_runs, "BYTES_PER_BLOCK", 100)
    for module in (spilled_runs, stored_runs):
        monkeypatch.setattr(module, "ELEMENTS_PER_BLOCK", 2)


def numbered(given_chunks):
    """Chunks whose values say input, place and timestamp, in the order in which they arrive."""
    number = 0
    for which, timestamps in given_chunks:
        values = [(which, number + at, timestamp) for at, timestamp in enumerate(timestamps)]
        number += len(values)
        yield which, Batch(values, timestamps, [f"key {place}" for _, place, _ in values])


def as_columns(batch, shape=NUMBERS):
    """The same as columns."""
    if not len(batch):
        return batch
    fields = zip(*batch.elements, strict=True)
    arrays = [np.array(field, kind) for field, kind in zip(fields, shape.computed, strict=True)]
    keys = Columns.of(TEXTS, [pa.array(batch.keys)])
    return Batch(Columns.of(shape, arrays), np.array(batch.timestamps, np.int64), keys)


def taken(gathered):
    """All that comes, after a look at each part."""
    return looked_at(gathered.parts())


def looked_at(parts):
    elements = []
    for part in parts:
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
    inputs=st.integers(1, 3),
    forms=st.lists(st.sampled_from(["columns", "narrow", "rows"]), min_size=1, max_size=4),
    writes=st.sets(st.integers(0, 8)),
    stored=st.booleans(),
    most_bytes=st.sampled_from([0, 2_500, 1 << 20]),
)
def test_columns_come_in_the_order_of_rows(given_chunks, inputs, forms, writes, stored, most_bytes):
    """Where rows or other columns come in between, inputs take turns, or there are more than may wait.

    If all are columns of one kind and one input they stay columns, unless a checkpoint has them.
    """
    gathered = SortedInput("window/input")
    gathered.attach(MemoryPageStore() if stored else NoPages())
    expected, given_forms, given_inputs = [], set(), set()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sorted_input, "MOST_BYTES", most_bytes)
        for number, (which, batch) in enumerate(numbered((which % inputs, stamps) for which, stamps in given_chunks)):
            expected += batch.elements
            form = forms[number % len(forms)]
            if len(batch):
                given_forms.add(form)
                given_inputs.add(which)
            shape = {"columns": NUMBERS, "narrow": NARROW, "rows": None}[form]
            gathered.add(which, as_columns(batch, shape) if shape else batch)
            if number in writes:
                gathered.write()
        parts = list(gathered.parts())
    if len(given_inputs) == 1 and given_forms in ({"columns"}, {"narrow"}) and not stored:
        assert all(part.batch.columns is not None and part.batch.key_columns is not None for part in parts)
    assert looked_at(parts) == sorted(expected, key=lambda value: (value[2], value[0], value[1]))


def test_columns_of_two_inputs_stay_columns_where_those_of_one_come_together(monkeypatch):
    """Those without timestamps, say: those of an input come behind all of the other's, and where they meet are rows."""
    monkeypatch.setattr(sorted_input, "MOST_BYTES", 2_500)
    gathered = SortedInput("join/input")
    gathered.attach(NoPages())
    for number, (which, batch) in enumerate(numbered([(0, [NO_TIMESTAMP] * 3), (1, [NO_TIMESTAMP] * 3)] * 3)):
        gathered.add(which, as_columns(batch, (NUMBERS, NARROW)[number % 2]))
    parts = list(gathered.parts())
    assert [part.input for part in parts] == sorted(part.input for part in parts)
    meet = [part.input for part in parts].index(1)
    assert all(part.batch.columns is not None for part in [*parts[: meet - 1], *parts[meet + 1 :]])
    assert [value[:2] for value in looked_at(parts)] == sorted(value[:2] for value in looked_at(parts))
    assert 2 < meet < len(parts) - 2


@pytest.mark.parametrize("stored", [False, True])
def test_of_columns_no_more_become_rows_at_once_than_are_sorted_in_memory(stored, monkeypatch):
    """Rows that come behind many columns do not make rows of them all, nor does the store that has them then."""
    made = []

    def rows_of(shape, fields, count, *others):
        made.append(count)
        return made_rows(shape, fields, count, *others)

    made_rows = TupleShape.rows_of
    monkeypatch.setattr(TupleShape, "rows_of", rows_of)
    gathered = SortedInput("window/input")
    gathered.attach(MemoryPageStore() if stored else NoPages())
    batches = [batch for _, batch in numbered([(0, [at % 5 for at in range(50)])] * 2)]
    expected = [*batches[0].elements, *batches[1].elements[:1]]
    gathered.add(0, as_columns(batches[0]))
    gathered.add(0, batches[1].slice(0, 1))
    assert taken(gathered) == sorted(expected, key=lambda value: (value[2], value[1]))
    assert sum(made) >= 50
    assert max(made) <= 7


def test_many_small_batches_of_columns_do_not_wait(monkeypatch):
    """Each takes memory of its own, however few elements it has."""
    monkeypatch.setattr(sorted_input, "MOST_BYTES", 10_000)
    gathered = SortedInput("window/input")
    gathered.attach(NoPages())
    for which, batch in numbered([(0, [1])] * 10):
        gathered.add(which, as_columns(batch))
    assert gathered._spilled is not None
    gathered.close()


def test_pages_of_a_run_are_those_of_earlier_versions():
    """Inputs, keys, values, timestamps: rows, whatever the elements were, since checkpoints have them."""
    pages = {
        "window/input/0.0": dumps((np.array([0, 1], np.int8), ["a", "b"], [3, 4], np.array([1, 5]))),
        "window/input/0.1": dumps((np.array([1], np.int8), ["a"], [5], np.array([6]))),
    }
    gathered = SortedInput("window/input")
    gathered.attach(MemoryPageStore(pages), [2])
    _, batch = next(numbered([(0, [2, 7])]))
    gathered.add(0, as_columns(batch))
    gathered.write()
    assert gathered.runs == [2, 1]
    inputs, keys, values, timestamps = loads(pages["window/input/1.0"])
    assert (inputs.dtype, inputs.tolist(), keys, timestamps.tolist()) == (np.int8, [0, 0], ["key 0", "key 1"], [2, 7])
    assert (type(keys), type(values), values) == (list, list, batch.elements)
    found = [
        (part.input, key, value, time)
        for part in gathered.parts()
        for key, value, time in zip(part.batch.keys, part.batch.elements, part.batch.timestamp_list(), strict=True)
    ]
    assert found == [
        (0, "a", 3, 1),
        (0, "key 0", (0, 0, 2), 2),
        (1, "b", 4, 5),
        (1, "a", 5, 6),
        (0, "key 1", (0, 1, 7), 7),
    ]
    assert pages == {}


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


@pytest.mark.parametrize("store", [MemoryPageStore, NoPages])
def test_an_element_that_cannot_be_stored_is_named(store):
    """What waits for the end of the input has to outlive the batch, and goes into a file where it is too much."""
    gathered = SortedInput("window/input")
    gathered.attach(store())
    gathered.add(0, Batch([1, Lock()], [1, 2], ["a", "b"]))
    with pytest.raises(NotStorableError, match=r"its input, which waits to be sorted, holds <unlocked _thread.lock"):
        gathered.write()
    gathered.close()
