"""The watermark, or processing time, as a line; and all that it has passed."""

from __future__ import annotations

from collections.abc import Iterator

from windrow.common.limits import MAX_WATERMARK, MIN_WATERMARK
from windrow.viz.drawing.rows import Rows
from windrow.viz.drawing.scene import Line, Shape
from windrow.viz.drawing.time_axis import TimeAxis


class TimeLine:
    """The line that the watermark, or processing time, takes through the steps.

    Args:
        rows: The steps.
        axis: Where moments are.
        bottom: The lower end of the panel, in pixels.
    """

    def __init__(self, rows: Rows, axis: TimeAxis, bottom: float) -> None:
        self._rows = rows
        self._axis = axis
        self._bottom = bottom
        #: The points of the line, from below to above; none, if time has not begun.
        self.points = self._later_by(0)

    def passed(self) -> Iterator[Shape]:
        """Shade what lies behind the line."""
        if self.points:
            left = self._axis.left
            closed = ((left, self.points[0][1]), *self.points, (left, self.points[-1][1]))
            yield Line(closed, "passed", opacity=0.13, fill=True)

    def line(self) -> Iterator[Shape]:
        """Draw the line itself."""
        if self.points:
            yield Line(tuple(self.points), "watermark", 2.2)

    def late_line(self, allowed_lateness: int) -> Iterator[Shape]:
        """Draw the line behind which windows are cleaned up, ``allowed_lateness`` milliseconds later."""
        if self.points:
            yield Line(tuple(self._later_by(allowed_lateness)), "muted", 1.4, dashed=True)

    def _later_by(self, delay: int) -> list[tuple[float, float]]:
        points: list[tuple[float, float]] = []
        for step, time in self._rows.times():
            if time == MIN_WATERMARK:
                continue
            x = self._axis.place(time - delay if time < MAX_WATERMARK else time)
            y = self._bottom - self._rows.rise(step)
            points += [(points[-1][0] if points else self._axis.left, y), (x, y)]
        if points:
            points.append((points[-1][0], self._bottom - self._rows.height))
        return points
