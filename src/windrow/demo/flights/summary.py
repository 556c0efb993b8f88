"""The table of delays: one row for each part of the day."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from rich.box import SIMPLE_HEAD
from rich.table import Table

from windrow.demo.flights.results import DelayRow, FlightRow, Results

#: The hours at which a part of the day begins.
PARTS = (0, 6, 9, 12, 15, 18, 21, 24)


@dataclass(frozen=True)
class Means:
    """Counts flights and corrections, and keeps what the mean delay was said to be."""

    flights: int
    first: float
    corrections: int
    corrected: float
    too_late: int
    with_too_late: float


def means(results: Results, since: int = 0, until: int = 24) -> Means | None:
    """The means over all hours of the month from ``since`` up to ``until`` o'clock; None without a flight."""
    first, last = _of(results.first(), since, until), _of(results.last(), since, until)
    too_late = [row for row in results.too_late if since <= row.scheduled.hour < until]
    if not last:
        return None
    corrected_flights, corrected_minutes = _total(last)
    first_flights, first_minutes = _total(first)
    flights = corrected_flights + len(too_late)
    return Means(
        flights,
        first_minutes / first_flights,
        sum(row.number - 1 for row in last),
        corrected_minutes / corrected_flights,
        len(too_late),
        (corrected_minutes + _minutes(too_late)) / flights,
    )


def summary(results: Results) -> Table:
    """Make a table of what came out, with one row for each part of the day and the whole day below."""
    table = Table(box=SIMPLE_HEAD, show_edge=False, padding=(0, 1, 0, 0))
    table.add_column("scheduled", no_wrap=True)
    counts_and_means = "flights", "first\nmean", "corrections", "corrected\nmean", "too late", "mean with\nthose"
    for column in counts_and_means:
        table.add_column(column, justify="right", no_wrap=True)
    for since, until in pairwise(PARTS):
        if found := means(results, since, until):
            table.add_row(f"{since:02}:00 to {until:02}:00", *_cells(found))
    table.add_section()
    if found := means(results):
        table.add_row("all day", *_cells(found), style="bold")
    return table


def words(results: Results) -> str:
    """Say in words what one sees."""
    found = means(results)
    if found is None:
        return "No flights."
    return (
        "An hour's first result comes when its flights should be known; the delayed ones are not, so delays look "
        f"small: {found.first:.1f} minutes on average. Each flight that comes up to two hours later gives the hour's "
        f"result again: {found.corrections:,} corrections, and {found.corrected:.1f} minutes. {found.too_late:,} "
        f"flights were later still; they are kept, and with them it is {found.with_too_late:.1f} minutes."
    )


def _of(rows: Iterable[DelayRow], since: int, until: int) -> list[DelayRow]:
    return [row for row in rows if since <= row.start.hour < until]


def _total(rows: list[DelayRow]) -> tuple[int, int]:
    return sum(row.flights for row in rows), sum(row.minutes for row in rows)


def _minutes(rows: list[FlightRow]) -> int:
    return sum(row.delay for row in rows)


def _cells(found: Means) -> tuple[str, ...]:
    return (
        f"{found.flights:,}",
        f"{found.first:.1f}",
        f"{found.corrections:,}",
        f"{found.corrected:.1f}",
        f"{found.too_late:,}",
        f"{found.with_too_late:.1f}",
    )
