"""Rows of a picture: one for each step, lower where there are many."""

from itertools import pairwise

import pytest

from windrow.datastream.window import ProcessingTimeSessionWindows, TumblingEventTimeWindows
from windrow.testing import window_harness
from windrow.viz import Recording
from windrow.viz.drawing.rows import MOST_HEIGHT, Rows
from windrow.viz.drawing.settings import Drawing


def rows_of(count, lanes=None, **settings):
    recording = Recording()
    harness = window_harness(TumblingEventTimeWindows(10), reduce=max, recording=recording)
    for number in range(count):
        harness.set_processing_time(1000 + 10 * number * number)
        harness.process_element("a", number)
    (story,) = recording.trace().stories()
    return Rows(story, lanes or {}, Drawing("rows", **settings)), sorted(story.steps)


def test_later_steps_are_higher():
    """Each step is above the one before it, and below the upper end."""
    rows, steps = rows_of(5)
    rises = [rows.rise(step) for step in steps]
    assert rises == sorted(rises)
    assert 0 < rises[0] < rises[-1] < rows.height
    assert rows.labelled


def test_firings_have_room_above_their_step():
    """What fires in a step stands between it and the next one."""
    rows, (first, second, *_) = rows_of(3, {1: 2})
    assert rows.rise(first) < rows.rise_of_firing(first, 0) < rows.rise_of_firing(first, 1) < rows.rise(second)


def test_many_steps():
    """Many rows are low and have no labels."""
    rows, _ = rows_of(500)
    assert not rows.labelled
    assert rows.height < MOST_HEIGHT + 100


def test_processing_time():
    """Steps lie further apart where more time has passed in between."""
    rows, steps = rows_of(4, by_processing_time=True)
    rises = [rows.rise(step) for step in steps]
    gaps = [later - earlier for earlier, later in pairwise(rises)]
    assert gaps == sorted(gaps)
    assert gaps[-1] > gaps[0] + 50
    assert [text for _, text in rows.named] == ["+10 ms", "+40 ms", "+90 ms"]


@pytest.mark.parametrize("event_time", [True, False])
def test_the_time_that_moves(event_time):
    """It is the watermark for windows of event time, and processing time for others, whatever else moves."""
    recording = Recording()
    harness = window_harness(ProcessingTimeSessionWindows.with_gap(10), reduce=max, recording=recording)
    harness.process_element("a", 1)
    harness.process_watermark(7)
    harness.set_processing_time(5)
    (story,) = recording.trace().stories()
    times = Rows(story, {}, Drawing("rows", event_time=event_time)).times()
    assert [time for _, time in times] == [7 if event_time else 5]
