"""Buffers of an interval join are the same behind a checkpoint as before it, whoever reads it, and are written once."""

from collections import Counter
from itertools import count
from unittest.mock import patch

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.operators.interval_join.test_column_operator import (
    KEYS,
    LATE,
    SHAPES,
    TRACED,
    UNTRACED,
    Noted,
    Sum,
    batch_of,
    bounds,
    element,
    plain_element,
)
from tests.property_examples import examples
from windrow.common.limits import LONG_MAX, MAX_WATERMARK
from windrow.elements.batch import Batch
from windrow.elements.columns import Columns
from windrow.elements.shape import ScalarShape, TupleShape
from windrow.expressions.logical_types import BIGINT, INT
from windrow.operators.base import OperatorContext, Time
from windrow.operators.interval_join import (
    Interval,
    IntervalJoinOperator,
    buffer,
    column_buffers,
    column_operator,
    interval_join_operator,
    kept_buffers,
    side_columns,
)
from windrow.operators.table.calc import tuples_of
from windrow.operators.table.joins import Condition, PairsWithin
from windrow.state import kept_columns
from windrow.state.column_page import read_table
from windrow.state.page_store import MemoryPageStore
from windrow.state.paged import PagedKeyedState
from windrow.table import data_types as t
from windrow.testing.outputs import RecordingOutput

DOUBLE = t.DoubleType()
FORMS = {"columns": interval_join_operator, "rows": IntervalJoinOperator}


class Subtask:
    """A join with state in pages, as a task has it: a batch, a checkpoint, the next batch."""

    def __init__(self, function, interval, form="columns"):
        self.arguments = function, interval, *LATE
        self.store, self.watermark = MemoryPageStore(), -20
        self.output, self.counters, self._tokens = RecordingOutput(), Counter(), count()
        self.restart(form)

    def restart(self, form):
        """Another worker: nothing is in memory."""
        self.form = form
        self.operator = FORMS[form](*self.arguments)
        self.state = PagedKeyedState(128, lambda: b"%d" % next(self._tokens))
        self.time = Time(self.watermark)
        self.operator.open(OperatorContext("join", self.output, self.time, self.state, None, self.counters))
        self.attach()

    def attach(self):
        """Begin a batch with what was stored."""
        self.state.attach(self.store, "op")
        self.time.watermark = self.watermark

    def cut(self):
        """The end of a batch."""
        self.operator.store_state()
        self.state.flush()
        self.watermark = self.time.watermark

    def advance(self, watermark):
        self.time.watermark = watermark
        self.operator.process_watermark(watermark)

    def process(self, is_left, batch):
        (self.operator.process_batch1 if is_left else self.operator.process_batch2)(batch)

    def tables(self):
        return [name for name in self.store.pages if name.count("/") > 2 and name.split("/")[2] in ("left", "right")]

    def taken(self):
        """All that has come out since the last call; and what was counted."""
        taken = list(map(repr, self.output.items)), {tag: repr(each) for tag, each in self.output.sides.items() if each}
        self.output.items = []
        self.output.sides.clear()
        return *taken, dict(self.counters)


def play(subtask, shapes, keys, steps, *, columns, always=None):
    """What comes out at each step; ``always``: the form that each restart takes."""
    number, given_out = 0, []
    for step in [*steps, ("cut",), ("watermark", 9), ("cut",), ("watermark", LONG_MAX), ("cut",)]:
        match step:
            case ("columns" | "rows" as form, is_left, elements):
                shape, as_columns = shapes[0 if is_left else 1], columns and form == "columns"
                subtask.process(is_left, batch_of(shape, *keys, elements, number, columns=as_columns))
                number += len(elements)
            case ("lost", is_left, elements):  # an attempt at a batch that is not committed, here or in another worker
                subtask.cut()
                subtask.attach()
                given_out.append(subtask.taken())
                before = dict(subtask.store.pages), subtask.watermark, subtask.counters.copy()
                shape = shapes[0 if is_left else 1]
                subtask.process(is_left, batch_of(shape, *keys, elements, number, columns=columns))
                if len(elements) % 2:
                    subtask.cut()
                subtask.taken()
                subtask.store.pages, subtask.watermark = before[:2]
                subtask.counters.clear()
                subtask.counters.update(before[2])
                if len(elements) % 2:
                    subtask.attach()
                else:
                    subtask.restart(subtask.form)
            case ("watermark", by):
                subtask.advance(min(subtask.time.watermark + by, MAX_WATERMARK))
            case ("cut",):
                subtask.cut()
                subtask.attach()
            case ("restart", form):
                subtask.cut()
                subtask.restart(always or form)
        given_out.append(subtask.taken())
    return given_out


