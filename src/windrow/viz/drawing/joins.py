"""Draws an interval join: the elements of both streams, which of them match, how long each is kept."""

from __future__ import annotations

from collections.abc import Iterator

from windrow.common.limits import MAX_WATERMARK, MIN_WATERMARK
from windrow.viz.drawing.rows import Rows
from windrow.viz.drawing.scene import Box, Dot, Label, Line, Region, Shape, width_of
from windrow.viz.drawing.settings import Drawing
from windrow.viz.drawing.time_axis import TimeAxis
from windrow.viz.drawing.time_line import TimeLine
from windrow.viz.story import ElementLife, Story

_SIZE = 10.5
_LEFT, _RIGHT, _MATCH = "window0", "window1", "window2"


def moments(story: Story, drawing: Drawing) -> Iterator[int]:
    """All moments that a story shows on the axis of time."""
    for element in story.elements.values():
        reach = _reach(element, drawing)
        if element.arrived.timestamp is not None and reach is not None:
            yield from (element.arrived.timestamp, *reach)
    yield from (time for _, time in story.watermarks if MIN_WATERMARK < time < MAX_WATERMARK)


class JoinPanel:
    """The picture of one key.

    Args:
        story: What happened.
        drawing: How it is drawn.
        axis: Where moments are.
    """

    def __init__(self, story: Story, drawing: Drawing, axis: TimeAxis) -> None:
        self._story = story
        self._drawing = drawing
        self._axis = axis
        self._rows = Rows(story, {}, drawing)
        #: What is in it that the legend has to explain.
        self.marks: set[str] = set()
        self._bottom = 0.0

    @property
    def height(self) -> float:
        """The panel's height in pixels."""
        return self._rows.height

    @property
    def named(self) -> list[tuple[float, str]]:
        """The labels of processing time: their pixels above the lower end, and the time since the first step."""
        return self._rows.named

    def drawn(self, top: float) -> Region:
        """The region whose upper end is at ``top``."""
        axis = self._axis
        region = Region(axis.left, top, axis.right - axis.left, self.height)
        self._bottom = top + self.height
        time = TimeLine(self._rows, axis, self._bottom)
        shapes = region.shapes
        shapes += time.passed()
        for element in self._story.elements.values():
            shapes += self._reach_and_stay(element)
        if time.points:
            self.marks.add("watermark")
        shapes += time.line()
        for match in self._story.matches:
            left, right = self._story.elements[match.left], self._story.elements[match.right]
            self.marks.add("match")
            shapes.append(Line((self._place(left), self._place(right)), _MATCH, 2.2))
        for element in self._story.elements.values():
            shapes += self._element(element)
        region.stops = [self._bottom - rise for rise in self._rows.stops()]
        return region

    def _place(self, element: ElementLife) -> tuple[float, float]:
        timestamp = element.arrived.timestamp
        x = self._axis.left + 10 if timestamp is None else self._axis.place(timestamp)
        return x, self._bottom - self._rows.rise(element.arrived.step)

    def _reach_and_stay(self, element: ElementLife) -> Iterator[Shape]:
        reach = _reach(element, self._drawing)
        if reach is None or element.late:
            return
        color = _color(element)
        x, y = self._place(element)
        self.marks |= {"reach", "kept element"}
        left, right = (self._axis.place(moment) for moment in reach)
        yield Box(left, y - 3, max(right - left, 2.0), 6, color, 0.22, f"joins from {reach[0]} to {reach[1]}")
        rise = self._rows.height if element.expired is None else self._rows.rise(element.expired)
        end = self._bottom - rise
        yield Line(((x, y), (x, end)), color, 1.3, dashed=True, opacity=0.7)
        if element.expired is not None:
            yield Line(((x - 4, end), (x + 4, end)), color, 1.3)

    def _element(self, element: ElementLife) -> Iterator[Shape]:
        x, y = self._place(element)
        arrived = element.arrived
        is_left = arrived.input == 1
        text = self._drawing.label(arrived.value) if self._rows.labelled else ""
        title = f"{arrived.value!r} at {arrived.timestamp}"
        if element.late:
            self.marks.add("late")
            yield Dot(x, y, "late", 5, "cross", title=f"{title}: too late")
        else:
            self.marks.add("left" if is_left else "right")
            yield Dot(x, y, _color(element), 5, "circle" if is_left else "square", title=title)
        if text:
            # Lines to later partners rise on the other side, mostly.
            before = x - 10 - width_of(text, _SIZE) > self._axis.left
            behind = x + 10 + width_of(text, _SIZE) < self._axis.right
            is_before = (is_left and before) or not behind
            place = x + (-10 if is_before else 10)
            yield Label(place, y - 5, text, "ink", _SIZE, "end" if is_before else "start", halo=True)


def _color(element: ElementLife) -> str:
    return _LEFT if element.arrived.input == 1 else _RIGHT


def _reach(element: ElementLife, drawing: Drawing) -> tuple[int, int] | None:
    """From where to where the partners of an element lie."""
    timestamp, interval = element.arrived.timestamp, drawing.interval
    if timestamp is None or interval is None:
        return None
    lower, upper = interval if element.arrived.input == 1 else (-interval[1], -interval[0])
    return timestamp + lower, timestamp + upper
