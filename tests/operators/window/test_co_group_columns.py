"""A co-group on columns gives what its function gives when it is called for each key."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.operators.test_tagged_shape import tagged
from tests.operators.window.test_by_clock import FORMS, Subtask
from tests.property_examples import examples
from tests.tracing import test_groups as functions
from windrow.datastream.window import SlidingEventTimeWindows, TumblingEventTimeWindows
from windrow.elements.batch import Batch
from windrow.elements.columns import Columns
from windrow.elements.shape import LONG, RowShape, ScalarShape, TupleShape
from windrow.operators.tagged_union import One, Two
from windrow.operators.window import co_group_columns
from windrow.operators.window.aligned_elements_operator import AlignedElementsOperator
from windrow.operators.window.co_group import CoGroupWindowFunction
from windrow.operators.window.spec import WindowSpec, build

TEXT = pa.string()
ROW = RowShape((pa.int64(), TEXT), field_names=("number", "name"))
PAIR = TupleShape((pa.int64(), TEXT))
TAGS = One, Two


def semi_of_rows(first, second):
    if second:
        for each in first:
            yield each.name, each.number // 2


def anti_of_rows(first, second):
    return first if not second else None


def divides(first, second):
    for each in first:
        if each.number > 100 // each.number:
            yield each.number


def of_cases(first, second):
    for _ in second:
        for one in first:
            yield one.number, 1
        return
    for two in first:
        if two.number % 2:
            yield two.number, 2


def spoils(first, second):
    """Not to be traced: what it does to an element is not to be seen in another window."""
    first.sort(key=lambda each: each.number)
    for each in first:
        yield f"{each} {second}"
        each.number += 100


def untraced(first, second):
    yield str((first, second))


CASES = [
    *[(LONG, LONG, function) for function in (functions.semi_by_loop, functions.outer, functions.of_second)],
    *[(LONG, PAIR, function) for function in (functions.semi, functions.some, functions.unanswered, untraced)],
    *[(ROW, ROW, function) for function in (semi_of_rows, anti_of_rows, divides, of_cases, spoils)],
    *[(ROW, PAIR, function) for function in (semi_of_rows, anti_of_rows, spoils, untraced)],
]
assigners = st.one_of(
    st.builds(TumblingEventTimeWindows, st.integers(5, 12), st.integers(-4, 4)),
    st.builds(SlidingEventTimeWindows, st.integers(1, 25), st.integers(5, 12), st.integers(-4, 4)),
)
element = st.tuples(st.integers(0, 3), st.integers(-3, 9), st.integers(-25, 25))
step = st.one_of(
    st.tuples(st.sampled_from(["columns", "columns", "rows"]), st.integers(0, 1), st.lists(element, max_size=8)),
    st.tuples(st.just("columns"), st.integers(0, 1), st.lists(element, min_size=1, max_size=8)),
    st.tuples(st.just("watermark"), st.integers(0, 12)),
    st.just(("cut",)),
    st.tuples(st.just("restart"), st.sampled_from(list(FORMS))),
)


class AtWatermark(Subtask):
    """Another worker goes on with the watermark."""

    watermark = -20

    def cut(self):
        self.watermark = self.time.watermark
        return super().cut()

    def attach(self):
        self.time.watermark = self.watermark
        super().attach()


def batch_of(which, shape, elements, *, columns):
    """Elements of a stream, with their tags and keys."""
    values = [[value, f"{value}"][: len(shape.types)] for _, value, _ in elements]
    arrays = [pa.array(field, kind) for field, kind in zip(zip(*values, strict=True), shape.types, strict=True)]
    made = tagged(TAGS[which], Columns.of(shape, arrays))
    keys = Columns.of(ScalarShape.of(pa.int64()), [pa.array([key for key, _, _ in elements])])
    times = np.array([time for _, _, time in elements], np.int64)
    return Batch(made, times, keys) if columns else Batch(made.rows(), times.tolist(), keys.rows())


def play(subtask, shapes, steps, *, columns):
    """What comes out at each step."""
    watermark, given = -20, []
    for each in [*steps, ("cut",), ("watermark", 99)]:
        match each:
            case ("columns" | "rows" as form, which, elements):
                if elements:
                    batch = batch_of(which, shapes[which], elements, columns=columns and form == "columns")
                    subtask.operator.process_batch(batch)
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
    assigners,
    st.sampled_from(CASES),
    st.lists(step, max_size=14),
    st.sampled_from([0, 0, 0, 7]),
    st.sampled_from([1 << 28, 0]),
    st.sampled_from([1 << 16, 5]),
)
def test_equals_the_general_operator(assigner, case, steps, lateness, kept_bytes, together):
    """Columns and rows, of one shape and of two, with late elements, through state and in other workers."""
    *shapes, function = case
    spec = WindowSpec(assigner, function=CoGroupWindowFunction(function), allowed_lateness=lateness)
    assert isinstance(build(spec), AlignedElementsOperator)
    try:
        expected = play(AtWatermark(spec, "general"), shapes, steps, columns=False)
    except Exception as error:
        with pytest.raises(type(error)):
            play(AtWatermark(spec, "columns"), shapes, steps, columns=True)
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("windrow.state.kept_columns.KEPT_BYTES", kept_bytes)
        patch.setattr("windrow.operators.window.aligned_elements_operator._TOGETHER", together)
        found = play(AtWatermark(spec, "columns"), shapes, steps, columns=True)
    assert [sorted(each) for each in found] == [sorted(each) for each in expected]


def of_columns(function, *batches):
    """What is given out at the end of a window of ten milliseconds."""
    subtask = AtWatermark(WindowSpec(TumblingEventTimeWindows(10), function=CoGroupWindowFunction(function)), "columns")
    for which, elements in batches:
        subtask.operator.process_batch(batch_of(which, ROW, elements, columns=True))
    emitted = []
    subtask.output.emit_batch = emitted.append
    subtask.operator.process_watermark(9)
    return emitted


def test_results_are_columns_in_the_order_of_keys():
    """A key comes where its first element came, of whichever stream."""
    first, second = [(1, 5, 3), (0, 6, 1), (1, 7, 2), (2, 8, 4)], [(3, 0, 1), (0, 1, 2), (1, 1, 3)]
    (batch,) = of_columns(semi_of_rows, (1, second), (0, first))
    assert batch.columns is not None
    assert list(batch.elements) == [("6", 3), ("5", 2), ("7", 3)]
    assert batch.timestamp_list() == [9, 9, 9]


def test_elements_wait_until_a_window_fires():
    """Watermarks that fire nothing do not put them by window; those of a stream become one chunk then."""
    subtask = AtWatermark(
        WindowSpec(TumblingEventTimeWindows(10), function=CoGroupWindowFunction(semi_of_rows)), "columns"
    )
    chunks = []
    results = subtask.operator._on_columns.results
    subtask.operator._on_columns.results = lambda found, timestamp: (chunks.append(found), results(found, timestamp))[1]
    for watermark in range(8):
        for which in (0, 1):
            subtask.operator.process_batch(batch_of(which, ROW, [(1, watermark, 8)], columns=True))
        subtask.time.watermark = watermark
        subtask.operator.process_watermark(watermark)
        assert not subtask.operator._kept
    subtask.operator.process_watermark(9)
    (found,) = chunks
    assert [places.tolist() for places, _, _ in found] == [list(range(0, 32, 4)), list(range(2, 32, 4))]
    assert len(subtask.output.items) == 8


def test_a_function_that_cannot_be_traced_gets_rows_at_once():
    """Its elements are not kept as columns when it is known that nothing computes on them."""
    subtask = AtWatermark(WindowSpec(TumblingEventTimeWindows(10), function=CoGroupWindowFunction(spoils)), "columns")
    for which in (0, 1, 0):
        subtask.operator.process_batch(batch_of(which, ROW, [(1, 2, 3)] * 99, columns=True))
        subtask.operator.next_due()  # so that they do not wait any more
    kinds = [isinstance(part, np.ndarray) for part in subtask.operator._kept._parts()]
    assert kinds == [False, True, True]


def test_a_difference_switches_columns_off(monkeypatch):
    """With one warning, and the results are Python's."""
    computed = co_group_columns._computed
    monkeypatch.setattr(co_group_columns, "_computed", lambda *given: computed(*given)[:0])
    with pytest.warns(RuntimeWarning, match="0 results, called by itself 1"):
        (batch,) = of_columns(semi_of_rows, (0, [(1, 5, 3)]), (1, [(1, 5, 3)]))
    assert (batch.columns, list(batch.elements)) == (None, [("5", 2)])
