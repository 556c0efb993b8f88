"""Windows of columns give what windows of rows give: the same elements in the same order, whatever happens."""

from dataclasses import dataclass
from unittest.mock import patch

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.operators.window.fired_functions import FUNCTIONS, TRACED, TRIGGERS, Shown
from tests.property_examples import examples
from windrow.common.limits import LONG_MAX, MAX_WATERMARK
from windrow.common.time import Instant
from windrow.common.typeinfo import Types
from windrow.common.types import Row
from windrow.datastream.functions import AggregateFunction
from windrow.datastream.window import EventTimeSessionWindows, SlidingEventTimeWindows, TumblingEventTimeWindows
from windrow.elements.batch import Batch
from windrow.elements.columns import Columns
from windrow.elements.shape import DataclassShape, RowShape, ScalarShape, TupleShape
from windrow.errors import UserFunctionError
from windrow.operators.aggregations import ComparableAggregator, SumAggregator
from windrow.operators.window.panes import operator as operator_module
from windrow.operators.window.panes import results as results_module
from windrow.operators.window.spec import WindowSpec, build
from windrow.testing import OperatorHarness

LATE = "late"
SESSIONS = EventTimeSessionWindows.with_gap(5)
INT, FLOAT, TEXT = pa.int64(), pa.float64(), pa.string()


@dataclass
class Reading:
    sensor: int
    value: int


def smaller(a, b):
    return b if b < a else a


def larger(a, b):
    return b if b > a else a


class Average(AggregateFunction):
    def create_accumulator(self):
        return 0, 0

    def add(self, value, accumulator):
        return accumulator[0] + value[1], accumulator[1] + 1

    def get_result(self, accumulator):
        return accumulator[0] / accumulator[1]

    def merge(self, acc_a, acc_b):
        return acc_a[0] + acc_b[0], acc_a[1] + acc_b[1]


class Largest(AggregateFunction):
    """The largest number but 5, and which key came last; more than all numbers together."""

    def create_accumulator(self):
        return -5, "", 10

    def add(self, value, accumulator):
        return larger(accumulator[0], value[1]), value[2], accumulator[2] + value[1]

    def get_result(self, accumulator):
        return accumulator[2] - accumulator[0], accumulator[1]

    def merge(self, acc_a, acc_b):
        raise NotImplementedError


#: Functions that keep one of their elements whole.
CHOSEN = [
    (TupleShape((INT, INT, INT)), lambda a, b: a if a[1] >= b[1] else b),
    (TupleShape((INT, INT, TEXT)), lambda a, b: b if b[1] <= a[1] else a),
    (TupleShape((INT, FLOAT, INT)), lambda a, b: b if b[1] >= a[1] else a),
    (TupleShape((INT, INT, INT)), lambda a, b: a if a[1] % 3 <= b[1] % 3 else b),
    (RowShape((INT, INT), field_names=("k", "n")), lambda a, b: a if a.n <= b.n else b),
    (TupleShape((INT, INT, TEXT)), ComparableAggregator(1, greatest=True, whole_element=True)),
    (TupleShape((INT, FLOAT, INT)), ComparableAggregator(1, greatest=False, whole_element=True, first=False)),
]
#: Shapes of (key, number, number of the element), and how such elements are combined.
COMBINED = [
    (TupleShape((INT, INT, INT)), lambda a, b: (a[0], a[1] + b[1], b[2])),
    (TupleShape((INT, INT, INT)), lambda a, b: (b[0], smaller(a[1], b[1]), larger(a[2], b[2]))),
    (TupleShape((INT, FLOAT, TEXT)), lambda a, b: (a[0], a[1] + b[1], b[2])),
    (TupleShape((INT, INT, TEXT)), lambda a, _: a),
    (TupleShape((INT, FLOAT, FLOAT)), lambda a, b: (a[0], larger(a[1], b[1]), a[2] + b[2])),
    (TupleShape((INT, INT, INT)), Average()),
    (TupleShape((INT, FLOAT, INT)), Average()),
    (TupleShape((INT, INT, TEXT)), Largest()),
    (ScalarShape((INT,)), lambda a, b: a + b),
    (RowShape((INT, INT), field_names=("k", "n")), lambda a, b: Row(k=a.k, n=a.n + b.n)),
    (
        DataclassShape((INT, INT), None, Reading, ("sensor", "value")),
        lambda a, b: Reading(a.sensor, a.value + b.value),
    ),
    *CHOSEN,
    (TupleShape((INT, INT, INT)), SumAggregator(1)),
    (TupleShape((INT, FLOAT, TEXT)), SumAggregator(1)),
    (TupleShape((INT, INT, TEXT)), ComparableAggregator(1, greatest=False)),
    (TupleShape((INT, FLOAT, INT)), ComparableAggregator(1, greatest=True)),
    (RowShape((INT, INT), field_names=("k", "n")), SumAggregator("n")),
    (DataclassShape((INT, INT), None, Reading, ("sensor", "value")), SumAggregator("value")),
]
KEYS = [(INT, [1, -2, 10**15, 3]), (TEXT, ["a", "b", "", "é"])]

