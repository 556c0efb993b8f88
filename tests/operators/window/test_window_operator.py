"""The window operator's rules, those above all that Flink's own test table leaves open."""

import pytest

from windrow.common.limits import LONG_MAX, MAX_WATERMARK
from windrow.datastream.functions import ProcessWindowFunction, WindowFunction
from windrow.datastream.output_tag import OutputTag
from windrow.datastream.state import ValueStateDescriptor
from windrow.datastream.window import (
    ContinuousEventTimeTrigger,
    ContinuousProcessingTimeTrigger,
    CountTrigger,
    EventTimeSessionWindows,
    EventTimeTrigger,
    GlobalWindows,
    PurgingTrigger,
    SlidingEventTimeWindows,
    TimeWindow,
    TriggerResult,
    TumblingEventTimeWindows,
    TumblingProcessingTimeWindows,
)
from windrow.errors import MissingTimestampError, UsageError, UserFunctionError
from windrow.testing import Record, WatermarkOut, window_harness

LATE = OutputTag("late")


def first(value):
    return value[0]


class Elements(WindowFunction):
    """Emits the elements of a window as a tuple."""

    def apply(self, key, window, inputs):
        yield tuple(inputs)


def recording_trigger(calls, base=EventTimeTrigger):
    class Recording(base):
        def on_element(self, element, timestamp, window, ctx):
            calls.append((element, window))
            return super().on_element(element, timestamp, window, ctx)

    return Recording()


def test_late_boundary_is_max_timestamp_plus_lateness():
    """A window takes elements until the watermark reaches its max timestamp plus the allowed lateness."""
    harness = window_harness(TumblingEventTimeWindows(2), key=first, reduce=max, allowed_lateness=20, late_tag=LATE)
    harness.process_watermark(20)
    harness.process_element(("k", 1), 0)
    harness.process_watermark(21)
    harness.process_element(("k", 2), 1)
    assert harness.output == [WatermarkOut(20), Record(("k", 1), 1), WatermarkOut(21)]
    assert harness.side_output(LATE) == [Record(("k", 2), 1)]


@pytest.mark.parametrize(("timestamp", "is_late"), [(79, True), (80, True), (81, False)])
def test_skipped_element_is_late_up_to_the_watermark_less_the_lateness(timestamp, is_late):
    """A skipped element goes to the late side output if timestamp + lateness <= watermark, else it is counted."""
    # Windows of 1 every 1000: the elements are in a gap, so nothing but their own lateness decides.
    harness = window_harness(
        SlidingEventTimeWindows(1, 1000), key=first, reduce=max, allowed_lateness=20, late_tag=LATE
    )
    harness.process_watermark(100)
    harness.process_element(("k", 1), timestamp)
    assert harness.side_output(LATE) == ([Record(("k", 1), timestamp)] if is_late else [])
    assert harness.counters == ({} if is_late else {"num_records_in_no_window": 1})


def test_late_elements_without_side_output_are_counted():
    """Without a late side output a late element is counted as dropped."""
    harness = window_harness(TumblingEventTimeWindows(10), key=first, reduce=max)
    harness.process_watermark(9)
    harness.process_elements([(("k", 1), 3), (("k", 2), 10)])
    assert harness.counters == {"num_late_records_dropped": 1}
    assert harness.num_state_entries() == 1


def test_trigger_is_not_asked_for_a_late_window():
    """The trigger never hears of an element whose window is late."""
    calls = []
    harness = window_harness(
        SlidingEventTimeWindows(20, 10), key=first, function=Elements(), trigger=recording_trigger(calls)
    )
    harness.process_watermark(19)
    harness.process_element(("k", 1), 12)
    assert calls == [(("k", 1), TimeWindow(10, 30))]


def test_watermark_is_not_part_of_the_state():
    """A restored operator starts at watermark -2^63, so an element that was late before is not late any more."""
    parts = {"assigner": TumblingEventTimeWindows(10), "key": first, "reduce": max, "late_tag": LATE}
    harness = window_harness(**parts)
    harness.process_watermark(50)
    harness.process_element(("k", 1), 5)
    restored = window_harness(**parts, snapshot=harness.snapshot())
    restored.process_element(("k", 1), 5)
    restored.process_watermark(9)
    assert len(harness.side_output(LATE)) == 1
    assert restored.side_output(LATE) == []
    assert restored.records() == [Record(("k", 1), 9)]


