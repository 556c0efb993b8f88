"""Triggers alone: what the conformance cases leave open."""

import pytest

from tests.datastream.window.trigger_bench import TriggerBench
from windrow.common.limits import LONG_MAX
from windrow.common.time import Time
from windrow.datastream.window import (
    ContinuousEventTimeTrigger,
    ContinuousProcessingTimeTrigger,
    CountTrigger,
    DeltaFunction,
    DeltaTrigger,
    EndOfStreamTrigger,
    EventTimeTrigger,
    GlobalWindow,
    NeverTrigger,
    ProcessingTimeoutTrigger,
    ProcessingTimeTrigger,
    PurgingTrigger,
    TimeWindow,
    Trigger,
    TriggerContext,
    TriggerResult,
)
from windrow.errors import ConfigurationError, ConfigurationTypeError, UsageError

CONTINUE, FIRE, FIRE_AND_PURGE = TriggerResult.CONTINUE, TriggerResult.FIRE, TriggerResult.FIRE_AND_PURGE
FIRST, SECOND, BOTH = TimeWindow(0, 10), TimeWindow(10, 20), TimeWindow(0, 20)


def test_results():
    """Each result says whether it fires and whether it purges."""
    shown = {result.name: (result.is_fire(), result.is_purge()) for result in TriggerResult}
    assert shown == {
        "CONTINUE": (False, False),
        "FIRE_AND_PURGE": (True, True),
        "FIRE": (True, False),
        "PURGE": (False, True),
    }


def test_contexts_can_be_named_through_the_class():
    """As in PyFlink, programs may write Trigger.TriggerContext."""
    assert Trigger.TriggerContext is TriggerContext
    assert issubclass(Trigger.OnMergeContext, Trigger.TriggerContext)


def test_event_time_is_asked_at_the_cleanup_time_too():
    """EventTimeTrigger fires at the window's end and nowhere else, so a window is not emitted at its cleanup."""
    bench = TriggerBench(EventTimeTrigger.create())
    assert [bench.event_time(time, FIRST) for time in (9, 29)] == [FIRE, CONTINUE]


def test_event_time_merge_into_the_past_sets_no_timer():
    """A merged window whose end has passed fires with its element; a timer would fire it again."""
    bench = TriggerBench(EventTimeTrigger.create())
    bench.time.watermark = 19
    bench.merge(BOTH, [FIRST])
    assert bench.event_timers == []
    bench.time.watermark = 18
    bench.merge(BOTH, [FIRST])
    assert bench.event_timers == [(19, BOTH)]


def test_processing_time_merge():
    """The timers of the sources go, one for the merged window comes."""
    bench = TriggerBench(ProcessingTimeTrigger.create())
    bench.element(FIRST)
    bench.element(SECOND)
    bench.merge(BOTH, [FIRST, SECOND])
    assert bench.processing_timers == [(19, BOTH)]


@pytest.mark.parametrize(
    ("timestamp", "first_fire"),
    [(0, 5), (4, 5), (5, 10), (-1, 5), (-5, 0), (-6, 0), (-9, 0), (-10, -5)],
)
def test_continuous_event_time_starts_at_a_multiple(timestamp, first_fire):
    """The first fire is ts - ts % interval + interval, with Java's remainder, which truncates towards zero."""
    bench = TriggerBench(ContinuousEventTimeTrigger.of(5))
    window = TimeWindow(-100, 100)
    assert bench.element(window, timestamp=timestamp) is CONTINUE
    assert bench.event_timers == [(first_fire, window), (99, window)]


def test_continuous_event_time_keeps_the_earliest_of_merged_times():
    """Of the fire times of merged windows the earliest counts, also if it is not the first."""
    bench = TriggerBench(ContinuousEventTimeTrigger.of(4))
    bench.element(SECOND, timestamp=12)
    bench.element(FIRST, timestamp=1)
    bench.merge(BOTH, [SECOND, FIRST])
    assert [time for time, window in bench.event_timers if window == BOTH] == [4]
    assert [bench.event_time(time, BOTH) for time in (4, 7, 8)] == [FIRE, CONTINUE, FIRE]


def test_continuous_event_time_stops_at_the_end():
    """The last fire time is the window's end."""
    bench = TriggerBench(ContinuousEventTimeTrigger.of(7))
    bench.element(FIRST, timestamp=0)
    assert bench.event_time(7, FIRST) is FIRE
    assert bench.event_timers == [(7, FIRST), (9, FIRST)]
    assert bench.event_time(9, FIRST) is FIRE


def test_continuous_processing_time_keeps_the_earliest_of_merged_times():
    """The same in processing time; the first fire follows the clock, not the timestamp."""
    bench = TriggerBench(ContinuousProcessingTimeTrigger.of(4))
    bench.time.processing_time = 9
    bench.element(SECOND, timestamp=1000)
    bench.time.processing_time = 2
    bench.element(FIRST, timestamp=1000)
    assert bench.processing_timers == [(4, FIRST), (12, SECOND)]
    bench.merge(BOTH, [SECOND, FIRST])
    assert [time for time, window in bench.processing_timers if window == BOTH] == [4]
    assert bench.processing_time(4, BOTH) is FIRE
    assert bench.event_time(4, BOTH) is CONTINUE


