"""An interval join of columns gives what one of rows gives: the same pairs in the same order, whatever happens."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.property_examples import examples
from windrow.common.limits import LONG_MAX, LONG_MIN, MAX_WATERMARK
from windrow.common.types import Row
from windrow.datastream import OutputTag
from windrow.datastream.functions import ProcessJoinFunction
from windrow.elements.batch import Batch
from windrow.elements.columns import Columns
from windrow.elements.shape import RowShape, ScalarShape, TupleShape
from windrow.errors import MissingTimestampError
from windrow.operators.interval_join import (
    Interval,
    IntervalJoinOperator,
    buffer,
    column_buffers,
    column_operator,
    interval_join_operator,
    pairs,
    side_columns,
)
from windrow.testing import TwoInputOperatorHarness

INT, FLOAT, TEXT = pa.int64(), pa.float64(), pa.string()
LATE = "late left", "late right"


class Sum(ProcessJoinFunction):
    def process_element(self, left, right, ctx):
        yield left[1] + right[1]


class Whole(ProcessJoinFunction):
    def process_element(self, left, right, ctx):
        return [(left[0], left[2], right[2], ctx.get_left_timestamp(), ctx.get_right_timestamp(), ctx.get_timestamp())]


class Greater(ProcessJoinFunction):
    def process_element(self, left, right, ctx):
        if left[1] > right[1]:
            yield left[2], left[1] - right[1]


class Quotient(ProcessJoinFunction):
    """Raises where right is 0, so that is asked before."""

    def process_element(self, left, right, ctx):
        if right[1] != 0:
            yield left[1] // right[1]


class Several(ProcessJoinFunction):
    def process_element(self, left, right, ctx):
        yield left
        yield right


class Noted(ProcessJoinFunction):
    """Changes its arguments, as it may: each pair has its own."""

    def process_element(self, left, right, ctx):
        if isinstance(left, Row):
            left[1] = right[1]
        if right[1] > 3:
            yield OutputTag("seen"), right
        yield left


TRACED, UNTRACED = [Sum, Whole, Greater, Quotient], [Several, Noted]
SHAPES = [
    (TupleShape((INT, INT, INT)), TupleShape((INT, INT, INT))),
    (TupleShape((INT, INT, TEXT)), TupleShape((INT, FLOAT, INT))),
    (RowShape((INT, INT, TEXT), field_names=("k", "n", "t")), TupleShape((INT, INT, TEXT))),
    (RowShape((INT, INT, INT), field_names=("k", "n", "t")), RowShape((INT, INT, INT), field_names=("k", "n", "t"))),
]
KEYS = [(INT, [1, -2, 10**15, 3]), (TEXT, ["a", "b", "", "é"])]

bounds = st.one_of(st.integers(-9, 9), st.sampled_from([LONG_MIN, LONG_MAX, 2**37, -(2**39)]))
numbers = st.one_of(st.integers(-9, 9), st.integers(-9, 9), st.sampled_from([2**62, 2**63 - 1, -(2**63)]))
near = st.integers(-12, 25)
times = st.one_of(near, near, near, st.sampled_from([2**38, -(2**38), LONG_MIN + 1, LONG_MAX]))
plain_element = st.tuples(st.integers(0, 3), numbers, near, st.booleans())
element = st.one_of(plain_element, st.tuples(st.integers(0, 3), numbers, times, st.booleans()))
step = st.one_of(
    st.tuples(st.just("columns"), st.booleans(), st.lists(plain_element, min_size=1, max_size=12)),
    st.tuples(st.just("columns"), st.booleans(), st.lists(plain_element, min_size=1, max_size=12)),
    st.tuples(st.just("columns"), st.booleans(), st.lists(element, min_size=1, max_size=6)),
    st.tuples(st.just("rows"), st.booleans(), st.lists(plain_element, min_size=1, max_size=4)),
    st.tuples(st.just("watermark"), st.integers(-2, 9)),
    st.tuples(st.just("watermark"), st.integers(-2, 9)),
    st.just(("cut",)),
    st.just(("restore",)),
)


def value_of(kind, number, null):
    if kind == TEXT:
        return None if null else str(number)
    return number / 2 if kind == FLOAT else number


def batch_of(shape, key_type, keys, elements, number, *, columns):
    """A batch as columns or as rows: (place of the key, a number, which element it is)."""
    owners = [keys[key] for key, _, _, _ in elements]
    values = [
        (key, each, number + at) if at != 5 else (key, each, number) for at, (key, each, _, _) in enumerate(elements)
    ]
    nulls = [null for _, _, _, null in elements]
    fields = [
        [value_of(kind, value[place], null and place == 2) for value, null in zip(values, nulls, strict=True)]
        for place, kind in enumerate(shape.types)
    ]
    stamps = np.array([time for _, _, time, _ in elements], np.int64)
    if not columns:
        return Batch(shape.elements(fields, len(elements)), stamps.tolist(), owners)
    arrays = [pa.array(each, kind) for each, kind in zip(fields, shape.types, strict=True)]
    return Batch(Columns.of(shape, arrays), stamps, Columns.of(ScalarShape((key_type,)), [pa.array(owners, key_type)]))


def stored(harness):
    """What is buffered, by key and side, and the timers: however long buffers are cut into leaves."""
    entries = harness.state_entries()
    leaves = {entry.key: entry.value for entry in entries if isinstance(entry.key, buffer.LeafKey)}
    found = []
    for key, side, _, value in entries:
        if isinstance(value, buffer.LeafIndex):
            parts = [leaves[buffer.LeafKey(key, side, leaf)] for leaf in value.leaves]
            whole = [time for part in parts for time in part[0]], [each for part in parts for each in part[1]]
            found.append((key, side, whole))
        elif not isinstance(key, buffer.LeafKey):
            found.append((key, side, value))
    return sorted(map(repr, found)), sorted(map(repr, harness.event_timers()))


def play(operator_of, shapes, keys, steps, *, columns):
    """All that comes out, by output, and what is stored at the end."""
    current = TwoInputOperatorHarness(operator_of())
    output, watermark, number = [], -20, 0

    def seen():
        return current.take_output(), [current.side_output(tag) for tag in (*LATE, "seen")], current.counters

    for each in [*steps, ("watermark", 3), ("restore",), ("watermark", MAX_WATERMARK)]:
        if each[0] in ("columns", "rows"):
            _, is_left, elements = each
            as_columns = columns and each[0] == "columns"
            batch = batch_of(shapes[0 if is_left else 1], *keys, elements, number, columns=as_columns)
            number += len(elements)
            (current._operator.process_batch1 if is_left else current._operator.process_batch2)(batch)
        elif each[0] == "watermark":
            watermark = min(watermark + each[1], MAX_WATERMARK)
            current.process_watermark(watermark)
        elif each[0] == "cut":
            current.snapshot()
        else:
            snapshot = current.snapshot()
            output.append((seen(), stored(current)))
            current = TwoInputOperatorHarness(operator_of(), snapshot=snapshot)
    output.append(seen())
    return output, stored(current)


@settings(print_blob=True, max_examples=examples(400), deadline=None)
@given(
    st.builds(Interval, bounds, bounds),
    st.sampled_from([*TRACED, *UNTRACED]),
    st.sampled_from(SHAPES),
    st.sampled_from(KEYS),
    st.sampled_from([(None, None), LATE]),
    st.lists(step, max_size=14),
    st.sampled_from([2, 128]),
    st.sampled_from([2, 1 << 16]),
)
def test_equals_the_operator_over_rows(interval, function, shapes, keys, tags, steps, leaf, few):
    """Pairs, late elements, counters, order and state are the same through cuts, restores and changes of form."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(buffer, "LEAF_ELEMENTS", leaf)
        patch.setattr(side_columns, "_FEW", few)
        patch.setattr(column_buffers, "_FEW_KEYS", few)
        patch.setattr(pairs.pairs, "__defaults__", (few,))
        expected = play(lambda: IntervalJoinOperator(function(), interval, *tags), shapes, keys, steps, columns=False)
        patch.setattr(column_operator, "_MOST_FAILURES", 0)
        given = play(lambda: interval_join_operator(function(), interval, *tags), shapes, keys, steps, columns=True)
    assert repr(given) == repr(expected)


