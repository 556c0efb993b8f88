"""The picture of delays."""

from datetime import datetime, timedelta

from tests.demo.pictures import has_colour
from windrow.demo.drawing import LINE, MARK
from windrow.demo.flights.picture import draw
from windrow.demo.flights.results import DelayRow, FlightRow, Results

START = datetime(2001, 2, 1)


def delay(hour: int, number: int) -> DelayRow:
    start = START + timedelta(hours=hour)
    return DelayRow(start, start + timedelta(hours=1), number, 4, 20 * number, 5.0 * number)


def test_the_picture_shows_results_and_marks_flights_that_are_too_late(tmp_path):
    """The corrected means are a line; flights too late for them have a colour that nothing else has."""
    delays = [delay(hour, number) for hour in range(6, 20) for number in (1, 2)]
    too_late = [FlightRow(START + timedelta(hours=hour), 200, "ORD", "DEN") for hour in range(8, 18)]

    draw(Results(66, delays, too_late), tmp_path / "new" / "with.png", START, days=1)
    draw(Results(56, delays, []), tmp_path / "new" / "without.png", START, days=1)

    assert has_colour(tmp_path / "new" / "with.png", LINE)
    assert has_colour(tmp_path / "new" / "with.png", MARK)
    assert not has_colour(tmp_path / "new" / "without.png", MARK)
