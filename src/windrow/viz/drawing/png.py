"""A scene as a PNG file, by matplotlib (the extra ``viz``)."""

from __future__ import annotations

import io
from typing import Any

from windrow.errors import UsageError
from windrow.viz.drawing.palette import PALETTES, Theme
from windrow.viz.drawing.scene import Box, Dot, Label, Line, Scene, Shape

_POINTS = 0.72  # of a pixel at a hundred to the inch


def png_of(scene: Scene, theme: Theme = "light", scale: float = 2.0) -> bytes:
    """The scene as a PNG file.

    Args:
        scene: What is drawn.
        theme: Which paper.
        scale: Pixels of the file for a pixel of the scene.

    Raises:
        UsageError: matplotlib is not installed.
    """
    try:
        # Without pyplot: no window system, and no state that outlives the figure.
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        msg = 'PNG files are drawn by matplotlib, which is not there: pip install "windrow[viz]", or take svg()'
        raise UsageError(msg) from error
    palette = PALETTES[theme]
    figure = Figure(figsize=(scene.width / 100, scene.height / 100), dpi=100 * scale, facecolor=palette["paper"])
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_xlim(0, scene.width)
    axes.set_ylim(scene.height, 0)
    axes.axis("off")
    shapes = [*scene.still, *(shape for region in scene.regions for shape in region.shapes)]
    for order, shape in enumerate(shapes):
        _draw(axes, shape, palette, order)
    written = io.BytesIO()
    figure.savefig(written, format="png", facecolor=palette["paper"], metadata={"Software": None})
    return written.getvalue()


def _draw(axes: Any, shape: Shape, palette: dict[str, str], order: int) -> None:
    match shape:
        case Box():
            from matplotlib.patches import Rectangle

            corner = shape.x, shape.y
            color = palette[shape.fill]
            box = Rectangle(corner, shape.width, shape.height, color=color, alpha=shape.opacity, lw=0, zorder=order)
            axes.add_patch(box)
        case Line():
            _draw_line(axes, shape, palette[shape.color], order)
        case Dot():
            _draw_dot(axes, shape, palette, order)
        case Label():
            _draw_label(axes, shape, palette, order)


def _draw_line(axes: Any, line: Line, color: str, order: int) -> None:
    xs, ys = zip(*line.points, strict=True)
    if line.fill:
        axes.fill(xs, ys, color=color, alpha=line.opacity, lw=0, zorder=order)
        return
    dashes: Any = (0, (4, 3)) if line.dashed else "-"
    axes.plot(xs, ys, color=color, lw=line.width * _POINTS, ls=dashes, alpha=line.opacity, zorder=order)


def _draw_dot(axes: Any, dot: Dot, palette: dict[str, str], order: int) -> None:
    size = 2 * dot.radius * _POINTS
    marker = {"circle": "o", "square": "s", "cross": "x"}[dot.form]
    edge = palette[dot.color]
    style: dict[str, Any] = {"ms": size, "marker": marker, "zorder": order, "ls": "none", "mec": edge}
    fill = palette["paper"] if dot.hollow else edge
    width = 2.4 if dot.form == "cross" else 1.8 if dot.hollow else 0.0
    axes.plot([dot.x], [dot.y], mfc=fill, mew=width * _POINTS, **style)


def _draw_label(axes: Any, label: Label, palette: dict[str, str], order: int) -> None:
    from matplotlib.patheffects import withStroke

    effects: list[Any] = []
    if label.halo:
        effects = [withStroke(linewidth=3 * _POINTS, foreground=palette["paper"])]
    axes.text(
        label.x,
        label.y,
        label.text.replace("$", r"\$"),
        color=palette[label.color],
        fontsize=label.size * _POINTS,
        fontweight="bold" if label.bold else "normal",
        ha={"start": "left", "middle": "center", "end": "right"}[label.anchor],
        va="baseline",
        rotation=90 if label.upwards else 0,
        rotation_mode="anchor",
        path_effects=effects,
        zorder=order,
    )
