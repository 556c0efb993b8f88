"""Sessions of columns give what sessions of rows give: the same elements in the same order, whatever happens."""

from dataclasses import dataclass, replace
from uuid import uuid4

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.operators.window.fired_functions import FUNCTIONS, TRACED, TRIGGERS
from tests.property_examples import examples
from windrow.common.limits import LONG_MAX, LONG_MIN, MAX_WATERMARK
from windrow.common.types import Row
from windrow.datastream.functions import AggregateFunction
from windrow.datastream.window import DynamicEventTimeSessionWindows, EventTimeSessionWindows
from windrow.elements.batch import Batch
from windrow.elements.columns import Columns
from windrow.elements.shape import DataclassShape, RowShape, ScalarShape, TupleShape
from windrow.operators.aggregations import ComparableAggregator, SumAggregator
from windrow.operators.window.merging_window_set import MERGING_WINDOWS
from windrow.operators.window.sessions import adding, table
from windrow.operators.window.sessions import operator as operator_module
from windrow.operators.window.spec import WindowSpec, build
from windrow.state.page_store import MemoryPageStore
from windrow.state.paged import PagedKeyedState
from windrow.testing import OperatorHarness, base_harness

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
    (TupleShape((INT, INT, INT)), SumAggregator(1)),
    (TupleShape((INT, FLOAT, TEXT)), SumAggregator(1)),
    (TupleShape((INT, INT, TEXT)), ComparableAggregator(1, greatest=False)),
    (TupleShape((INT, FLOAT, INT)), ComparableAggregator(1, greatest=True)),
    (RowShape((INT, INT), field_names=("k", "n")), SumAggregator("n")),
    (DataclassShape((INT, INT), None, Reading, ("sensor", "value")), SumAggregator("value")),
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


def on_time(draw):
    """Elements a little out of order, of which few are late, in columns, and watermarks behind them."""
    watermark, steps = -20, []
    for advance in draw(st.lists(st.integers(0, 14), min_size=2, max_size=12)):
        times = st.integers(watermark + draw(st.sampled_from([1, 1, 2, 2, 2, 2, 0])), watermark + 16)
        element = st.tuples(st.integers(0, 3), small, times)
        steps += [("columns", draw(st.lists(element, min_size=1, max_size=12))), ("watermark", advance)]
        watermark += advance
        if not draw(st.integers(0, 15)):
            steps.append(draw(st.sampled_from([("cut",), ("restore",), ("rows", [(1, 1, watermark + 3)])])))
    return steps


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


def state_of(harness):
    """What is stored: sessions with their contents, under whatever names."""
    entries = {(entry.key, entry.name, entry.namespace): entry.value for entry in harness.state_entries()}
    return sorted(
        repr((key, window, entries.get((key, "_window-contents", state_window))))
        for (key, name, _), windows in entries.items()
        if name == MERGING_WINDOWS
        for window, state_window in windows.items()
    )


def play(operator_of, stream, steps, *, columns, puts_off=False):
    """All that comes out, with the types of numbers, and what is stored at the end."""
    current = OperatorHarness(operator_of())
    output, clock = [], Clock(puts_off=puts_off)
    for step in [*steps, ("watermark", 3), ("restore",), ("watermark", MAX_WATERMARK)]:
        error = clock.step(current, stream, step, columns=columns)
        if error is not None:
            return output, current.take_output(), current.side_output(LATE), error
        if step[0] in ("columns", "rows", "watermark"):
            continue
        if step[0] == "cut":
            current.snapshot()
        else:
            snapshot = current.snapshot()
            output.append((current.take_output(), current.side_output(LATE), current.counters))
            current = OperatorHarness(operator_of(), snapshot=snapshot)
    current._operator.settle()
    output.append((current.take_output(), current.side_output(LATE), current.counters))
    return output, state_of(current), sorted(current.event_timers())


def play_putting_off(operator_of, stream, steps, *, columns):
    """The same where the operator may put watermarks off."""
    return play(operator_of, stream, steps, columns=columns, puts_off=True)


