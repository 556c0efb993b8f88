"""Reading back what the program wrote: rows of text in the part files of each result's folder."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path


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


@dataclass(frozen=True, order=True)
class ReadingRow:
    """One reading of one sensor."""

    sensor: str
    measured: datetime
    value: float


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
    with readings.open(newline="") as log:
        log_rows = [(sensor, measured, value) for _, sensor, measured, value, _ in csv.reader(log)]
    return Results(
        readings=sorted(_reading(*row) for row in log_rows),
        hours=sorted(_window(*row) for row in _rows(folder / "hours")),
        sessions=sorted(_window(*row) for row in _rows(folder / "sessions")),
        late_hours=sorted(_reading(*row) for row in _rows(folder / "late_hours")),
        late_sessions=sorted(_reading(*row) for row in _rows(folder / "late_sessions")),
    )


def _rows(folder: Path) -> Iterator[list[str]]:
    for file in sorted(folder.rglob("*")):
        # Names that start with a dot or an underscore are not results: files in progress, Spark's markers.
        hidden = any(part.startswith((".", "_")) for part in file.relative_to(folder).parts)
        if file.is_file() and not hidden:
            with file.open(newline="") as lines:
                yield from csv.reader(lines)


def _window(sensor: str, start: str, end: str, count: str, mean: str, lowest: str, highest: str) -> WindowRow:
    first, last = datetime.fromisoformat(start), datetime.fromisoformat(end)
    return WindowRow(sensor, first, last, int(count), float(mean), float(lowest), float(highest))


def _reading(sensor: str, measured: str, value: str) -> ReadingRow:
    return ReadingRow(sensor, datetime.fromisoformat(measured), float(value))
