"""The operator for many elements at a time means the same as the generic one."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.property_examples import examples
from windrow.common.limits import LONG_MAX, LONG_MIN, MAX_WATERMARK
from windrow.datastream.functions import AggregateFunction, ProcessWindowFunction
from windrow.datastream.state import ValueStateDescriptor
from windrow.datastream.window import (
    EventTimeTrigger,
    PurgingTrigger,
    SlidingEventTimeWindows,
    TumblingEventTimeWindows,
)
from windrow.elements.batch import Batch
from windrow.errors import MissingTimestampError, UserFunctionError
from windrow.operators.window.aligned_window_operator import AlignedWindowOperator
from windrow.operators.window.spec import WindowSpec, build
from windrow.testing import OperatorHarness, Record, WatermarkOut

LATE = "late"


class Concatenate(AggregateFunction):
    """Keeps the order of its elements visible."""

    def create_accumulator(self):
        return ""

    def add(self, value, accumulator):
        return accumulator + str(value[1]) + " "

    def get_result(self, accumulator):
        return accumulator.strip()

    def merge(self, acc_a, acc_b):
        return acc_a + acc_b


class Numbered(ProcessWindowFunction):
    """Numbers the windows of a key in the order in which they fire, and counts those that were cleared."""

    def clear(self, context):
        cleared = context.global_state().get_state(ValueStateDescriptor("cleared"))
        cleared.update((cleared.value() or 0) + 1)

    def process(self, key, context, elements):
        number = context.global_state().get_state(ValueStateDescriptor("number"))
        number.update((number.value() or 0) + 1)
        cleared = context.global_state().get_state(ValueStateDescriptor("cleared"))
        yield (key, context.window(), number.value(), cleared.value(), *elements)


class Looking(ProcessWindowFunction):
    """Gives what it sees, with the watermark and how often it was called for the key."""

    def process(self, key, context, elements):
        number = context.global_state().get_state(ValueStateDescriptor("number"))
        number.update((number.value() or 0) + 1)
        yield (key, context.window(), number.value(), context.current_watermark(), *elements)


def first(value):
    return value[0]


def harness(spec, *, aligned, snapshot=None):
    return OperatorHarness(build(spec, aligned=aligned, columns=False), first, snapshot=snapshot)


def between_watermarks(output):
    """The output cut at its watermarks, the records of each piece as a multiset."""
    pieces = [Counter()]
    for item in output:
        if isinstance(item, Record):
            pieces[-1][item] += 1
        else:
            pieces.append(Counter())
    return pieces


assigners = st.one_of(
    st.builds(TumblingEventTimeWindows, st.integers(5, 12), st.integers(-4, 4)),
    st.builds(SlidingEventTimeWindows, st.integers(1, 25), st.integers(5, 12), st.integers(-4, 4)),
)


def histories(timestamps):
    """Elements, watermarks, ends of batches and restarts in random order."""
    element = st.tuples(st.just("element"), st.sampled_from("abc"), timestamps)
    watermark = st.tuples(st.just("watermark"), st.integers(-2, 9))
    return st.lists(
        st.one_of(element, element, element, watermark, st.just(("cut",)), st.just(("restore",))), max_size=40
    )


ordinary = st.integers(-25, 25)
extreme = st.one_of(ordinary, st.integers(LONG_MIN + 1, LONG_MIN + 30), st.integers(LONG_MAX - 30, LONG_MAX))


def play(spec, steps, *, aligned, alternates=False):
    """Output between watermarks, late side output and counters of a history; elements between others are one batch.

    ``alternates``: each operator that is restored is of the other kind.
    """
    current = harness(spec, aligned=aligned)
    output, late, counters = [], [], Counter()
    batch, watermark = [], -20
    for number, step in enumerate([*steps, ("restore",), ("watermark", MAX_WATERMARK)]):
        if step[0] == "element":
            batch.append(((step[1], number), step[2]))
            continue
        current.process_elements(batch)
        batch = []
        if step[0] == "watermark":
            watermark = min(watermark + step[1], MAX_WATERMARK)
            current.process_watermark(watermark)
        elif step[0] == "restore":
            snapshot = current.snapshot()
            output += current.output
            late += current.side_output(LATE)
            counters += current.counters
            aligned = aligned != alternates
            current = harness(spec, aligned=aligned, snapshot=snapshot)
            watermark = -20
    output += current.output
    return between_watermarks(output), late + current.side_output(LATE), counters + current.counters


specs = st.builds(
    WindowSpec,
    assigners,
    trigger=st.sampled_from([None, EventTimeTrigger.create(), PurgingTrigger.of(EventTimeTrigger.create())]),
    allowed_lateness=st.sampled_from([0, 0, 1, 3, 8, 20, LONG_MAX]),
    late_tag=st.sampled_from([None, LATE]),
    incremental=st.sampled_from([Concatenate(), lambda a, b: (b[0], f"{a[1]} {b[1]}")]),
    function=st.sampled_from([None, Looking()]),
)


@settings(print_blob=True, max_examples=examples(500))
@given(specs, st.one_of(histories(ordinary), histories(ordinary), histories(extreme)))
def test_equals_the_generic_operator(spec, steps):
    """Random streams, with late elements and restore points, come out as from the generic operator."""
    assert isinstance(build(spec, columns=False), AlignedWindowOperator)
    assert play(spec, steps, aligned=True) == play(spec, steps, aligned=False)


@settings(print_blob=True, max_examples=examples(300))
@given(specs, histories(ordinary))
def test_gives_results_in_the_order_of_the_generic_operator(spec, steps):
    """While nothing is restored, results come in exactly the same order, those of late elements among them."""
    steps = [step for step in steps if step[0] != "restore"]
    outputs = []
    for aligned in (True, False):
        current = harness(spec, aligned=aligned)
        watermark, batch = -20, []
        for number, step in enumerate([*steps, ("watermark", MAX_WATERMARK)]):
            if step[0] == "element":
                batch.append(((step[1], number), step[2]))
                continue
            current.process_elements(batch)
            batch = []
            if step[0] == "watermark":
                watermark = min(watermark + step[1], MAX_WATERMARK)
                current.process_watermark(watermark)
        outputs.append((current.output, current.side_output(LATE), current.counters))
    assert outputs[0] == outputs[1]


@settings(print_blob=True, max_examples=examples(200))
@given(assigners, histories(ordinary), st.sampled_from([None, LATE]))
def test_tells_functions_that_windows_are_over(assigner, steps, late_tag):
    """A function that clears what it keeps per window is told behind each firing, as by the generic operator."""
    spec = WindowSpec(assigner, late_tag=late_tag, incremental=Concatenate(), function=Numbered())
    assert isinstance(build(spec, columns=False), AlignedWindowOperator)
    assert play(spec, steps, aligned=True) == play(spec, steps, aligned=False)


@settings(print_blob=True, max_examples=examples(200))
@given(specs, histories(ordinary), st.booleans())
def test_either_operator_goes_on_where_the_other_stopped(spec, steps, begins):
    """The operators may change places at every restore."""
    assert play(spec, steps, aligned=begins, alternates=True) == play(spec, steps, aligned=False)


@settings(print_blob=True)
@given(steps=histories(ordinary), spec=specs)
def test_snapshots_change_nothing(steps, spec):
    """Moving the cache into state and back at any place changes no result."""
    stored, undisturbed = harness(spec, aligned=True), harness(spec, aligned=True)
    watermark = -20
    for step in steps:
        if step[0] == "watermark":
            watermark += step[1]
            stored.process_watermark(watermark)
            undisturbed.process_watermark(watermark)
        elif step[0] == "element":
            stored.process_element((step[1], 1), step[2])
            undisturbed.process_element((step[1], 1), step[2])
        else:
            stored.snapshot()
    assert between_watermarks(stored.output) == between_watermarks(undisturbed.output)
    assert stored.counters == undisturbed.counters


@pytest.mark.parametrize("aligned", [True, False])
@pytest.mark.parametrize(("timestamp", "is_late"), [(50, True), (51, False)])
def test_elements_between_windows(timestamp, is_late, aligned):
    """An element in a gap between windows is late if the watermark has reached its timestamp."""
    spec = WindowSpec(SlidingEventTimeWindows(1, 1000), incremental=max)
    current = harness(spec, aligned=aligned)
    current.process_watermark(50)
    current.process_element(("a", 1), timestamp)
    assert current.counters == {"num_late_records_dropped" if is_late else "num_records_in_no_window": 1}


@pytest.mark.parametrize("aligned", [True, False])
@pytest.mark.parametrize("end", [5000, LONG_MAX - LONG_MAX % 1000])
def test_late_boundary(end, aligned):
    """An element is late when the watermark has reached its window's max timestamp, near the end of time too."""
    current = harness(WindowSpec(TumblingEventTimeWindows(1000), incremental=max), aligned=aligned)
    current.process_watermark(end - 2)
    current.process_element(("a", 1), end - 1)
    current.process_watermark(end - 1)
    current.process_element(("a", 2), end - 1)
    assert current.records() == [Record(("a", 1), end - 1)]
    assert current.counters == {"num_late_records_dropped": 1}