def play_in_pages(operator_of, stream, steps, *, columns):
    """All that comes out of each step, in any order, where state is in pages, and a batch ends at each cut."""
    current = PagedHarness(operator_of())
    clock, output = Clock(), []
    for step in [*steps, ("watermark", 3), ("cut",), ("watermark", MAX_WATERMARK)]:
        if step[0] in ("cut", "restore"):
            current.end_batch()
            continue
        error = clock.step(current, stream, step, columns=columns)
        if error is not None and step[0] == "watermark":  # what is first of sessions that end together is not said
            return output, error.partition(" on element ")[0]
        output.append((sorted(map(repr, current.take_output())), sorted(map(repr, current.side_output(LATE)))))
        if error is not None:
            return output, error
    return output, current.counters


class Clock:
    """How far a history is."""

    def __init__(self, *, puts_off=False):
        self.watermark, self.number, self.puts_off = -20, 0, puts_off

    def step(self, harness, stream, step, *, columns):
        """Play a batch or a watermark; gives what a function has raised, which ends the stream."""
        kind, what = step[0], step[-1]
        try:
            if kind == "watermark":
                self.watermark = min(self.watermark + what, MAX_WATERMARK)
                harness._context.time.watermark = self.watermark
                if not self.puts_off or not harness._operator.puts_off(self.watermark):
                    harness.process_watermark(self.watermark)
            elif kind in ("cut", "restore"):
                harness._operator.settle()
            elif what:
                batch = stream.batch(what, self.number)
                self.number += len(what)
                keys, elements, times = stream.columns(*batch) if columns and kind == "columns" else batch
                harness._operator.process_batch(Batch(elements, times, keys))
        except Exception as error:
            return str(error)


class PagedHarness(OperatorHarness):
    """A harness whose state is in pages, of which a few keys share one."""

    def __init__(self, operator):
        self.store = MemoryPageStore()
        state = PagedKeyedState(2, lambda: uuid4().bytes)
        state.attach(self.store, "operator")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(base_harness, "KeyedState", lambda: state)
            super().__init__(operator)

    def end_batch(self):
        self._operator.store_state()
        kept = self._operator.snapshot()
        self._state.flush()
        self._state.attach(self.store, "operator")
        self._operator.restore(kept)


def specs(draw, latenesses=(0, 0, 0, 3, 8, 20, LONG_MAX)):
    """A window operation, and a stream for it."""
    gap = draw(st.one_of(st.integers(1, 12), st.none()))
    shape, function = draw(st.sampled_from(COMBINED))
    key_type, keys = draw(st.sampled_from(KEYS))
    if key_type == TEXT and isinstance(shape, TupleShape):
        shape = TupleShape((TEXT, *shape.types[1:]))
    if gap is None and isinstance(shape, TupleShape) and shape.types[2] == INT:
        assigner = DynamicEventTimeSessionWindows.with_dynamic_gap(gap_of)
    else:
        assigner = EventTimeSessionWindows.with_gap(gap or 5)
    lateness = draw(st.sampled_from(latenesses))
    late_tag = draw(st.sampled_from([None, LATE]))
    trigger, called = draw(st.sampled_from(TRIGGERS)), draw(st.sampled_from(FUNCTIONS))
    parts = {"trigger": trigger, "function": called, "incremental": function}
    spec = WindowSpec(assigner, allowed_lateness=lateness, late_tag=late_tag, **parts)
    return spec, Stream(shape, key_type, keys)


playings = pytest.mark.parametrize("playing", [play, play_putting_off, play_in_pages])
some_limits = st.sampled_from([{}, {}, {"_LEAST": 1, "_TOGETHER": 9, "_PUT_OFF": 5}])


@playings
@settings(print_blob=True, max_examples=examples(300), deadline=None)
@given(st.composite(specs)(), all_steps, some_limits, st.sampled_from([64, 0]))
def test_equals_the_operator_over_rows(playing, of, steps, limits, few):
    """Elements, late ones, counters, order and state are the same through cuts, restores and changes of form."""
    compare(playing, of, steps, limits, few)


@playings
@settings(print_blob=True, max_examples=examples(300), deadline=None)
@given(st.composite(specs)((0,)), st.composite(on_time)(), some_limits, st.sampled_from([64, 0]))
def test_sessions_that_are_never_held_are_those_of_rows(playing, of, steps, limits, few):
    """So are those that are over when their elements are added, whatever else their keys have."""
    compare(playing, of, steps, limits, few)


