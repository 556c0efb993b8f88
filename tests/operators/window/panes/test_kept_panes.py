"""What windows of columns hold is the same behind a checkpoint as before it, whoever reads it."""

from collections import Counter
from itertools import count

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.operators.window.panes.test_operator import COMBINED, KEYS, LATE, TEXT, Stream, element, specs
from tests.property_examples import examples
from windrow.common import Types
from windrow.common.limits import LONG_MAX, MAX_WATERMARK
from windrow.datastream.window import SlidingEventTimeWindows, TumblingEventTimeWindows
from windrow.elements.batch import Batch
from windrow.elements.columns import Columns
from windrow.elements.shape import RowShape, ScalarShape, TupleShape
from windrow.operators.base import OperatorContext, Time
from windrow.operators.window.panes import kept_panes
from windrow.operators.window.panes import operator as panes_operator
from windrow.operators.window.spec import WindowSpec, build
from windrow.state import kept_columns
from windrow.state.page_store import MemoryPageStore
from windrow.state.paged import PagedKeyedState
from windrow.testing.outputs import RecordingOutput

FORMS = {"columns": {}, "rows": {"columns": False}, "general": {"aligned": False}}
SECTIONS = {"pane", "window", "total", "early"}
INT = pa.int64()
SUMS = TupleShape((INT, INT, INT)), lambda a, b: (a[0], a[1] + b[1], b[2])


a_batch = st.lists(element, max_size=12)
step = st.one_of(
    st.tuples(st.just("columns"), a_batch),
    st.tuples(st.just("columns"), a_batch),
    st.tuples(st.just("rows"), st.lists(element, max_size=3)),
    st.tuples(st.just("watermark"), st.integers(0, 9)),
    st.tuples(st.just("watermark"), st.integers(0, 9)),
    st.just(("cut",)),
    st.just(("cut",)),
    st.just(("restart", "columns")),
    st.just(("restart", "columns")),
    st.tuples(st.just("restart"), st.sampled_from(list(FORMS))),
    st.tuples(st.just("lost"), a_batch),
)


class Subtask:
    """A window operator with state in pages, as a task has it: a batch, a checkpoint, the next batch."""

    def __init__(self, spec, form="columns"):
        self.spec, self.store, self.kept = spec, MemoryPageStore(), None
        self.output, self.counters, self._tokens = RecordingOutput(), Counter(), count()
        self.now = 0
        self.restart(form)

    def restart(self, form):
        """Another worker: nothing is in memory."""
        self.form = form
        self.operator = build(self.spec, **FORMS[form])
        self.state = PagedKeyedState(128, lambda: b"%d" % next(self._tokens))
        self.time, self.time.processing_time = Time(-20), self.now
        context = OperatorContext("windows", self.output, self.time, self.state, None, self.counters)
        self.operator.open(context)
        self.attach()

    def attach(self):
        """Begin a batch with what was stored."""
        self.state.attach(self.store, "op")
        watermark, snapshot = self.kept or (self.time.watermark, self.operator.snapshot())
        self.time.watermark = watermark
        self.operator.restore(snapshot)

    def cut(self):
        """The end of a batch."""
        self.operator.store_state()
        kept = self.time.watermark, self.operator.snapshot()
        self.state.flush()
        self.kept = kept

    def wakes(self):
        """When the operator wants to hear of the time."""
        return self.operator.next_processing_time()

    def advance(self, watermark):
        self.time.watermark = watermark
        self.operator.process_watermark(watermark)

    def turn(self, now):
        self.now = self.time.processing_time = now
        self.operator.advance_processing_time(now)

    def is_kept_as_columns(self):
        return any(name.split("/")[2] in SECTIONS for name in self.store.pages if name.count("/") > 2)

    def taken(self):
        """All that has come out since the last call, in any order; and what was counted."""
        taken = sorted(map(repr, self.output.items)), sorted(map(repr, self.output.sides.get(LATE, [])))
        self.output.items = []
        self.output.sides.clear()
        return *taken, dict(self.counters)


