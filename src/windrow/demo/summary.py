"""The table that the demo prints: one row a sensor."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta

from rich.table import Table

from windrow.demo.results import Results, WindowRow


def summary(results: Results) -> Table:
    """What came out, as a table with one row for each sensor and the totals below."""
    table = Table(
        title="Seven road sensors, hourly windows every 15 minutes, sessions, late readings", title_style="bold"
    )
    table.add_column("sensor")
    for column in (
        "readings",
        "windows",
        "slowest hour",
        "its mean",
        "sessions",
        "longest",
        "late: hours",
        "late: sessions",
    ):
        table.add_column(column, justify="right")
    readings = Counter(row.sensor for row in results.readings)
    for sensor in sorted(readings):
        hours = [row for row in results.hours if row.sensor == sensor]
        sessions = [row for row in results.sessions if row.sensor == sensor]
        table.add_row(
            sensor,
            f"{readings[sensor]:,}",
            f"{len(hours):,}",
            *_slowest(sensor, hours),
            f"{len(sessions):,}",
            _length(max((row.end - row.start for row in sessions), default=timedelta())),
            f"{sum(row.sensor == sensor for row in results.late_hours):,}",
            f"{sum(row.sensor == sensor for row in results.late_sessions):,}",
        )
    table.add_section()
    totals = (results.readings, results.hours, results.sessions, results.late_hours, results.late_sessions)
    read, hours_all, sessions_all, late_hours, late_sessions = (f"{len(rows):,}" for rows in totals)
    table.add_row("all", read, hours_all, "", "", sessions_all, "", late_hours, late_sessions, style="bold")
    return table


def _slowest(sensor: str, hours: list[WindowRow]) -> tuple[str, str]:
    # Traffic is at its worst where speed is lowest, and where occupancy or travel time is highest.
    if not hours:
        return "", ""
    worst = min(hours, key=lambda row: row.mean if sensor.startswith("speed") else -row.mean)
    return f"{worst.start:%d %b %H:%M}", f"{worst.mean:.1f} {unit(sensor)}"


def unit(sensor: str) -> str:
    """The unit of a sensor's values, by the kind of sensor that its name begins with."""
    return {"speed": "mph", "occupancy": "%", "TravelTime": "s"}[sensor.partition("_")[0]]


def _length(length: timedelta) -> str:
    hours = int(length.total_seconds() // 3600)
    return f"{hours // 24} d {hours % 24} h" if hours >= 24 else f"{hours} h"
