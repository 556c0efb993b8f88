"""Buffers that are larger than memory holds: what came first is in state alone, and joins as if it were not."""

from unittest.mock import patch

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.operators.interval_join.test_column_operator import KEYS, SHAPES, batch_of, bounds
from tests.operators.interval_join.test_kept_buffers import Subtask, play, step
from tests.property_examples import examples
from windrow.elements.batch import Batch
from windrow.elements.columns import Columns
from windrow.elements.shape import ScalarShape
from windrow.expressions.logical_types import BIGINT
from windrow.operators.interval_join import (
    Interval,
    cold_chunks,
    column_buffers,
    column_operator,
    kept_buffers,
    side_columns,
)
from windrow.operators.interval_join.entries import buffers_to_entries
from windrow.operators.table.calc import tuples_of
from windrow.operators.table.joins import Condition, PairsWithin
from windrow.state import kept_columns
from windrow.state.column_page import read_table
from windrow.table import data_types as t

DOUBLE, STRING = t.DoubleType(), t.VarCharType()
FOREVER = Interval(-(2**40), 2**40)
#: The fields of both sides behind their keys.
TYPES = [[BIGINT] * 4, [BIGINT, STRING, DOUBLE, BIGINT]]
_SHAPE = tuples_of([BIGINT, BIGINT])


def all_pairs(which=0):
    return PairsWithin(Condition(TYPES[which], None), [], 2)


@settings(print_blob=True, max_examples=examples(300), deadline=None)
@given(
    interval=st.one_of(st.just(FOREVER), st.builds(Interval, bounds, bounds)),
    which=st.sampled_from([0, 1]),
    keys=st.sampled_from(KEYS),
    steps=st.lists(step, max_size=16),
    sizes=st.sampled_from([(512, 1 << 18, 1 << 16), (0, 4, 2), (3, 2, 2)]),
    most_bytes=st.sampled_from([0, 0, 1, 60_000]),
    page_keys=st.sampled_from([1 << 14, 2]),
    key_bytes=st.sampled_from([1 << 24, 0]),
    stays=st.booleans(),
)
def test_equals_the_operator_over_rows(interval, which, keys, steps, sizes, most_bytes, page_keys, key_bytes, stays):
    """Whatever has left memory, who reads it and how it is cut shows in no result, and neither when rows come."""
    with (
        patch.object(kept_buffers, "_FEW", sizes[0]),
        patch.object(kept_buffers, "_MOST", sizes[1]),
        patch.object(kept_buffers, "_STAYS", 1),
        patch.object(side_columns, "_FEW", sizes[2]),
        patch.object(column_buffers, "_FEW_KEYS", sizes[2]),
        patch.object(column_operator, "_MOST_BYTES", most_bytes),
        patch.object(column_operator, "_MOST_FAILURES", 0),
        patch.object(cold_chunks, "_KEY_BYTES", key_bytes),
        patch.object(kept_columns, "PAGE_KEYS", page_keys),
        patch.object(kept_columns, "KEPT_BYTES", kept_columns.KEPT_BYTES if stays else 0),
    ):
        found = play(Subtask(all_pairs(which), interval), SHAPES[which], keys, steps, columns=True)
    rows = Subtask(all_pairs(which), interval, "rows")
    assert found == play(rows, SHAPES[which], keys, steps, columns=False, always="rows")


def batch(keys, number, time=0):
    """Elements of some keys, whose other field counts from ``number`` on."""
    keys = np.asarray(keys, np.int64)
    elements = Columns.of(_SHAPE, [keys, np.arange(number, number + keys.size)])
    return Batch(elements, np.full(keys.size, time), Columns.of(ScalarShape((pa.int64(),)), [keys]))


def join():
    return Subtask(PairsWithin(Condition([BIGINT, BIGINT], None), [], 1), FOREVER)


def batches(subtask, count=8, size=10):
    """As many batches of left elements, each of keys of its own, one for each element."""
    for number in range(count):
        subtask.process(True, batch(np.arange(size) + number * size, number * size, number))
        subtask.cut()
        subtask.attach()


