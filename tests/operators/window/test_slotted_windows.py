"""Accumulators in lists are what they are in dictionaries: results, their order, calls of functions and state."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.operators.window.panes import test_kept_panes as kept
from tests.operators.window.panes import test_operator as panes
from tests.property_examples import examples
from windrow.common.limits import LONG_MAX
from windrow.datastream.functions import AggregateFunction
from windrow.datastream.window import TumblingEventTimeWindows
from windrow.elements.batch import Batch
from windrow.elements.columns import Columns
from windrow.elements.shape import ScalarShape, TupleShape
from windrow.errors import UserFunctionError
from windrow.operators.window import slotted_windows
from windrow.operators.window.spec import WindowSpec, build
from windrow.testing import OperatorHarness

INT = pa.int64()
calls = []


def opaque(a, b):
    """Cannot be traced, and tells of its calls."""
    calls.append((a, b))
    return a[0], a[1] + b[1], f"{a[2]} {b[2]}"


def forgetful(a, b):
    """Gives None for some elements, so that the next one begins anew."""
    calls.append((a, b))
    return None if b[1] % 5 == 0 else (a[0], a[1] + b[1], b[2])


class Forgetful(AggregateFunction):
    """Its accumulator is None after some elements, so that the next one begins anew."""

    def create_accumulator(self):
        return ()

    def add(self, value, accumulator):
        calls.append((value, accumulator))
        return None if value[1] % 5 == 0 else (*accumulator, value)

    def get_result(self, accumulator):
        return None if accumulator is None else repr(accumulator)

    def merge(self, acc_a, acc_b):
        return acc_a + acc_b


specs = st.builds(
    WindowSpec,
    st.builds(TumblingEventTimeWindows, st.integers(5, 12), st.integers(-4, 4)),
    allowed_lateness=st.sampled_from([0, 0, 1, 3, 8, 20, LONG_MAX]),
    late_tag=st.sampled_from([None, panes.LATE]),
    incremental=st.sampled_from([opaque, forgetful, Forgetful(), lambda a, b: (*a, *b[1:])]),
    trigger=st.sampled_from(panes.TRIGGERS),
    function=st.sampled_from(panes.FUNCTIONS),
)


@pytest.fixture(autouse=True)
def _always(monkeypatch):
    """Lists are used however few elements there are."""
    monkeypatch.setattr(slotted_windows, "FEWEST", 1)
    monkeypatch.setattr(slotted_windows, "_LENGTH_OF_RUNS", 0)
    monkeypatch.setattr(slotted_windows, "_MOST_FAILURES", 0)


def stream_of(keys):
    return panes.Stream(TupleShape((keys[0], INT, INT)), *keys)


def counted(play, *arguments, **options):
    calls.clear()
    return repr((play(*arguments, **options), calls))


@settings(print_blob=True, max_examples=examples(200), deadline=None)
@given(specs, st.sampled_from(panes.KEYS), st.lists(panes.step, max_size=16), st.booleans())
def test_equals_what_rows_give(spec, keys, steps, traces):
    """Through cuts, restores, late elements, batches of rows between, and behind an operator over columns."""
    expected = counted(panes.play, lambda: build(spec, columns=False), stream_of(keys), steps, columns=False)
    assert counted(panes.play, lambda: build(spec, columns=traces), stream_of(keys), steps, columns=True) == expected


ours = st.one_of(
    st.tuples(st.sampled_from(["columns", "columns", "columns", "rows", "lost"]), kept.a_batch),
    st.tuples(st.just("watermark"), st.integers(0, 9)),
    st.just(("cut",)),
    st.just(("restart", "rows")),
)


@settings(print_blob=True, max_examples=examples(200), deadline=None)
@given(specs, st.sampled_from(panes.KEYS), st.lists(ours, max_size=16))
def test_equals_what_rows_give_with_state_in_pages(spec, keys, steps):
    """Batches, other workers, and batches that are run again."""
    expected = counted(kept.play, kept.Subtask(spec, "rows"), stream_of(keys), steps, columns=False)
    assert counted(kept.play, kept.Subtask(spec, "rows"), stream_of(keys), steps, columns=True) == expected


def batch_of(rows, times):
    columns = Columns.of(TupleShape((INT, INT)), [np.array(field) for field in zip(*rows, strict=True)])
    keys = Columns.of(ScalarShape((INT,)), [np.array([row[0] for row in rows])])
    return Batch(columns, np.array(times), keys)


def test_an_error_names_the_element():
    """The one at which the user's function has failed."""
    spec = WindowSpec(TumblingEventTimeWindows(10), incremental=lambda a, b: a[1] // b[1])
    current = OperatorHarness(build(spec, columns=False), name="quotients")
    with pytest.raises(UserFunctionError, match=r"(?s)ZeroDivisionError.*'quotients'.*\(1, 0\)"):
        current._operator.process_batch(batch_of([(1, 4), (2, 0), (1, 0), (2, 5)], [1, 2, 3, 14]))


def test_lists_are_used_where_columns_have_many_elements(monkeypatch):
    """Not for a few of them, nor where neighbours are in other windows each."""
    monkeypatch.setattr(slotted_windows, "FEWEST", 3)
    monkeypatch.setattr(slotted_windows, "_LENGTH_OF_RUNS", 2)
    few, apart = slotted_windows.SlottedWindows(), slotted_windows.SlottedWindows()
    keys = Columns.of(ScalarShape((INT,)), [np.array([7, 8, 7, 9])])
    assert few.place(keys.part(0, 2), np.array([10, 10])) is None
    assert apart.place(keys, np.array([10, 20, 10, 20])) is None
    placed = few.place(keys, np.array([10, 10, 10, 10]))
    assert [new.key for new in placed.new()] == [7, 8, 9]
    assert few.ends() == [10]
