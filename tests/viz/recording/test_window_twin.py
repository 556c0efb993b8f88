"""A recording says what the operator did, whichever operator serves the windows."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from windrow.datastream.functions import AggregateFunction, ProcessWindowFunction
from windrow.datastream.output_tag import OutputTag
from windrow.datastream.window import (
    ContinuousEventTimeTrigger,
    CountEvictor,
    CountTrigger,
    DynamicEventTimeSessionWindows,
    EventTimeSessionWindows,
    GlobalWindows,
    ProcessingTimeSessionWindows,
    PurgingTrigger,
    SlidingEventTimeWindows,
    TimeEvictor,
    Trigger,
    TriggerResult,
    TumblingEventTimeWindows,
    TumblingProcessingTimeWindows,
    WindowStagger,
)
from windrow.errors import UsageError
from windrow.testing import window_harness
from windrow.viz import Recording
from windrow.viz.events import Added, CleanedUp, Evicted, Fired, Merged, Opened, Purged, Skipped


def add(a, b):
    return a[0], a[1] + b[1]


class Values(ProcessWindowFunction):
    def process(self, key, context, elements):
        yield key, sorted(value for _, value in elements)


class Sum(AggregateFunction):
    def create_accumulator(self):
        return 0

    def add(self, value, accumulator):
        return accumulator + value[1]

    def merge(self, acc_a, acc_b):
        return acc_a + acc_b

    def get_result(self, accumulator):
        return accumulator


LATE = OutputTag("late")
#: Windows of each kind that an operator of its own serves, and of those that the general one serves.
KINDS = {
    "panes": (TumblingEventTimeWindows(10), {"reduce": add}),
    "panes that wait": (SlidingEventTimeWindows(10, 5), {"reduce": add, "allowed_lateness": 7}),
    "an aggregate": (TumblingEventTimeWindows(10), {"aggregate": Sum(), "late_tag": LATE}),
    "elements": (SlidingEventTimeWindows(10, 5), {"function": Values(), "late_tag": LATE}),
    "elements that wait": (TumblingEventTimeWindows(10), {"function": Values(), "allowed_lateness": 4}),
    "evicted elements": (TumblingEventTimeWindows(10), {"function": Values(), "evictor": CountEvictor.of(2)}),
    "evicted in general": (
        TumblingEventTimeWindows(10),
        {"function": Values(), "evictor": TimeEvictor.of(3), "allowed_lateness": 4},
    ),
    "evicted afterwards": (TumblingEventTimeWindows(10), {"reduce": add, "evictor": CountEvictor.of(1, True)}),
    "sessions": (EventTimeSessionWindows.with_gap(5), {"reduce": add}),
    "sessions that wait": (EventTimeSessionWindows.with_gap(5), {"function": Values(), "allowed_lateness": 6}),
    "purged sessions": (
        EventTimeSessionWindows.with_gap(5),
        {"reduce": add, "trigger": PurgingTrigger.of(ContinuousEventTimeTrigger.of(4))},
    ),
    "dynamic sessions": (DynamicEventTimeSessionWindows(lambda pair: 1 + pair[1]), {"aggregate": Sum()}),
    "early firings": (
        TumblingEventTimeWindows(10),
        {"reduce": add, "trigger": ContinuousEventTimeTrigger.of(3), "allowed_lateness": 5},
    ),
    "count windows": (GlobalWindows.create(), {"reduce": add, "trigger": PurgingTrigger.of(CountTrigger.of(3))}),
    "staggered": (TumblingEventTimeWindows.of(10, 0, WindowStagger.RANDOM), {"reduce": add}),
    "processing time": (TumblingProcessingTimeWindows.of(10), {"function": Values()}),
    "sessions of processing time": (ProcessingTimeSessionWindows.with_gap(5), {"reduce": add}),
}
ELEMENTS = st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 5), st.integers(0, 40)), max_size=4)
STEPS = st.lists(st.one_of(ELEMENTS, st.integers(0, 45)), max_size=12)


def play(harness, steps):
    """Elements as batches, numbers as moments of both times."""
    for step in steps:
        if isinstance(step, int):
            harness.set_processing_time(step)
            harness.process_watermark(step)
        else:
            harness.process_elements([((key, value), timestamp) for key, value, timestamp in step])
    harness.set_processing_time(100)
    harness.end_of_input()


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=25)
@given(steps=STEPS)
def test_a_recorded_operator_does_what_it_did(kind, steps):
    """Under observation an operator gives the same, and the recording agrees with what it gives."""
    assigner, parts = KINDS[kind]
    recording = Recording()
    random.seed(5)  # a stagger
    plain = window_harness(assigner, key=lambda pair: pair[0], **parts)
    play(plain, steps)
    random.seed(5)
    observed = window_harness(assigner, key=lambda pair: pair[0], recording=recording, **parts)
    play(observed, steps)
    if kind != "staggered":
        assert observed.output == plain.output
        assert observed.side_output("late") == plain.side_output("late")
    events = recording.trace().events
    late = sum(isinstance(event, Skipped) and event.late for event in events)
    assert late == observed.counters["num_late_records_dropped"] + len(observed.side_output("late"))
    told = [value for event in events if isinstance(event, Fired) and event.results for value in event.results]
    if all(event.results is not None for event in events if isinstance(event, Fired)):
        assert told == observed.values()


def recorded(assigner, steps, **parts):
    recording = Recording()
    harness = window_harness(assigner, key=lambda pair: pair[0], recording=recording, **parts)
    for step in steps:
        if isinstance(step, int):
            harness.process_watermark(step)
        else:
            harness.process_element((step[0], step[1]), step[2])
    return recording.trace()


def of_kind(trace, *kinds):
    return [event for event in trace.events if isinstance(event, kinds)]


def test_sessions_that_an_element_brings_together():
    """A merge names the sessions that it was made of, before the element is added to what they became."""
    trace = recorded(EventTimeSessionWindows.with_gap(10), [("a", 1, 0), ("a", 2, 15), ("a", 3, 8)], reduce=add)
    *_, merged, added = of_kind(trace, Opened, Merged, Added)
    assert [tuple(source) for source in merged.sources] == [(0, 10), (15, 25)]
    assert tuple(merged.window) == tuple(added.window) == (0, 25)
    assert added.element == 2


def test_a_window_that_fires_again():
    """Each firing has a number, the elements that it saw and its result; cleaning up comes behind the lateness."""
    steps = [("a", 1, 3), 9, ("a", 2, 5), 13, 14]
    trace = recorded(TumblingEventTimeWindows(10), steps, reduce=add, allowed_lateness=5)
    first, second = of_kind(trace, Fired)
    assert (first.number, first.elements, first.results) == (1, (0,), (("a", 1),))
    assert (second.number, second.elements, second.results) == (2, (0, 1), (("a", 3),))
    (cleaned,) = of_kind(trace, CleanedUp)
    assert (second.step, cleaned.step) == (2, 4)


def test_evicted_elements():
    """An evictor's victims are named, and the firing has those that it left."""
    steps = [("a", 1, 3), ("a", 2, 5), ("a", 3, 1), 9]
    trace = recorded(TumblingEventTimeWindows(10), steps, function=Values(), evictor=CountEvictor.of(2))
    evicted, fired = of_kind(trace, Evicted, Fired)
    assert (evicted.element, evicted.before, fired.elements) == (0, True, (1, 2))