def joined(subtask):
    """The pairs that have come since the last call."""
    items, subtask.output.items = subtask.output.items, []
    return [pair for pair, _ in items]


@pytest.fixture
def little_memory(monkeypatch):
    """Nothing stays in memory, and chunks have some ten elements."""
    monkeypatch.setattr(column_operator, "_MOST_BYTES", 0)
    monkeypatch.setattr(kept_buffers, "_FEW", 0)
    monkeypatch.setattr(kept_buffers, "_MOST", 10)


@pytest.fixture
def reads(monkeypatch):
    """The tables of which something is read, one by one."""
    found = []
    read_groups, read = kept_columns.KeptColumns.read_groups, kept_columns.KeptColumns.read

    def noting_groups(columns, name, groups):
        found.append(name)
        return read_groups(columns, name, groups)

    def noting(columns, names=None):
        for name, table in read(columns, names):
            found.append(name)
            yield name, table

    monkeypatch.setattr(kept_columns.KeptColumns, "read_groups", noting_groups)
    monkeypatch.setattr(kept_columns.KeptColumns, "read", noting)
    return found


@pytest.mark.usefixtures("little_memory")
def test_what_is_too_much_stays_columns():
    """It leaves memory, and nothing is stored by key."""
    subtask = join()
    batches(subtask)
    assert subtask.state.columns.are_stored()
    assert subtask.state.stored_keys() == 0
    assert subtask.operator._buffers.count == 0
    subtask.process(False, batch([17, 5, 17], 100))
    assert joined(subtask) == [(17, 100), (5, 101), (17, 102)]


@pytest.mark.usefixtures("little_memory")
def test_a_batch_reads_the_chunks_of_its_keys(reads):
    """And of these only once while they stay; of chunks without them neither elements nor keys."""
    subtask = join()
    batches(subtask)
    assert reads == []
    subtask.process(False, batch([17, 5], 100))
    subtask.process(False, batch([5, 12, 999], 102))
    # 12 is new, and in the chunk of 17.
    assert reads == [("left", 0), ("left", 10), ("left", 10)]


@pytest.mark.usefixtures("little_memory")
def test_another_worker_reads_what_its_keys_need(reads):
    """It does not bring in what has left memory."""
    subtask = join()
    batches(subtask)
    subtask.restart("columns")
    subtask.process(False, batch([17], 100))
    assert joined(subtask) == [(17, 100)]
    assert set(reads) == {("left keys", 10), ("left", 10)}


@pytest.mark.usefixtures("little_memory")
def test_what_has_left_memory_is_not_written_again():
    """A batch writes what it has brought, and pages of before stay as they are."""
    subtask = join()
    batches(subtask)
    before = {name: subtask.store.pages[name] for name in subtask.tables()}
    subtask.process(False, batch([17, 5], 100))
    subtask.process(True, batch([200], 300))
    subtask.cut()
    assert all(subtask.store.pages[name] is data for name, data in before.items())


@pytest.mark.parametrize("before", [0, 1 << 30])
@pytest.mark.parametrize("behind", [0, 1 << 30])
def test_a_restore_on_either_side_of_the_bound(before, behind, monkeypatch):
    """What was written with one bound is read with another."""
    subtask = join()
    monkeypatch.setattr(column_operator, "_MOST_BYTES", before)
    batches(subtask)
    monkeypatch.setattr(column_operator, "_MOST_BYTES", behind)
    subtask.restart("columns")
    for number in range(3):
        subtask.process(False, batch([17, 5], 100))
        assert joined(subtask) == [(17, 100), (5, 101)]
        subtask.process(True, batch([42], 200, 9))
        joined(subtask)
        subtask.process(False, batch([42], 103))
        assert joined(subtask) == [(42, 103), *[(200, 103)] * (number + 1)]
        subtask.cut()
        subtask.attach()


