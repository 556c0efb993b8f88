"""The table of delays."""

import re
from datetime import datetime, timedelta

from rich.console import Console

from windrow.demo.flights.results import DelayRow, FlightRow, Results
from windrow.demo.flights.summary import summary, words


def delay(hour: int, number: int, flights: int, minutes: int) -> DelayRow:
    start = datetime(2001, 2, 1, hour)
    return DelayRow(start, start + timedelta(hours=1), number, flights, minutes, minutes / flights)


RESULTS = Results(
    flights=14,
    delays=[
        delay(7, 1, 4, 0),
        delay(7, 2, 5, 50),
        delay(8, 1, 4, 8),
        delay(9, 1, 2, 4),
        delay(9, 2, 3, 94),
        delay(9, 3, 4, 200),
    ],
    too_late=[FlightRow(datetime(2001, 2, 1, 8, 30), 300, "ORD", "DEN")],
)


def printed() -> list[list[str]]:
    console = Console(width=90)
    with console.capture() as capture:
        console.print(summary(RESULTS))
    return [re.split(r"\s{2,}", line.strip()) for line in capture.get().splitlines() if re.match(r"\d\d:|all", line)]


def test_means_are_over_flights_and_not_over_hours():
    """First results and last ones are added up, late flights last; parts of the day without flights are left out."""
    assert printed() == [
        ["06:00 to 09:00", "10", "1.0", "1", "6.4", "1", "35.8"],
        ["09:00 to 12:00", "4", "2.0", "2", "50.0", "0", "50.0"],
        ["all day", "14", "1.2", "3", "19.8", "1", "39.9"],
    ]


def test_the_words_say_the_numbers_of_the_whole_day():
    """What the last row of the table says is said in words."""
    text = words(RESULTS)

    assert re.findall(r"\d+\.\d|\d+(?= corrections| flights)", text) == ["1.2", "3", "19.8", "1", "39.9"]
    assert words(Results(0, [], [])) == "No flights."
