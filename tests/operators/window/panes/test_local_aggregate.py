"""What is combined before an exchange gives windows behind it the results that all elements would give."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.operators.window.exchange import received
from tests.operators.window.panes.test_operator import COMBINED, FLOAT, INT, KEYS, TEXT, Stream, assigners
from tests.property_examples import examples
from windrow.common import Row, Types
from windrow.common.limits import MAX_WATERMARK, MIN_WATERMARK
from windrow.datastream.functions import AggregateFunction
from windrow.datastream.window import ContinuousEventTimeTrigger, SlidingEventTimeWindows, TumblingEventTimeWindows
from windrow.elements.batch import Batch
from windrow.elements.columns import Columns
from windrow.elements.shape import RowShape, ScalarShape, TupleShape
from windrow.errors import UsageError
from windrow.operators.aggregations import SumAggregator
from windrow.operators.local_aggregate import WatermarkAt
from windrow.operators.window.panes import local_aggregate, window_aggregate
from windrow.operators.window.spec import WindowSpec, build

#: Elements and, behind them, by how much the channel's watermark grows; a chunk of a writer has some such segments.
numbers = st.one_of(*[st.integers(-9, 9)] * 6, st.sampled_from([2**62, -(2**62), 2**63 - 1]))
element = st.tuples(st.integers(0, 2), numbers, st.integers(-25, 25))
segment = st.tuples(st.lists(element, max_size=12), st.integers(0, 9))
#: Chunks of one channel or of two.
chunks = st.integers(1, 2).flatmap(
    lambda channels: st.lists(
        st.lists(st.tuples(*[segment] * channels), min_size=1, max_size=4), min_size=1, max_size=4
    )
)
#: With panes of some milliseconds.
wide = st.builds(
    lambda pane, panes, step: SlidingEventTimeWindows(pane * panes, pane * step),
    st.integers(5, 20),
    st.integers(2, 4),
    st.integers(1, 2),
)
PAIR = TupleShape((INT, INT))


def summed(a, b):
    return a[0], a[1] + b[1]


def local(function=summed, assigner=None, **spec):
    return build(WindowSpec(assigner or TumblingEventTimeWindows(10), incremental=function, **spec)).local_aggregate()


def pairs(*elements):
    """A batch of (key, value, timestamp)."""
    stream = Stream(PAIR, *KEYS[0])
    keys, columns, times = stream.columns(*stream.batch(elements, 0))
    return Batch(columns, times, keys)


def since(watermark):
    return [WatermarkAt(0, watermark)]


@settings(print_blob=True, max_examples=examples(400), deadline=None)
@given(
    assigners | wide,
    st.integers(0, len(COMBINED) - 1),
    st.sampled_from(KEYS),
    chunks,
    st.sampled_from([0, 0, 4, 15]),
    st.one_of(st.none(), st.builds(ContinuousEventTimeTrigger, st.integers(1, 9))),
    st.sampled_from([1, 1, 0.6]),
)
def test_windows_give_what_they_give_of_all_elements(assigner, combined, keys, given_chunks, lateness, trigger, worth):
    """Tumbling and sliding, late elements and early firings included, of one channel or of two that come in turns."""
    shape, function = COMBINED[combined]
    if keys[0] == TEXT and isinstance(shape, TupleShape):
        shape = TupleShape((TEXT, *shape.types[1:]))
    spec = WindowSpec(assigner, trigger, incremental=function, allowed_lateness=lateness)
    stream = Stream(shape, *keys)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(window_aggregate, "_WORTH", worth)
        patch.setattr(window_aggregate, "_MOST_FAILURES", 0)
        given_ones, sent = received(build(spec), stream, lambda: build(spec).local_aggregate(), given_chunks)
    expected, came = received(build(spec), stream, lambda: None, given_chunks)
    assert sorted(map(repr, given_ones.records())) == sorted(map(repr, expected.records()))
    assert given_ones.counters == expected.counters
    assert sent <= came


@pytest.mark.parametrize(("function", "value"), [(lambda a, b: b, 2), (lambda a, b: a, 1)])
def test_channels_that_come_in_turns_keep_their_first_and_last(function, value):
    """Between two elements of one channel comes one of another."""
    spec = WindowSpec(TumblingEventTimeWindows(10), incremental=function)
    elements = [[(([(0, 1, 1)], 1), ([(0, 5, 1)], 1)), (([(0, 2, 2)], 1), ([], 1))]]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(window_aggregate, "_WORTH", 1)
        stream = Stream(PAIR, *KEYS[0])
        windows, sent = received(build(spec), stream, lambda: build(spec).local_aggregate(), elements)
    assert ([record.value for record in windows.records()], sent) == ([(1, value)], 2)


def test_an_element_stands_for_the_others_of_its_key_and_pane():
    """It is where the first of them was, with its timestamp, and has what all of them give."""
    left = local().combined(pairs((0, 5, 3), (1, 6, 4), (0, -2, 5), (0, 1, 12), (0, 7, 9), (1, 1, 0)), since(-5))
    assert list(left.batch.elements) == [(1, 10), (-2, 7), (1, 1)]
    assert left.batch.timestamp_list() == [3, 4, 12]
    assert list(left.batch.keys) == [1, -2, 1]
    assert left.places.tolist() == [0, 1, 3]


@pytest.mark.parametrize("watermark", [MIN_WATERMARK, 9, MAX_WATERMARK])
def test_elements_of_windows_that_may_have_fired_are_left_alone(watermark):
    """And so are all of a channel whose watermark is not known."""
    assert local().combined(pairs((0, 5, 3), (0, 6, 4)), since(watermark)) is None


def average_and_last():
    """Elements of an aggregate function of (number, key), of which the last key is asked for."""

    class Averages(AggregateFunction):
        def create_accumulator(self):
            return 100, 1, 0

        def add(self, value, accumulator):
            return accumulator[0] + value[1], accumulator[1] + 1, value[0]

        def get_result(self, accumulator):
            return accumulator[2], accumulator[0] / accumulator[1]

        def merge(self, acc_a, acc_b):
            raise NotImplementedError

    return Averages()


def test_elements_of_an_aggregate_function_come_to_what_is_folded_of_them():
    """Without what an accumulator begins with, which a window has once."""
    left = (
        local(average_and_last())
        .combined(pairs((0, 5, 3), (1, 6, 4), (0, -2, 5), (0, 1, 12), (0, 7, 9), (1, 1, 0)), since(-5))
        .batch
    )
    assert [each.fields for each in left.elements] == [(10, 3, 1), (7, 2, -2), (1, 1, 1)]
    assert [each.added_to((100, 1, 0)) for each in left.elements] == [(110, 4, 1), (107, 3, -2), (101, 2, 1)]
    assert (left.timestamp_list(), list(left.keys)) == ([3, 4, 12], [1, -2, 1])


def test_an_accumulator_of_another_form_is_refused():
    """State of a program whose function was another one."""
    left = local(average_and_last()).combined(pairs((0, 5, 3), (0, 6, 4)), since(-5)).batch
    with pytest.raises(UsageError, match="state has the accumulator 7"):
        left.elements[0].added_to(7)


def test_the_last_of_them_stands_where_a_last_value_is_asked_for():
    """Elements of other channels that came between them are not behind it."""
    left = local(lambda a, b: b).combined(pairs((0, 5, 3), (1, 6, 4), (0, -2, 5), (0, 1, 6)), since(-5))
    assert (list(left.batch.elements), left.places.tolist()) == ([(-2, 6), (1, 1)], [1, 3])


def test_a_last_value_that_equals_the_key_in_a_chunk_is_not_the_key():
    """It may be another one in the next chunk, so the last element stands for the others."""
    batch = pairs((0, 5, 3), (1, 6, 4), (0, -2, 5), (0, 1, 6))
    others = Columns.of(batch.key_columns.shape, [pa.array(batch.key_columns.fields[0].to_pylist())])
    last = local(lambda a, b: (b[0], a[1] + b[1]))
    assert last.combined(batch, since(-5)).places.tolist() == [0, 1]
    assert last.combined(Batch(batch.elements, batch.timestamps, others), since(-5)).places.tolist() == [1, 3]


def test_elements_that_are_none_are_left_alone():
    """Behind a None a window begins anew."""
    shape, keys = ScalarShape((INT,)), Columns.of(ScalarShape((INT,)), [pa.array([1, 1, 1])])
    elements = Columns.of(shape, [pa.array([None, 3, 4], INT)])
    assert local(lambda a, _: a).combined(Batch(elements, np.array([1, 2, 3]), keys), since(0)) is None


def test_a_watermark_between_elements_parts_them():
    """Those that come when their window has fired cross the exchange one by one."""
    seen = [WatermarkAt(0, 0), WatermarkAt(3, 9)]
    elements = pairs((0, 1, 1), (0, 2, 2), (0, 3, 3), (0, 4, 4), (0, 5, 5), (0, 6, 11), (0, 7, 12))
    assert list(local().combined(elements, seen).batch.elements) == [(1, 6), (1, 4), (1, 5), (1, 13)]


def test_elements_between_which_windows_may_fire_early_are_not_combined():
    """Nor does the last of them stand for the others, on which it depends when a window fires first."""
    early = ContinuousEventTimeTrigger.of(2)
    seen = [WatermarkAt(0, 0), WatermarkAt(2, 1)]
    elements = pairs((0, 1, 1), (0, 2, 2), (0, 3, 3), (0, 4, 14), (0, 5, 5))
    assert list(local(trigger=early).combined(elements, seen).batch.elements) == [(1, 3), (1, 8), (1, 4)]
    assert local(lambda _, b: b, trigger=early).combined(elements, seen) is None


def test_what_saves_too_little_is_not_tried_again_at_once():
    """Twice as many batches are passed over after each failure; one success, and each is tried."""
    aggregate = local()
    apart, together = pairs((0, 1, 1), (1, 2, 2), (2, 3, 3)), pairs((0, 1, 1), (0, 2, 2), (0, 3, 3))
    given = [aggregate.combined(batch, since(0)) is not None for batch in [apart, *[together] * 4]]
    assert given == [False, False, True, True, True]


@pytest.mark.parametrize("values", [(2**62, 2**62), (-(2**62), -(2**62) - 1)])
def test_sums_that_may_leave_64_bits_are_left_to_the_receiver(values):
    """It has Python's integers."""
    assert local().combined(pairs(*[(0, value, 1) for value in values]), since(0)) is None


