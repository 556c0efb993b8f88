"""A recording is of one operation, from its beginning."""

import pytest

from windrow.datastream.window import TumblingEventTimeWindows
from windrow.errors import ConfigurationError, UsageError
from windrow.testing import window_harness
from windrow.viz import Recording


def test_a_recording_is_of_one_operation():
    """A second operation needs a recording of its own."""
    recording = Recording()
    window_harness(TumblingEventTimeWindows(10), reduce=max, recording=recording)
    with pytest.raises(UsageError, match="make another for 'other'"):
        window_harness(TumblingEventTimeWindows(20), reduce=max, recording=recording, name="other")


def test_nothing_was_recorded():
    """A recording that no operator was given says what to do with it."""
    with pytest.raises(UsageError, match="recording=recording"):
        Recording().trace()


def test_a_recording_sees_windows_from_their_beginning():
    """A harness that begins with state is not recorded: what its windows hold nobody has seen."""
    snapshot = window_harness(TumblingEventTimeWindows(10), reduce=max).snapshot()
    with pytest.raises(ConfigurationError, match="recording"):
        window_harness(TumblingEventTimeWindows(10), reduce=max, snapshot=snapshot, recording=Recording())


def test_global_windows_are_drawn_by_timestamps_where_there_are_some():
    """Windows of no time are shown in event time if their elements have timestamps."""
    from windrow.datastream.window import CountTrigger, GlobalWindows

    for timestamp, event_time in ((5, True), (None, False)):
        recording = Recording()
        harness = window_harness(GlobalWindows.create(), reduce=max, trigger=CountTrigger.of(2), recording=recording)
        harness.process_element(1, timestamp)
        assert recording.trace().event_time is event_time
