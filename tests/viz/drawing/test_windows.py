"""What is drawn of windows is where it was in time and order."""

import pytest

from windrow.datastream.window import EventTimeSessionWindows, SlidingEventTimeWindows, TumblingEventTimeWindows
from windrow.testing import window_harness
from windrow.viz import Recording
from windrow.viz.drawing.scene import Box, Dot, Label, Line
from windrow.viz.drawing.settings import Drawing
from windrow.viz.drawing.time_axis import TimeAxis
from windrow.viz.drawing.windows import WindowsPanel


def drawn(assigner, steps, **parts):
    recording = Recording()
    harness = window_harness(assigner, reduce=lambda a, b: a + b, recording=recording, **parts)
    for step in steps:
        if isinstance(step, int):
            harness.process_watermark(step)
        else:
            harness.process_element(*step)
    trace = recording.trace()
    (story,) = trace.stories()
    panel = WindowsPanel(
        story, Drawing("windows", allowed_lateness=trace.allowed_lateness), TimeAxis(0, 100, 0.0, 1000.0)
    )
    return panel, panel.drawn(0.0).shapes


def of_kind(shapes, kind, **fields):
    return [
        shape
        for shape in shapes
        if isinstance(shape, kind) and all(getattr(shape, name) == value for name, value in fields.items())
    ]


def test_elements_stand_at_their_timestamps_and_the_later_one_above():
    """To the right is time, upwards the order of arrival."""
    _, shapes = drawn(TumblingEventTimeWindows(50), [("a", 30), ("b", 10)])
    first, second = of_kind(shapes, Dot)
    assert (first.x, second.x) == (300, 100)
    assert first.y > second.y


def test_a_window_is_as_wide_as_its_time_and_ends_where_it_fires():
    """The bar of the firing is the upper end of a window that waits for nothing."""
    _, shapes = drawn(TumblingEventTimeWindows(50), [("a", 30), 49])
    window, bar = of_kind(shapes, Box)
    assert (window.x, window.x + window.width) == pytest.approx((1.5, 498.5))
    assert (bar.x, bar.width) == (window.x, window.width)
    assert bar.y + 2 == pytest.approx(window.y)
    assert [label.text for label in of_kind(shapes, Label)] == ["a", "a"]


def test_a_window_that_waits_is_light_behind_its_firing():
    """With lateness there are two parts, and the second one is lighter."""
    panel, shapes = drawn(TumblingEventTimeWindows(50), [("a", 30), 49, ("b", 20), 70], allowed_lateness=10)
    before, behind = [box for box in of_kind(shapes, Box) if box.opacity < 1]
    assert behind.opacity < before.opacity
    assert behind.y + behind.height == pytest.approx(before.y)
    assert {"kept", "behind", "cleaned", "lateness"} <= panel.marks
    assert "again: ab" in [label.text for label in of_kind(shapes, Label)]


def test_late_elements_are_crosses():
    """An element that is dropped is a cross in the colour of lateness."""
    panel, shapes = drawn(TumblingEventTimeWindows(10), [("a", 5), 20, ("b", 6)])
    (cross,) = of_kind(shapes, Dot, form="cross")
    assert (cross.x, cross.color) == (60, "late")
    assert "late" in panel.marks


def test_sessions_that_merge_keep_the_color_of_the_first():
    """The session that two became goes on in the colour of the first, behind a heavy line."""
    panel, shapes = drawn(EventTimeSessionWindows.with_gap(10), [("a", 0), ("b", 15), ("c", 8)])
    boxes = [(box.fill, round(box.x), round(box.x + box.width)) for box in of_kind(shapes, Box)]
    assert boxes == [("window0", 2, 98), ("window0", 2, 248), ("window1", 152, 248)]
    assert of_kind(shapes, Line, width=3.0, color="window0")
    assert "merged" in panel.marks


def test_windows_that_fire_at_once_do_not_cover_each_other():
    """Bars of overlapping windows stand above each other, the earlier window below."""
    _, shapes = drawn(SlidingEventTimeWindows(20, 10), [("a", 15), 40])
    bars = sorted(of_kind(shapes, Box, opacity=1.0), key=lambda bar: bar.x)
    assert len(bars) == 2
    assert bars[0].y > bars[1].y + 10


def test_an_element_in_several_windows_has_the_color_of_none():
    """Windows have colours of their own; an element in two of them is black."""
    _, shapes = drawn(SlidingEventTimeWindows(20, 10), [("a", 15)])
    (element,) = of_kind(shapes, Dot)
    assert element.color == "ink"
    assert {box.fill for box in of_kind(shapes, Box)} == {"window0", "window1"}


def test_the_watermark_rises_in_steps():
    """The line goes to the right where the watermark moves, and upwards in between."""
    _, shapes = drawn(TumblingEventTimeWindows(50), [("a", 30), 20, ("b", 40), 30])
    (line,) = of_kind(shapes, Line, color="watermark")
    xs = [x for x, _ in line.points]
    assert xs == [0, 200, 200, 300, 300]
    ys = [y for _, y in line.points]
    assert ys == sorted(ys, reverse=True)
    assert ys[-1] == 0