def test_continuous_processing_time_ignores_strange_timers():
    """A timer that is not the trigger's own, for a window without trigger state, fires nothing."""
    assert TriggerBench(ContinuousProcessingTimeTrigger.of(4)).processing_time(8, FIRST) is CONTINUE


def test_continuous_processing_time_ends_with_the_window():
    """At the window's end it fires once more and sets no timer that would be due at once again."""
    bench = TriggerBench(ContinuousProcessingTimeTrigger.of(7))
    bench.element(FIRST)
    assert bench.processing_time(7, FIRST) is FIRE
    assert bench.state.processing_timers.pop_due(7) == (7, "key", FIRST)
    assert bench.state.processing_timers.pop_due(9) == (9, "key", FIRST)
    assert bench.processing_time(9, FIRST) is FIRE
    assert bench.processing_timers == []


def test_purging_changes_fire_only():
    """FIRE becomes FIRE_AND_PURGE, and merging is what the nested trigger says."""
    bench = TriggerBench(PurgingTrigger.of(CountTrigger.of(2)))
    assert [bench.element(FIRST) for _ in range(4)] == [CONTINUE, FIRE_AND_PURGE, CONTINUE, FIRE_AND_PURGE]
    assert PurgingTrigger.of(CountTrigger.of(2)).can_merge()
    assert not PurgingTrigger.of(NeverTrigger()).can_merge()


def moved(old, new):
    return new - old


class Moved(DeltaFunction):
    def get_delta(self, old_data_point, new_data_point):
        return new_data_point - old_data_point


@pytest.mark.parametrize("delta_function", [moved, Moved()])
def test_delta(delta_function):
    """It fires when the delta to the element that fired last exceeds the threshold; equality does not."""
    bench = TriggerBench(DeltaTrigger.of(2, delta_function))
    assert [bench.element(FIRST, value) for value in (5, 6, 7, 8, 9, 10, 11)] == [
        *[CONTINUE, CONTINUE, CONTINUE, FIRE],
        *[CONTINUE, CONTINUE, FIRE],
    ]
    assert bench.element(SECOND, 100) is CONTINUE
    bench.clear(FIRST)
    bench.clear(SECOND)
    assert bench.entry == {}


@pytest.mark.parametrize(
    "trigger", [DeltaTrigger.of(2, moved), ProcessingTimeoutTrigger.of(CountTrigger.of(1), Time.seconds(1))], ids=repr
)
def test_triggers_that_cannot_merge(trigger):
    """Triggers whose state cannot be merged say so, and refuse to be merged."""
    assert not trigger.can_merge()
    with pytest.raises(UsageError, match="cannot be used with merging windows"):
        TriggerBench(trigger).merge(BOTH, [FIRST])


def test_timeout_defaults():
    """By default later elements do not move the timeout, and firing clears the nested trigger."""
    bench = TriggerBench(ProcessingTimeoutTrigger.of(CountTrigger.of(3), 50))
    bench.element(FIRST)
    bench.time.processing_time = 20
    bench.element(FIRST)
    assert bench.processing_timers == [(50, FIRST)]
    assert bench.processing_time(50, FIRST) is FIRE
    assert bench.entry == {}


def test_timeout_ends_when_the_nested_trigger_fires():
    """A firing of the nested trigger takes the timeout back."""
    bench = TriggerBench(ProcessingTimeoutTrigger.of(PurgingTrigger.of(CountTrigger.of(2)), 50))
    assert [bench.element(FIRST) for _ in range(2)] == [CONTINUE, FIRE_AND_PURGE]
    assert (bench.processing_timers, bench.entry) == ([], {})


def test_end_of_stream():
    """It fires at the last watermark and not before."""
    bench = TriggerBench(EndOfStreamTrigger())
    window = GlobalWindow.get()
    assert bench.element(window) is CONTINUE
    assert bench.event_timers == [(LONG_MAX, window)]
    assert [bench.event_time(time, window) for time in (5, LONG_MAX)] == [CONTINUE, FIRE]


def test_never():
    """It does nothing at all."""
    bench = TriggerBench(NeverTrigger())
    window = GlobalWindow.get()
    results = {bench.element(window), bench.event_time(LONG_MAX, window), bench.processing_time(0, window)}
    assert (results, bench.entry, bench.event_timers, bench.processing_timers) == ({CONTINUE}, {}, [], [])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: CountTrigger.of(0), "window_size >= 1, but got 0"),
        (lambda: ContinuousEventTimeTrigger.of(0), "ContinuousEventTimeTrigger needs interval > 0"),
        (lambda: ContinuousProcessingTimeTrigger.of(-1), "interval > 0, but got -1 ms"),
    ],
)
def test_wrong_parameters(make, message):
    """Parameters that make no sense are refused when the trigger is made."""
    with pytest.raises(ConfigurationError, match=message):
        make()


def test_delta_needs_a_function():
    """A delta that cannot be computed is refused when the trigger is made."""
    with pytest.raises(ConfigurationTypeError, match="delta_function takes"):
        DeltaTrigger.of(1.0, "distance")