assigners = st.one_of(
    st.builds(TumblingEventTimeWindows, st.integers(5, 12), st.integers(-4, 4)),
    st.builds(SlidingEventTimeWindows, st.integers(1, 25), st.integers(5, 12), st.integers(-4, 4)),
)
numbers = st.one_of(st.integers(-9, 9), st.integers(-9, 9), st.sampled_from([2**62, -(2**62), 2**63 - 1, -(2**63)]))
element = st.tuples(st.integers(0, 3), numbers, st.integers(-25, 25))
step = st.one_of(
    st.tuples(st.just("columns"), st.lists(element, max_size=12)),
    st.tuples(st.just("columns"), st.lists(element, max_size=12)),
    st.tuples(st.just("rows"), st.lists(element, max_size=4)),
    st.tuples(st.just("watermark"), st.integers(-2, 9)),
    st.tuples(st.just("watermark"), st.integers(-2, 9)),
    st.just(("cut",)),
    st.just(("restore",)),
)
specs = st.builds(
    WindowSpec,
    assigners,
    allowed_lateness=st.sampled_from([0, 0, 1, 3, 8, 20, LONG_MAX]),
    late_tag=st.sampled_from([None, LATE]),
    incremental=st.just(max),
    trigger=st.sampled_from(TRIGGERS),
    function=st.sampled_from(FUNCTIONS),
)


class Stream:
    """Elements of one shape with keys of one kind."""

    def __init__(self, shape, key_type, keys):
        self.shape, self.key_shape, self.keys = shape, ScalarShape((key_type,)), keys

    def batch(self, elements, number):
        """Keys, values and timestamps, as lists."""
        keys = [self.keys[key] for key, _, _ in elements]
        rows = [self._row(self.keys[key], value, number + place) for place, (key, value, _) in enumerate(elements)]
        return keys, rows, [time for _, _, time in elements]

    def columns(self, keys, rows, times):
        """The same as columns."""
        columns = zip(zip(*map(self._fields, rows), strict=True), self.shape.types, strict=True)
        arrays = [pa.array(values, kind) for values, kind in columns]
        key_array = pa.array(keys, self.key_shape.types[0])
        if key_array.equals(arrays[0]):  # as of a selector that gives the field itself
            key_array = arrays[0]
        key_column = Columns.of(self.key_shape, [key_array])
        return key_column, Columns.of(self.shape, arrays), np.array(times, np.int64)

    def _row(self, key, value, number):
        values = [(key, 0), (value, 1), (number, 2)]
        fields = [_value(kind, *pair) for kind, pair in zip(self.shape.types, values, strict=False)]
        return self.shape.elements([[field] for field in fields], 1)[0]

    def _fields(self, row):
        if isinstance(self.shape, ScalarShape):
            return [row]
        return [getattr(row, name) for name in self.shape.names] if isinstance(row, Reading) else list(row)


