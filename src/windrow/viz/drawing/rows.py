"""The axis of arrival: each step of a story is a row, the first one below."""

from __future__ import annotations

from dataclasses import dataclass, field

from windrow.viz.story import Story

#: The height of a row with an element, of one in which time alone moves, and of a firing on top of it, in pixels.
ELEMENT, TIME, FIRING = 26.0, 9.0, 21.0
#: Rows are made lower than that where there are many.
MOST_HEIGHT = 760.0
#: Below that many pixels of a row its element has no label.
LEGIBLE = 13.0
_MARGIN = 16.0


@dataclass
class Rows:
    """Where steps are, in pixels above the lower end.

    Args:
        story: Whose steps.
        lanes: By step how many firings lie above each other in it.
    """

    story: Story
    lanes: dict[int, int]
    height: float = 0.0
    labelled: bool = True
    _rise: dict[int, float] = field(default_factory=dict)
    _unit: float = 1.0
    _with_elements: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._with_elements = {element.arrived.step for element in self.story.elements.values()}
        steps = sorted({*self.story.steps, *(step for step, _ in self.times())})
        heights = {step: self._height(step) for step in steps}
        total = sum(heights.values())
        self._unit = min(1.0, MOST_HEIGHT / total) if total else 1.0
        self.labelled = ELEMENT * self._unit >= LEGIBLE
        rise = _MARGIN
        for step in steps:
            base = self._base(step) * self._unit
            self._rise[step] = rise + base / 2
            rise += heights[step] * self._unit
        self.height = rise + _MARGIN

    def times(self) -> list[tuple[int, int]]:
        """The steps in which the watermark moves, and to where; of windows of processing time, that."""
        return self.story.watermarks or self.story.processing_times

    def rise(self, step: int) -> float:
        """How far above the lower end the step is."""
        return self._rise[step]

    def rise_of_firing(self, step: int, lane: int) -> float:
        """How far above it the lane of a firing is."""
        return self._rise[step] + (self._base(step) / 2 + 3 + FIRING * lane) * self._unit

    def stops(self) -> list[float]:
        """How far above the lower end everything of each step is."""
        return [
            self.rise_of_firing(step, self.lanes.get(step, 0)) if self.lanes.get(step) else rise + 10
            for step, rise in self._rise.items()
        ]

    def _base(self, step: int) -> float:
        return ELEMENT if step in self._with_elements else TIME if step not in self.story.steps else 16.0

    def _height(self, step: int) -> float:
        return self._base(step) + FIRING * self.lanes.get(step, 0)