def batches(shapes=SHAPES[0], keys=KEYS[0], count=2):
    """The same elements of both sides."""
    elements = [(0, 5, 3, False), (1, 6, 4, False), (0, 2, 5, False)]
    return [batch_of(shape, *keys, elements, 3 * number, columns=True) for shape in shapes for number in range(count)]


@pytest.mark.parametrize("function", TRACED)
def test_columns_stay_columns(function):
    """What is traced is computed without a look at an element, but for the first pairs."""
    operator = TwoInputOperatorHarness(interval_join_operator(function(), Interval(-5, 5)))._operator
    given = []
    operator.context.output.emit_batch = given.append
    left1, left2, right1, right2 = batches()
    for process, batch in [
        (operator.process_batch1, left1),
        (operator.process_batch2, right1),
        (operator.process_batch2, right2),
        (operator.process_batch1, left2),
    ]:
        process(batch)
        assert batch.elements.untouched
    assert all(batch.columns is not None for batch in given)
    assert given[0].columns.shape == operator.forecast_of(*SHAPES[0]).shape


def test_keys_are_not_asked_for_where_nothing_is_held_by_key(monkeypatch):
    """New keys may be as many as elements: each look at what it has by row costs more than its element does."""
    asked = []
    monkeypatch.setattr(IntervalJoinOperator, "taken", lambda _, key: asked.append(key))
    harness = TwoInputOperatorHarness(interval_join_operator(Sum(), Interval(-5, 5)))
    left, right = batches(count=1)
    harness._operator.process_batch1(left)
    harness._operator.process_batch2(right)
    assert harness.take_output()
    assert asked == []