def compare(playing, of, steps, limits, few):
    """Play both ways."""
    spec, stream = of
    expected = playing(lambda: build(spec, columns=False), stream, steps, columns=False)
    with pytest.MonkeyPatch.context() as patch:
        for name, value in limits.items():
            patch.setattr(operator_module, name, value)
        patch.setattr(adding, "_FEW", few)
        patch.setattr(table, "MOST_STEPS", 1000 if few else 2)
        given = playing(lambda: build(spec), stream, steps, columns=True)
    assert repr(given) == repr(expected)


SUMS = WindowSpec(EventTimeSessionWindows.with_gap(10), incremental=lambda a, b: (a[0], a[1] + b[1], b[2]))


class Taken:
    """An operator for sums, and how many elements were added together, each time."""

    def __init__(self, monkeypatch, spec=SUMS):
        self.added, self.stream = [], Stream(COMBINED[0][0], *KEYS[0])
        real = operator_module.SessionColumnsOperator._process_columns

        def process(operator, batch, watermarks):
            done = real(operator, batch, watermarks)
            self.added.append(len(batch) if done else -len(batch))
            return done

        monkeypatch.setattr(operator_module.SessionColumnsOperator, "_process_columns", process)
        self.harness = OperatorHarness(build(spec))
        self.results = []
        self.harness._operator.context.output.emit_batch = self.results.append

    def take(self, *elements):
        keys, values, times = self.stream.columns(*self.stream.batch(elements, 0))
        self.harness._operator.process_batch(Batch(values, times, keys))
        return values


def test_columns_stay_columns(monkeypatch):
    """Elements whose function folds are combined without a look at one of them."""
    taken = Taken(monkeypatch)
    elements = [taken.take((0, 5, 3), (1, 6, 4), (0, -2, 15)), taken.take((0, 1, 14), (0, 7, -7), (1, 1, 60))]
    taken.harness.process_watermark(30)
    assert [batch.columns.rows() for batch in taken.results] == [[(1, 12, 1), (-2, 6, 1), (1, -1, 0)]]
    assert all(each.untouched for each in elements)


@pytest.mark.parametrize("function", TRACED)
def test_what_a_traced_function_gives_stays_columns(monkeypatch, function):
    """A window function behind the fold is computed for all sessions that fire at a time."""
    taken = Taken(monkeypatch, replace(SUMS, function=function))
    taken.take((0, 5, 3), (1, 6, 5))
    taken.harness.process_watermark(30)
    assert [len(batch.columns) for batch in taken.results] == [2]


def test_elements_wait_while_no_session_fires_that_they_might_touch(monkeypatch):
    """Watermarks that are below their times do not part them, whatever fires."""
    taken = Taken(monkeypatch)
    taken.take((0, 5, 3))
    taken.harness.process_watermark(5)
    assert taken.added == [1]
    taken.take((1, 5, 20))
    taken.harness.process_watermark(13)
    taken.take((2, 5, 21))
    taken.harness.process_watermark(18)
    assert (taken.added, len(taken.results)) == ([1], 1)
    taken.harness.process_watermark(19)
    assert taken.added == [1, 2]


def test_watermarks_are_put_off_while_nothing_touches_what_they_fire(monkeypatch):
    """What they fire comes before each of them, as if it had been done at once; what touches it comes behind."""
    taken = Taken(monkeypatch)
    operator, output = taken.harness._operator, taken.results
    operator.context.output.emit_watermark = output.append

    def puts_off(watermark):
        operator.context.time.watermark = watermark
        return operator.puts_off(watermark)

    taken.take((0, 5, 3))
    assert (puts_off(1), puts_off(12)) == (False, True)
    taken.take((0, 1, 14), (1, 2, 16))
    assert puts_off(23)
    taken.take((0, 7, 25))
    assert (taken.added, output) == ([], [])
    taken.take((0, 9, 24))
    assert (taken.added, [each if isinstance(each, int) else each.columns.rows() for each in output]) == (
        [4, 1],
        [[(1, 5, 0)], 12, [(1, 1, 0)], 23],
    )