def test_merged_sessions_keep_the_target_first():
    """When sessions merge, the elements of the window whose state stays come first, then the others, then the new."""
    harness = window_harness(EventTimeSessionWindows(10), key=first, function=Elements())
    harness.process_elements([(("k", "b"), 0), (("k", "d"), 18), (("k", "a"), 1), (("k", "c"), 19), (("k", "e"), 9)])
    harness.process_watermark(MAX_WATERMARK)
    assert [[value for _, value in elements] for elements in harness.values()] == [["b", "a", "d", "c", "e"]]


def test_merged_fire_times_keep_the_minimum():
    """Of merged windows with different continuous fire times the earliest fire time stays."""
    harness = window_harness(
        EventTimeSessionWindows(100), key=first, function=Elements(), trigger=ContinuousEventTimeTrigger.of(30)
    )
    harness.process_elements([(("k", "late"), 145), (("k", "early"), 0)])
    harness.process_element(("k", "bridge"), 70)
    harness.process_watermark(30)
    assert [len(elements) for elements in harness.values()] == [3]
    assert harness.records()[0].timestamp == 244


def test_processing_time_trigger_on_event_time_windows():
    """A continuous processing-time trigger fires once at the window's end, though nothing cleans the window up."""
    harness = window_harness(
        TumblingEventTimeWindows(10), key=first, function=Elements(), trigger=ContinuousProcessingTimeTrigger.of(5)
    )
    harness.process_element(("k", 1), 1)
    for now in (5, 10, 100):
        harness.set_processing_time(now)
    assert harness.values() == [(("k", 1),), (("k", 1),)]


def test_bridged_sessions_reduce_to_everything():
    """An element that bridges two live sessions gives one session with all three elements."""
    harness = window_harness(EventTimeSessionWindows(10), key=first, reduce=lambda a, b: (a[0], a[1] + b[1]))
    harness.process_elements([(("k", 1), 0), (("k", 2), 15), (("k", 4), 8)])
    harness.process_watermark(24)
    assert harness.records() == [Record(("k", 7), 24)]
    assert (harness.num_state_entries(), harness.num_event_timers()) == (0, 0)


def test_session_lateness_is_judged_after_merging():
    """An element that alone would be late is kept when it merges into a session that is still held."""
    harness = window_harness(
        EventTimeSessionWindows(10), key=first, reduce=lambda a, b: (a[0], a[1] + b[1]), late_tag=LATE
    )
    harness.process_element(("k", 1), 15)
    harness.process_watermark(18)
    harness.process_element(("k", 2), 7)
    harness.process_element(("other", 3), 7)
    harness.process_watermark(24)
    assert harness.records() == [Record(("k", 3), 24)]
    assert harness.side_output(LATE) == [Record(("other", 3), 7)]
    assert harness.num_state_entries() == 0


def test_cleanup_time_saturates():
    """Lateness beyond the end of time means that the window is never cleaned up."""
    harness = window_harness(TumblingEventTimeWindows(10), key=first, reduce=max, allowed_lateness=LONG_MAX)
    harness.process_element(("k", 1), 3)
    assert [time for time, _, _ in harness.event_timers()] == [9]
    harness.process_watermark(MAX_WATERMARK - 1)
    assert harness.num_state_entries() == 1


@pytest.mark.parametrize("assigner", [TumblingEventTimeWindows(10), EventTimeSessionWindows(10)])
def test_everything_is_late_behind_the_last_watermark(assigner):
    """At watermark 2^63-1 no lateness is long enough, not even for a window that is held for ever."""
    harness = window_harness(assigner, key=first, reduce=max, allowed_lateness=LONG_MAX, late_tag=LATE)
    harness.process_element(("k", 2), 7)
    harness.process_watermark(MAX_WATERMARK)
    harness.process_element(("k", 1), 5)
    assert [record.value for record in harness.records()] == [("k", 2)]
    assert harness.side_output(LATE) == [Record(("k", 1), 5)]


def test_refiring_within_the_lateness():
    """A late element within the allowed lateness fires its window again with everything in it."""
    harness = window_harness(
        TumblingEventTimeWindows(10), key=first, reduce=lambda a, b: (a[0], a[1] + b[1]), allowed_lateness=5
    )
    harness.process_element(("k", 1), 3)
    harness.process_watermark(9)
    harness.process_element(("k", 2), 4)
    harness.process_watermark(14)
    assert harness.records() == [Record(("k", 1), 9), Record(("k", 3), 9)]
    assert (harness.num_state_entries(), harness.num_event_timers()) == (0, 0)


def test_lateness_is_ignored_for_processing_time():
    """A processing-time window is forgotten when it ends, whatever the allowed lateness."""
    harness = window_harness(TumblingProcessingTimeWindows(10), key=first, reduce=max, allowed_lateness=100)
    harness.process_element(("k", 1))
    harness.set_processing_time(9)
    assert harness.records() == [Record(("k", 1), 9)]
    assert (harness.num_state_entries(), harness.num_processing_timers()) == (0, 0)


