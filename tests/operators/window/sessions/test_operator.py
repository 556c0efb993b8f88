"""Sessions of columns give what sessions of rows give: the same elements in the same order, whatever happens."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from windrow.common.limits import LONG_MAX, LONG_MIN, MAX_WATERMARK
from windrow.common.types import Row
from windrow.datastream.functions import AggregateFunction
from windrow.datastream.window import DynamicEventTimeSessionWindows, EventTimeSessionWindows
from windrow.elements.batch import Batch
from windrow.elements.columns import Columns
from windrow.elements.shape import DataclassShape, RowShape, ScalarShape, TupleShape
from windrow.operators.window.merging_window_set import MERGING_WINDOWS
from windrow.operators.window.spec import WindowSpec, build
from windrow.testing import OperatorHarness

LATE = "late"
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
        return accumulator[0] / accumulator[1], 100 // accumulator[0]

    def merge(self, acc_a, acc_b):
        return acc_a[0] + acc_b[0], acc_a[1] + acc_b[1]


class Longest(Average):
    """The number of elements, which merging takes for the greater one."""

    def get_result(self, accumulator):
        return accumulator

    def merge(self, acc_a, acc_b):
        return acc_a[0] + acc_b[0], larger(acc_a[1], acc_b[1])


#: Shapes of (key, number, number of the element), and how such elements are combined.
COMBINED = [
    (TupleShape((INT, INT, INT)), lambda a, b: (a[0], a[1] + b[1], b[2])),
    (TupleShape((INT, INT, INT)), lambda a, b: (a[0], a[1] + b[1], a[2])),
    (TupleShape((INT, INT, INT)), lambda a, b: (b[0], smaller(a[1], b[1]), larger(a[2], b[2]))),
    (TupleShape((INT, FLOAT, TEXT)), lambda a, b: (a[0], a[1] + b[1], b[2])),
    (TupleShape((INT, INT, TEXT)), lambda a, _: a),
    (TupleShape((INT, FLOAT, FLOAT)), lambda a, b: (a[0], larger(a[1], b[1]), a[2] + b[2])),
    (TupleShape((INT, INT, INT)), Average()),
    (TupleShape((INT, INT, INT)), Longest()),
    (ScalarShape((INT,)), lambda a, b: a + b),
    (RowShape((INT, INT), field_names=("k", "n")), lambda a, b: Row(k=a.k, n=a.n + b.n)),
    (
        DataclassShape((INT, INT), None, Reading, ("sensor", "value")),
        lambda a, b: Reading(a.sensor, a.value + b.value),
    ),
]
KEYS = [(INT, [1, -2, 10**15, 3]), (TEXT, ["a", "b", "", "é"])]


def gap_of(element):
    return element[2] % 7 + 2


numbers = st.one_of(st.integers(-9, 9), st.integers(-9, 9), st.sampled_from([2**62, -(2**62), 2**63 - 1, -(2**63)]))
times = st.integers(-25, 45)
extreme = st.one_of(times, st.sampled_from([LONG_MAX, LONG_MAX - 7, LONG_MIN + 1, 2**59, -(2**59)]))


def steps_of(times, numbers):
    element = st.tuples(st.integers(0, 3), numbers, times)
    columns = st.tuples(st.just("columns"), st.lists(element, max_size=12))
    watermark = st.tuples(st.just("watermark"), st.integers(-2, 9))
    return st.lists(
        st.one_of(
            columns,
            columns,
            columns,
            columns,
            st.tuples(st.just("rows"), st.lists(element, max_size=4)),
            watermark,
            watermark,
            watermark,
            st.just(("cut",)),
            st.just(("restore",)),
        ),
        max_size=16,
    )


small = st.integers(-9, 9)
all_steps = st.one_of(
    steps_of(times, small), steps_of(times, small), steps_of(times, numbers), steps_of(extreme, small)
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
        key_column = Columns.of(self.key_shape, [pa.array(keys, self.key_shape.types[0])])
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


def state_of(harness):
    """What is stored: sessions with their contents, under whatever names."""
    entries = {(entry.key, entry.name, entry.namespace): entry.value for entry in harness.state_entries()}
    return sorted(
        repr((key, window, entries.get((key, "_window-contents", state_window))))
        for (key, name, _), windows in entries.items()
        if name == MERGING_WINDOWS
        for window, state_window in windows.items()
    )


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
                try:
                    current._operator.process_batch(Batch(elements, times, keys))
                except Exception as error:  # what a function raises ends the stream
                    return output, current.take_output(), current.side_output(LATE), str(error)
        elif step[0] == "watermark":
            watermark = min(watermark + step[1], MAX_WATERMARK)
            try:
                current.process_watermark(watermark)
            except Exception as error:
                return output, current.take_output(), current.side_output(LATE), str(error)
        elif step[0] == "cut":
            current.snapshot()
        else:
            snapshot = current.snapshot()
            output.append((current.take_output(), current.side_output(LATE), current.counters))
            current = OperatorHarness(operator_of(), snapshot=snapshot)
    output.append((current.take_output(), current.side_output(LATE), current.counters))
    return output, state_of(current), sorted(current.event_timers())


@settings(print_blob=True, max_examples=400, deadline=None)
@given(
    gap=st.one_of(st.integers(1, 12), st.none()),
    lateness=st.sampled_from([0, 0, 0, 3, 8, 20, LONG_MAX]),
    late_tag=st.sampled_from([None, LATE]),
    combined=st.sampled_from(COMBINED),
    keys=st.sampled_from(KEYS),
    steps=all_steps,
)
def test_equals_the_operator_over_rows(gap, lateness, late_tag, combined, keys, steps):
    """Elements, late ones, counters, order and state are the same through cuts, restores and changes of form."""
    shape, function = combined
    if keys[0] == TEXT and isinstance(shape, TupleShape):
        shape = TupleShape((TEXT, *shape.types[1:]))
    has_numbers = isinstance(shape, TupleShape) and shape.types[2] == INT
    if gap is None and has_numbers:
        assigner = DynamicEventTimeSessionWindows.with_dynamic_gap(gap_of)
    else:
        assigner = EventTimeSessionWindows.with_gap(gap or 5)
    stream = Stream(shape, *keys)
    spec = WindowSpec(assigner, allowed_lateness=lateness, late_tag=late_tag, incremental=function)
    expected = play(lambda: build(spec, columns=False), stream, steps, columns=False)
    given = play(lambda: build(spec), stream, steps, columns=True)
    assert repr(given) == repr(expected)