def _value(kind, value, place):
    if kind == TEXT:
        return f"{place}:{value}"
    if isinstance(value, str):
        value = len(value)
    return value / 3 if kind == FLOAT else value


def play(operator_of, stream, steps, *, columns):
    """All that comes out, with the types of numbers, and what is stored at the end."""
    current = OperatorHarness(operator_of())
    output, watermark, number = [], -20, 0
    for step in [*steps, ("watermark", 3), ("restore",), ("watermark", MAX_WATERMARK)]:
        if step[0] in ("columns", "rows"):
            batch = stream.batch(step[1], number)
            number += len(step[1])
            if step[1]:
                as_columns = columns and step[0] == "columns"
                keys, elements, times = stream.columns(*batch) if as_columns else batch
                current._operator.process_batch(Batch(elements, times, keys))
        elif step[0] == "watermark":
            watermark = min(watermark + step[1], MAX_WATERMARK)
            current.process_watermark(watermark)
        elif step[0] == "cut":
            current.snapshot()
        else:
            snapshot = current.snapshot()
            output.append((current.take_output(), current.side_output(LATE), current.counters))
            current = OperatorHarness(operator_of(), snapshot=snapshot)
    output.append((current.take_output(), current.side_output(LATE), current.counters))
    return output, sorted(current.state_entries(), key=repr), sorted(current.event_timers())


@settings(print_blob=True, max_examples=examples(300), deadline=None)
@given(
    specs, st.sampled_from(COMBINED), st.sampled_from(KEYS), st.lists(step, max_size=16), st.sampled_from([1, 3, 99])
)
def test_equals_the_operator_over_rows(spec, combined, keys, steps, together):
    """Elements, late ones, counters, order and state are the same through cuts, restores and changes of form.

    However many elements wait for each other, and however many windows.
    """
    shape, function = combined
    if keys[0] == TEXT and isinstance(shape, TupleShape):
        shape = TupleShape((TEXT, *shape.types[1:]))
    stream = Stream(shape, *keys)
    spec = WindowSpec(**{**vars(spec), "incremental": function})
    expected = play(lambda: build(spec, columns=False), stream, steps, columns=False)
    of_results = patch.multiple(results_module, _TOGETHER=together, _FOR_FUNCTIONS=together)
    with patch.object(operator_module, "_TOGETHER", together), of_results:
        given = play(lambda: build(spec), stream, steps, columns=True)
    assert repr(given) == repr(expected)


def test_keys_that_timers_find_in_state_keep_their_order_in_each_window():
    """A key may be the first one of a window, and not of the one before."""
    shape, function = COMBINED[0]
    spec = WindowSpec(SlidingEventTimeWindows(6, 5, 1), incremental=function)
    steps = [("columns", [(2, 0, -14), (1, 0, -19)]), ("cut",), ("columns", [(0, 0, 0)])]
    expected = play(lambda: build(spec, columns=False), Stream(shape, *KEYS[0]), steps, columns=False)
    assert repr(play(lambda: build(spec), Stream(shape, *KEYS[0]), steps, columns=True)) == repr(expected)


@pytest.mark.parametrize("function", [lambda _, b: b, CHOSEN[2][1]])
def test_a_late_element_is_behind_what_state_has(function):
    """Though its key comes to windows that have not fired later in the batch."""
    spec = WindowSpec(SlidingEventTimeWindows(6, 5, 1), incremental=function, allowed_lateness=1)
    stream = Stream(TupleShape((INT, FLOAT, INT)), *KEYS[0])
    steps = [("watermark", 1), ("columns", [(1, 0, -19)]), ("cut",), ("columns", [(1, 0, -20), (1, -1, 0)])]
    expected = play(lambda: build(spec, columns=False), stream, steps, columns=False)
    assert repr(play(lambda: build(spec), stream, steps, columns=True)) == repr(expected)