def test_global_window_has_no_cleanup_timer():
    """The global window is never over: no timer is set for it, and its results carry 2^63-1."""
    harness = window_harness(
        GlobalWindows.create(), key=first, function=Elements(), trigger=PurgingTrigger.of(CountTrigger.of(2))
    )
    harness.process_elements([(("k", 1), 5), (("k", 2), 3), (("k", 3), 4)])
    assert harness.output == [Record((("k", 1), ("k", 2)), LONG_MAX)]
    assert (harness.num_event_timers(), harness.num_processing_timers()) == (0, 0)


def test_purge_keeps_the_merging_set():
    """Purging empties the contents only: a later element still merges into the purged session."""
    harness = window_harness(
        EventTimeSessionWindows(10),
        key=first,
        function=Elements(),
        trigger=PurgingTrigger.of(EventTimeTrigger.create()),
        allowed_lateness=100,
    )
    harness.process_element(("k", 1), 0)
    harness.process_watermark(9)
    harness.process_element(("k", 2), 5)
    assert harness.records() == [Record((("k", 1),), 9)]
    harness.process_watermark(14)
    assert harness.records()[1:] == [Record((("k", 2),), 14)]


def test_element_without_timestamp_is_an_error():
    """An event-time window names the element that has no timestamp."""
    harness = window_harness(TumblingEventTimeWindows(10), key=first, function=Elements(), name="per minute")
    with pytest.raises(MissingTimestampError, match=r"operator 'per minute' .* \('k', 1\)"):
        harness.process_element(("k", 1))


def test_user_errors_name_operator_and_element():
    """What a user's function raises names the operator and the element."""
    harness = window_harness(TumblingEventTimeWindows(10), key=first, reduce=lambda a, b: a / b, name="ratio")
    with pytest.raises(UserFunctionError, match=r"(?s)TypeError.*'ratio' on element \('k', 2\)"):
        harness.process_elements([(("k", 1), 1), (("k", 2), 1)])


def test_errors_of_a_firing_name_key_and_window():
    """A window function that raises when a window fires is reported with the key and the window."""

    class Broken(WindowFunction):
        def apply(self, key, window, inputs):
            yield 1 / 0

    harness = window_harness(TumblingEventTimeWindows(10), key=first, function=Broken(), name="broken")
    harness.process_element(("k", 1), 1)
    with pytest.raises(UserFunctionError, match=r"(?s)ZeroDivisionError.*\('k', TimeWindow\(start=0, end=10\)\)"):
        harness.process_watermark(9)


def test_trigger_has_to_return_a_result():
    """A trigger that returns nothing is told what to return."""

    class Forgetful(EventTimeTrigger):
        def on_element(self, element, timestamp, window, ctx):
            return None

    harness = window_harness(TumblingEventTimeWindows(10), key=first, function=Elements(), trigger=Forgetful())
    with pytest.raises(UsageError, match=r"Forgetful returned None.*TriggerResult.CONTINUE"):
        harness.process_element(("k", 1), 1)


class Counting(ProcessWindowFunction):
    """Counts the firings of each window and of each key."""

    descriptor = ValueStateDescriptor("firings")

    def process(self, key, context, elements):
        counts = []
        for store in (context.window_state(), context.global_state()):
            state = store.get_state(self.descriptor)
            state.update((state.value() or 0) + 1)
            counts.append(state.value())
        yield (key, context.window().start, *counts, context.current_watermark())

    def clear(self, context):
        context.window_state().get_state(self.descriptor).clear()


def test_per_window_state_is_cleared_with_the_window():
    """Per-window state lasts until clear at the cleanup time, global state stays."""
    harness = window_harness(TumblingEventTimeWindows(10), key=first, function=Counting(), allowed_lateness=5)
    harness.process_element(("k", 1), 3)
    harness.process_watermark(9)
    harness.process_element(("k", 1), 3)
    harness.process_watermark(14)
    assert [(entry.namespace, entry.value) for entry in harness.state_entries()] == [(None, 2)]
    harness.process_element(("k", 1), 15)
    harness.process_watermark(19)
    assert harness.values() == [("k", 0, 1, 1, 9), ("k", 0, 2, 2, 9), ("k", 10, 1, 3, 19)]


