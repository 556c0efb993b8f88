"""Count windows of columns give what count windows of rows give: the same elements in the same order, and state."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.operators.window.panes import test_kept_panes as kept
from tests.operators.window.panes import test_operator as panes
from tests.property_examples import examples
from windrow.datastream.functions import AggregateFunction
from windrow.datastream.window import CountTrigger, GlobalWindows, PurgingTrigger
from windrow.elements.batch import Batch
from windrow.elements.columns import Columns
from windrow.elements.shape import ScalarShape, TupleShape
from windrow.errors import UserFunctionError
from windrow.operators.window.count_folds import segments_of
from windrow.operators.window.spec import WindowSpec, build
from windrow.testing import OperatorHarness

INT = pa.int64()


class FromHundred(AggregateFunction):
    """Sums begin with something, and results are computed."""

    def create_accumulator(self):
        return 100, 0.5

    def add(self, value, accumulator):
        return accumulator[0] + value[1], accumulator[1] + value[1] / 3

    def get_result(self, accumulator):
        return accumulator[0] % 7, accumulator[1]

    def merge(self, acc_a, acc_b):
        raise NotImplementedError


COMBINED = [*panes.COMBINED, (TupleShape((INT, INT, INT)), FromHundred())]


def spec_of(size, function):
    return WindowSpec(GlobalWindows.create(), PurgingTrigger.of(CountTrigger.of(size)), incremental=function)


def stream_of(shape, keys):
    if keys[0] == panes.TEXT and isinstance(shape, TupleShape):
        shape = TupleShape((panes.TEXT, *shape.types[1:]))
    return panes.Stream(shape, *keys)


@settings(print_blob=True, max_examples=examples(300), deadline=None)
@given(st.integers(1, 4), st.sampled_from(COMBINED), st.sampled_from(panes.KEYS), st.lists(panes.step, max_size=16))
def test_equals_the_operator_over_rows(size, combined, keys, steps):
    """Through cuts, restores and changes of form."""
    shape, function = combined
    stream, spec = stream_of(shape, keys), spec_of(size, function)
    expected = panes.play(lambda: build(spec, columns=False), stream, steps, columns=False)
    given = panes.play(lambda: build(spec), stream, steps, columns=True)
    assert repr(given) == repr(expected)


@settings(print_blob=True, max_examples=examples(200), deadline=None)
@given(st.integers(1, 4), st.sampled_from(COMBINED), st.sampled_from(panes.KEYS), st.lists(kept.step, max_size=16))
def test_equals_the_operator_over_rows_with_state_in_pages(size, combined, keys, steps):
    """Batches, other workers, batches that are run again, and other operators that go on with the state."""
    shape, function = combined
    stream, spec = stream_of(shape, keys), spec_of(size, function)
    expected = kept.play(kept.Subtask(spec, "rows"), stream, steps, columns=False)
    assert kept.play(kept.Subtask(spec), stream, steps, columns=True) == expected


@given(st.lists(st.integers(0, 3), min_size=1, max_size=40), st.lists(st.integers(0, 9), min_size=4, max_size=4))
def test_elements_are_cut_as_they_are_counted(slots, before):
    """One after the other."""
    size = 10
    windows = [[None] * count for count in before]
    expected = []
    for place, slot in enumerate(slots):
        windows[slot].append(place)
        if len(windows[slot]) == size:
            expected.append((slot, [each for each in windows[slot] if each is not None]))
            windows[slot] = []
    found = segments_of(np.array(slots), np.array(before), size)
    cut = [found.order[start : end + 1].tolist() for start, end in zip(found.starts, found.ends, strict=True)]
    assert [
        (slot, cut[segment]) for slot, segment in zip(found.completed.tolist(), found.complete.tolist(), strict=True)
    ] == expected
    assert dict(zip(found.slots.tolist(), found.left.tolist(), strict=True)) == {
        slot: len(windows[slot]) for slot in slots
    }


def batch_of(rows):
    columns = Columns.of(TupleShape((INT, INT)), [np.array(field) for field in zip(*rows, strict=True)])
    keys = Columns.of(ScalarShape((INT,)), [np.array([row[0] for row in rows])])
    return Batch(columns, np.zeros(len(rows), np.int64), keys)


def test_results_are_columns():
    """In the order in which windows are complete."""
    harness = OperatorHarness(build(spec_of(2, lambda a, b: (a[0], a[1] + b[1]))))
    emitted = []
    harness._operator.context.output.emit_batch = emitted.append
    harness._operator.process_batch(batch_of([(1, 4), (2, 3), (2, 5), (1, 1), (2, 9)]))
    assert [batch.columns.rows() for batch in emitted] == [[(2, 8), (1, 5)]]
    assert [(entry.key, entry.value) for entry in harness.state_entries()] == [(2, (2, 9)), (2, 1)]


def test_an_error_names_the_element():
    """What cannot be computed on columns is called for each element."""
    harness = OperatorHarness(build(spec_of(3, lambda a, b: (a[0], a[1] // b[1]))), name="quotients")
    with pytest.raises(UserFunctionError, match=r"(?s)ZeroDivisionError.*'quotients'.*\(1, 0\)"):
        harness._operator.process_batch(batch_of([(1, 4), (2, 0), (1, 0), (2, 5)]))
