"""What sessions of columns hold is the same behind a checkpoint as before it, whoever reads it."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.operators.window.panes.test_kept_panes import Subtask as WindowSubtask
from tests.operators.window.panes.test_kept_panes import play
from tests.operators.window.sessions.test_operator import COMBINED, KEYS, Stream, numbers, specs, times
from tests.property_examples import examples
from windrow.common.limits import LONG_MAX
from windrow.datastream.window import EventTimeSessionWindows
from windrow.elements.batch import Batch
from windrow.elements.columns import Columns
from windrow.elements.shape import ScalarShape
from windrow.operators.column_folds import tables_by_group
from windrow.operators.window.sessions import kept_sessions
from windrow.operators.window.sessions import operator as operator_module
from windrow.operators.window.spec import WindowSpec
from windrow.state import kept_columns

element = st.tuples(st.integers(0, 3), st.one_of(st.integers(-9, 9), st.integers(-9, 9), numbers), times)
a_batch = st.lists(element, max_size=12)
step = st.one_of(
    st.tuples(st.just("columns"), a_batch),
    st.tuples(st.just("columns"), a_batch),
    st.tuples(st.just("columns"), a_batch),
    st.tuples(st.just("rows"), st.lists(element, max_size=3)),
    st.tuples(st.just("watermark"), st.integers(0, 9)),
    st.tuples(st.just("watermark"), st.integers(0, 9)),
    st.just(("cut",)),
    st.just(("cut",)),
    st.just(("restart", "columns")),
    st.just(("restart", "columns")),
    st.tuples(st.just("restart"), st.sampled_from(["columns", "rows", "general"])),
    st.tuples(st.just("lost"), a_batch),
)


class Subtask(WindowSubtask):
    """A session operator with state in pages, as a task has it."""

    def pages_of_columns(self):
        return sorted(name for name in self.store.pages if "/session/" in name)


@settings(print_blob=True, max_examples=examples(400), deadline=None)
@given(
    st.composite(specs)(),
    st.lists(step, max_size=16),
    st.sampled_from([(2**18, 4096, 2**14, 2**28), (3, 1, 1, 2**28), (2**18, 1, 1, 2**28), (2**18, 1, 2**14, 1)]),
    st.sampled_from([1, 1 << 14]),
)
def test_equals_the_operator_over_rows(of, steps, sizes, least):
    """Batches, other workers, batches that are run again and changes of form show in no result."""
    spec, stream = of
    try:
        expected = play(Subtask(spec, "rows"), stream, steps, columns=False)
    except Exception as error:
        with pytest.raises(type(error)):
            play(Subtask(spec), stream, steps, columns=True)
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(operator_module, "_MOST_SESSIONS", sizes[0])
        patch.setattr(operator_module, "_MOST_TEXTS", sizes[0])
        patch.setattr(operator_module, "_LEAST", least)
        patch.setattr(tables_by_group, "_TABLE_ROWS", sizes[1])
        patch.setattr(kept_columns, "PAGE_KEYS", sizes[2])
        patch.setattr(kept_columns, "KEPT_BYTES", sizes[3])
        patch.setattr(kept_columns, "_KEEPING", type(kept_columns._KEEPING)())
        subtask = Subtask(spec)
        assert play(subtask, stream, steps, columns=True) == expected
    if spec.allowed_lateness < LONG_MAX:
        assert not subtask.pages_of_columns()


INT = pa.int64()


def sums(gap=10, **parts):
    return WindowSpec(EventTimeSessionWindows.with_gap(gap), incremental=COMBINED[0][1], **parts)


def columns_of(elements):
    """Keys, elements and times as columns, of (key, number, time)."""
    stream = Stream(COMBINED[0][0], INT, list(range(2_000)))
    keys, values, times = stream.columns(*stream.batch(elements, 7))
    return Batch(values, times, keys)


def given_by(subtask):
    """The sums that have come out."""
    return sorted((item.value[0], item.value[1]) for item in subtask.output.items)


def test_a_batch_writes_the_tables_that_it_has_changed(monkeypatch):
    """A table whose sessions are as they were stays as it is in the store, and what is over is removed."""
    monkeypatch.setattr(tables_by_group, "_TABLE_ROWS", 50)
    subtask = Subtask(sums())
    subtask.operator.process_batch(columns_of([(key, 1, 20) for key in range(1_000)]))
    subtask.cut()
    subtask.attach()
    before = dict(subtask.store.pages)
    assert len(before) == 17
    subtask.operator.process_batch(columns_of([(3, 1, 25)]))
    subtask.cut()
    after = subtask.store.pages
    assert len([name for name in after if after[name] != before[name]]) == 2
    subtask.attach()
    subtask.advance(100)
    subtask.cut()
    assert list(subtask.store.pages) == ["op/pages"]
    assert len(given_by(subtask)) == 1_000
    assert (3, 2) in given_by(subtask)


def test_what_nobody_else_has_written_is_not_read_again():
    """The next batch of the same worker asks for the root only."""
    subtask = Subtask(sums())
    subtask.operator.process_batch(columns_of([(1, 1, 1), (2, 1, 30)]))
    subtask.cut()
    asked = []
    subtask.store.get = lambda name: asked.append(name) or subtask.store.pages.get(name)
    subtask.attach()
    subtask.advance(12)
    subtask.operator.process_batch(columns_of([(1, 1, 20)]))
    subtask.cut()
    assert asked == ["op/pages"]
    assert given_by(subtask) == [(1, 1)]


def test_sessions_fire_in_a_worker_that_gets_no_elements():
    """A watermark is enough, and those that end together fire in the order in which they came to be as they are."""
    subtask = Subtask(sums())
    subtask.operator.process_batch(columns_of([(key, 1, 5) for key in (7, 3, 900, 5)]))
    subtask.cut()
    subtask.restart("columns")
    subtask.advance(14)
    assert [item.value[0] for item in subtask.output.items] == [7, 3, 900, 5]
    assert subtask.operator._held is not None


def test_no_more_is_kept_as_columns_than_a_batch_can_write(monkeypatch):
    """Many sessions are kept by key, until there are few of them."""
    monkeypatch.setattr(operator_module, "_MOST_SESSIONS", 20)
    subtask = Subtask(sums())
    for begin, keys, as_columns in ((0, 10, True), (0, 30, False), (100, 5, True)):
        subtask.advance(begin)
        subtask.cut()
        subtask.attach()
        subtask.operator.process_batch(columns_of([(key, 1, begin + 1) for key in range(keys)]))
        subtask.cut()
        subtask.attach()
        assert bool(subtask.pages_of_columns()) == as_columns


def test_another_function_begins_with_rows():
    """What another fold has kept is given to the operator over rows, which goes on with any function."""
    subtask = Subtask(sums())
    subtask.operator.process_batch(columns_of([(1, 5, 1), (1, 7, 2)]))
    subtask.cut()
    subtask.spec = WindowSpec(
        EventTimeSessionWindows.with_gap(10), incremental=lambda a, b: (a[0], max(a[1], b[1]), b[2])
    )
    subtask.restart("columns")
    subtask.operator.process_batch(columns_of([(1, 9, 1)]))
    subtask.advance(40)
    assert given_by(subtask) == [(1, 12)]


@pytest.mark.parametrize("form", ["columns", "rows", "general"])
def test_another_lateness_holds_for_what_is_open(form):
    """A program that was changed goes on with sessions that are kept as columns."""
    subtask = Subtask(sums())
    subtask.operator.process_batch(columns_of([(1, 5, 1)]))
    subtask.cut()
    subtask.spec = sums(allowed_lateness=20)
    subtask.restart(form)
    subtask.advance(12)
    batch = columns_of([(1, 1, 2)])
    subtask.operator.process_batch(batch if form == "columns" else Batch(batch.elements, [2], [1]))
    assert given_by(subtask) == [(1, 5), (1, 6)]


def test_sums_that_were_stored_count_against_64_bits():
    """A worker that has read a large sum adds to it in Python."""
    subtask = Subtask(sums())
    subtask.operator.process_batch(columns_of([(1, 2**63 - 5, 1)]))
    subtask.cut()
    subtask.restart("columns")
    subtask.operator.process_batch(columns_of([(1, 100, 2)]))
    subtask.advance(40)
    assert given_by(subtask) == [(1, 2**63 + 95)]


def test_sums_that_are_found_by_key_count_beside_those_of_the_batch():
    """What the batch brings has room by itself, and so has what state has: not both."""
    steps = [("columns", [(0, 0, 0), (0, 2**62, 0)]), ("cut",), ("columns", [(0, 2**62, 0)]), ("watermark", 50)]
    given = play(Subtask(sums()), Stream(COMBINED[0][0], *KEYS[0]), steps, columns=True)
    expected = play(Subtask(sums(), "rows"), Stream(COMBINED[0][0], *KEYS[0]), steps, columns=False)
    assert given == expected


def test_a_description_of_another_version_is_refused(monkeypatch):
    """It is not read as if it were of this one."""
    subtask = Subtask(sums())
    monkeypatch.setattr(kept_sessions, "VERSION", 2)
    subtask.operator.process_batch(columns_of([(1, 1, 1)]))
    subtask.cut()
    monkeypatch.undo()
    subtask.restart("columns")
    with pytest.raises(ValueError, match="sessions of columns have version 2, and this program reads 1"):
        subtask.advance(40)


def test_text_keys_and_values_are_kept():
    """Keys that are text come back as they were."""
    stream = Stream(COMBINED[4][0], *KEYS[1])
    shape = stream.shape
    subtask = Subtask(WindowSpec(EventTimeSessionWindows.with_gap(10), incremental=COMBINED[4][1]))
    elements = Columns.of(shape, [np.array([1, 2]), np.array([3, 4]), pa.array(["x", None])])
    subtask.operator.process_batch(
        Batch(elements, np.array([1, 2]), Columns.of(ScalarShape((pa.string(),)), [["é", ""]]))
    )
    subtask.cut()
    assert subtask.pages_of_columns()
    subtask.restart("columns")
    subtask.advance(40)
    assert sorted(item.value for item in subtask.output.items) == [(1, 3, "x"), (2, 4, None)]
