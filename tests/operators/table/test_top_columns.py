"""The first rows of a window on columns are those that are found key by key."""

import datetime as dt
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.operators.table.played import batch_of
from tests.operators.window.test_by_clock import FORMS
from tests.operators.window.test_co_group_columns import AtWatermark
from tests.property_examples import examples
from windrow.datastream.window import TumblingEventTimeWindows
from windrow.expressions import logical_types as lt
from windrow.operators.table.top_rows import TopRows
from windrow.operators.window.aligned_elements_operator import AlignedElementsOperator
from windrow.operators.window.spec import WindowSpec, build
from windrow.table import data_types as t

NAN = float("nan")
#: Key, the number of the row, and what rows are put in order by.
TYPES = [
    *(lt.STRING, lt.BIGINT, lt.INT, lt.BIGINT, t.DoubleType(), lt.STRING),
    *(t.BooleanType(), t.DecimalType(10, 2), lt.TIMESTAMP_3, t.TimeType(3)),
]
NOON = dt.datetime(1969, 12, 31, 12)
values = st.tuples(
    st.integers(-2, 2),
    st.sampled_from([2**63 - 1, -(2**63), 0, 1]),
    st.sampled_from([-0.0, 0.0, 1.5, float("-inf"), float("inf")]),
    st.sampled_from(["", "a", "\u00e9", "\uffff", "\U00010000"]),
    st.booleans(),
    st.sampled_from([Decimal("-1.50"), Decimal("0.00"), Decimal("2.25")]),
    st.sampled_from([NOON, NOON + dt.timedelta(seconds=1), NOON - dt.timedelta(days=400)]),
    st.sampled_from([dt.time(1), dt.time(23, 59)]),
)
element = st.tuples(st.sampled_from("abcd"), st.integers(-25, 25), values, st.integers(0, 12))
step = st.one_of(
    st.tuples(st.sampled_from(["columns", "columns", "rows"]), st.lists(element, min_size=1, max_size=12)),
    st.tuples(st.just("watermark"), st.integers(0, 12)),
    st.just(("cut",)),
    st.tuples(st.just("restart"), st.sampled_from(list(FORMS))),
)
orders = st.lists(st.tuples(st.integers(1, 9), st.booleans(), st.booleans()), max_size=3)


def rows_of(elements, number):
    """Tuples; one of their values may be NULL."""
    return [
        (key, number + place, *[None if null == each else value for each, value in enumerate(drawn)])
        for place, (key, _, drawn, null) in enumerate(elements)
    ]


def play(subtask, steps, *, columns):
    """What comes out at each step."""
    watermark, number, given = -20, 0, []
    for each in [*steps, ("cut",), ("watermark", 99)]:
        match each:
            case ("columns" | "rows" as form, elements):
                times, is_columns = [time for _, time, _, _ in elements], columns and form == "columns"
                subtask.operator.process_batch(batch_of(TYPES, rows_of(elements, number), times, columns=is_columns))
                number += len(elements)
            case ("watermark", by):
                watermark += by
                subtask.time.watermark = watermark
                subtask.operator.process_watermark(watermark)
            case ("cut",):
                subtask.cut()
                subtask.attach()
            case ("restart", form):
                subtask.cut()
                subtask.restart(form if columns else "general")
        given.append([repr(item) for item in subtask.output.items])
        subtask.output.items = []
    return given


@settings(print_blob=True, max_examples=examples(200), deadline=None)
@given(
    orders, st.integers(1, 3), st.lists(step, max_size=14), st.sampled_from([0, 0, 7]), st.sampled_from([1 << 28, 0])
)
def test_equals_the_function_that_is_called_for_each_key(order, count, steps, lateness, kept_bytes):
    """Rows of all types with NULL, in any order, with late ones, through state and in other workers."""
    spec = WindowSpec(TumblingEventTimeWindows(10), function=TopRows(order, count, TYPES), allowed_lateness=lateness)
    assert isinstance(build(spec), AlignedElementsOperator)
    expected = play(AtWatermark(spec, "general"), steps, columns=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("windrow.state.kept_columns.KEPT_BYTES", kept_bytes)
        found = play(AtWatermark(spec, "columns"), steps, columns=True)
    assert [sorted(each) for each in found] == [sorted(each) for each in expected]


def of_window(order, values):
    """What is given out at the end of a window, as batches."""
    types = [lt.STRING, t.DoubleType()]
    subtask = AtWatermark(WindowSpec(TumblingEventTimeWindows(10), function=TopRows(order, 2, types)), "columns")
    batch = batch_of(types, values, [1] * len(values), columns=True)
    assert subtask.operator.takes_columns(batch.columns.shape)
    subtask.operator.process_batch(batch)
    emitted = []
    subtask.output.emit_batch = emitted.append
    subtask.operator.process_watermark(9)
    assert len(emitted) == 1
    return emitted[0], subtask.operator.forecast(batch.columns.shape).shape


def test_results_are_columns_in_the_order_of_keys():
    """Keys come as their first rows came, and each with its rows in their order."""
    made, forecast = of_window([(1, True, False)], [("b", 1.0), ("a", 2.0), ("b", 3.0), ("b", 2.0), ("a", 2.0)])
    assert made.columns.shape == forecast
    assert list(made.elements) == [("b", 3.0, 1), ("b", 2.0, 2), ("a", 2.0, 1), ("a", 2.0, 2)]


def test_python_puts_in_order_what_has_none():
    """NaN is neither less nor more than another number."""
    made, _ = of_window([(1, False, False)], [("a", NAN), ("a", 2.0), ("a", 1.0)])
    assert made.columns is None
    assert repr(made.elements[0]) == repr(("a", NAN, 1))