def test_trigger_state_and_function_state_of_one_name_are_apart():
    """A window function may name its per-window state as the trigger names its own."""

    class CountsToo(Counting):
        descriptor = ValueStateDescriptor("count")

    harness = window_harness(TumblingEventTimeWindows(10), key=first, function=CountsToo(), trigger=CountTrigger.of(2))
    harness.process_elements([(("k", value), 1) for value in range(4)])
    assert [value[2] for value in harness.values()] == [1, 2]


def test_per_window_state_is_refused_for_sessions():
    """Windows that merge have no state per window, as in Flink."""
    harness = window_harness(EventTimeSessionWindows(10), key=first, function=Counting())
    harness.process_element(("k", 1), 0)
    with pytest.raises(UsageError, match="not allowed when using merging windows"):
        harness.process_watermark(9)


def test_results_go_to_side_outputs():
    """A yielded (OutputTag, value) goes to that side output, with the window's timestamp."""

    class Splitting(WindowFunction):
        def apply(self, key, window, inputs):
            for value in inputs:
                yield (OutputTag("odd"), value) if value[1] % 2 else value

    harness = window_harness(TumblingEventTimeWindows(10), key=first, function=Splitting())
    harness.process_elements([(("k", value), 1) for value in range(3)])
    harness.process_watermark(9)
    assert harness.records() == [Record(("k", 0), 9), Record(("k", 2), 9)]
    assert harness.side_output("odd") == [Record(("k", 1), 9)]


def test_functions_may_return_none():
    """A window function that returns nothing emits nothing."""

    class Silent(WindowFunction):
        def apply(self, key, window, inputs):
            return None

    harness = window_harness(TumblingEventTimeWindows(10), key=first, function=Silent())
    harness.process_element(("k", 1), 1)
    harness.process_watermark(9)
    assert harness.output == [WatermarkOut(9)]


@pytest.mark.parametrize("result", [7, "text"])
def test_functions_have_to_return_many(result):
    """A window function that returns one value is told to yield it; a string is not taken apart."""

    class Single(WindowFunction):
        def apply(self, key, window, inputs):
            return result

    harness = window_harness(TumblingEventTimeWindows(10), key=first, function=Single(), name="single")
    harness.process_element(("k", 1), 1)
    with pytest.raises(UsageError, match=rf"'single' returned {result!r}; yield each result"):
        harness.process_watermark(9)


def test_functions_get_a_copy_of_the_contents():
    """A function that empties its list does not change what the next firing sees."""

    class Greedy(WindowFunction):
        def apply(self, key, window, inputs):
            yield len(inputs)
            inputs.clear()

    harness = window_harness(TumblingEventTimeWindows(10), key=first, function=Greedy(), trigger=CountTrigger.of(1))
    harness.process_elements([(("k", 1), 1), (("k", 2), 1)])
    assert harness.values() == [1, 2]


def test_purge_result_of_a_custom_trigger():
    """PURGE throws the contents away without calling the function; the cleanup timer stays."""

    class Discarding(EventTimeTrigger):
        def on_element(self, element, timestamp, window, ctx):
            return TriggerResult.PURGE

    harness = window_harness(TumblingEventTimeWindows(10), key=first, function=Elements(), trigger=Discarding())
    harness.process_element(("k", 1), 1)
    assert (harness.num_state_entries(), harness.num_event_timers()) == (0, 1)
    harness.process_watermark(9)
    assert harness.records() == []
    assert harness.num_event_timers() == 0


@pytest.mark.parametrize("assigned", [None, TimeWindow(0, 10), iter([TimeWindow(0, 10)])])
def test_an_assigner_has_to_return_windows(assigned):
    """An assigner that returns no collection of windows is named in the error; None is not the same as none."""

    class Forgetful(TumblingEventTimeWindows):
        def assign_windows(self, element, timestamp, context):
            return assigned

    harness = window_harness(Forgetful(10), key=first, function=Elements(), name="mine")
    with pytest.raises(UsageError, match=r"'mine': assign_windows of Forgetful returned .*; return a list of windows"):
        harness.process_element(("k", 1), 1)


@pytest.mark.parametrize("collection", [tuple, frozenset])
def test_an_assigner_may_return_any_collection(collection):
    """Windows need not be in a list, and no window is no error."""

    class Early(TumblingEventTimeWindows):
        def assign_windows(self, element, timestamp, context):
            return collection(super().assign_windows(element, timestamp, context) if timestamp < 10 else ())

    harness = window_harness(Early(10), key=first, function=Elements())
    harness.process_elements([(("k", 1), 1), (("k", 2), 12)])
    harness.process_watermark(100)
    assert harness.records() == [Record((("k", 1),), 9)]
    assert harness.counters == {"num_records_in_no_window": 1}
