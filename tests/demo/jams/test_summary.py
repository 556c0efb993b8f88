"""The table of jams."""

import re
from datetime import datetime

from rich.console import Console

from windrow.demo.jams.results import JamRow, PairRow, Results
from windrow.demo.jams.summary import summary, words
from windrow.demo.part_files import ReadingRow


def at(hour: int, minute: int) -> datetime:
    return datetime(2015, 9, 1, hour, minute)


RESULTS = Results(
    readings=[],
    pairs=[PairRow("1", at(8, 0), speed, at(8, 0), full) for speed, full in ((20, 30), (20, 3), (70, 30), (50, 15))],
    jams=[JamRow("1", at(8, 0), at(8, 40), 9, 11.0, 43.06), JamRow("2", at(7, 0), at(7, 15), 3, 40.0, 16.0)],
    alerts=[JamRow("2", at(7, 0), at(7, 15), 3, 40.0, 16.0), JamRow("1", at(8, 0), at(8, 20), 4, 15.0, 38.0)],
    late_speeds=[ReadingRow("1", at(6, 0), 60.0)],
    late_occupancies=[ReadingRow("1", at(6, 0), 6.0), ReadingRow("1", at(6, 5), 6.0)],
)


def test_each_jam_stands_beside_its_own_alert():
    """A row has the whole jam, and the time at which the alert of this jam came."""
    console = Console(width=90)
    with console.capture() as capture:
        console.print(summary(RESULTS))
    rows = [re.split(r"\s{2,}", line.strip()) for line in capture.get().splitlines() if line[:1].isdigit()]

    assert rows == [
        ["1", "01 Sep 08:00 to 08:40", "40", "08:20", "9", "11", "43.06"],
        ["2", "01 Sep 07:00 to 07:15", "15", "07:15", "3", "40", "16"],
    ]


def test_the_words_count_pairs_jams_and_late_readings():
    """Pairs, those that are slow, full, both; then the jams and the readings that were too late."""
    numbers = re.findall(r"\d+(?= times| are| jams| readings)", words(RESULTS))

    assert numbers == ["4", "2", "2", "1", "2", "3"]
