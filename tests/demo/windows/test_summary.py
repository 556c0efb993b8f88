"""The demo's table."""

import re
from datetime import datetime, timedelta

from rich.console import Console

from windrow.demo.part_files import ReadingRow
from windrow.demo.windows.results import Results, WindowRow
from windrow.demo.windows.summary import summary

START = datetime(2015, 9, 1)
HOUR = timedelta(hours=1)


def window(sensor: str, hour: int, mean: float, length: timedelta = HOUR) -> WindowRow:
    start = START + hour * HOUR
    return WindowRow(sensor, start, start + length, 3, mean, mean, mean)


def printed(results: Results) -> list[list[str]]:
    console = Console(width=80)
    with console.capture() as capture:
        console.print(summary(results))
    lines = capture.get().splitlines()
    return [re.split(r"\s{2,}", line.strip()) for line in lines if line.startswith(("speed", "Travel", "all"))]


def test_the_slowest_hour_is_the_lowest_speed_and_the_highest_travel_time():
    """Which hour was the slowest depends on what the sensor measures."""
    late = ReadingRow("speed_1", START, 50.0)
    results = Results(
        readings=[late, ReadingRow("TravelTime_2", START, 300.0)],
        hours=[
            window(sensor, hour, mean) for sensor in ("speed_1", "TravelTime_2") for hour, mean in ((7, 20), (9, 60))
        ],
        sessions=[window("speed_1", 0, 40, timedelta(days=1, hours=3))],
        late_hours=[late],
        late_sessions=[],
    )

    rows = printed(results)

    assert rows == [
        ["TravelTime_2", "1", "2", "01 Sep 09:00", "60.0", "0", "0, 0"],
        ["speed_1", "1", "2", "01 Sep 07:00", "20.0", "1", "1, 0"],
        ["all", "2", "4", "1", "1, 0"],
    ]