def test_an_element_that_may_be_late_does_not_wait(monkeypatch):
    """Nor does it overtake those that do."""
    taken = Taken(monkeypatch)
    taken.harness.process_watermark(20)
    taken.take((0, 5, 30))
    taken.take((0, 5, 20))
    assert taken.added == [1, 1]


def test_a_batch_with_late_elements_stays_columns(monkeypatch):
    """Those of other keys are not looked at one by one, those that are late for everything not at all."""
    taken = Taken(monkeypatch)
    taken.harness.process_watermark(20)
    taken.take((0, 5, 5), (1, 1, 30), (1, 2, 25), (2, 3, 13), (2, 4, 8))
    assert taken.added == [5]
    taken.harness.process_watermark(50)
    assert [batch.columns.rows() for batch in taken.results] == [[(10**15, 7, 4), (-2, 3, 2)]]
    assert taken.harness.counters["num_late_records_dropped"] == 1


def test_where_most_elements_are_late_rows_take_them(monkeypatch):
    """One by one they would cost more than a batch of rows does."""
    monkeypatch.setattr(adding, "_FEW", 0)
    taken = Taken(monkeypatch, replace(SUMS, allowed_lateness=50))
    taken.harness.process_watermark(20)
    taken.take((0, 5, 5), (1, 1, 3))
    assert taken.added == [-2]
    assert taken.harness.values() == [(1, 5, 0), (-2, 1, 1)]


def test_keys_without_sessions_are_forgotten(monkeypatch):
    """A key that comes once does not take room for ever."""
    monkeypatch.setattr(operator_module, "_LEAST", 4)
    spec = WindowSpec(EventTimeSessionWindows.with_gap(10), incremental=lambda a, b: a + b)
    operator = (harness := OperatorHarness(build(spec)))._operator
    shape = ScalarShape((INT,))
    for begin in range(0, 5000, 50):
        numbers = np.arange(begin, begin + 50)
        operator.process_batch(Batch(Columns.of(shape, [numbers]), numbers, Columns.of(shape, [numbers])))
        harness.process_watermark(begin + 40)
    assert operator._held.table.width < 1000
    harness.process_watermark(MAX_WATERMARK)
    assert harness.values() == list(range(5000))


def results(gap, combined, steps, *, columns):
    """What comes out of batches and watermarks."""
    operator = build(WindowSpec(EventTimeSessionWindows.with_gap(gap), incremental=combined), columns=columns)
    harness, stream, number = OperatorHarness(operator), Stream(COMBINED[0][0], *KEYS[0]), 0
    for step in steps:
        if isinstance(step, int):
            harness.process_watermark(step)
            continue
        batch = stream.batch(step, number)
        number += len(step)
        keys, elements, times = stream.columns(*batch) if columns else batch
        harness._operator.process_batch(Batch(elements, times, keys))
    return repr(harness.take_output())


def test_sessions_that_are_over_may_have_begun_long_before_their_last_elements():
    """So long that slots and times of both do not fit into one number."""
    gap = 2**59
    begun = [(key, 1, -gap) for key in range(4)]
    steps = [begun, -gap - 1, [(2, 1, 0), (3, 1, 0), (2, 1, 1), (3, 1, 1)], gap]
    assert results(gap, COMBINED[0][1], steps, columns=True) == results(gap, COMBINED[0][1], steps, columns=False)


class Eightfold(Average):
    """May leave 64 bits when it is asked for its result."""

    def add(self, value, accumulator):
        return accumulator[0] + value[1], accumulator[1] + value[2]

    def get_result(self, accumulator):
        return accumulator[0] * 8, accumulator[1]


def test_sessions_that_end_together_keep_their_turns_when_rows_take_over():
    """Those that are over and those that were held, by when their elements came; a key has very many of them."""
    last = 12_990
    steps = [
        [(0, 1, 1_000 + 10 * number) for number in range(1_200)] + [(3, 1, last)],
        999,
        [(1, 1, 1_001), (0, 1, last + 25), (1, 1, last + 2), (2, 2**60, last + 20)],
        [(3, 1, last + 2)],
        last + 40,
    ]
    assert results(5, Eightfold(), steps, columns=True) == results(5, Eightfold(), steps, columns=False)
