"""What the demos' programs must write, computed from their logs with plain loops."""

from __future__ import annotations

import csv
from collections import defaultdict
from datetime import datetime, timedelta
from pathlib import Path

from windrow.demo.road_sensors import Reading, clock, parse

MINUTE = 60_000
HOUR = 60 * MINUTE


def expected(log: Path) -> dict[str, list[str]]:
    """The sorted rows of each result of the program of windows, by the name of its folder."""
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


def expected_jams(log: Path) -> dict[str, list[str]]:
    """The sorted rows of each result of the program of joins: every speed compared with every occupancy."""
    rows: dict[str, list[str]] = {name: [] for name in ("pairs", "jams", "alerts", "late_speed", "late_occupancy")}
    readings: dict[tuple[str, str], list[tuple[datetime, float]]] = defaultdict(list)
    newest = datetime.min + timedelta(hours=1)
    for _, series, measured, value, *_ in csv.reader(log.read_text().splitlines()):
        (measure, _, sensor), time = series.partition("_"), datetime.fromisoformat(measured)
        # All times are whole minutes, so a watermark one millisecond below an hour ago is never met exactly.
        if time >= newest - timedelta(hours=1):
            readings[measure, sensor].append((time, float(value)))
        elif measure in ("speed", "occupancy"):
            rows[f"late_{measure}"].append(f"{sensor},{time:%Y-%m-%d %H:%M},{float(value):g}")
        newest = max(newest, time)
    for sensor in {sensor for _, sensor in readings}:
        slow_and_full = []
        for speed_at, speed in readings["speed", sensor]:
            for occupancy_at, occupancy in readings["occupancy", sensor]:
                if abs(speed_at - occupancy_at) <= timedelta(minutes=5):
                    left, right = f"{speed_at:%Y-%m-%d %H:%M},{speed:g}", f"{occupancy_at:%Y-%m-%d %H:%M},{occupancy:g}"
                    rows["pairs"].append(f"{sensor},{left},{right}")
                    if speed < 50 and occupancy > 15:
                        slow_and_full.append((max(speed_at, occupancy_at), speed, occupancy))
        for jam in _jams(sorted(slow_and_full)):
            rows["jams"].append(_jam_row(sensor, jam))
            alert = next(time for time, *_ in jam if time - jam[0][0] >= timedelta(minutes=15))
            rows["alerts"].append(_jam_row(sensor, [pair for pair in jam if pair[0] <= alert]))
    rows["late_speeds"], rows["late_occupancies"] = rows.pop("late_speed"), rows.pop("late_occupancy")
    return {name: sorted(of_name) for name, of_name in rows.items()}


def _jams(pairs: list[tuple[datetime, float, float]]) -> list[list[tuple[datetime, float, float]]]:
    """Runs of pairs that are at most a quarter of an hour apart, and last as long or longer."""
    runs: list[list[tuple[datetime, float, float]]] = []
    for pair in pairs:
        if runs and pair[0] - runs[-1][-1][0] <= timedelta(minutes=15):
            runs[-1].append(pair)
        else:
            runs.append([pair])
    return [run for run in runs if run[-1][0] - run[0][0] >= timedelta(minutes=15)]


def _jam_row(sensor: str, pairs: list[tuple[datetime, float, float]]) -> str:
    since, last = pairs[0][0], pairs[-1][0]
    slowest, fullest = min(pair[1] for pair in pairs), max(pair[2] for pair in pairs)
    return f"{sensor},{since:%Y-%m-%d %H:%M},{last:%Y-%m-%d %H:%M},{len(pairs)},{slowest:g},{fullest:g}"


def expected_flights(log: Path) -> dict[str, list[str]]:
    """The sorted rows of each result of the program of flights: one flight after the other, every hour looked at."""
    rows: dict[str, list[str]] = {"delays": [], "too_late": []}
    hours: dict[datetime, list[int]] = defaultdict(list)
    results: dict[datetime, int] = defaultdict(int)

    def result(hour: datetime) -> None:
        results[hour] += 1
        delays = hours[hour]
        times = f"{hour:%Y-%m-%d %H:%M},{hour + timedelta(hours=1):%Y-%m-%d %H:%M}"
        rows["delays"].append(f"{times},{results[hour]},{len(delays)},{sum(delays)},{sum(delays) / len(delays):.2f}")

    newest = datetime.min + timedelta(days=1)
    for _, time, delay, origin, destination in csv.reader(log.read_text().splitlines()):
        scheduled = datetime.fromisoformat(time)
        hour = scheduled.replace(minute=0)
        over_since = newest - timedelta(minutes=30) - (hour + timedelta(hours=1))
        if over_since >= timedelta(hours=2):
            rows["too_late"].append(f"{scheduled:%Y-%m-%d %H:%M},{delay},{origin},{destination}")
        else:
            hours[hour].append(int(delay))
            if over_since >= timedelta(0):
                result(hour)
        newest = max(newest, scheduled)
        for other in hours:
            if other + timedelta(hours=1) <= newest - timedelta(minutes=30) and not results[other]:
                result(other)
    for hour in hours:
        if not results[hour]:
            result(hour)
    return {name: sorted(of_name) for name, of_name in rows.items()}
