"""The picture of jams: one sensor's speed above its occupancy on a time axis, with jams and alerts in both."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

from windrow.demo.drawing import INK, LINE, MARK, MUTED, POINT, dates, legend, new_figure, save, time_axis
from windrow.demo.jams.results import JamRow, Results
from windrow.demo.joins import FULL, SLOW
from windrow.demo.part_files import ReadingRow

JAM = "#f6d5d9"


def draw(results: Results, path: Path, sensor: str = "t4013", days: int = 2) -> None:
    """Draw the last ``days`` days of ``sensor``, from midnight on, into the PNG file at ``path``."""
    end = max(row.measured for row in results.readings if row.sensor.endswith(f"_{sensor}"))
    midnight = end.replace(hour=0, minute=0, second=0)
    view = (midnight - timedelta(days=days - 1), end + timedelta(minutes=30))
    jams = [row for row in results.jams if row.sensor == sensor and row.last >= view[0]]
    alerts = [row for row in results.alerts if row.sensor == sensor and row.last >= view[0]]
    figure = new_figure(
        f"Jams at road sensor {sensor}, {dates(view[0], end)}",
        "A jam is slow and full at once: readings of the two measures joined within five minutes, alerts by timers",
    )
    upper, lower = figure.add_axes((0.06, 0.48, 0.915, 0.32)), figure.add_axes((0.06, 0.11, 0.915, 0.32))
    for axes, measure, limit in ((upper, "speed", SLOW), (lower, "occupancy", FULL)):
        readings = [row for row in results.readings if row.sensor == f"{measure}_{sensor}" and row.measured >= view[0]]
        _draw_measure(axes, readings, limit)
        _draw_jams(axes, jams, alerts)
        time_axis(axes, view, hours=(3, 6, 9, 12, 15, 18, 21))
        axes.set_ylim(bottom=0)
        axes.set_ylabel(measure, color=INK, fontsize=11)
    upper.tick_params(axis="x", which="both", labelbottom=False)
    legend(upper)
    save(figure, path)


def _draw_measure(axes: Any, readings: list[ReadingRow], limit: float) -> None:
    times, values = [row.measured for row in readings], [row.value for row in readings]
    axes.plot(times, values, color=LINE, linewidth=1.1, zorder=3)
    axes.scatter(times, values, s=6, color=POINT, linewidths=0, zorder=4, label="reading")
    axes.axhline(limit, color=MUTED, linewidth=1, linestyle=(0, (4, 3)), zorder=2, label="limit of a jam")


def _draw_jams(axes: Any, jams: list[JamRow], alerts: list[JamRow]) -> None:
    for number, jam in enumerate(jams):
        axes.axvspan(jam.since, jam.last, color=JAM, linewidth=0, zorder=0, label="jam" if number == 0 else None)
    for number, alert in enumerate(alerts):
        label = "alert" if number == 0 else None
        axes.axvline(alert.last, color=MARK, linewidth=1.8, zorder=5, label=label)