def test_elements_join_what_was_stored():
    """An element that comes after the cache was moved into state is added to what its window had before."""
    current = harness(WindowSpec(TumblingEventTimeWindows(10), incremental=Concatenate()), aligned=True)
    current.process_elements([(("a", 1), 3), (("b", 1), 3)])
    current.snapshot()
    current.process_element(("a", 2), 4)
    current.process_watermark(9)
    assert sorted(current.values()) == ["1", "1 2"]


def test_state_and_timers_go_with_their_windows():
    """When all windows have fired, neither state nor timers are left."""
    spec = WindowSpec(SlidingEventTimeWindows(20, 10), incremental=Concatenate())
    current = harness(spec, aligned=True)
    current.process_elements([(("a", 1), 5), (("b", 2), 15)])
    assert (current.num_state_entries(), current.num_event_timers()) == (4, 4)
    current.process_element(("a", 3), 17)
    current.process_watermark(9)
    assert current.take_output() == [Record("1", 9), WatermarkOut(9)]
    current.process_watermark(100)
    assert (current.num_state_entries(), current.num_event_timers()) == (0, 0)


def test_numpy_timestamps_give_python_numbers():
    """A batch may come with a NumPy array of timestamps; what goes out are Python's integers."""
    spec = WindowSpec(TumblingEventTimeWindows(10), incremental=lambda a, b: b, late_tag=LATE)
    current = harness(spec, aligned=True)
    current.process_watermark(9)
    operator = current._operator
    operator.process_batch(Batch([("a", 1), ("a", 2)], np.array([5, 15]), ["a", "a"]))
    current.process_watermark(19)
    assert [type(item.timestamp) for item in (*current.records(), *current.side_output(LATE))] == [int, int]
    assert [type(window.end) for _, _, window in current.event_timers()] == []


