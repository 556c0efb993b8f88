"""The legend explains what is in a picture, and no more."""

from windrow.viz.drawing.legend import WORDS, Legend
from windrow.viz.drawing.scene import Label


def texts(legend):
    return [shape.text for shape in legend.drawn(0.0) if isinstance(shape, Label)]


def test_each_mark_is_drawn_and_named():
    """A mark has a drawing and words."""
    for mark in WORDS:
        shapes = list(Legend({mark}, 0.0, 500.0).drawn(0.0))
        assert [shape.text for shape in shapes if isinstance(shape, Label)] == [WORDS[mark]]
        assert len(shapes) > 1, mark


def test_a_long_legend_has_several_rows():
    """What does not fit into a row goes into the next one; nothing is beyond the right end."""
    legend = Legend(set(WORDS), 0.0, 400.0)
    assert texts(legend) == list(WORDS.values())
    assert legend.height > 19 * 3
    assert all(shape.x + shape.width <= 400 for shape in legend.drawn(0.0) if isinstance(shape, Label))


def test_without_marks_there_is_none():
    """An empty legend takes no room."""
    assert Legend(set(), 0.0, 400.0).height == 0