few = st.tuples(st.integers(0, 1), st.sampled_from([-1, 0, 0, 1, 2**63 - 1, -(2**63)]), st.integers(-25, 25))
step_of_few = st.one_of(
    st.tuples(st.just("columns"), st.lists(few, max_size=12)),
    st.tuples(st.just("columns"), st.lists(few, max_size=12)),
    st.tuples(st.just("watermark"), st.integers(-2, 9)),
    st.sampled_from([("cut",), ("restore",), ("rows", [(0, 0, 1)])]),
)


WHOLE = [
    *CHOSEN,
    (TupleShape((INT, INT, INT)), lambda a, _: a),
    (TupleShape((INT, INT, INT)), lambda _, b: b),
]


@pytest.mark.parametrize(("shape", "function"), WHOLE)
@settings(print_blob=True, max_examples=examples(60), deadline=None)
@given(specs, st.lists(step_of_few, max_size=12))
def test_one_element_is_kept_whole(shape, function, spec, steps):
    """The first, the last, or the one with the greatest or the least key; of equals the first or the last to come."""
    stream = Stream(shape, *KEYS[0])
    spec = WindowSpec(**{**vars(spec), "incremental": function})
    expected = play(lambda: build(spec, columns=False), stream, steps, columns=False)
    assert repr(play(lambda: build(spec), stream, steps, columns=True)) == repr(expected)


def test_fields_of_declared_types_come_back_from_state():
    """What columns were converted to does not become columns again: such windows go on as rows."""
    shape = TupleShape((INT, pa.timestamp("ns", tz="UTC")), (Types.LONG(), Types.INSTANT()))
    spec = WindowSpec(TumblingEventTimeWindows(10), incremental=lambda a, b: (b[0], a[1]))
    snapshot = None
    for number in (1, 2):
        operator = OperatorHarness(build(spec), snapshot=snapshot)
        keys = Columns.of(ScalarShape((INT,)), [pa.array([7, 7])])
        elements = Columns.of(shape, [pa.array([7, 7]), pa.array([number, number + 1], shape.types[1])])
        operator._operator.process_batch(Batch(elements, np.array([1, 2]), keys))
        snapshot = operator.snapshot()
    operator.process_watermark(9)
    assert operator.values() == [(7, Instant(0, 1))]


def test_a_key_that_is_no_number_is_left_to_python():
    """Nothing is less or greater than a NaN: which element stays depends on the order."""
    stream = Stream(TupleShape((INT, FLOAT, INT)), *KEYS[0])
    operators = []
    for value in (1.0, np.nan):
        operators.append(OperatorHarness(build(WindowSpec(TumblingEventTimeWindows(10), incremental=CHOSEN[2][1]))))
        keys, elements, times = stream.columns([1, 1], [(1, value, 0), (1, 2.0, 1)], [1, 2])
        operators[-1]._operator.process_batch(Batch(elements, times, keys))
        operators[-1].process_watermark(9)
    assert [repr(operator.values()) for operator in operators] == ["[(1, 2.0, 1)]", "[(1, nan, 0)]"]


@pytest.mark.parametrize(("shape", "function"), [*COMBINED, (TupleShape((INT, pa.int16(), INT)), SumAggregator(1))])
def test_columns_stay_columns(shape, function):
    """Elements whose function folds are combined without a look at one of them."""
    stream = Stream(shape, *KEYS[0])
    operator = OperatorHarness(build(WindowSpec(TumblingEventTimeWindows(10), incremental=function)))._operator
    given = []
    operator.context.output.emit_batch = given.append
    keys, elements, times = stream.columns(*stream.batch([(0, 5, 3), (1, 6, 4), (0, -2, 5)], 0))
    operator.process_batch(Batch(elements, times, keys))
    operator.context.time.watermark = 9
    operator.process_watermark(9)
    assert [len(batch.columns) for batch in given] == [2]
    assert elements.untouched