near_elements = st.lists(plain_element, min_size=1, max_size=10)
step = st.one_of(
    st.tuples(st.just("columns"), st.booleans(), near_elements),
    st.tuples(st.just("columns"), st.booleans(), near_elements),
    st.tuples(st.just("columns"), st.booleans(), st.lists(element, min_size=1, max_size=4)),
    st.tuples(st.just("rows"), st.booleans(), st.lists(plain_element, min_size=1, max_size=3)),
    st.tuples(st.just("lost"), st.booleans(), near_elements),
    st.tuples(st.just("watermark"), st.integers(-9, 9)),
    st.tuples(st.just("watermark"), st.integers(0, 9)),
    st.just(("cut",)),
    st.just(("cut",)),
    st.tuples(st.just("restart"), st.sampled_from(["columns", "columns", "rows"])),
)


@settings(print_blob=True, max_examples=examples(300), deadline=None)
@given(
    interval=st.builds(Interval, bounds, bounds),
    function=st.sampled_from([*TRACED, *UNTRACED]),
    shapes=st.sampled_from(SHAPES),
    keys=st.sampled_from(KEYS),
    steps=st.lists(step, max_size=16),
    leaf=st.sampled_from([2, 128]),
    sizes=st.sampled_from([(512, 1 << 16), (0, 2), (3, 2)]),
    most=st.sampled_from([1 << 20, 1 << 20, 9]),
    stays=st.booleans(),
)
def test_equals_the_operator_over_rows(interval, function, shapes, keys, steps, leaf, sizes, most, stays):
    """Batches, other workers, batches that are run again and changes of the operator show in no result."""
    with (
        patch.object(buffer, "LEAF_ELEMENTS", leaf),
        patch.object(kept_buffers, "_FEW", sizes[0]),
        patch.object(side_columns, "_FEW", sizes[1]),
        patch.object(column_buffers, "_FEW_KEYS", sizes[1]),
        patch.object(column_operator, "_MOST_ELEMENTS", most),
        patch.object(column_operator, "_MOST_FAILURES", 0),
        patch.object(kept_columns, "KEPT_BYTES", kept_columns.KEPT_BYTES if stays else 0),
    ):
        found = play(Subtask(function(), interval), shapes, keys, steps, columns=True)
        rows = Subtask(function(), interval, "rows")
        expected = play(rows, shapes, keys, steps, columns=False, always="rows")
    assert found == expected


def batch(number, size=100, key=None):
    """Left or right elements, one a millisecond from ``number`` on."""
    elements = [(place % 3 if key is None else key, place % 9, number + place, False) for place in range(size)]
    return batch_of(SHAPES[0][0], *KEYS[0], elements, number, columns=True)


def test_a_batch_writes_what_it_has_brought():
    """And now and then what others have brought; what is over is removed without being written again."""
    subtask = Subtask(Sum(), Interval(-2_000, 2_000))
    with patch.object(kept_buffers, "_FEW", 0):
        written, most_tables = 0, 0
        for number in range(0, 12_000, 100):
            for is_left in (True, False):
                subtask.process(is_left, batch(number, key=int(is_left)))  # they are kept, and do not join
            subtask.advance(number)
            before = dict(subtask.store.pages)
            subtask.cut()
            subtask.attach()
            names = subtask.tables()
            pages = [page for name in names if (page := subtask.store.pages[name]) is not before.get(name)]
            written += sum(map(len, pages))
            most_tables = max(most_tables, len(names))
    assert most_tables < 40
    assert sum(read_table(subtask.store.pages[name]).keys.size for name in subtask.tables()) < 1.5 * 4_000
    assert written < 100 * 2 * 12_000  # an element takes some 16 bytes, and is written three times


