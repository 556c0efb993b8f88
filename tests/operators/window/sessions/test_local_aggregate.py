"""What is combined before an exchange gives sessions behind it the results that all elements would give."""

import math

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.operators.window.exchange import received
from tests.operators.window.fired_functions import FUNCTIONS, TRIGGERS
from tests.operators.window.sessions.test_operator import (
    COMBINED,
    FLOAT,
    INT,
    KEYS,
    LATE,
    TEXT,
    Longest,
    Stream,
    some_limits,
)
from tests.property_examples import examples
from windrow.common.limits import MAX_WATERMARK, MIN_WATERMARK
from windrow.datastream.functions import AggregateFunction
from windrow.datastream.window import DynamicEventTimeSessionWindows, EventTimeSessionWindows
from windrow.elements.batch import Batch
from windrow.elements.columns import Columns
from windrow.elements.shape import ScalarShape, TupleShape
from windrow.operators.column_folds.field_folds import FieldFolds
from windrow.operators.local_aggregate import WatermarkAt
from windrow.operators.window.panes import window_aggregate
from windrow.operators.window.session import SessionPart
from windrow.operators.window.sessions import adding, local_aggregate, table
from windrow.operators.window.sessions import operator as operator_module
from windrow.operators.window.spec import WindowSpec, build

TRIPLE = TupleShape((INT, INT, INT))


def summed(a, b):
    return a[0], a[1] + b[1], b[2]


def largest(a, b):
    return a[0], max(a[1], b[1]), a[2] + b[2]


class Totals(AggregateFunction):
    """The sum and the number of values, the largest one, or -5, and the number of the last element."""

    def create_accumulator(self):
        return 0, 0, -5, 0

    def add(self, value, accumulator):
        return accumulator[0] + value[1], accumulator[1] + 1, max(accumulator[2], value[1]), value[2]

    def get_result(self, accumulator):
        return accumulator

    def merge(self, acc_a, acc_b):
        return acc_a[0] + acc_b[0], acc_a[1] + acc_b[1], max(acc_a[2], acc_b[2]), acc_b[3]


#: Shapes and functions whose elements may be combined.
ADDED = [
    *[pair for pair in COMBINED if not isinstance(pair[1], AggregateFunction) and FLOAT not in pair[0].types],
    *[(TRIPLE, function) for function in (summed, largest, lambda _, b: b, Totals())],
]
numbers = st.one_of(st.integers(-9, 9), st.integers(-9, 9), st.sampled_from([2**61, 2**62, -(2**62), 2**63 - 1]))
#: A key, a value, and by how much the element is ahead of the last watermark of its channel.
element = st.tuples(st.integers(0, 1), numbers, st.one_of(st.integers(-9, 25), *[st.integers(1, 9)] * 3))
#: Elements and, behind them, by how much the channel's watermark grows; a chunk of a writer has some such segments.
segment = st.tuples(st.lists(element, max_size=16), st.integers(0, 9))
#: Chunks of one channel or of two.
chunks = st.integers(1, 2).flatmap(
    lambda channels: st.lists(
        st.lists(st.tuples(*[segment] * channels), min_size=1, max_size=3), min_size=1, max_size=3
    )
)


@st.composite
def specs(draw):
    """A window operation, and a stream for it."""
    shape, function = draw(st.sampled_from(ADDED))
    key_type, keys = draw(st.sampled_from(KEYS))
    if key_type == TEXT and isinstance(shape, TupleShape):
        shape = TupleShape((TEXT, *shape.types[1:]))
    spec = WindowSpec(
        EventTimeSessionWindows.with_gap(draw(st.integers(1, 12))),
        allowed_lateness=draw(st.sampled_from([0, 0, 3, 20])),
        late_tag=draw(st.sampled_from([None, LATE])),
        trigger=draw(st.sampled_from(TRIGGERS)),
        function=draw(st.sampled_from(FUNCTIONS)),
        incremental=function,
    )
    return spec, Stream(shape, key_type, keys)


def local(function=summed, gap=5, **spec):
    assigner = EventTimeSessionWindows.with_gap(gap)
    return build(WindowSpec(assigner, incremental=function, **spec)).local_aggregate()


def triples(*elements):
    """A batch of (key, value, timestamp)."""
    stream = Stream(TRIPLE, *KEYS[0])
    keys, columns, times = stream.columns(*stream.batch(elements, 0))
    return Batch(columns, times, keys)