class Scaled(AggregateFunction):
    """A sum that is soon more than 64 bits have."""

    def create_accumulator(self):
        return (0,)

    def add(self, value, accumulator):
        return (accumulator[0] + value[1],)

    def get_result(self, accumulator):
        return accumulator[0] * (1 << 40)

    def merge(self, acc_a, acc_b):
        return (acc_a[0] + acc_b[0],)


class Multiplied(Scaled):
    """Two sums, and what they make: numbers that are small one by one may be seen to be too large together."""

    def create_accumulator(self):
        return 0, 0

    def add(self, value, accumulator):
        return accumulator[0] + value[1], accumulator[1] + value[2]

    def get_result(self, accumulator):
        return accumulator[0] * accumulator[1]

    def merge(self, acc_a, acc_b):
        return acc_a[0] + acc_b[0], acc_a[1] + acc_b[1]


def test_windows_that_are_due_at_once_are_tried_one_by_one():
    """Where they are more than 64 bits have together, and none of them is."""
    operator = OperatorHarness(build(WindowSpec(TumblingEventTimeWindows(5), incremental=Multiplied())))._operator
    given = []
    operator.context.output.emit_batch = given.append
    rows = [(1, 2**40, 1), (1, 1, 2**40)]
    keys, elements, times = Stream(TupleShape((INT, INT, INT)), *KEYS[0]).columns([1, 1], rows, [0, 5])
    operator.process_batch(Batch(elements, times, keys))
    operator.context.time.watermark = 9
    operator.process_watermark(9)
    assert [batch.columns is not None for batch in given] == [True, True]
    assert [value for batch in given for value in batch.elements] == [2**40, 2**40]


@pytest.mark.parametrize(
    ("numbers", "batches"), [((1, 2, 3, 4), [4]), ((1, 2**30, 3, 4), [1, 1, 1, 1]), ((2**30, 2, 3, 4), [1, 1, 1, 1])]
)
def test_windows_that_are_due_at_once_give_their_results_together(numbers, batches):
    """Those in front of one that Python has to compute are given out before it, and it and all others behind it."""
    operator = OperatorHarness(build(WindowSpec(TumblingEventTimeWindows(5), incremental=Scaled())))._operator
    given = []
    operator.context.output.emit_batch = given.append
    operator.context.output.emit = lambda value, timestamp: given.append(Batch([value], [timestamp]))
    stream = Stream(TupleShape((INT, INT, INT)), *KEYS[0])
    of_windows = [(0, number, 5 * place) for place, number in enumerate(numbers)]
    keys, elements, times = stream.columns(*stream.batch(of_windows, 0))
    operator.process_batch(Batch(elements, times, keys))
    operator.context.time.watermark = 19
    operator.process_watermark(19)
    assert [len(batch) for batch in given] == batches
    inexact = numbers.index(2**30) if 2**30 in numbers else 4
    assert [batch.columns is not None for batch in given] == [place < inexact for place in range(len(batches))]
    assert [value for batch in given for value in batch.elements] == [number << 40 for number in numbers]
    assert [int(time) for batch in given for time in batch.timestamp_array()] == [4, 9, 14, 19]


@pytest.mark.parametrize("function", TRACED)
def test_what_a_traced_function_gives_stays_columns(function):
    """A window function behind the fold is computed for all keys of a window at a time."""
    stream = Stream(TupleShape((INT, INT, INT)), *KEYS[0])
    spec = WindowSpec(
        TumblingEventTimeWindows(9), incremental=lambda a, b: (a[0], a[1] + b[1], b[2]), function=function
    )
    operator = OperatorHarness(build(spec))._operator
    given = []
    operator.context.output.emit_batch = given.append
    keys, elements, times = stream.columns(*stream.batch([(0, 5, 3), (1, 6, 4), (0, -2, 5)], 0))
    operator.process_batch(Batch(elements, times, keys))
    operator.context.time.watermark = 8
    operator.process_watermark(8)
    expected = function.process if hasattr(function, "process") else function.apply
    assert [len(batch.columns) for batch in given] == [2], expected
    assert elements.untouched


