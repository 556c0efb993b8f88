"""What the demo's program must write, computed from the whole gateway log with plain loops."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

from windrow.demo.road_sensors import Reading, clock, parse

MINUTE = 60_000
HOUR = 60 * MINUTE


def expected(log: Path) -> dict[str, list[str]]:
    """The sorted rows of each of the program's results, by the name of its folder."""
    late: dict[str, list[str]] = {"late_hours": [], "late_sessions": []}
    hours: dict[tuple[str, int, int], list[Reading]] = defaultdict(list)
    sessions: list[tuple[str, int, int, list[Reading]]] = []
    watermark = -(2**63)
    for reading in map(parse, log.read_text().splitlines()):
        row = f"{reading.sensor},{clock(reading.measured)},{reading.value:g}"
        newest_start = reading.measured - reading.measured % (15 * MINUTE)
        starts = [newest_start - back * 15 * MINUTE for back in range(4)]
        open_starts = [start for start in starts if start + HOUR - 1 > watermark]
        for start in open_starts:
            hours[reading.sensor, start, start + HOUR].append(reading)
        if not open_starts:
            late["late_hours"].append(row)

        start, end = reading.measured, reading.measured + int(6 * reading.every * MINUTE)
        held = [s for s in sessions if s[0] == reading.sensor and s[2] - 1 > watermark]
        touched = [s for s in held if s[1] <= end and start <= s[2]]
        merged_end = max([end, *(s[2] for s in touched)])
        if merged_end - 1 <= watermark:
            late["late_sessions"].append(row)
        else:
            sessions = [s for s in sessions if s not in touched]
            together = [reading, *(r for s in touched for r in s[3])]
            sessions.append((reading.sensor, min([start, *(s[1] for s in touched)]), merged_end, together))
        watermark = max(watermark, reading.measured - HOUR - 1)
    return {
        "hours": sorted(_row(*window, readings) for window, readings in hours.items()),
        "sessions": sorted(_row(*session) for session in sessions),
        **{name: sorted(rows) for name, rows in late.items()},
    }


def _row(sensor: str, start: int, end: int, readings: list[Reading]) -> str:
    values = [reading.value for reading in readings]
    statistics = f"{len(values)},{sum(values) / len(values):.2f},{min(values):g},{max(values):g}"
    return f"{sensor},{clock(start)},{clock(end)},{statistics}"
