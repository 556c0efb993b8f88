"""The gateway log: the sensors' readings in the order in which a gateway would have received them.

The files of the sensors say when each reading was taken, not when it arrived. A road sensor on a radio link does not
send every reading on its own: it fills a packet and sends it when the packet is full. The log takes this one
assumption, packets of six readings, and nothing random: a reading arrives when the last reading of its packet is
taken. While a sensor reports every five minutes, its readings are at most 25 minutes old when they arrive; where the
file has a real gap (a quiet night, an outage), the readings before the gap wait in their packet until it is over, and
arrive hours late.
"""

from __future__ import annotations

import csv
import statistics
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

SENSOR_FILES = Path(__file__).parent / "data" / "traffic"
PACKET = 6


class Arrival(NamedTuple):
    """One line of the gateway log."""

    arrived: str
    """When the packet came, ISO 8601 without a zone: the sensors' own clocks."""
    sensor: str
    measured: str
    value: float
    every: float
    """The packet's header: minutes between readings, the median over the packet."""


def write_gateway_log(path: Path, folder: Path = SENSOR_FILES) -> int:
    """Write the readings of all sensors in ``folder`` to ``path``, one CSV line each, and return how many there are."""
    arrivals = [arrival for file in sorted(folder.glob("*.csv")) for arrival in arrivals_of(file)]
    # Sorting is stable: packets of one moment stay in the order of sensors, a packet's readings in their own order.
    arrivals.sort(key=lambda arrival: arrival.arrived)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="") as log:
        csv.writer(log, lineterminator="\n").writerows(arrivals)
    return len(arrivals)


def arrivals_of(file: Path) -> list[Arrival]:
    """The readings of one sensor's file, in its order."""
    with file.open(newline="") as lines:
        readings = [(row["timestamp"], float(row["value"])) for row in csv.DictReader(lines)]
    arrivals = []
    for first in range(0, len(readings), PACKET):
        packet = readings[first : first + PACKET]
        # From the reading before the packet on, so that a packet of one has a rhythm too.
        times = [datetime.fromisoformat(measured) for measured, _ in readings[max(first - 1, 0) : first + PACKET]]
        every = statistics.median((after - before).total_seconds() / 60 for before, after in pairwise(times))
        arrived = packet[-1][0]
        arrivals += [Arrival(arrived, file.stem, measured, value, every) for measured, value in packet]
    return arrivals