def play(subtask, stream, steps, *, columns):
    """What comes out at each step."""
    number, given = 0, []
    for step in [*steps, ("cut",), ("watermark", 30), ("cut",), ("watermark", MAX_WATERMARK), ("cut",)]:
        match step:
            case ("columns" | "rows" | "lost" as form, elements):
                before = dict(subtask.store.pages), subtask.kept, subtask.counters.copy()
                if form == "lost":
                    subtask.cut()
                    given.append(subtask.taken())
                    subtask.attach()
                    before = dict(subtask.store.pages), subtask.kept, subtask.counters.copy()
                batch = stream.batch(elements, number)
                number += len(elements)
                if elements:
                    keys, values, times = batch if form == "rows" or not columns else stream.columns(*batch)
                    subtask.operator.process_batch(Batch(values, times, keys))
                if form == "lost":  # the batch came to its end here, or did not, and was not committed
                    if len(elements) % 2:
                        subtask.cut()
                    subtask.taken()
                    subtask.store.pages, subtask.kept = before[:2]
                    subtask.counters.clear()
                    subtask.counters.update(before[2])
                    if len(elements) % 2:
                        subtask.attach()
                    else:  # who fails is made anew
                        subtask.restart(subtask.form)
            case ("watermark", by):
                subtask.advance(min(subtask.time.watermark + by, MAX_WATERMARK))
            case ("clock", by):
                subtask.turn(subtask.now + by)
            case ("cut",):
                subtask.cut()
                given.append(subtask.wakes())
                subtask.attach()
            case ("restart", form):
                subtask.cut()
                subtask.restart(form if columns else subtask.form)
        given.append(subtask.taken())
    return given


@settings(print_blob=True, max_examples=examples(400), deadline=None)
@given(
    specs,
    st.sampled_from(COMBINED),
    st.sampled_from(KEYS),
    st.lists(step, max_size=16),
    st.sampled_from([(1, 32), (2, 2), (99, 32), (99, 3)]),
)
def test_equals_the_operator_over_rows(spec, combined, keys, steps, sizes):
    """Batches, other workers, batches that are run again and changes of form show in no result."""
    shape, function = combined
    if keys[0] == TEXT and isinstance(shape, TupleShape):
        shape = TupleShape((TEXT, *shape.types[1:]))
    stream = Stream(shape, *keys)
    spec = WindowSpec(**{**vars(spec), "incremental": function})
    expected = play(Subtask(spec, "rows"), stream, steps, columns=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kept_columns, "PAGE_KEYS", sizes[0])
        patch.setattr(kept_panes, "_TABLES", sizes[1])
        subtask = Subtask(spec)
        assert play(subtask, stream, steps, columns=True) == expected
    if spec.allowed_lateness < LONG_MAX:
        assert not subtask.is_kept_as_columns()


def columns_of(elements):
    """Keys, elements and times as columns, of (key, number, time)."""
    stream = Stream(SUMS[0], INT, list(range(2_000)))
    keys, values, times = stream.columns(*stream.batch(elements, 0))
    return Batch(values, times, keys)


@pytest.mark.parametrize(
    ("declared", "as_columns"), [(Types.LONG(), True), (Types.SHORT(), True), (Types.BIG_INT(), False)]
)
def test_elements_of_declared_types_are_kept(declared, as_columns):
    """Types that have a name in checkpoints; of others windows are kept by key."""
    shape = RowShape((INT, INT), (declared, declared), ("k", "n"))
    elements = Columns.of(shape, [np.array([1, 2, 1]), np.array([5, 6, 7])])
    subtask = Subtask(WindowSpec(TumblingEventTimeWindows(10), incremental=lambda a, b: b))
    keys = Columns.of(ScalarShape((INT,)), [np.array([1, 2, 1])])
    subtask.operator.process_batch(Batch(elements, np.array([1, 2, 3]), keys))
    subtask.cut()
    assert subtask.is_kept_as_columns() == as_columns
    subtask.restart("columns")
    subtask.advance(9)
    assert sorted(item.value.n for item in subtask.output.items) == [6, 7]


def sliding(**parts):
    return WindowSpec(SlidingEventTimeWindows(60, 5), incremental=SUMS[1], **parts)


def test_a_batch_writes_the_panes_that_it_has_changed():
    """A pane without new elements stays as it is in the store, and what is over is removed."""
    subtask = Subtask(sliding())
    subtask.operator.process_batch(columns_of([(key, 1, 10 * pane) for key in range(50) for pane in range(4)]))
    subtask.cut()
    subtask.attach()
    before = dict(subtask.store.pages)
    assert len(before) == 5
    subtask.operator.process_batch(columns_of([(3, 1, 31)]))
    subtask.cut()
    after = subtask.store.pages
    changed = sorted(name.split("/")[2:] for name in after if after[name] != before.get(name))
    assert changed == [[], ["pane", "6", "0"]]
    subtask.attach()
    subtask.advance(100)
    subtask.cut()
    assert list(subtask.store.pages) == ["op/pages"]


