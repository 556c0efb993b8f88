"""The window that fires at the end of its stream gives over columns what it gives over rows."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.operators.window.panes.test_operator import COMBINED, INT, KEYS, Stream, element
from windrow.common.limits import LONG_MAX, MAX_WATERMARK
from windrow.datastream.window import GlobalWindows
from windrow.elements.batch import Batch
from windrow.elements.shape import TupleShape
from windrow.operators.window.end_of_stream import EndOfStreamOperator
from windrow.operators.window.spec import WindowSpec, build
from windrow.operators.window.window_operator import WindowOperator
from windrow.testing import OperatorHarness
from windrow.testing.outputs import Record

AT_THE_END = GlobalWindows.create_with_end_of_stream_trigger()
SUMS = TupleShape((INT, INT, INT)), lambda a, b: (a[0], a[1] + b[1], b[2])
batches = st.lists(st.tuples(st.sampled_from(["columns", "columns", "rows"]), st.lists(element, max_size=12)))


def spec_of(combined):
    return WindowSpec(AT_THE_END, incremental=combined)


def taken(harness):
    """What has come out, without watermarks."""
    return [(each.value, each.timestamp) for each in harness.take_output() if isinstance(each, Record)]


def play(operator, stream, given_batches, *, columns):
    """What has come out before the end, and what comes at it."""
    harness, number = OperatorHarness(operator), 0
    for form, elements in given_batches:
        if elements:
            batch = stream.batch(elements, number)
            number += len(elements)
            keys, values, times = stream.columns(*batch) if columns and form == "columns" else batch
            harness._operator.process_batch(Batch(values, times, keys))
    harness.process_watermark(MAX_WATERMARK - 1)
    before = taken(harness)
    harness.process_watermark(MAX_WATERMARK)
    return before, taken(harness)


@given(combined=st.sampled_from(COMBINED), keys=st.sampled_from(KEYS), given_batches=batches)
def test_columns_and_rows_give_the_same_in_the_same_order(combined, keys, given_batches):
    """Whatever is combined, and whatever has to be done in Python."""
    shape, function = combined
    stream = Stream(shape, *keys)
    spec = spec_of(function)
    expected = play(build(spec, aligned=False), stream, given_batches, columns=False)
    got = play(build(spec), stream, given_batches, columns=True)
    assert repr(got) == repr(expected)


def test_results_have_the_last_timestamp_that_there_is():
    """As the global window has."""
    operator = build(spec_of(SUMS[1]))
    assert isinstance(operator, EndOfStreamOperator)
    given_batches = [("columns", [(0, 1, 5), (1, 2, 3), (0, 3, 4)])]
    got = play(operator, Stream(SUMS[0], *KEYS[0]), given_batches, columns=True)
    assert got == ([], [((1, 4, 2), LONG_MAX), ((-2, 2, 1), LONG_MAX)])


def test_a_state_that_has_something_is_left_to_the_operator_over_rows():
    """A checkpoint from before there were columns."""
    by_row = OperatorHarness(build(spec_of(SUMS[1]), aligned=False))
    assert isinstance(by_row._operator, WindowOperator)
    by_row._operator.process_batch(Batch([(1, 1, 1)], [0], [1]))
    harness = OperatorHarness(build(spec_of(SUMS[1])), snapshot=by_row.snapshot())
    stream = Stream(SUMS[0], *KEYS[0])
    keys, values, times = stream.columns(*stream.batch([(0, 5, 0)], 7))
    harness._operator.process_batch(Batch(values, times, keys))
    harness.process_watermark(MAX_WATERMARK)
    assert taken(harness) == [((1, 6, 7), LONG_MAX)]


@pytest.mark.parametrize("columns", [False, True])
def test_nothing_comes_of_elements_behind_the_end(columns):
    """No window is open any more: nothing comes of them."""
    harness = OperatorHarness(build(spec_of(SUMS[1]), columns=columns))
    harness.process_watermark(MAX_WATERMARK)
    harness._operator.process_batch(Batch([(1, 1, 1)], [0], [1]))
    assert taken(harness) == []
