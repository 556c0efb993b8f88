"""Puts a picture together: title, a panel for each key, the axis of time, the legend."""

from __future__ import annotations

from collections.abc import Sequence

from windrow.viz.drawing.joins import JoinPanel
from windrow.viz.drawing.joins import moments as moments_of_join
from windrow.viz.drawing.legend import Legend
from windrow.viz.drawing.scene import Label, Line, Scene
from windrow.viz.drawing.settings import Drawing
from windrow.viz.drawing.time_axis import TimeAxis
from windrow.viz.drawing.windows import WindowsPanel, moments
from windrow.viz.story import Story

_LEFT, _RIGHT, _TOP, _BETWEEN = 46.0, 24.0, 58.0, 34.0


def framed(stories: Sequence[Story], drawing: Drawing) -> Scene:
    """The picture of some keys.

    Args:
        stories: What happened to each.
        drawing: How it is drawn.
    """
    joins = drawing.interval is not None
    shown = [moment for story in stories for moment in (moments_of_join if joins else moments)(story, drawing)]
    left = _LEFT + (36 if drawing.by_processing_time else 0)
    axis = TimeAxis.over(shown, left, drawing.width - _RIGHT)
    panels = [(JoinPanel if joins else WindowsPanel)(story, drawing, axis) for story in stories]
    named = len(stories) > 1 or stories[0].key != 0
    scene = Scene(drawing.width, 0.0, drawing.title)
    still = scene.still
    still.append(Label(_LEFT, 26, drawing.title, size=15, bold=True))
    if drawing.subtitle:
        still.append(Label(_LEFT, 44, drawing.subtitle, "muted", 11.5))
    top = _TOP if drawing.subtitle else _TOP - 18
    for story, panel in zip(stories, panels, strict=True):
        if named:
            still.append(Label(_LEFT, top + 10, f"key {story.key!r}", "ink", 11.5, bold=True))
            top += 18
        bottom = top + panel.height
        still += [Line(((x, top), (x, bottom)), "grid") for x, _ in axis.ticks()]
        still.append(Line(((axis.left, top), (axis.left, bottom), (axis.right, bottom)), "muted"))
        arrival = "processing time \u2192" if drawing.by_processing_time else "arrival \u2192"
        still.append(
            Label(
                _LEFT - 26 if drawing.by_processing_time else _LEFT - 12,
                bottom - 4,
                arrival,
                "muted",
                10.5,
                upwards=True,
            )
        )
        still += [Label(axis.left - 5, bottom - rise + 4, text, "muted", 9.5, "end") for rise, text in panel.named]
        scene.regions.append(panel.drawn(top))
        named_moments = [Label(x, bottom + 15, text, "muted", 10.5, "middle") for x, text in axis.ticks()]
        still += [label for label in named_moments if label.x + label.width / 2 < drawing.width]
        top = bottom + _BETWEEN
    time = "event time" if drawing.event_time else "processing time"
    still.append(Label(axis.right, top, f"{time}{axis.unit} \u2192", "muted", 10.5, "end"))
    legend = Legend(set().union(*(panel.marks for panel in panels)), _LEFT, drawing.width - _RIGHT)
    still += legend.drawn(top + 10)
    scene.height = top + 10 + legend.height + 10
    return scene
