"""Tumbling, sliding and session assigners: what the conformance cases leave open."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from windrow.common.limits import LONG_MAX, LONG_MIN, NO_TIMESTAMP
from windrow.common.time import Duration, Time
from windrow.datastream.window import (
    DynamicEventTimeSessionWindows,
    DynamicProcessingTimeSessionWindows,
    EventTimeSessionWindows,
    EventTimeTrigger,
    GlobalWindow,
    GlobalWindows,
    ProcessingTimeSessionWindows,
    ProcessingTimeTrigger,
    SessionWindowTimeGapExtractor,
    SlidingEventTimeWindows,
    SlidingProcessingTimeWindows,
    TimeWindow,
    TumblingEventTimeWindows,
    TumblingProcessingTimeWindows,
    WindowAssignerContext,
    WindowStagger,
)
from windrow.errors import ConfigurationError, ConfigurationTypeError, MissingTimestampError

EVENT_TIME = [
    TumblingEventTimeWindows.of(10),
    SlidingEventTimeWindows.of(10, 5),
    EventTimeSessionWindows.with_gap(10),
    EventTimeSessionWindows.with_dynamic_gap(lambda _: 10),
]
PROCESSING_TIME = [
    TumblingProcessingTimeWindows.of(10),
    SlidingProcessingTimeWindows.of(10, 5),
    ProcessingTimeSessionWindows.with_gap(10),
    ProcessingTimeSessionWindows.with_dynamic_gap(lambda _: 10),
]


class At(WindowAssignerContext):
    def __init__(self, processing_time=0, subtask=0):
        self.processing_time = processing_time
        self.subtask = subtask

    def get_current_processing_time(self):
        return self.processing_time

    def get_runtime_context(self):
        return self

    def get_index_of_this_subtask(self):
        return self.subtask


def windows(assigner, timestamp, context=None):
    return [tuple(window) for window in assigner.assign_windows("element", timestamp, context or At())]


@pytest.mark.parametrize("size", [Time.seconds(1), Duration.of_seconds(1), timedelta(seconds=1), 1000])
def test_spans(size):
    """A span is a Time, a Duration, a timedelta or a number of milliseconds."""
    assert windows(TumblingEventTimeWindows.of(size), 1500) == [(1000, 2000)]
    assert windows(SlidingEventTimeWindows.of(size, size), 1500) == [(1000, 2000)]
    assert windows(EventTimeSessionWindows.with_gap(size), 1500) == [(1500, 2500)]


def test_constructors_take_milliseconds():
    """As in PyFlink, constructors take plain milliseconds."""
    assert windows(TumblingEventTimeWindows(10, 3), 12) == [(3, 13)]
    assert windows(SlidingEventTimeWindows(10, 10, 3), 12) == [(3, 13)]
    assert windows(EventTimeSessionWindows(10), 12) == [(12, 22)]


@pytest.mark.parametrize("assigner", EVENT_TIME, ids=repr)
def test_event_time_needs_timestamps(assigner):
    """An element without a timestamp is an error that names the element and says what to do."""
    with pytest.raises(MissingTimestampError, match=r"'element'.*assign_timestamps_and_watermarks"):
        assigner.assign_windows("element", NO_TIMESTAMP, At())


@pytest.mark.parametrize("assigner", PROCESSING_TIME, ids=repr)
def test_processing_time_ignores_timestamps(assigner):
    """Processing-time windows follow the clock, whatever the element's timestamp is."""
    assert windows(assigner, NO_TIMESTAMP, At(12)) == windows(assigner, 99, At(12))
    assert all(start <= 12 < end for start, end in windows(assigner, 99, At(12)))


@pytest.mark.parametrize(
    ("assigners", "event_time", "trigger"),
    [(EVENT_TIME, True, EventTimeTrigger), (PROCESSING_TIME, False, ProcessingTimeTrigger)],
)
def test_time_domain(assigners, event_time, trigger):
    """The default trigger fires in the time domain of the windows."""
    for assigner in assigners:
        assert assigner.is_event_time() is event_time
        assert isinstance(assigner.get_default_trigger(), trigger)
        assert isinstance(assigner.get_default_trigger(None), trigger)


@given(st.integers(-1000, 1000), st.integers(1, 50), st.integers(1, 50), st.data())
def test_sliding_windows_are_all_that_contain_the_timestamp(timestamp, size, slide, data):
    """Exactly the windows around the timestamp are assigned, the latest first, for any size and slide."""
    offset = data.draw(st.integers(1 - slide, slide - 1))
    expected = [
        (start, start + size)
        for start in range(2000, -2000, -1)
        if (start - offset) % slide == 0 and start <= timestamp < start + size
    ]
    assert windows(SlidingEventTimeWindows.of(size, slide, offset), timestamp) == expected


