"""Reading back what the program of flights wrote."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from windrow.demo.part_files import rows


@dataclass(frozen=True, order=True)
class DelayRow:
    """One result of one hour: number 1 is the first, those after it are corrections."""

    start: datetime
    end: datetime
    number: int
    flights: int
    minutes: int
    mean: float


@dataclass(frozen=True, order=True)
class FlightRow:
    """One flight and its delay in minutes."""

    scheduled: datetime
    delay: int
    origin: str
    destination: str


@dataclass(frozen=True)
class Results:
    """Everything the program read and wrote, each list sorted by time; an hour's results by their number."""

    flights: int
    delays: list[DelayRow]
    too_late: list[FlightRow]

    def first(self) -> list[DelayRow]:
        """The first result of each hour."""
        return [row for row in self.delays if row.number == 1]

    def last(self) -> list[DelayRow]:
        """The last result of each hour: all corrections are in it."""
        return list({row.start: row for row in self.delays}.values())


def read_results(flights: Path, folder: Path) -> Results:
    """Read the log at ``flights`` and the results in ``folder``."""
    return Results(
        flights=len(flights.read_text().splitlines()),
        delays=sorted(_delay(*row) for row in rows(folder / "delays")),
        too_late=sorted(_flight(*row) for row in rows(folder / "too_late")),
    )


def _delay(start: str, end: str, number: str, flights: str, minutes: str, mean: str) -> DelayRow:
    first, last = datetime.fromisoformat(start), datetime.fromisoformat(end)
    return DelayRow(first, last, int(number), int(flights), int(minutes), float(mean))


def _flight(scheduled: str, delay: str, origin: str, destination: str) -> FlightRow:
    return FlightRow(datetime.fromisoformat(scheduled), int(delay), origin, destination)
