"""Draws windows: the elements of a key, the windows that they are in, the watermark that makes these fire."""

from __future__ import annotations

from collections.abc import Iterator

from windrow.common.limits import MAX_WATERMARK, MIN_WATERMARK
from windrow.datastream.window import TimeWindow, Window
from windrow.viz.drawing.palette import window_color
from windrow.viz.drawing.rows import Rows
from windrow.viz.drawing.scene import Box, Dot, Label, Line, Region, Shape, width_of
from windrow.viz.drawing.settings import Drawing, cut
from windrow.viz.drawing.time_axis import TimeAxis
from windrow.viz.drawing.time_line import TimeLine
from windrow.viz.events import Evicted, Fired
from windrow.viz.story import ElementLife, Life, Phase, Story
from windrow.viz.telling import window_name

_RESULT_SIZE, _VALUE_SIZE = 11.0, 10.5


def moments(story: Story, drawing: Drawing) -> Iterator[int]:
    """All moments that a story shows on the axis of time."""
    for element in story.elements.values():
        moment = moment_of(element, drawing)
        if moment is not None:
            yield moment
    for life in story.lives:
        for phase in life.phases:
            if isinstance(phase.window, TimeWindow):
                yield from phase.window
    for _, time in story.watermarks if drawing.event_time else story.processing_times:
        if MIN_WATERMARK < time < MAX_WATERMARK:
            yield time


def moment_of(element: ElementLife, drawing: Drawing) -> int | None:
    """Give the time at which an element is on the axis, in milliseconds; None: it has no timestamp."""
    return element.arrived.timestamp if drawing.event_time else element.arrived.processing_time