def test_slide_larger_than_size_leaves_gaps():
    """Elements between two windows are in no window."""
    sparse = SlidingEventTimeWindows.of(2, 5)
    assert [windows(sparse, timestamp) for timestamp in (4, 5, 6, 7)] == [[], [(5, 7)], [(5, 7)], []]


@pytest.mark.parametrize("assigner", EVENT_TIME, ids=repr)
def test_windows_stay_in_64_bits(assigner):
    """Windows at both ends of time stay within 64 bits, and the first timestamp is in its window."""
    for timestamp in (LONG_MIN + 1, LONG_MAX):
        for start, end in windows(assigner, timestamp):
            assert LONG_MIN <= start <= timestamp <= end <= LONG_MAX


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: TumblingEventTimeWindows.of(0), "size 0 ms"),
        (lambda: TumblingProcessingTimeWindows.of(10, -10), "offset -10 ms and size 10 ms"),
        (lambda: SlidingEventTimeWindows.of(10, 0), "slide 0 ms"),
        (lambda: SlidingProcessingTimeWindows.of(0, 10), "size 0 ms"),
        (lambda: SlidingProcessingTimeWindows.of(10, 5, 5), "offset 5 ms, slide 5 ms"),
        (lambda: EventTimeSessionWindows.with_gap(0), "got 0 ms"),
        (lambda: ProcessingTimeSessionWindows.with_gap(Time.seconds(-1)), "got -1000 ms"),
    ],
)
def test_wrong_parameters(make, message):
    """Parameters that make no windows are refused when the assigner is made, with the values in the message."""
    with pytest.raises(ConfigurationError, match=message):
        make()


@pytest.mark.parametrize("size", [None, 1.5, "1s", True])
def test_wrong_types(size):
    """What is no span of time is refused, and the parameter is named."""
    with pytest.raises(ConfigurationTypeError, match="size takes a Time"):
        TumblingEventTimeWindows.of(size)


class GapOfLength(SessionWindowTimeGapExtractor):
    def extract(self, element):
        return len(element)


@pytest.mark.parametrize("extractor", [GapOfLength(), len, lambda element: Duration.of_millis(len(element))])
def test_dynamic_gap(extractor):
    """The gap comes from an extractor or a plain function, in milliseconds or as a span."""
    assert windows(DynamicEventTimeSessionWindows.with_dynamic_gap(extractor), 10) == [(10, 17)]
    assert windows(DynamicProcessingTimeSessionWindows(extractor), 10, At(20)) == [(20, 27)]


def test_dynamic_gap_must_be_positive():
    """A gap that is not positive is an error that names gap and element."""
    sessions = EventTimeSessionWindows.with_dynamic_gap(lambda _: 0)
    with pytest.raises(ConfigurationError, match=r"0 < gap.*gave 0 ms for 'element'"):
        windows(sessions, 1)


def test_dynamic_gap_needs_a_function():
    """An extractor that cannot be called is refused when the assigner is made."""
    with pytest.raises(ConfigurationTypeError, match="SessionWindowTimeGapExtractor or a function"):
        ProcessingTimeSessionWindows.with_dynamic_gap(5)


def test_stagger_is_drawn_once():
    """The first element decides the stagger, on top of the offset."""
    natural = TumblingEventTimeWindows.of(100, 10, WindowStagger.NATURAL)
    assert natural.stagger_offset is None
    assert windows(natural, 500, At(processing_time=230)) == [(440, 540)]
    assert natural.stagger_offset == 30
    assert windows(natural, 500, At(processing_time=777)) == [(440, 540)]


def test_random_stagger_is_the_same_on_replay():
    """A random stagger depends on processing time and subtask alone, and differs between subtasks."""

    def starts():
        assigners = [TumblingProcessingTimeWindows.of(10_000, None, WindowStagger.RANDOM) for _ in range(8)]
        return [windows(assigner, 0, At(5_000, subtask))[0][0] for subtask, assigner in enumerate(assigners)]

    assert starts() == starts()
    assert len(set(starts())) > 4


@given(st.integers(0, 2**60), st.integers(1, 10**9), st.integers(0, 1000))
def test_stagger_is_less_than_the_size(processing_time, size, subtask):
    """Every stagger lies between 0 and the window size."""
    for stagger in WindowStagger:
        assert 0 <= stagger.get_stagger_offset(processing_time, size, subtask) < size


def test_global_windows():
    """Every element, with or without timestamp, is in the global window."""
    assert list(GlobalWindows.create().assign_windows("element", NO_TIMESTAMP, At())) == [GlobalWindow.get()]


def test_time_window_of_session_is_not_shared():
    """Session windows of two elements are two windows until they merge."""
    sessions = EventTimeSessionWindows.with_gap(10)
    assert sessions.assign_windows("a", 0, At()) + sessions.assign_windows("b", 5, At()) == [
        TimeWindow(0, 10),
        TimeWindow(5, 15),
    ]
