"""The operator for sessions means the same as the generic one, element by element and in the same order."""

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
    CountTrigger,
    DynamicEventTimeSessionWindows,
    EventTimeSessionWindows,
    EventTimeTrigger,
    ProcessingTimeSessionWindows,
    PurgingTrigger,
)
from windrow.elements.batch import Batch
from windrow.errors import MissingTimestampError, UserFunctionError
from windrow.operators.window.session_window_operator import SessionWindowOperator, is_session
from windrow.operators.window.spec import WindowSpec, build
from windrow.state.keys import key_of_user
from windrow.testing import OperatorHarness, Record, WatermarkOut

LATE = "late"


class Concatenate(AggregateFunction):
    """Keeps the order of its elements, and of what was merged when, visible."""

    def create_accumulator(self):
        return ["*"]

    def add(self, value, accumulator):
        accumulator.append(str(value[1]))
        return accumulator

    def get_result(self, accumulator):
        return " ".join(accumulator)

    def merge(self, acc_a, acc_b):
        return ["(", *acc_a, "|", *acc_b, ")"]


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


def forgetful(a, b):
    """A reduce function that now and then says that there is nothing."""
    return None if b[1] % 5 == 3 else (b[0], b[1], f"({a} {b})")


def first(value):
    return value[0]


def harness(spec, *, fast, snapshot=None):
    return OperatorHarness(build(spec, aligned=fast), first, snapshot=snapshot)


def histories(timestamps):
    """Elements, watermarks, ends of batches and restarts in random order."""
    element = st.tuples(st.just("element"), st.sampled_from("abc"), timestamps)
    watermark = st.tuples(st.just("watermark"), st.integers(-2, 12))
    return st.lists(
        st.one_of(element, element, element, element, watermark, st.just(("cut",)), st.just(("restore",))), max_size=40
    )


ordinary = st.integers(-25, 35)
extreme = st.one_of(ordinary, st.integers(LONG_MIN + 1, LONG_MIN + 30), st.integers(LONG_MAX - 30, LONG_MAX))
gaps = st.integers(1, 9)
assigners = st.one_of(
    st.builds(EventTimeSessionWindows.with_gap, gaps),
    gaps.map(lambda gap: DynamicEventTimeSessionWindows.with_dynamic_gap(lambda value: gap + value[1] % 4)),
)


def shown(value):
    """What is in state as text, windows in order."""
    return str(sorted(value.items()) if isinstance(value, dict) else value)


def play(spec, steps, fast_after):
    """All that comes out of a history in its order; ``fast_after`` says for each restart which operator goes on."""
    fast = iter(fast_after)
    current = harness(spec, fast=next(fast))
    output, late, counters = [], [], Counter()
    batch, watermark = [], -20
    for number, step in enumerate([*steps, ("cut",), ("watermark", MAX_WATERMARK)]):
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
            current = harness(spec, fast=next(fast), snapshot=snapshot)
            watermark = max(watermark - 15, -20)
    output += current.output
    late += current.side_output(LATE)
    current.snapshot()  # moves into state what is left
    left = sorted((entry.key, entry.name, shown(entry.value)) for entry in current.state_entries() if entry.value)
    return output, late, counters + current.counters, left, current.num_event_timers()


@settings(print_blob=True, max_examples=examples(300))
@given(
    assigner=assigners,
    steps=st.one_of(histories(ordinary), histories(ordinary), histories(extreme)),
    lateness=st.sampled_from([0, 0, 3, 20, LONG_MAX]),
    late_tag=st.sampled_from([None, LATE]),
    incremental=st.sampled_from([Concatenate(), lambda a, b: (b[0], f"({a[1]} {b[1]})"), forgetful, None]),
    function=st.sampled_from([None, Numbered()]),
    purging=st.booleans(),
    fast_after=st.lists(st.booleans(), min_size=41, max_size=41),
)
def test_equals_the_generic_operator(assigner, steps, lateness, late_tag, incremental, function, purging, fast_after):
    """Random streams come out as from the generic operator, also where one goes on with what the other has left."""
    if incremental is None:
        function = Numbered()
    trigger = PurgingTrigger.of(EventTimeTrigger.create()) if purging else None
    spec = WindowSpec(
        assigner, trigger, allowed_lateness=lateness, late_tag=late_tag, incremental=incremental, function=function
    )
    assert isinstance(build(spec, columns=False), SessionWindowOperator)
    generic = play(spec, steps, [False] * 41)
    assert play(spec, steps, [True] * 41) == generic
    assert play(spec, steps, fast_after) == generic


def test_after_a_restart_each_timer_keeps_its_own_turn():
    """A session that fires when another one is over does so first, if its timer was there first."""
    spec = WindowSpec(EventTimeSessionWindows.with_gap(2), allowed_lateness=20, function=Numbered())
    elements = [("element", "b", -16), ("element", "b", 7), ("element", "b", -13)]
    steps = [*elements, ("restore",), ("element", "b", -10), ("element", "a", -14)]
    generic = play(spec, steps, [False] * 41)
    assert play(spec, steps, [True] * 41) == generic
    assert play(spec, steps, [True, False] * 20) == generic