@pytest.mark.parametrize("function", UNTRACED)
def test_what_is_not_traced_is_called_for_each_pair(function):
    """The forecast says why."""
    operator = interval_join_operator(function(), Interval(-5, 5))
    assert operator.forecast_of(*SHAPES[0]).reason.startswith("its function ")
    assert operator.forecast_of(SHAPES[0][0], None).reason == "its input is rows"


def test_a_function_with_an_open_may_use_state():
    """It stays on rows, where the current key is that of the pair."""

    class Opened(Sum):
        def open(self, runtime_context):
            pass

    assert isinstance(interval_join_operator(Opened(), Interval(0, 0)), IntervalJoinOperator)


def test_a_function_that_columns_compute_otherwise_is_called(monkeypatch):
    """The first pairs are computed both ways; a difference is warned of, and results are right."""
    operator = TwoInputOperatorHarness(interval_join_operator(Sum(), Interval(-5, 5)))
    join = operator._operator
    monkeypatch.setattr(join._by_row, "results_of", lambda *_: [0] * 5)
    left, _, right, _ = batches()
    join.process_batch1(left)
    with pytest.warns(RuntimeWarning, match="please report this"):
        join.process_batch2(right)
    assert operator.values() == [10, 7, 12, 7, 4]


def test_a_missing_timestamp_is_an_error():
    """Also of columns."""
    operator = TwoInputOperatorHarness(interval_join_operator(Sum(), Interval(-5, 5)))._operator
    left = batches()[0]
    with pytest.raises(MissingTimestampError):
        operator.process_batch1(Batch(left.elements, np.full(3, LONG_MIN), left.keys))


def test_many_elements_and_keys_that_are_over(monkeypatch):
    """Elements and keys that no longer join are forgotten, and what is left is found."""
    monkeypatch.setattr(column_buffers, "_FEW_KEYS", 1000)
    rows = TwoInputOperatorHarness(IntervalJoinOperator(Sum(), Interval(-50, 50)))
    columns = TwoInputOperatorHarness(interval_join_operator(Sum(), Interval(-50, 50)))
    random = np.random.default_rng(5)
    shape = SHAPES[0][0]
    for begin in range(0, 50_000, 5_000):
        for input_number in (1, 2):
            stamps = begin + random.permutation(5_000)
            keys = stamps // 4
            batch = Columns.of(shape, [keys, random.integers(0, 9, 5_000), stamps])
            key_columns = Columns.of(ScalarShape((INT,)), [keys])
            getattr(columns._operator, f"process_batch{input_number}")(Batch(batch, stamps, key_columns))
            by_row = Batch(batch.rows(), stamps.tolist(), keys.tolist())
            getattr(rows._operator, f"process_batch{input_number}")(by_row)
        for each in (rows, columns):
            each.process_watermark(begin + 4_000)
    assert columns.output == rows.output
    buffers = columns._operator._buffers
    assert buffers.keys.count < 50_000 // 4
    assert len(buffers.sides[0]) < 25_000


def test_keys_that_columns_cannot_compare_are_tried_ever_less_often():
    """Whole keys on one side and floats on the other are equal for Python: all goes by row, with a try now and then."""
    harness = TwoInputOperatorHarness(interval_join_operator(Sum(), Interval(-5, 5)))
    join, moves = harness._operator, []
    move = join._move_to_rows
    join._move_to_rows = lambda: moves.append(join._buffers is not None) or move()
    left, right = batches(count=1)
    floats = Columns.of(ScalarShape((FLOAT,)), [np.array([1.0, -2.0, 1.0])])
    for _ in range(100):
        join.process_batch1(left)
        join.process_batch2(Batch(right.elements, right.timestamps, floats))
    assert sum(moves) < 10
    assert len(harness.values()) == 5 * 100 * 100
