"""Reading back what the program of jams wrote."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from windrow.demo.part_files import ReadingRow, reading, readings_of_log, rows


@dataclass(frozen=True, order=True)
class PairRow:
    """A speed and an occupancy that one sensor measured within five minutes of each other."""

    sensor: str
    speed_at: datetime
    speed: float
    occupancy_at: datetime
    occupancy: float


@dataclass(frozen=True, order=True)
class JamRow:
    """A jam: when its first and its last pair were complete. An alert is the jam as it was known then."""

    sensor: str
    since: datetime
    last: datetime
    pairs: int
    slowest: float
    fullest: float


@dataclass(frozen=True)
class Results:
    """Everything the program read and wrote, each list sorted by sensor and time."""

    readings: list[ReadingRow]
    pairs: list[PairRow]
    jams: list[JamRow]
    alerts: list[JamRow]
    late_speeds: list[ReadingRow]
    late_occupancies: list[ReadingRow]


def read_results(readings: Path, folder: Path) -> Results:
    """Read the gateway log at ``readings`` and the results in ``folder``."""
    return Results(
        readings=readings_of_log(readings),
        pairs=sorted(_pair(*row) for row in rows(folder / "pairs")),
        jams=sorted(_jam(*row) for row in rows(folder / "jams")),
        alerts=sorted(_jam(*row) for row in rows(folder / "alerts")),
        late_speeds=sorted(reading(*row) for row in rows(folder / "late_speeds")),
        late_occupancies=sorted(reading(*row) for row in rows(folder / "late_occupancies")),
    )


def _pair(sensor: str, speed_at: str, speed: str, occupancy_at: str, occupancy: str) -> PairRow:
    times = datetime.fromisoformat(speed_at), datetime.fromisoformat(occupancy_at)
    return PairRow(sensor, times[0], float(speed), times[1], float(occupancy))


def _jam(sensor: str, since: str, last: str, pairs: str, slowest: str, fullest: str) -> JamRow:
    times = datetime.fromisoformat(since), datetime.fromisoformat(last)
    return JamRow(sensor, *times, int(pairs), float(slowest), float(fullest))
