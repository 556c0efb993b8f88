"""The table that the demo prints: one row a sensor."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.table import Table

from windrow.demo.part_files import ReadingRow
from windrow.demo.windows.results import Results, WindowRow


def summary(results: Results) -> Table:
    """Make a table of what came out, with one row for each sensor and the totals below."""
    table = Table(box=SIMPLE_HEAD, show_edge=False, padding=(0, 1, 0, 0))
    table.add_column("sensor", no_wrap=True)
    for column in ("readings", "hours", "slowest hour", "its mean", "sessions", "late for\nhours,\nsessions"):
        table.add_column(column, justify="right", no_wrap=True)
    readings = Counter(row.sensor for row in results.readings)
    for sensor in sorted(readings):
        hours = [row for row in results.hours if row.sensor == sensor]
        table.add_row(
            sensor,
            f"{readings[sensor]:,}",
            f"{len(hours):,}",
            *_slowest(sensor, hours),
            f"{_of(sensor, results.sessions):,}",
            f"{_of(sensor, results.late_hours):,}, {_of(sensor, results.late_sessions):,}",
        )
    table.add_section()
    hours_and_sessions = f"{len(results.hours):,}", "", "", f"{len(results.sessions):,}"
    late = f"{len(results.late_hours):,}, {len(results.late_sessions):,}"
    table.add_row("all", f"{len(results.readings):,}", *hours_and_sessions, late, style="bold")
    return table


def _of(sensor: str, rows: Sequence[WindowRow | ReadingRow]) -> int:
    return sum(row.sensor == sensor for row in rows)


def _slowest(sensor: str, hours: list[WindowRow]) -> tuple[str, str]:
    # Traffic is at its worst where speed is lowest, and where occupancy or travel time is highest.
    if not hours:
        return "", ""
    worst = min(hours, key=lambda row: row.mean if sensor.startswith("speed") else -row.mean)
    return f"{worst.start:%d %b %H:%M}", f"{worst.mean:.1f}"


def words(results: Results) -> str:
    """Say in words what one sees."""
    return (
        f"{len(results.late_hours):,} readings waited so long in their packet that all their hours were over, "
        f"{len(results.late_sessions):,} that their session was: they are kept beside the results."
    )
