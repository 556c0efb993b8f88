"""The picture of delays: the first and the corrected mean of each hour, and the flights too late for both."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import groupby
from pathlib import Path
from typing import Any

from windrow.demo.drawing import BAND, INK, LINE, MARK, dates, labelled, legend, new_figure, save, time_axis
from windrow.demo.flights.results import DelayRow, FlightRow, Results

HOUR = timedelta(hours=1)


def draw(results: Results, path: Path, first: datetime = datetime(2001, 2, 23), days: int = 4) -> None:
    """Draw ``days`` days from ``first`` on into the PNG file at ``path``; the default is a storm."""
    view = (first, first + timedelta(days=days, minutes=-30))  # without the label of the day after
    before = {row.start: row for row in results.first()}
    hours = [row for row in results.last() if view[0] <= row.start < view[1]]
    too_late = [row for row in results.too_late if view[0] <= row.scheduled < view[1]]
    corrections = sum(row.number - 1 for row in hours)

    figure = new_figure(
        f"Delayed flights, {dates(*view)}",
        f"Mean delay of the flights scheduled in an hour, as first known and after {corrections} corrections in all; "
        f"{len(too_late)} flights were known too late for both",
    )
    upper, lower = figure.add_axes((0.06, 0.63, 0.915, 0.17)), figure.add_axes((0.06, 0.11, 0.915, 0.47))
    _draw_too_late(upper, too_late)
    _draw_hours(lower, hours, before)
    for axes, label in ((upper, "delay"), (lower, "mean delay, minutes")):
        time_axis(axes, view)
        axes.set_ylabel(label, color=INK, fontsize=11)
    upper.set_ylim(bottom=0)
    lower.use_sticky_edges = False
    lower.autoscale(axis="y")
    upper.tick_params(axis="x", which="both", labelbottom=False)
    legend(upper, **labelled(lower))
    save(figure, path)


def _draw_hours(axes: Any, hours: list[DelayRow], before: dict[datetime, DelayRow]) -> None:
    # Where hours are missing, at night, the lines break.
    runs = groupby(enumerate(hours), key=lambda item: item[1].start - item[0] * HOUR)
    for number, (_, run) in enumerate(runs):
        rows = [row for _, row in run]
        starts = [row.start for row in rows]
        corrected = [row.mean for row in rows]
        at_first = [before[row.start].mean for row in rows]
        edges = [*starts, starts[-1] + HOUR]
        labels = ["what the corrections brought", "first result", "corrected result"] if number == 0 else [None] * 3
        axes.stairs(corrected, edges, baseline=at_first, fill=True, color=BAND, alpha=0.55, zorder=2, label=labels[0])
        axes.stairs(at_first, edges, baseline=None, color=LINE, linewidth=1.2, alpha=0.7, zorder=3, label=labels[1])
        axes.stairs(corrected, edges, baseline=None, color=LINE, linewidth=2.4, zorder=4, label=labels[2])


def _draw_too_late(axes: Any, too_late: list[FlightRow]) -> None:
    axes.scatter(
        [row.scheduled for row in too_late],
        [row.delay for row in too_late],
        s=46,
        facecolors="white",
        edgecolors=MARK,
        linewidths=1.6,
        zorder=5,
        clip_on=False,
        label="flight known too late",
    )