def test_an_error_of_a_window_function_names_key_and_window():
    """Whether the window fires at its time or again, for a late element."""

    class Fails(Shown):
        def process(self, key, context, elements):
            raise ValueError(key)

    stream = Stream(TupleShape((INT, INT, INT)), *KEYS[0])
    spec = WindowSpec(TumblingEventTimeWindows(9), incremental=lambda a, _: a, function=Fails(), allowed_lateness=9)
    operator = OperatorHarness(build(spec))._operator
    keys, elements, times = stream.columns(*stream.batch([(0, 5, 3)], 0))
    operator.process_batch(Batch(elements, times, keys))
    operator.context.time.watermark = 8
    with pytest.raises(UserFunctionError, match=r"\(1, TimeWindow\(start=0, end=9\)\)"):
        operator.process_watermark(8)
    with pytest.raises(UserFunctionError, match=r"\(1, TimeWindow\(start=0, end=9\)\)"):
        operator.process_batch(Batch(elements, times, keys))


class Newest(AggregateFunction):
    """The third field of the element that came last."""

    def create_accumulator(self):
        return (0, "")

    def add(self, value, accumulator):
        return (accumulator[0] + 1, value[2])

    def get_result(self, accumulator):
        return accumulator[1]

    def merge(self, acc_a, acc_b):
        return (acc_a[0] + acc_b[0], acc_b[1])


@pytest.mark.parametrize("assigner", [TumblingEventTimeWindows(9), SESSIONS])
@pytest.mark.parametrize("function", [None, *TRACED, Shown()])
@pytest.mark.parametrize(
    ("shape", "incremental"),
    [
        (ScalarShape((TEXT,)), lambda a, b: b),
        (ScalarShape((TEXT,)), lambda a, b: a),
        (TupleShape((INT, INT, TEXT)), Newest()),
        (TupleShape((INT, INT, TEXT)), lambda a, b: b),
    ],
)
def test_none_is_no_result(assigner, function, shape, incremental):
    """As of rows: nothing is given out, and no function is called; an element of None begins anew."""
    spec = WindowSpec(assigner, incremental=incremental, function=function, allowed_lateness=20)
    outputs = []
    for columns in (True, False):
        current = OperatorHarness(build(spec, columns=columns))
        for times in ([1, 2, 3, 3], [4, 2, 3, 3]):
            texts, keys = ["x", "y", None, None], [1, 1, 1, 2]
            fields = [texts] if isinstance(shape, ScalarShape) else [keys, times, texts]
            batch = Columns.of(shape, [pa.array(each, kind) for each, kind in zip(fields, shape.types, strict=True)])
            key_column = Columns.of(ScalarShape((INT,)), [pa.array(keys)])
            elements = (batch, key_column) if columns else (batch.rows(), keys)
            current._operator.process_batch(Batch(elements[0], np.array(times), elements[1]))
            current.process_watermark(20)
        outputs.append(repr(sorted(map(repr, current.output))))
    assert outputs[0] == outputs[1]


def test_many_windows_with_few_keys_each_are_left_to_rows():
    """Thousands of windows that are open at once, with other keys each, do not become arrays of all keys."""
    spec = WindowSpec(TumblingEventTimeWindows(10), incremental=lambda a, b: a + b)
    rows, columns = OperatorHarness(build(spec, columns=False)), OperatorHarness(build(spec))
    shape = ScalarShape((INT,))
    for begin in range(0, 80_000, 8_000):
        numbers = np.arange(begin, begin + 8_000)
        batch = Columns.of(shape, [numbers])
        columns._operator.process_batch(Batch(batch, numbers * 10, batch))
        rows._operator.process_batch(Batch(numbers.tolist(), (numbers * 10).tolist(), numbers.tolist()))
    assert columns._operator._held is None
    for current in (rows, columns):
        current.process_watermark(MAX_WATERMARK)
    assert columns.output == rows.output
