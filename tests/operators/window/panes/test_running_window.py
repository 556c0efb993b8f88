"""Windows of panes that have few of all keys, as lists, are the windows of panes that are rows of all keys."""

from unittest.mock import patch

import numpy as np
import pyarrow as pa
import pytest

from windrow.datastream.functions import AggregateFunction
from windrow.datastream.window import SlidingEventTimeWindows
from windrow.elements.batch import Batch
from windrow.elements.columns import Columns
from windrow.elements.shape import LONG, TupleShape
from windrow.operators.window.panes import pane_windows
from windrow.operators.window.panes.pane_windows import PaneWindows
from windrow.operators.window.spec import WindowSpec, build
from windrow.testing import OperatorHarness

SHAPE = TupleShape((pa.int64(), pa.int64(), pa.int64(), pa.float64()))
WITH_TEXT = TupleShape((*SHAPE.types, pa.bool_(), pa.string()))


class Extremes(AggregateFunction):
    """The least and the greatest number, and how many there are."""

    def create_accumulator(self):
        return 2**40, -1.0, 0

    def add(self, value, accumulator):
        return min(value[1], accumulator[0]), max(value[3], accumulator[1]), accumulator[2] + 1

    def get_result(self, accumulator):
        return accumulator

    def merge(self, acc_a, acc_b):
        return min(acc_a[0], acc_b[0]), max(acc_a[1], acc_b[1]), acc_a[2] + acc_b[2]


FUNCTIONS = {
    "sum, last": lambda a, b: (a[0], a[1] + b[1], b[2], a[3]),
    "first, last of floats": lambda a, b: (a[0], a[1], b[2], b[3]),
    "sums of floats by window": lambda a, b: (a[0], b[1], a[2], a[3] + b[3]),
    "extremes": Extremes(),
    "first truth, last text": lambda a, b: (a[0], a[1] + b[1], b[2], b[3], a[4], b[5]),
}


def batch_of(random, keys, count, times, *, text):
    """Elements between two times, as columns."""
    of = random.integers(0, keys, count)
    fields = [of, random.integers(-9, 9, count), np.arange(count), random.integers(1, 9, count) / 4]
    if text:
        fields += [fields[1] > 0, pa.array([f"text {number}" for number in fields[2].tolist()])]
    elements = Columns.of(WITH_TEXT if text else SHAPE, fields)
    return Batch(elements, times[0] + random.integers(0, times[1] - times[0], count), Columns.of(LONG, [of]))


def results(function, seed, *, columns=True, keys=300, restarts=False, lateness=0):
    """What windows give, in their order, by a random stream: elements that are late, gaps, many windows at a time."""
    random = np.random.default_rng(seed)
    size, slide = [(60, 5), (60, 1), (50, 20), (7, 3)][seed % 4]
    spec = WindowSpec(SlidingEventTimeWindows(size, slide), incremental=function, allowed_lateness=lateness)
    harness = OperatorHarness(build(spec, columns=columns), key_selector=lambda value: value[0])
    given, now = [], 1000
    for step in range(14):
        now += int(random.integers(0, 3) ** 4 * 10)
        count = int(random.integers(1, 400))
        text = function is FUNCTIONS["first truth, last text"]
        elements = batch_of(random, keys if step > 3 else 5, count, (now - 20, now + 70), text=text)
        harness._operator.process_batch(elements)
        harness.process_watermark(now)
        given += harness.take_output()
        if restarts and step % 5 == 4:
            snapshot = harness.snapshot()
            harness = OperatorHarness(
                build(spec, columns=columns), key_selector=lambda value: value[0], snapshot=snapshot
            )
            harness.process_watermark(now)
            given += harness.take_output()[:-1]
    harness.end_of_input()
    return given + harness.take_output()


@pytest.mark.parametrize("lateness", [0, 15])
@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("seed", range(4))
def test_both_forms_of_panes_and_rows_give_the_same_in_the_same_order(name, seed, lateness):
    """Whether panes are lists or rows, and where state is stored and read between."""
    expected = results(FUNCTIONS[name], seed, columns=False, lateness=lateness)
    for few in (2**40, 0, 4):  # never few of all keys, always, and as it comes
        with patch.object(pane_windows, "FEW", few):
            assert results(FUNCTIONS[name], seed, lateness=lateness) == expected


@pytest.mark.parametrize("seed", range(4))
def test_panes_that_are_lists_are_stored_as_rows_are(seed):
    """A pane is stored with what waits in lists, and goes on from it."""
    expected = results(FUNCTIONS["sum, last"], seed, columns=False, restarts=True)
    for few in (2**40, 0):
        with patch.object(pane_windows, "FEW", few):
            assert results(FUNCTIONS["sum, last"], seed, restarts=True) == expected


def test_a_sum_that_may_leave_64_bits_is_seen_where_panes_are_lists():
    """What lists hold counts for the bound on sums: then elements are added row by row."""
    add = lambda a, b: (a[0], a[1] + b[1], b[2], b[3])  # noqa: E731
    given = {}
    for columns in (True, False):
        harness = OperatorHarness(
            build(WindowSpec(SlidingEventTimeWindows(60, 1), incremental=add), columns=columns),
            key_selector=lambda value: value[0],
        )
        for time in range(0, 6, 2):
            of = np.arange(3)
            numbers = [of, np.full(3, 2**62 - 1), of, of / 2]
            elements = Batch(Columns.of(SHAPE, numbers), np.full(3, time), Columns.of(LONG, [of]))
            harness._operator.process_batch(elements)
            harness.process_watermark(time)
        harness.end_of_input()
        given[columns] = harness.take_output()
    assert given[True] == given[False]
    assert max(record.value[1] for record in given[True] if hasattr(record, "value")) == 3 * (2**62 - 1)


def test_what_is_added_to_a_pane_often_becomes_a_row():
    """A window is merged from few parts however small batches are."""
    windows = pane_windows.AlignedWindows(60, 5, 0)
    panes = PaneWindows(windows, [pane_windows.FieldFold("sum", np.dtype(np.int64), identity=0)])
    one = np.ones(1, np.int64)
    for number in range(50):
        panes.add(0 * one, number % 7 * one, panes.sequence(1), [one])
        assert len(panes._parts_of(0)) <= 6
    row = panes.window(60)
    assert row.fields[0][:7].tolist() == [8, 7, 7, 7, 7, 7, 7]
    assert panes.in_order(row, 7).tolist() == list(range(7))
