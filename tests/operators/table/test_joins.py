"""Pairs of rows, on columns and one by one, within an interval and within windows."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from windrow.elements.batch import Batch
from windrow.elements.columns import Columns
from windrow.elements.shape import ScalarShape
from windrow.expressions.logical_types import BIGINT, BOOLEAN, STRING
from windrow.expressions.nodes import Call, InputRef
from windrow.operators.base import LATE_RECORDS
from windrow.operators.interval_join import Interval, IntervalJoinOperator, interval_join_operator
from windrow.operators.table.calc import tuples_of
from windrow.operators.table.joins import Condition, PairsWithin, WindowJoin
from windrow.testing import Record, TwoInputOperatorHarness

#: A key, as a key and as a field, a number, and a text.
SIDE = [BIGINT, BIGINT, BIGINT, STRING]
FIELDS = [*SIDE[1:], *SIDE[1:]]
GREATER = Call(">", (InputRef(1, BIGINT), InputRef(4, BIGINT)), BOOLEAN)

row = st.tuples(st.integers(0, 2), st.none() | st.integers(-5, 5), st.one_of(st.none(), st.text("ab", max_size=2)))
timed = st.tuples(row, st.integers(0, 12))
steps = st.lists(
    st.one_of(
        st.tuples(st.sampled_from([1, 2]), st.lists(timed, min_size=1, max_size=6)),
        st.tuples(st.just(0), st.integers(0, 12)),
    ),
    max_size=12,
)


def pairs(condition):
    return PairsWithin(Condition(FIELDS, condition), [0], 3)


def batch(elements):
    """Elements behind their keys, as columns."""
    rows = [(key, key, number, text) for (key, number, text), _ in elements]
    fields = [
        pa.array(values, kind) for values, kind in zip(zip(*rows, strict=True), tuples_of(SIDE).types, strict=True)
    ]
    times = np.array([time for _, time in elements], np.int64)
    return Batch(Columns.of(tuples_of(SIDE), fields), times, Columns.of(ScalarShape((pa.int64(),)), fields[:1]))


def play(operator, given_steps):
    """A harness that has played the steps: elements of a side, or how far the watermark moves on."""
    harness, watermark = TwoInputOperatorHarness(operator), -1
    for which, what in given_steps:
        if which == 0:
            watermark += what
            harness.process_watermark(watermark)
        else:
            (operator.process_batch1 if which == 1 else operator.process_batch2)(batch(what))
    return harness


@given(steps=steps, condition=st.sampled_from([None, GREATER]))
def test_pairs_of_columns_are_those_of_rows(steps, condition):
    """The same pairs with the same times, in the same order; numbers that are NULL, too, have rows."""
    by_column = play(interval_join_operator(pairs(condition), Interval(-2, 3)), steps)
    by_row = play(IntervalJoinOperator(pairs(condition), Interval(-2, 3)), steps)
    assert by_column.take_output() == by_row.take_output()


@given(steps=steps, condition=st.sampled_from([None, GREATER]))
def test_pairs_of_windows_are_those_of_one_time_that_came_before_the_watermark(steps, condition):
    """Each once, with the window's last moment as their time; what comes behind it is counted."""
    found = play(interval_join_operator(pairs(condition), Interval(0, 0), of_windows=True), steps)
    watermark, late, sides = -1, 0, {1: [], 2: []}
    for which, what in steps:
        if which == 0:
            watermark += what
            continue
        sides[which] += [(row, time) for row, time in what if time > watermark]
        late += sum(time <= watermark for _, time in what)
    expected = [
        ((*left, *right), time)
        for left, time in sides[1]
        for right, other in sides[2]
        if time == other
        and left[0] == right[0]
        and (condition is None or (None not in (left[1], right[1]) and left[1] > right[1]))
    ]
    records = [(each.value, each.timestamp) for each in found.take_output() if isinstance(each, Record)]
    assert sorted(records, key=repr) == sorted(expected, key=repr)
    assert found.counters[LATE_RECORDS] == late


def test_null_is_equal_to_nothing():
    """Not even to NULL, on columns as row by row."""
    for operator_of in (interval_join_operator, IntervalJoinOperator):
        texts = PairsWithin(Condition([STRING, STRING], None), [0], 1)
        operator = operator_of(texts, Interval(0, 0))
        harness = TwoInputOperatorHarness(operator)
        for process in (operator.process_batch1, operator.process_batch2):
            # What is NULL has a key all the same: it is in one column with what is not.
            fields = [pa.array(["k", "k"]), pa.array(["a", None])]
            shape = tuples_of([STRING, STRING])
            process(
                Batch(Columns.of(shape, fields), np.array([1, 1]), Columns.of(ScalarShape(shape.types[:1]), fields[:1]))
            )
        values = [each.value for each in harness.take_output()]
        assert values == [("a", "a"), ("a", None)]


def test_a_window_join_has_what_is_left_over():
    """A LEFT, RIGHT or FULL join gives what has no partner with NULL, a SEMI or ANTI join the left rows alone."""
    first, second = [("k", 1, "a"), ("k", 2, "b")], [("k", 1, "x")]
    fits = Condition([BIGINT, STRING, BIGINT, STRING], Call("=", (InputRef(0, BIGINT), InputRef(2, BIGINT)), BOOLEAN))

    def joined(kind, left, right):
        return list(WindowJoin(kind, ([0], [0]), (2, 2), fits).co_group(left, right))

    assert joined("INNER", first, second) == [(1, "a", 1, "x")]
    assert joined("LEFT", first, second) == [(1, "a", 1, "x"), (2, "b", None, None)]
    assert joined("RIGHT", second, first) == [(1, "x", 1, "a"), (None, None, 2, "b")]
    assert joined("FULL", first, []) == [(1, "a", None, None), (2, "b", None, None)]
    assert joined("SEMI", first, second) == [(1, "a")]
    assert joined("ANTI", first, second) == [(2, "b")]