@pytest.mark.parametrize("form", ["columns", "rows"])
def test_another_worker_has_what_is_not_over(form):
    """In the form that it works in; nothing is left of columns where it is rows."""
    subtask = Subtask(Sum(), Interval(-5, 5))
    subtask.process(True, batch(0, 30))
    subtask.advance(20)
    subtask.cut()
    assert subtask.tables()
    subtask.restart(form)
    subtask.process(False, batch(20, 10))
    subtask.cut()
    assert bool(subtask.tables()) == (form == "columns")
    expected = Subtask(Sum(), Interval(-5, 5), "rows")
    expected.process(True, batch(0, 30))
    expected.advance(20)
    expected.process(False, batch(20, 10))
    assert subtask.taken() == expected.taken()


def one(time, key=0, number=0):
    """One element."""
    return batch_of(SHAPES[0][0], *KEYS[0], [(key, 1, time, False)], number, columns=True)


def test_what_was_over_does_not_come_back():
    """Although it is still in a table, and the watermark goes back."""
    subtask = Subtask(Sum(), Interval(-5, 5))
    subtask.process(True, batch(0, 30))
    subtask.cut()
    subtask.attach()
    subtask.advance(20)
    subtask.cut()
    subtask.restart("columns")
    subtask.advance(0)
    subtask.process(False, one(14))
    assert len(subtask.output.items) == 1  # with 18, and not with 9, 12 and 15


def test_an_element_as_early_as_what_is_over_is_kept():
    """One at the watermark is not late, though all of its time that came before is over."""
    subtask = Subtask(Sum(), Interval(0, 0))
    subtask.process(True, one(3))
    subtask.process(True, one(9))
    subtask.advance(5)
    subtask.process(True, one(5))
    subtask.cut()
    subtask.restart("columns")
    subtask.process(False, one(5))
    assert len(subtask.output.items) == 1


def test_pages_begin_with_the_key_groups_of_their_keys():
    """Also when keys were forgotten, and others have their slots."""
    subtask = Subtask(Sum(), Interval(-5, 5))
    shape = SHAPES[0][0]
    with patch.object(column_buffers, "_FEW_KEYS", 4):
        for begin in range(0, 300, 30):
            stamps = np.arange(begin, begin + 30)
            elements = Columns.of(shape, [stamps * 7, stamps, stamps])
            subtask.process(True, Batch(elements, stamps, Columns.of(ScalarShape((pa.int64(),)), [stamps * 7])))
            subtask.advance(begin + 20)
            subtask.cut()
            subtask.attach()
            for name in subtask.tables():
                keys = read_table(subtask.store.pages[name]).keys
                groups = subtask.state.columns.groups_of(keys).tolist()
                assert groups == sorted(groups)
                assert name.split("/")[1] == f"{groups[0]:x}"


def test_nothing_is_left_of_elements_that_are_over():
    """Neither tables nor a description of them."""
    subtask = Subtask(Sum(), Interval(-5, 5))
    subtask.process(True, batch(0, 30))
    subtask.cut()
    subtask.attach()
    subtask.advance(MAX_WATERMARK)
    subtask.cut()
    assert not subtask.tables()
    subtask.attach()
    assert not subtask.state.columns.are_stored()


