"""The axis of arrival: each step of a story is a row, the first one below."""

from __future__ import annotations

from dataclasses import dataclass, field

from windrow.viz.drawing.settings import Drawing
from windrow.viz.drawing.time_axis import duration
from windrow.viz.story import Story

#: The height of a row with an element, of one in which time alone moves, and of a firing on top of it, in pixels.
ELEMENT, TIME, FIRING = 26.0, 9.0, 21.0
#: The space that processing time is given between rows, from the first step to the last.
TIME_HEIGHT = 240.0
#: Rows are made lower than that where there are many.
MOST_HEIGHT = 760.0
#: Bars of firings above each other are at least so far apart.
LEAST_FIRING = 5.0
#: Below that many pixels of a row its element has no label.
LEGIBLE = 13.0
_MARGIN = 16.0


@dataclass
class Rows:
    """The heights of steps, in pixels above the lower end.

    Args:
        story: Whose steps.
        lanes: By step how many firings lie above each other in it.
        drawing: How it is drawn.
    """

    story: Story
    lanes: dict[int, int]
    drawing: Drawing
    height: float = 0.0
    labelled: bool = True
    #: How far above the lower end processing time has moved on, and by how much since the first step.
    named: list[tuple[float, str]] = field(default_factory=list)
    _rise: dict[int, float] = field(default_factory=dict)
    _unit: float = 1.0
    _lane: float = FIRING
    _with_elements: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._with_elements = {element.arrived.step for element in self.story.elements.values()}
        steps = sorted({*self.story.steps, *(step for step, _ in self.times())})
        if self.drawing.by_processing_time:
            steps = sorted({*steps, *(step for step, _ in self.story.processing_times)})
        total = sum(self._base(step) + FIRING * self.lanes.get(step, 0) for step in steps)
        self._unit = min(1.0, MOST_HEIGHT / total) if total else 1.0
        self.labelled = ELEMENT * self._unit >= LEGIBLE
        self._lane = max(FIRING * self._unit, LEAST_FIRING)
        moments = self._moments(steps) if self.drawing.by_processing_time else dict.fromkeys(steps, 0)
        first, last = (moments[steps[0]], moments[steps[-1]]) if steps else (0, 0)
        rise, before = _MARGIN, first
        for step in steps:
            if moments[step] != before:
                rise += (moments[step] - before) / (last - first) * TIME_HEIGHT
                before = moments[step]
                self.named.append((rise, f"+{duration(before - first)}"))
            base = self._base(step) * self._unit
            self._rise[step] = rise + base / 2
            rise += base + self._lane * self.lanes.get(step, 0)
        self.height = rise + _MARGIN

    def _moments(self, steps: list[int]) -> dict[int, int]:
        """The processing time of each step: a watermark is given when the last element was."""
        known = {each.arrived.step: each.arrived.processing_time for each in self.story.elements.values()}
        known |= dict(self.story.processing_times)
        moments: dict[int, int] = {}
        last = known[min(known)] if known else 0
        for step in steps:
            last = moments[step] = max(known.get(step, last), last)
        return moments

    def times(self) -> list[tuple[int, int]]:
        """The steps in which the watermark moves, and to where; of windows of processing time, that."""
        return self.story.watermarks if self.drawing.event_time else self.story.processing_times

    def rise(self, step: int) -> float:
        """Give the height of the middle of a step's row, in pixels above the lower end."""
        return self._rise[step]

    def rise_of_firing(self, step: int, lane: int) -> float:
        """Give the height of a firing in a lane (0, 1, ...) above its step's row, in pixels above the lower end."""
        return self._rise[step] + (self._base(step) / 2 + 3) * self._unit + self._lane * lane

    def stops(self) -> list[float]:
        """Give the height below which everything of each step is drawn, in pixels above the lower end."""
        return [
            self.rise_of_firing(step, self.lanes.get(step, 0)) if self.lanes.get(step) else rise + 10
            for step, rise in self._rise.items()
        ]

    def _base(self, step: int) -> float:
        return ELEMENT if step in self._with_elements else TIME if step not in self.story.steps else 16.0
