"""A story puts the events of a key together."""

from windrow.datastream.window import EventTimeSessionWindows, TumblingEventTimeWindows
from windrow.testing import window_harness
from windrow.viz import Recording


def test_a_session_lives_on_in_the_first_that_it_was_made_of():
    """Of sessions that merge the first goes on, with other bounds, and the others become a part of it."""
    recording = Recording()
    harness = window_harness(EventTimeSessionWindows.with_gap(10), reduce=max, recording=recording)
    for timestamp in (0, 15, 8):
        harness.process_element(1, timestamp)
    harness.process_watermark(50)
    (story,) = recording.trace().stories()
    first, second = story.lives
    assert [tuple(phase.window) for phase in first.phases] == [(0, 10), (0, 25)]
    assert (second.merged_into, first.merged_into) == (first, None)
    assert (second.phases[-1].end, first.phases[-1].begin) == (2, 2)
    assert [fired.step for fired in first.firings] == [3]
    assert first.cleaned_up == 3
    assert story.elements[2].lives == [first]


def test_each_key_has_the_watermarks_of_its_subtask():
    """Keys share the watermarks, and nothing else."""
    recording = Recording()
    harness = window_harness(TumblingEventTimeWindows(10), key=len, reduce=max, recording=recording)
    harness.process_elements([("a", 1), ("bb", 2)])
    harness.process_watermark(5)
    one, two = recording.trace().stories()
    assert (one.key, two.key) == (1, 2)
    assert one.watermarks == two.watermarks == [(2, 5)]
    assert (one.steps, two.steps) == ({0}, {1})
