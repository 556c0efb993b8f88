"""Reading back what the program of windows wrote."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from windrow.demo.part_files import ReadingRow, reading, readings_of_log, rows


@dataclass(frozen=True, order=True)
class WindowRow:
    """The statistics of one window of one sensor: times without a zone, ``end`` exclusive."""

    sensor: str
    start: datetime
    end: datetime
    count: int
    mean: float
    lowest: float
    highest: float


@dataclass(frozen=True)
class Results:
    """Everything the demo's program read and wrote, each list sorted by sensor and time."""

    readings: list[ReadingRow]
    hours: list[WindowRow]
    sessions: list[WindowRow]
    late_hours: list[ReadingRow]
    late_sessions: list[ReadingRow]


def read_results(readings: Path, folder: Path) -> Results:
    """Read the gateway log at ``readings`` and the results in ``folder``."""
    return Results(
        readings=readings_of_log(readings),
        hours=sorted(_window(*row) for row in rows(folder / "hours")),
        sessions=sorted(_window(*row) for row in rows(folder / "sessions")),
        late_hours=sorted(reading(*row) for row in rows(folder / "late_hours")),
        late_sessions=sorted(reading(*row) for row in rows(folder / "late_sessions")),
    )


def _window(sensor: str, start: str, end: str, count: str, mean: str, lowest: str, highest: str) -> WindowRow:
    first, last = datetime.fromisoformat(start), datetime.fromisoformat(end)
    return WindowRow(sensor, first, last, int(count), float(mean), float(lowest), float(highest))