def test_numbers_that_grow_are_no_other_shape():
    """Values come back with their types: text, truth, small integers and floats."""
    shape = TupleShape((pa.int64(), pa.int16(), pa.float32(), pa.string(), pa.bool_()))
    arrays = [pa.array([1, 2]), pa.array([-3, 4], pa.int16()), pa.array([0.5, -0.0], pa.float32())]
    arrays += [pa.array(["x", None]), pa.array([True, None])]
    keys = Columns.of(ScalarShape((pa.int64(),)), [pa.array([1, 2])])
    subtask = Subtask(Sum(), Interval(0, 0))
    subtask.process(True, Batch(Columns.of(shape, arrays), np.array([5, 6]), keys))
    subtask.cut()
    subtask.restart("columns")
    subtask.operator.process_watermark(-20)
    side = subtask.operator._buffers.sides[0]
    assert side.shape == shape
    assert repr(side.rows(np.arange(2))) == "[(1, -3, 0.5, 'x', True), (2, 4, -0.0, None, None)]"


@pytest.mark.parametrize("null", [True, False])
def test_times_come_back(null):
    """Points in time, days, times of day and spans, with null among them or not."""
    types = [
        pa.timestamp("us", "UTC"),
        pa.timestamp("ms"),
        pa.date32(),
        pa.time32("ms"),
        pa.time64("us"),
        pa.duration("s"),
    ]
    ticks = [-5, None if null else 10**6]
    arrays = [pa.array(ticks, pa.int32() if of.bit_width == 32 else pa.int64()).view(of) for of in types]
    keys = Columns.of(ScalarShape((pa.int64(),)), [pa.array([1, 2])])
    subtask = Subtask(Noted(), Interval(0, 0))
    subtask.process(True, Batch(Columns.of(TupleShape(tuple(types)), arrays), np.array([5, 6]), keys))
    subtask.cut()
    assert subtask.state.columns.are_stored()
    subtask.restart("columns")
    subtask.operator.process_watermark(-20)
    side = subtask.operator._buffers.sides[0]
    assert [side.field(number, np.arange(2)) for number in range(len(types))] == arrays


def test_numbers_that_are_null_come_back():
    """Of a function that takes columns by itself: what came before the first null, with it, and behind it."""
    kinds = [BIGINT, INT, DOUBLE]
    function = PairsWithin(Condition([*kinds[1:], *kinds[1:]], None), [], 2)
    subtask, shape = Subtask(function, Interval(0, 0)), tuples_of(kinds)
    given = [[(1, 5, 0.5)], [(1, None, float("nan")), (2, 7, None)], [(3, 8, 1.5)]]
    for place, rows in enumerate(given):
        arrays = [pa.array(values, of) for values, of in zip(zip(*rows, strict=True), shape.types, strict=True)]
        keys = Columns.of(ScalarShape((pa.int64(),)), [arrays[0]])
        subtask.process(True, Batch(Columns.of(shape, arrays), np.full(len(rows), place), keys))
        subtask.cut()
        assert subtask.state.columns.are_stored()
        if place == 1:
            subtask.restart("columns")
    subtask.restart("columns")
    subtask.operator.process_watermark(-20)
    side = subtask.operator._buffers.sides[0]
    assert repr(side.rows(np.arange(4))) == repr([row for rows in given for row in rows])


def test_what_is_too_much_is_kept_by_key():
    """Of a function that does not take columns by itself: moved to rows it would be too much memory."""
    subtask = Subtask(Sum(), Interval(0, 0))
    with patch.object(column_operator, "_MOST_ELEMENTS", 0):
        subtask.process(True, one(3))
        subtask.cut()
    assert not subtask.state.columns.are_stored()
    assert subtask.state.stored_keys() == 1


def test_a_later_version_is_refused():
    """A checkpoint of a program of tomorrow is not read as today's."""
    subtask = Subtask(Sum(), Interval(-5, 5))
    subtask.process(True, batch(0, 3))
    with patch.object(kept_buffers, "VERSION", 3):
        subtask.cut()
    with pytest.raises(ValueError, match="version 3"):
        subtask.restart("columns") or subtask.process(False, batch(0, 3))