def test_element_without_timestamp_is_an_error():
    """An element without a timestamp is refused as the assigner refuses it."""
    current = harness(WindowSpec(TumblingEventTimeWindows(10), incremental=max), aligned=True)
    with pytest.raises(MissingTimestampError, match=r"operator 'operator' .* \('a', 1\)"):
        current.process_element(("a", 1), None)


@pytest.mark.parametrize("assigner", [TumblingEventTimeWindows(10), SlidingEventTimeWindows(10, 5)])
def test_user_errors_name_the_element(assigner):
    """What a user's function raises names the element it was given."""
    current = harness(WindowSpec(assigner, incremental=lambda a, b: a / b), aligned=True)
    with pytest.raises(UserFunctionError, match=r"on element \('a', 2\)"):
        current.process_elements([(("a", 1), 5), (("b", 1), 5), (("a", 2), 5)])


def test_late_elements_fire_again_until_the_lateness_is_over():
    """Each element within the allowed lateness gives a result of its own; then nothing is left of the window."""
    spec = WindowSpec(TumblingEventTimeWindows(10), allowed_lateness=5, incremental=Concatenate())
    current = harness(spec, aligned=True)
    current.process_elements([(("a", 1), 3), (("b", 1), 3)])
    current.process_watermark(9)
    current.process_elements([(("a", 2), 4), (("c", 1), 5), (("a", 3), 4)])
    current.process_watermark(14)
    current.process_element(("a", 4), 4)
    assert current.values() == ["1", "1", "1 2", "1", "1 2 3"]
    assert current.counters == {"num_late_records_dropped": 1}
    assert (current.num_state_entries(), current.num_event_timers()) == (0, 0)


def test_results_that_can_change_are_copied_while_their_window_is_kept():
    """Who changes a result does not change what a late element is added to."""

    class Gather(AggregateFunction):
        def create_accumulator(self):
            return []

        def add(self, value, accumulator):
            accumulator.append(value[1])
            return accumulator

        def get_result(self, accumulator):
            return accumulator

        def merge(self, acc_a, acc_b):
            return acc_a + acc_b

    spec = WindowSpec(TumblingEventTimeWindows(10), allowed_lateness=5, incremental=Gather())
    current = harness(spec, aligned=True)
    current.process_element(("a", 1), 3)
    current.process_watermark(9)
    current.values()[0].append("changed")
    current.process_element(("a", 2), 4)
    assert current.values() == [[1, "changed"], [1, 2]]


def test_windows_that_are_kept_are_open_again_when_the_watermark_goes_back():
    """An element that comes then is added to what the window had, and the window fires at its end as a whole."""
    spec = WindowSpec(TumblingEventTimeWindows(5, -1), allowed_lateness=1, incremental=Concatenate())
    outputs = []
    for aligned in (True, False):
        current = harness(spec, aligned=aligned)
        current.process_watermark(-2)
        current.process_element(("a", 1), -2)
        current.process_watermark(-3)
        current.process_elements([(("b", 2), -2), (("a", 3), -2), (("a", 4), -2)])
        current.process_watermark(100)
        outputs.append([record.value for record in current.records()])
    assert outputs[0] == outputs[1] == ["1", "2", "1 3 4"]


@settings(max_examples=examples(100))
@given(runs=st.lists(st.tuples(st.integers(-3, 3), st.integers(1, 9)), min_size=1, max_size=12))
def test_neighbours_of_one_window_are_added_as_each_element_is(runs):
    """Elements of one window that follow each other look for it once: calls and results are those of one by one."""
    calls = []

    def noted(one, other):
        calls.append((one, other))
        return one[0], one[1] + other[1]

    ends = [end for end, count in runs for _ in range(count)]
    elements = [(("abc"[number % 3], [number]), end * 10) for number, end in enumerate(ends)]
    spec = WindowSpec(TumblingEventTimeWindows(10), incremental=noted)
    made = []
    for together in (True, False):
        current = harness(spec, aligned=True)
        calls.clear()
        if together:
            current.process_elements(elements)
        else:
            for value, timestamp in elements:
                current.process_element(value, timestamp)
        current.process_watermark(MAX_WATERMARK)
        made.append((list(calls), current.output))
    assert made[0] == made[1]