def test_keys_that_are_too_many_are_forgotten():
    """So a stream of ever new keys takes no more memory."""
    aggregate = local()
    many = np.repeat(np.arange(local_aggregate._MOST_KEYS + 1), 2)
    keys, columns, times = Stream(PAIR, INT, many).columns(many, [(key, 1) for key in many.tolist()], many * 0)
    assert aggregate.combined(Batch(columns, times, keys), since(-1)) is None
    aggregate._backoff.note(success=True)
    assert aggregate.combined(pairs((0, 1, 1), (0, 2, 2)), since(-1)) is not None
    assert aggregate._keys.count == 1


@pytest.mark.parametrize(
    ("function", "assigner", "spec"),
    [
        (summed, TumblingEventTimeWindows(10), {"late_tag": "late"}),
        (summed, SlidingEventTimeWindows(5, 10), {}),
    ],
)
def test_nothing_combines_where_elements_are_asked_for_one_by_one(function, assigner, spec):
    """Late ones are given out, or those between two windows."""
    aggregate = local(function, assigner, **spec)
    assert aggregate is None or not aggregate.takes(TupleShape((INT, INT, INT)), ScalarShape((INT,)), [0])


@pytest.mark.parametrize(
    ("shape", "key", "takes"),
    [
        (PAIR, ScalarShape((INT,)), True),
        (PAIR, ScalarShape((TEXT,)), True),
        (PAIR, ScalarShape((FLOAT,)), False),
        (PAIR, PAIR, False),
        (TupleShape((INT, FLOAT)), ScalarShape((INT,)), False),
        (TupleShape((INT, pa.int16())), ScalarShape((INT,)), False),
        (TupleShape((INT, INT), (Types.LONG(), Types.LONG())), ScalarShape((INT,)), True),
        (TupleShape((INT, INT), (Types.LONG(), Types.BIG_INT())), ScalarShape((INT,)), False),
    ],
)
def test_it_says_what_it_takes(shape, key, takes):
    """Keys that have slots; sums of floats depend on the order, and a sum of short integers is no short one.

    What types are declared says nothing, where values are what columns have.
    """
    assert local().takes(shape, key, [0]) is takes