def test_a_purged_window_is_emptied_behind_its_firing():
    """A window that fires and is purged is emptied after it has fired, and counts its firings anew."""
    steps = [("a", number, 0) for number in range(4)]
    trace = recorded(GlobalWindows.create(), steps, reduce=add, trigger=PurgingTrigger.of(CountTrigger.of(2)))
    events = of_kind(trace, Fired, Purged)
    assert [type(event) for event in events] == [Fired, Purged] * 2
    assert [event.number for event in events if isinstance(event, Fired)] == [1, 1]


def test_results_of_which_it_cannot_be_told_whose_they_are():
    """Of two windows that fire at the same time, a window function's results are not said to be of one."""
    steps = [("a", 1, 3), ("b", 2, 5), 9]
    trace = recorded(TumblingEventTimeWindows(10), steps, function=Values())
    assert [event.results for event in of_kind(trace, Fired)] == [None, None]


def test_elements_in_no_window():
    """An element without a window is not called late."""

    class Nowhere(TumblingEventTimeWindows):
        def assign_windows(self, element, timestamp, context):
            return []

    (skipped,) = of_kind(recorded(Nowhere(10), [("a", 1, 3)], reduce=add), Skipped)
    assert not skipped.late


def test_what_functions_change_the_trace_does_not_see():
    """Elements are shown as they came, whatever functions do to them later."""
    recording = Recording()
    harness = window_harness(TumblingEventTimeWindows(10), reduce=lambda a, b: a.extend(b) or a, recording=recording)
    harness.process_elements([([1], 1), ([2], 2)])
    harness.process_watermark(9)
    arrived = [event.value for event in recording.trace().events if hasattr(event, "value")]
    assert arrived == [[1], [2]]


def test_a_trigger_that_keeps_something_itself_cannot_be_recorded():
    """Where the recording would say something else than what happened, it is an error."""
    calls = []

    class Odd(Trigger):
        def on_element(self, element, timestamp, window, ctx):
            calls.append(element)
            return TriggerResult.FIRE_AND_PURGE if len(calls) % 2 == 0 else TriggerResult.CONTINUE

        def on_processing_time(self, time, window, ctx):
            return TriggerResult.CONTINUE

        def on_event_time(self, time, window, ctx):
            return TriggerResult.CONTINUE

        def on_merge(self, window, ctx):
            pass

        def clear(self, window, ctx):
            pass

    with pytest.raises(UsageError, match="does not agree with what it did"):
        recorded(TumblingEventTimeWindows(10), [("a", 1, 3), ("a", 1, 3), ("a", 1, 3)], reduce=add, trigger=Odd())