def test_a_session_that_is_open_again_keeps_the_turn_of_its_end():
    """Where the watermark has gone back, only the timer at which it fires is new."""
    spec = WindowSpec(
        EventTimeSessionWindows.with_gap(1), allowed_lateness=20, incremental=Concatenate(), function=Numbered()
    )
    steps = [
        ("element", "a", 21),
        ("element", "b", -23),
        ("restore",),
        ("watermark", 0),
        ("element", "b", -3),
        ("restore",),
    ]
    steps.append(("element", "b", -23))
    assert play(spec, steps, [True] * 41) == play(spec, steps, [False] * 41)


@settings(print_blob=True)
@given(steps=histories(ordinary), assigner=assigners, lateness=st.sampled_from([0, 4]))
def test_snapshots_change_nothing(steps, assigner, lateness):
    """Moving the cache into state and back at any place changes neither results nor their order."""
    spec = WindowSpec(assigner, allowed_lateness=lateness, incremental=Concatenate())
    stored, undisturbed = harness(spec, fast=True), harness(spec, fast=True)
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
    assert stored.output == undisturbed.output
    assert stored.counters == undisturbed.counters


def test_an_element_between_two_sessions_makes_them_one():
    """What the earlier session holds stands before what the later one does, and the element behind both."""
    current = harness(WindowSpec(EventTimeSessionWindows(10), incremental=Concatenate()), fast=True)
    current.process_elements([(("a", 1), 20), (("a", 2), 0), (("a", 3), 10)])
    current.process_watermark(29)
    assert current.output == [Record("( * 2 | * 1 ) 3", 29), WatermarkOut(29)]


def test_results_of_one_time_come_in_the_order_in_which_their_sessions_were_last_changed():
    """As timers do that are registered anew whenever a session grows."""
    current = harness(WindowSpec(EventTimeSessionWindows(10), incremental=Concatenate()), fast=True)
    current.process_elements([(("a", 1), 5), (("b", 2), 5), (("a", 3), 2)])
    current.process_watermark(14)
    assert current.values() == ["* 2", "* 1 3"]


def test_state_and_timers_go_with_their_sessions():
    """When all sessions have fired, neither state nor timers are left."""
    current = harness(WindowSpec(EventTimeSessionWindows(10), incremental=Concatenate()), fast=True)
    current.process_elements([(("a", 1), 5), (("b", 2), 15), (("a", 3), 40)])
    assert (current.num_state_entries(), current.num_event_timers()) == (5, 3)
    current.process_watermark(100)
    assert (current.num_state_entries(), current.num_event_timers()) == (0, 0)


def test_numpy_timestamps_give_python_numbers():
    """A batch may come with a NumPy array of timestamps; what goes out are Python's integers."""
    current = harness(WindowSpec(EventTimeSessionWindows(10), incremental=lambda a, b: b, late_tag=LATE), fast=True)
    current.process_watermark(19)
    current._operator.process_batch(Batch([("a", 1), ("a", 2), ("a", 3)], np.array([5, 15, 18]), ["a", "a", "a"]))
    current.process_watermark(27)
    assert [type(item.timestamp) for item in (*current.records(), *current.side_output(LATE))] == [int, int]


def test_an_element_without_a_timestamp_is_an_error():
    """It is refused as the assigner refuses it."""
    current = harness(WindowSpec(EventTimeSessionWindows(10), incremental=max), fast=True)
    with pytest.raises(MissingTimestampError, match=r"operator 'operator' .* \('a', 1\)"):
        current.process_element(("a", 1), None)


def test_user_errors_name_the_element():
    """What a user's function raises names the element it was given."""
    current = harness(WindowSpec(EventTimeSessionWindows(10), incremental=lambda a, b: a / b), fast=True)
    with pytest.raises(UserFunctionError, match=r"on element \('a', 2\)"):
        current.process_elements([(("a", 1), 5), (("b", 1), 5), (("a", 2), 6)])


def test_errors_of_a_window_function_name_key_and_window():
    """The element is not known any more when a session fires."""

    class Fails(ProcessWindowFunction):
        def process(self, key, context, elements):
            raise ValueError(key)

    current = harness(WindowSpec(EventTimeSessionWindows(10), function=Fails()), fast=True)
    current.process_element(("a", 1), 5)
    with pytest.raises(UserFunctionError, match=r"on element \('a', TimeWindow\(start=5, end=15\)\)"):
        current.process_watermark(14)


@pytest.mark.parametrize(
    "spec",
    [
        WindowSpec(ProcessingTimeSessionWindows(10), incremental=max),
        WindowSpec(EventTimeSessionWindows(10), CountTrigger.of(3), incremental=max),
        WindowSpec(type("Custom", (EventTimeSessionWindows,), {})(10), incremental=max),
    ],
)
def test_other_sessions_are_asked_for_each_element(spec):
    """Only assigners whose windows merge as is known, with the default trigger."""
    assert not isinstance(build(spec), SessionWindowOperator)


def test_keys_are_seen_as_their_selector_gave_them():
    """A window function sees the key of the user, not the one that state compares."""
    spec = WindowSpec(EventTimeSessionWindows(10), incremental=lambda a, b: b, function=Numbered())
    current = OperatorHarness(build(spec), lambda value: [value[0]])
    current.process_elements([(("a", 1), 5), (("a", 2), 6)])
    current.process_watermark(100)
    ((key, *_),) = current.values()
    assert key == key_of_user(key) == ["a"]
    assert is_session(spec.assigner)
