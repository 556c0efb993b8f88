"""What is drawn of an interval join."""

from windrow.datastream.functions import ProcessJoinFunction
from windrow.operators.interval_join import Interval, interval_join_operator
from windrow.testing import TwoInputOperatorHarness
from windrow.viz import Recording
from windrow.viz.drawing.joins import JoinPanel
from windrow.viz.drawing.scene import Box, Dot, Line
from windrow.viz.drawing.settings import Drawing
from windrow.viz.drawing.time_axis import TimeAxis


class Pair(ProcessJoinFunction):
    def process_element(self, left, right, ctx):
        yield left, right


def test_matches_are_lines_between_elements():
    """A match leads from the one element to the other; a bar shows where partners lie; late elements are crosses."""
    recording, interval = Recording(), Interval(0, 10)
    operator = recording.observed(interval_join_operator(Pair(), interval), interval, "join")
    harness = TwoInputOperatorHarness(operator, lambda _: "k", lambda _: "k")
    harness.process_element1("l", 20)
    harness.process_element2("r", 25)
    harness.process_watermark(30)
    harness.process_element1("late", 5)
    (story,) = recording.trace().stories()
    panel = JoinPanel(story, Drawing("join", interval=(0, 10)), TimeAxis(0, 100, 0.0, 1000.0))
    shapes = panel.drawn(0.0).shapes
    left, right, late = [shape for shape in shapes if isinstance(shape, Dot)]
    (match,) = [shape for shape in shapes if isinstance(shape, Line) and shape.color == "window2"]
    assert match.points == ((left.x, left.y), (right.x, right.y))
    assert (left.form, right.form, late.form) == ("circle", "square", "cross")
    reaches = [(box.x, box.x + box.width) for box in shapes if isinstance(box, Box)]
    assert reaches == [(200, 300), (150, 250)]
    kept = [shape for shape in shapes if isinstance(shape, Line) and shape.dashed]
    assert len(kept) == 2
    assert {"left", "right", "late", "match", "watermark"} <= panel.marks