class WindowsPanel:
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
        self._lane_of: dict[tuple[int, Window], int] = {}
        self._rows = Rows(story, self._place_firings(), drawing)
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
        shapes = region.shapes
        time = TimeLine(self._rows, axis, self._bottom)
        shapes += time.passed()
        for life in self._story.lives:
            shapes += self._life(life)
        shapes += self._time(time)
        for life in self._story.lives:
            for fired in life.firings:
                shapes += self._firing(life, fired)
            for evicted in life.evicted:
                shapes += self._eviction(life, evicted)
        for element in self._story.elements.values():
            shapes += self._element(element)
        region.stops = [self._bottom - rise for rise in self._rows.stops()]
        return region

    # Where things are

    def _y(self, step: int) -> float:
        return self._bottom - self._rows.rise(step)

    def _span(self, window: Window) -> tuple[float, float]:
        """From where to where a window reaches; one that no time bounds is as wide as the picture."""
        if not isinstance(window, TimeWindow):
            return self._axis.left + 4, self._axis.right - 4
        return self._axis.place(window.start) + 1.5, self._axis.place(window.end) - 1.5

    def _place_firings(self) -> dict[int, int]:
        """Put firings of one step that would overlap above each other; how many lanes each step has."""
        lanes: dict[int, list[float]] = {}
        fired = sorted(
            ((event.step, self._span(event.window), event) for life in self._story.lives for event in life.firings),
            key=lambda entry: (entry[0], entry[1]),
        )
        for step, (left, right), event in fired:
            ends = lanes.setdefault(step, [])
            lane = next((number for number, end in enumerate(ends) if end <= left + 1), len(ends))
            reach = max(right, left + 14 + width_of(self._firing_text(event), _RESULT_SIZE, bold=True))
            ends[lane:] = [reach, *ends[lane + 1 :]]
            self._lane_of[step, event.window] = lane
        return {step: len(ends) for step, ends in lanes.items()}

    def _y_of_firing(self, fired: Fired) -> float:
        return self._bottom - self._rows.rise_of_firing(fired.step, self._lane_of[fired.step, fired.window])

    def _end_of(self, life: Life, phase: Phase) -> float:
        """Find the end of a phase of a window's life: where it has fired in the step, above the line of that."""
        if phase.end is None:
            return self._bottom - self.height + 3
        last = [fired for fired in life.firings if fired.step == phase.end and fired.window == phase.window]
        return self._y_of_firing(last[-1]) if last else self._y(phase.end)

    # Windows

    def _life(self, life: Life) -> Iterator[Shape]:
        color = window_color(life.number)
        opacity = 0.12 if self._overlaps(life) else 0.2
        for number, phase in enumerate(life.phases):
            left, right = self._span(phase.window)
            lower, upper = self._y(phase.begin) + (11 if number == 0 else 0), self._end_of(life, phase)
            title = f"{window_name(phase.window)} of {self._story.key!r}"
            # Light from when time has passed it: it waits for late elements.
            middle = min(max(self._y_of_passing(life, phase), upper), lower)
            if middle < lower:
                yield Box(left, middle, right - left, lower - middle, color, opacity, title)
                yield from self._sides(left, right, lower, middle, color, dashed=False)
            if upper < middle:
                self.marks.add("kept")
                yield Box(left, upper, right - left, middle - upper, color, opacity / 2, title)
                yield from self._sides(left, right, middle, upper, color, dashed=True)
            merges = number > 0 and self._is_merge(life, phase)
            if merges:
                self.marks.add("merged")
            yield Line(((left, lower), (right, lower)), color, 3.0 if merges else 1.2, opacity=1.0 if merges else 0.6)
            if phase.end is not None and (number == len(life.phases) - 1 and life.merged_into is None):
                yield Line(((left, upper), (right, upper)), color, 1.2, opacity=0.6)
                if life.cleaned_up is not None and not any(f.step == life.cleaned_up for f in life.firings):
                    self.marks.add("cleaned")
                    yield from self._cleaned(left, right, upper)
        for step in life.purged:
            self.marks.add("purged")
            phase = next(p for p in life.phases if p.begin <= step and (p.end is None or step <= p.end))
            left, right = self._span(phase.window)
            y = min([self._y(step), *(self._y_of_firing(f) for f in life.firings if f.step == step)]) - 4
            yield Line(((left, y), (right, y)), color, 1.5, dashed=True)

    def _y_of_passing(self, life: Life, phase: Phase) -> float:
        """Find where time passes the end of a window, behind its firing; -1: it does not."""
        end = phase.window.max_timestamp()
        passing = [step for step, time in self._rows.times() if time >= end and step >= phase.begin]
        if not passing or not isinstance(phase.window, TimeWindow):
            return -1.0
        fired = [fired for fired in life.firings if fired.step == passing[0] and fired.window == phase.window]
        return self._y_of_firing(fired[0]) if fired else self._y(passing[0])

    def _overlaps(self, life: Life) -> bool:
        """Tell whether the window has an element in common with another one."""
        return any(life in element.lives and len(element.lives) > 1 for element in self._story.elements.values())

    def _cleaned(self, left: float, right: float, y: float) -> Iterator[Shape]:
        yield Line(((left, y - 3), (left, y + 3)), "muted", 1.5)
        yield Line(((left, y), (right, y)), "muted", 1.5)
        yield Line(((right, y - 3), (right, y + 3)), "muted", 1.5)

    def _is_merge(self, life: Life, phase: Phase) -> bool:
        return any(
            other.merged_into is life and other.phases[-1].end == phase.begin
            for other in self._story.lives
            if other is not life
        )

    def _sides(
        self, left: float, right: float, lower: float, upper: float, color: str, *, dashed: bool
    ) -> Iterator[Shape]:
        for x in (left, right):
            yield Line(((x, lower), (x, upper)), color, 1.2, dashed, 0.6)

    def _firing(self, life: Life, fired: Fired) -> Iterator[Shape]:
        left, right = self._span(fired.window)
        y = self._y_of_firing(fired)
        self.marks.add("fired")
        color = window_color(life.number)
        yield Box(left, y - 2, right - left, 4, color, 1.0, f"{window_name(fired.window)} fires")
        text = self._firing_text(fired)
        if text and self._rows.labelled:
            start = min(left + 5, self._axis.right - 8 - width_of(text, _RESULT_SIZE, bold=True))
            yield Label(start, y - 5, text, "ink", _RESULT_SIZE, bold=True, halo=True)

    def _eviction(self, life: Life, evicted: Evicted) -> Iterator[Shape]:
        moment = moment_of(self._story.elements[evicted.element], self._drawing)
        fired = [event for event in life.firings if event.step == evicted.step and event.window == evicted.window]
        if moment is None or not fired:
            return
        self.marks.add("evicted")
        yield Dot(self._axis.place(moment), self._y_of_firing(fired[-1]), window_color(life.number), 4.5, hollow=True)

    def _time(self, time: TimeLine) -> Iterator[Shape]:
        if time.points:
            self.marks.add("watermark" if self._drawing.event_time else "processing time")
        yield from time.line()
        if time.points and self._drawing.allowed_lateness:
            self.marks.add("lateness")
            yield from time.late_line(self._drawing.allowed_lateness)

    # Elements

    def _element(self, element: ElementLife) -> Iterator[Shape]:
        arrived = element.arrived
        moment = moment_of(element, self._drawing)
        x = self._axis.left + 10 if moment is None else self._axis.place(moment)
        y = self._y(arrived.step)
        title = f"{arrived.value!r}" + ("" if arrived.timestamp is None else f" at {arrived.timestamp}")
        color = window_color(element.lives[0].number) if len(element.lives) == 1 else "ink"
        text = self._drawing.label(arrived.value) if self._rows.labelled else ""
        radius = 5.0 if self._rows.labelled else 2.5
        if element.late:
            self.marks.add("late")
            yield Dot(x, y, "late", radius, "cross", title=f"{title}: too late")
        elif element.in_no_window:
            self.marks.add("no window")
            yield Dot(x, y, "muted", radius, hollow=True, title=f"{title}: in no window")
        else:
            self.marks.add("element")
            is_in_time = any(isinstance(life.window, TimeWindow) for life in element.lives)
            if element.behind and is_in_time and self._drawing.event_time:
                self.marks.add("behind")
                yield Dot(x, y, "late", radius + 3, hollow=True)
            yield Dot(x, y, color, radius, title=title)
        if text:
            wide = width_of(text, _VALUE_SIZE)
            fits = x + 10 + wide < self._axis.right
            color = "late" if element.late else "ink"
            place = x + (12 if fits else -12)
            yield Label(place, y + 4, text, color, _VALUE_SIZE, "start" if fits else "end", halo=True)

    def _firing_text(self, fired: Fired) -> str:
        text = cut(", ".join([self._drawing.result(result) for result in fired.results or ()]))
        if fired.number > 1:
            return f"again: {text}" if text else "again"
        return text