@pytest.mark.usefixtures("little_memory")
def test_rows_move_all_of_it_to_rows():
    """What has left memory as well: nothing of it is columns any more."""
    subtask = join()
    batches(subtask)
    subtask.process(False, Batch([(17, 100)], [0], [17]))
    assert joined(subtask) == [(17, 100)]
    subtask.cut()
    assert not subtask.tables()
    assert subtask.state.stored_keys() == 80


@pytest.mark.usefixtures("little_memory")
def test_what_is_stored_by_key_for_others_has_all():
    """As subtasks that become more or fewer are given it, and who looks at state: each element once."""
    subtask = join()
    batches(subtask)
    subtask.process(False, batch([17, 5], 100))
    subtask.cut()
    subtask.restart("columns")
    buffers_to_entries(subtask.state, FOREVER)
    assert not subtask.state.columns.are_stored()
    found = {key: entry[("left", None)] for key, entry in subtask.state.entries() if ("left", None) in entry}
    assert found == {key: ([key // 10], [(key, key)]) for key in range(80)}


@pytest.mark.usefixtures("little_memory")
def test_what_is_over_goes():
    """A chunk that has left memory goes with its keys when the latest of it is over; the others stay as they are."""
    subtask = Subtask(PairsWithin(Condition([BIGINT, BIGINT], None), [], 1), Interval(-3, 3))
    subtask.watermark = subtask.time.watermark = -1
    batches(subtask, count=4)
    assert len(subtask.tables()) == 4
    subtask.advance(5)
    subtask.cut()
    assert {name.split("/")[3] for name in subtask.store.pages if name.count("/") > 2} == {"30"}


@pytest.mark.usefixtures("little_memory")
def test_small_buffers_are_described_as_before():
    """A program of before reads what has not left memory: only what has is of another version."""
    subtask = join()
    with patch.object(column_operator, "_MOST_BYTES", 1 << 30):
        batches(subtask, count=1)
        subtask.attach()
        assert subtask.state.columns.description()[1] == kept_buffers.VERSION
    batches(subtask, count=2)
    assert subtask.state.columns.description()[1] == kept_buffers.WITH_COLD


def test_a_part_of_what_is_too_much_stays(monkeypatch):
    """The chunks that came last, as long as they are no more than a third."""
    monkeypatch.setattr(kept_buffers, "_FEW", 0)
    monkeypatch.setattr(kept_buffers, "_MOST", 10)
    subtask = join()
    batches(subtask, count=9)
    buffers = subtask.operator._buffers
    monkeypatch.setattr(column_operator, "_MOST_BYTES", buffers.nbytes - 1)
    subtask.process(True, batch([7], 300, 9))
    subtask.cut()
    assert 10 <= buffers.count <= 30
    assert {read_table(subtask.store.pages[name]).keys.size for name in subtask.tables()} <= {1, 10}
    subtask.attach()
    subtask.process(False, batch([7, 85], 400))
    assert joined(subtask) == [(7, 400), (300, 400), (85, 401)]


def test_texts_of_one_number_are_different_keys(monkeypatch):
    """Keys of text are looked for by their hashes, and told apart behind it."""
    monkeypatch.setattr(column_operator, "_MOST_BYTES", 0)
    monkeypatch.setattr(cold_chunks, "hashes", lambda keys: np.zeros(len(keys), np.int32))
    subtask = Subtask(all_pairs(), FOREVER)
    subtask.process(True, batch_of(SHAPES[0][0], *KEYS[1], [(0, 1, 0, False), (1, 2, 0, False)], 0, columns=True))
    subtask.cut()
    subtask.attach()
    subtask.process(False, batch_of(SHAPES[0][1], *KEYS[1], [(1, 5, 0, False), (2, 5, 0, False)], 2, columns=True))
    assert joined(subtask) == [(2, 1, 5, 2)]


def test_nothing_is_read_where_all_is_held():
    """Buffers that never let anything go ask for nothing."""
    subtask = join()
    batches(subtask, count=2)
    with patch.object(kept_columns.KeptColumns, "read_groups", side_effect=AssertionError):
        subtask.process(False, batch([17, 5], 100))
    assert joined(subtask) == [(17, 100), (5, 101)]