@pytest.mark.parametrize(
    ("function", "tumbling", "sliding"),
    [
        (lambda a, b: (a[0], a[1] + b[1], max(a[2], b[2])), True, True),
        (lambda a, b: (a[0], a[1] + b[1], b[2]), True, False),
        (lambda a, b: (a[0], b[1], b[2]), True, False),
        (lambda a, b: a, True, False),
        (lambda a, b: a if a[1] >= b[1] else b, False, False),
    ],
)
def test_it_says_what_it_combines(function, tumbling, sliding):
    """First and last values where windows do not overlap; one of them may be the key."""
    triples = TupleShape((INT, INT, INT))
    for windows, takes in [(TumblingEventTimeWindows(10), tumbling), (SlidingEventTimeWindows(10, 5), sliding)]:
        assert local(function, windows).takes(triples, ScalarShape((INT,)), [0]) is takes
    floats = TupleShape((INT, INT, FLOAT))
    assert not local(lambda a, b: (a[0], a[1], max(a[2], b[2]))).takes(floats, ScalarShape((INT,)), [0])


def test_rows_of_declared_types_are_combined():
    """They go on as what they were."""
    shape = RowShape((INT, INT), (Types.LONG(), Types.LONG()), ("key", "number"))
    given_pairs = pairs((0, 5, 3), (0, -2, 5), (1, 7, 4), (0, 1, 6))
    batch = Batch(Columns.of(shape, given_pairs.columns.fields), given_pairs.timestamps, given_pairs.keys)
    for function in (lambda a, b: Row(key=a.key, number=a.number + b.number), SumAggregator("number")):
        combined = local(function).combined(batch, since(-5)).batch
        assert combined.columns.shape == shape
        assert list(combined.elements) == [Row(key=1, number=4), Row(key=-2, number=7)]


def test_first_and_last_values_of_several_panes_are_left_alone():
    """They come in the order of arrival, whatever pane they are in; one that is the key may be first or last."""
    sliding = SlidingEventTimeWindows(10, 5)
    elements = pairs((0, 1, 7), (0, 2, 2), (0, 3, 8))
    assert local(lambda a, b: (b[0], b[1]), sliding).combined(elements, since(-20)) is None
    combined = local(summed, sliding).combined(pairs(*[(0, 1, 7), (0, 2, 2)] * 2), since(-20))
    assert list(combined.batch.elements) == [(1, 2), (1, 4)]
