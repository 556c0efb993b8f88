"""Reading back what a demo's program wrote: rows of text in the part files of each result's folder."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path


@dataclass(frozen=True, order=True)
class ReadingRow:
    """One reading of one sensor: times without a zone."""

    sensor: str
    measured: datetime
    value: float


def rows(folder: Path) -> Iterator[list[str]]:
    """The fields of each row of all part files below ``folder``."""
    for file in sorted(folder.rglob("*")):
        # Names that start with a dot or an underscore are not results: files in progress, Spark's markers.
        hidden = any(part.startswith((".", "_")) for part in file.relative_to(folder).parts)
        if file.is_file() and not hidden:
            with file.open(newline="") as lines:
                yield from csv.reader(lines)


def reading(sensor: str, measured: str, value: str) -> ReadingRow:
    """A reading from its fields."""
    return ReadingRow(sensor, datetime.fromisoformat(measured), float(value))


def readings_of_log(log: Path) -> list[ReadingRow]:
    """All readings of the gateway log, sorted by sensor and time."""
    with log.open(newline="") as lines:
        return sorted(reading(sensor, measured, value) for _, sensor, measured, value, _ in csv.reader(lines))