def test_what_nobody_else_has_written_is_not_read_again():
    """The next batch of the same worker asks for the root only."""
    subtask = Subtask(sliding())
    subtask.operator.process_batch(columns_of([(1, 1, 1), (2, 1, 30)]))
    subtask.cut()
    asked = []
    subtask.store.get = lambda name: asked.append(name) or subtask.store.pages.get(name)
    subtask.attach()
    subtask.advance(7)
    subtask.operator.process_batch(columns_of([(1, 1, 20)]))
    subtask.cut()
    assert asked == ["op/pages"]
    assert len(subtask.output.items) == 1


def test_windows_fire_in_a_worker_that_gets_no_elements():
    """A watermark is enough."""
    subtask = Subtask(sliding())
    subtask.operator.process_batch(columns_of([(1, 1, 1), (2, 1, 3)]))
    subtask.cut()
    subtask.restart("columns")
    subtask.advance(4)
    assert len(subtask.output.items) == 2
    assert subtask.operator._held is not None


def test_no_more_is_kept_as_columns_than_rows_have_room_for(monkeypatch):
    """Many entries are kept by key, until all of them are gone."""
    monkeypatch.setattr(panes_operator, "_MOST_ENTRIES", 20)
    subtask = Subtask(WindowSpec(TumblingEventTimeWindows(10), incremental=SUMS[1]))
    for begin, as_columns in ((0, True), (10, False), (11, False), (30, False), (40, True)):
        keys = 30 if begin == 10 else 5
        subtask.operator.process_batch(columns_of([(key, 1, begin) for key in range(keys)]))
        subtask.cut()
        assert subtask.is_kept_as_columns() == as_columns
        subtask.attach()
        subtask.advance(29 if begin == 30 else begin - 1)
        if begin == 30:
            subtask.advance(39)
            subtask.cut()
            subtask.attach()
    assert len(subtask.state.columns.description()) == 8


def test_arrays_that_have_no_room_are_read_again(monkeypatch):
    """Memory between batches is bounded; what was dropped is read when it is needed."""
    monkeypatch.setattr("windrow.state.kept_columns.KEPT_BYTES", 1)
    subtask = Subtask(sliding())
    subtask.operator.process_batch(columns_of([(1, 1, 1)]))
    subtask.cut()
    assert subtask.operator._held is None
    subtask.attach()
    subtask.operator.process_batch(columns_of([(1, 4, 1)]))
    subtask.advance(4)
    assert [item.value[1] for item in subtask.output.items] == [5]


def test_another_function_begins_with_rows():
    """What another fold has kept is given to the operator over rows, which goes on with any function."""
    subtask = Subtask(sliding())
    subtask.operator.process_batch(columns_of([(1, 5, 1), (1, 7, 2)]))
    subtask.cut()
    subtask.spec = WindowSpec(SlidingEventTimeWindows(60, 5), incremental=lambda a, b: (a[0], max(a[1], b[1]), b[2]))
    subtask.restart("columns")
    subtask.operator.process_batch(columns_of([(1, 9, 1)]))
    subtask.advance(4)
    assert [item.value[1] for item in subtask.output.items] == [12]


def test_more_lateness_keeps_what_is_open():
    """A program that was changed goes on with windows that are kept as columns."""
    subtask = Subtask(sliding())
    subtask.operator.process_batch(columns_of([(1, 5, 1)]))
    subtask.cut()
    subtask.spec = sliding(allowed_lateness=20)
    subtask.restart("columns")
    subtask.advance(4)
    subtask.operator.process_batch(columns_of([(1, 1, 2)]))
    assert [item.value[1] for item in subtask.output.items] == [5, 6]


def test_many_keys_are_in_several_pages(monkeypatch):
    """A page has so many keys and no more, and ends between key groups."""
    monkeypatch.setattr(kept_columns, "PAGE_KEYS", 100)
    subtask = Subtask(WindowSpec(TumblingEventTimeWindows(10), incremental=lambda a, b: a + b))
    numbers = np.arange(1_000)
    batch = Columns.of(ScalarShape((INT,)), [numbers])
    subtask.operator.process_batch(Batch(batch, np.full(1_000, 5), batch))
    subtask.cut()
    assert len(subtask.store.pages) >= 11
    subtask.restart("columns")
    subtask.advance(9)
    assert sorted(item.value for item in subtask.output.items) == numbers.tolist()
