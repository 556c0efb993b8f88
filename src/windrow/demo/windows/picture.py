"""The picture that the demo draws: one sensor's readings, windows, sessions and late readings on a time axis."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import groupby
from pathlib import Path
from typing import Any

from windrow.demo.drawing import BAND, INK, LINE, MARK, MUTED, POINT, dates, legend, new_figure, save, time_axis
from windrow.demo.part_files import ReadingRow
from windrow.demo.windows.results import Results, WindowRow

SESSION = ("#f7f2e6", "#f0e9d8")
STEP = timedelta(minutes=15)


def draw(results: Results, path: Path, sensor: str = "speed_7578", days: float = 3.45) -> None:
    """Draw the last ``days`` of ``sensor`` into the PNG file at ``path``."""
    end = max(row.measured for row in results.readings if row.sensor == sensor)
    view = (end - timedelta(days=days), end + timedelta(hours=1))
    late = [row for row in results.late_hours if row.sensor == sensor and view[0] <= row.measured <= view[1]]
    readings = [row for row in results.readings if row.sensor == sensor and view[0] <= row.measured <= view[1]]
    hours = [row for row in results.hours if row.sensor == sensor and row.end > view[0]]
    sessions = [row for row in results.sessions if row.sensor == sensor and row.end > view[0]]

    figure = new_figure(
        f"Road sensor {sensor.partition('_')[2]}, {dates(readings[0].measured, readings[-1].measured)}",
        f"{len(readings):,} readings in hourly windows every 15 minutes and in sessions of continuous reporting; "
        f"{len(late)} came too late for their hours",
    )
    axes = figure.add_axes((0.06, 0.13, 0.915, 0.67))
    _draw_sessions(axes, sessions, view)
    _draw_hours(axes, hours)
    _draw_readings(axes, readings, late)
    _dress(axes, view, sensor)
    save(figure, path)


def _draw_sessions(axes: Any, sessions: list[WindowRow], view: tuple[datetime, datetime]) -> None:
    for number, session in enumerate(sessions):
        start, end = max(session.start, view[0]), min(session.end, view[1])
        axes.axvspan(start, end, color=SESSION[number % 2], linewidth=0, zorder=0)
        if end - start > timedelta(hours=5):
            label = f"session, {session.count} readings"
            axes.annotate(
                label,
                (start + (end - start) / 2, 1),
                (0, -13),
                xycoords=("data", "axes fraction"),
                textcoords="offset points",
                ha="center",
                fontsize=8.5,
                color=MUTED,
            )


def _draw_hours(axes: Any, hours: list[WindowRow]) -> None:
    # A window's statistics stand at its middle; where windows are missing the line breaks.
    runs = groupby(enumerate(hours), key=lambda item: item[1].start - item[0] * STEP)
    for number, (_, run) in enumerate(runs):
        rows = [row for _, row in run]
        middles = [row.start + (row.end - row.start) / 2 for row in rows]
        first = number == 0
        axes.fill_between(
            middles,
            [row.lowest for row in rows],
            [row.highest for row in rows],
            color=BAND,
            alpha=0.45,
            linewidth=0,
            zorder=2,
            label="lowest to highest of the hour" if first else None,
        )
        axes.plot(
            middles,
            [row.mean for row in rows],
            color=LINE,
            linewidth=1.9,
            zorder=4,
            solid_capstyle="round",
            label="mean of the hour" if first else None,
        )


def _draw_readings(axes: Any, readings: list[ReadingRow], late: list[ReadingRow]) -> None:
    too_late = set(late)
    in_time = [row for row in readings if row not in too_late]
    axes.scatter(
        [row.measured for row in in_time],
        [row.value for row in in_time],
        s=7,
        color=POINT,
        linewidths=0,
        zorder=3,
        label="reading",
    )
    axes.scatter(
        [row.measured for row in late],
        [row.value for row in late],
        s=46,
        facecolors="white",
        edgecolors=MARK,
        linewidths=1.6,
        zorder=5,
        label="reading too late for its hours",
    )


def _dress(axes: Any, view: tuple[datetime, datetime], sensor: str) -> None:
    from matplotlib.patches import Patch

    time_axis(axes, view)
    axes.set_ylim(bottom=0)
    axes.margins(y=0.12)
    axes.set_ylabel(sensor.partition("_")[0], color=INK, fontsize=11)
    legend(axes, session=Patch(color=SESSION[0]))
