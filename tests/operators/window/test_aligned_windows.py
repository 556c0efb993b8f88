"""Windows by arithmetic are those that the assigner would give."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from windrow.datastream.window import (
    EventTimeSessionWindows,
    SlidingEventTimeWindows,
    TumblingEventTimeWindows,
    TumblingProcessingTimeWindows,
    WindowStagger,
)
from windrow.operators.window.aligned_windows import AlignedWindows, is_aligned

assigners = st.one_of(
    st.builds(TumblingEventTimeWindows, st.integers(5, 12), st.integers(-4, 4)),
    st.builds(SlidingEventTimeWindows, st.integers(1, 25), st.integers(5, 12), st.integers(-4, 4)),
)


@given(assigners, st.integers(-100, 100))
def test_ends_are_those_of_the_assigned_windows(assigner, time):
    """From the first end to the last, a slide apart: what the assigner gives, from the newest back."""
    windows = AlignedWindows.of(assigner)
    first, last = (int(ends[0]) for ends in windows.ends(np.array([time])))
    ends = range(last, first - 1, -windows.slide)
    assert [windows.window(end) for end in ends] == assigner.assign_windows("x", time, None)


@given(assigners, st.integers(-100, 100))
def test_the_first_end_after_a_watermark_is_of_a_window_that_is_open(assigner, watermark):
    """The window has not passed at the watermark, and the one before it has."""
    windows = AlignedWindows.of(assigner)
    end = windows.first_end_after(watermark)
    assert end - windows.slide - 1 <= watermark < end - 1
    assert (end - windows.size - windows.offset) % windows.slide == 0


@pytest.mark.parametrize(
    "assigner",
    [
        TumblingProcessingTimeWindows(10),
        EventTimeSessionWindows(10),
        TumblingEventTimeWindows(10, 0, WindowStagger.RANDOM),
        TumblingEventTimeWindows(2**62),
        type("Custom", (TumblingEventTimeWindows,), {})(10),
    ],
)
def test_other_assigners_are_asked_for_each_element(assigner):
    """Only the assigners whose arithmetic is known are aligned."""
    assert not is_aligned(assigner)
