"""The log of flights: each in its place in the order in which flights become known.

The file has the flights in the order of their schedule. A flight is known when it is through: a flight with a delay of
two hours appears two hours after its schedule, one that is early before it. Nothing else is assumed, and nothing is
random. The times are each airport's own, taken as they are.
"""

from __future__ import annotations

import csv
from datetime import datetime, timedelta
from pathlib import Path

FLIGHTS_FILE = Path(__file__).parents[1] / "data" / "flights" / "flights-2001-02.csv"


def write_flight_log(path: Path, file: Path = FLIGHTS_FILE) -> int:
    """Write the flights in ``file`` to ``path``, one CSV line each, and return how many there are."""
    flights = []
    with file.open(newline="") as lines:
        for row in csv.DictReader(lines):
            scheduled = datetime.strptime(row["date"], "%Y/%m/%d %H:%M")
            known = scheduled + timedelta(minutes=int(row["delay"]))
            flights.append((known, scheduled, row["delay"], row["origin"], row["destination"]))
    # Sorting is stable: flights known at one moment stay in the order of their schedule.
    flights.sort(key=lambda flight: flight[0])
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="") as log:
        csv.writer(log, lineterminator="\n").writerows(flights)
    return len(flights)