def since(watermark):
    return [WatermarkAt(0, watermark)]


def results_of(harness):
    """All that came out, in any order, and what was counted."""
    return sorted(map(repr, harness.take_output())), sorted(map(repr, harness.side_output(LATE))), harness.counters


@settings(print_blob=True, max_examples=examples(600), deadline=None)
@given(specs(), chunks, some_limits, st.sampled_from([64, 0]), st.booleans())
def test_sessions_give_what_they_give_of_all_elements(of, given_chunks, limits, few, puts_off):
    """Late elements, windows and side outputs included, of one channel or of two that come in turns."""
    spec, stream = of
    by_row = build(spec, columns=False)
    expected, came = received(by_row, stream, lambda: None, given_chunks, ahead=True, columns=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(window_aggregate, "_WORTH", 1)
        patch.setattr(window_aggregate, "_MOST_FAILURES", 0)
        for name, value in limits.items():
            patch.setattr(operator_module, name, value)
        patch.setattr(adding, "_FEW", few)
        patch.setattr(table, "MOST_STEPS", 1000 if few else 2)
        aggregate = build(spec).local_aggregate
        given_ones, sent = received(build(spec), stream, aggregate, given_chunks, ahead=True, puts_off=puts_off)
    assert results_of(given_ones) == results_of(expected)
    assert sent <= came


def test_an_element_stands_for_the_others_of_its_session():
    """It is where the first of them was, from the earliest to the latest one, with the last value of the last."""
    elements = triples((0, 5, 6), (1, 6, 4), (0, -2, 3), (0, 7, 11), (0, 3, 9), (0, 1, 8), (0, 1, 30))
    left = local().combined(elements, since(-5))
    assert list(left.batch.elements) == [
        SessionPart((1, 14, 5), 8), SessionPart((-2, 6, 1), 0), SessionPart((1, 1, 6), 0)
    ]  # fmt: skip
    assert left.batch.timestamp_list() == [3, 4, 30]
    assert list(left.batch.keys) == [1, -2, 1]
    assert left.places.tolist() == [0, 1, 6]


def test_an_infinite_value_that_stands_for_itself_is_not_taken_from_the_sum():
    """Of floats that may be added up in any order: infinite less infinite would be no number."""
    keys = pa.array([1] * 5)
    fields = [keys, pa.array([1.5, 2.0, 0.5, 1.0, math.inf]), pa.array(range(5))]
    columns = Columns.of(TupleShape((pa.int64(), pa.float64(), pa.int64())), fields)
    batch = Batch(columns, np.arange(3, 8), Columns.of(ScalarShape((pa.int64(),)), [keys]))
    windows = WindowSpec(EventTimeSessionWindows.with_gap(5), incremental=lambda a, b: (a[0], a[1] + b[1], b[2]))
    left = build(windows).local_aggregate(any_order=True).combined(batch, [WatermarkAt(0, -5), WatermarkAt(4, -4)])
    assert [part.element[1] for part in left.batch.elements] == [5.0, math.inf]


def test_the_last_of_them_stands_for_itself_where_others_may_come_between():
    """Elements of other channels come where something else than an element stands."""
    elements = triples((0, 5, 6), (0, -2, 3), (0, 7, 11), (0, 3, 9), (0, 1, 8))
    left = local().combined(elements, [WatermarkAt(0, -5), WatermarkAt(4, -4)])
    assert list(left.batch.elements) == [SessionPart((1, 13, 0), 8), SessionPart((1, 1, 4), 0)]
    assert left.batch.timestamp_list() == [3, 8]
    assert left.places.tolist() == [0, 4]


def test_an_element_that_is_left_alone_keeps_its_place_among_last_values():
    """It has come before the last one, and so has its value."""
    left = local().combined(triples((0, 1, 3), (0, 1, -4), (0, 1, 4), (0, 1, 3), (0, 1, 4)), since(0))
    assert list(left.batch.elements) == [
        SessionPart((1, 3, 0), 1),
        SessionPart((1, 1, 1), 0),
        SessionPart((1, 1, 4), 0),
    ]
    assert left.places.tolist() == [0, 1, 4]


def test_runs_of_a_key_that_come_in_turns_keep_their_last_values():
    """They may be one session behind the exchange: the last one of the first run has come behind all others."""
    first, second = [(0, 1, 30), (0, 1, 31)], [(0, 1, 1), (0, 1, 2), (0, 1, 3)]
    left = local().combined(triples(first[0], *second, first[1]), since(-5))
    assert [part.element[2] for part in left.batch.elements] == [0, 3, 4]
    assert left.places.tolist() == [0, 1, 4]
    left = local().combined(triples(second[0], first[0], *second[1:], first[1]), since(-5))
    assert [part.element[2] for part in left.batch.elements] == [3, 1, 4]
    assert left.places.tolist() == [0, 1, 4]


def test_without_a_last_value_one_is_left():
    """A greatest value is that of all."""
    left = local(largest).combined(triples((0, 5, 6), (0, -2, 3), (0, 7, 11)), since(-5))
    assert list(left.batch.elements) == [SessionPart((1, 7, 3), 8)]


@pytest.mark.parametrize("watermark", [MIN_WATERMARK, 3, MAX_WATERMARK])
def test_elements_that_a_session_may_touch_that_has_fired_are_left_alone(watermark):
    """And so are all of a channel whose watermark is not known."""
    assert local().combined(triples(*[(0, 5, 4)] * 5), since(watermark)) is None


def test_a_watermark_between_elements_takes_those_behind_it_alone():
    """Those that have come before it are ahead of the watermark that was there then."""
    seen = [WatermarkAt(0, 0), WatermarkAt(4, 9)]
    given_elements = triples((0, 1, 2), (0, 1, 4), (0, 1, 7), (0, 1, 9), (0, 1, 10), (0, 1, 11), (0, 1, 13))
    left = local(lambda a, b: (a[0], a[1] + b[1], a[2] + b[2])).combined(given_elements, seen)
    assert [part.reach for part in left.batch.elements] == [11, 0]
    assert left.places.tolist() == [0, 4]


def test_what_saves_too_little_is_left_alone():
    """Two of three, and both of two with a last value, where something has come between."""
    assert local().combined(triples((0, 1, 1), (0, 1, 2), (1, 1, 1)), since(-5)) is None
    assert local().combined(triples((0, 1, 1), (0, 1, 2)), [WatermarkAt(0, -5), WatermarkAt(1, -5)]) is None


def test_keys_far_apart_are_numbered_and_forgotten_when_there_are_too_many():
    """So a stream of ever new keys takes no more memory."""
    aggregate = local()
    many = np.arange(local_aggregate._MOST_KEYS + 1) * 2**20
    stream = Stream(TRIPLE, INT, many)
    keys, columns, times = stream.columns(many, [(key, 1, 1) for key in many.tolist()], many * 0)
    assert aggregate.combined(Batch(columns, times, keys), since(-5)) is None  # nothing is saved
    assert aggregate._keys is None


@pytest.mark.parametrize(
    ("function", "takes"),
    [
        (summed, True),
        (lambda a, b: (a[0], max(a[1], b[1]), b[2]), True),
        (lambda a, b: (a[0], a[1], b[2]), False),
        (lambda a, b: a if a[1] >= b[1] else b, False),
        (Totals(), True),
        (Longest(), False),
    ],
)
def test_it_says_what_it_combines(function, takes):
    """One first value, which may be the key; no element whole, and nothing that merges in another way than it adds."""
    assert local(function).takes(TRIPLE, ScalarShape((INT,)), [0]) is takes


def test_a_first_value_that_equals_the_key_in_a_chunk_is_not_the_key():
    """It may be another one in the next chunk, and then it depends on how sessions have merged."""
    batch = triples(*[(0, 1, 1), (0, 2, 2), (0, 3, 3)])
    others = Columns.of(batch.key_columns.shape, [pa.array(batch.key_columns.fields[0].to_pylist())])
    assert local(largest).combined(batch, since(-5)) is not None
    assert local(largest).combined(Batch(batch.elements, batch.timestamps, others), since(-5)) is None
    assert not local(largest).takes(TRIPLE, ScalarShape((INT,)), [])
    folds = FieldFolds(["first", "first", "sum"], of_key=2)
    assert local(folds).combined(Batch(batch.elements, batch.timestamps, others), since(-5)) is not None


def test_late_elements_that_are_given_out_are_given_out_one_by_one():
    """Nothing is combined where they are."""
    assert local(late_tag=LATE) is None


def test_gaps_that_elements_say_are_no_ones_gap():
    """Nothing is combined in front of dynamic sessions."""
    assigner = DynamicEventTimeSessionWindows.with_dynamic_gap(lambda element: element[1])
    assert build(WindowSpec(assigner, incremental=summed)).local_aggregate() is None
