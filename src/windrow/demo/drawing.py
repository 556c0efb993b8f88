"""Shared by the demo's pictures: colours, the title, a time axis and a legend."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

INK, MUTED, GRID = "#22303c", "#6b7a88", "#e4e9ed"
LINE, BAND, POINT, MARK = "#1f6f8b", "#8fc1d4", "#9aa7b2", "#d1495b"


def new_figure(title: str, subtitle: str) -> Any:
    """A white figure with a title and a line below it; axes go below 0.8 of its height."""
    # Without pyplot: no window system, and no state that outlives the figure.
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(13, 6.2), dpi=160, facecolor="white")
    FigureCanvasAgg(figure)
    figure.text(0.06, 0.94, title, fontsize=19, color=INK, weight="bold")
    figure.text(0.06, 0.895, subtitle, fontsize=11, color=MUTED)
    return figure


def save(figure: Any, path: Path) -> None:
    """Write the figure to a PNG file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path)


def time_axis(axes: Any, view: tuple[datetime, datetime], hours: tuple[int, ...] = (6, 12, 18)) -> None:
    """Days and hours along the bottom, from the first to the second moment of ``view``; light lines behind."""
    from matplotlib.dates import DateFormatter, DayLocator, HourLocator

    axes.set_xlim(*view)
    axes.xaxis.set_major_locator(DayLocator())
    axes.xaxis.set_major_formatter(DateFormatter("%a %d %b"))
    axes.xaxis.set_minor_locator(HourLocator(byhour=hours))
    axes.xaxis.set_minor_formatter(DateFormatter("%H:%M"))
    axes.tick_params(axis="x", which="major", length=0, pad=18, labelsize=10.5, labelcolor=INK)
    axes.tick_params(axis="x", which="minor", length=3, color=GRID, labelsize=8.5, labelcolor=MUTED)
    axes.tick_params(axis="y", length=0, labelsize=9.5, labelcolor=MUTED)
    axes.grid(axis="y", color=GRID, linewidth=0.8, zorder=1)
    axes.set_axisbelow(False)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(GRID)


def legend(axes: Any, **more: Any) -> None:
    """The legend above the axes: what is labelled in them, then ``more`` handles by their label."""
    by_label = labelled(axes) | more
    axes.legend(
        by_label.values(),
        by_label.keys(),
        loc="lower left",
        bbox_to_anchor=(-0.006, 1.0),
        ncols=5,
        frameon=False,
        fontsize=9.5,
        labelcolor=INK,
        handletextpad=0.6,
        columnspacing=1.8,
    )


def labelled(axes: Any) -> dict[str, Any]:
    """Find what is drawn with a label, by its label."""
    handles, labels = axes.get_legend_handles_labels()
    return dict(zip(labels, handles, strict=True))


def dates(first: datetime, last: datetime) -> str:
    """From the one day to the other: ``7 September to 10 September 2015``."""
    return f"{first.day} {first:%B} to {last.day} {last:%B %Y}"
