"""The demo's program of flights: what it writes."""

import csv
from collections import Counter
from datetime import datetime

import pytest

from tests.demo.oracle import expected_flights
from windrow.common import Configuration
from windrow.demo import late_flights
from windrow.demo.flights.flight_log import FLIGHTS_FILE, write_flight_log
from windrow.demo.part_files import rows

LOCAL = Configuration.from_dict({"windrow.runtime": "local"})


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("flights")
    write_flight_log(folder / "flights.csv")
    late_flights.main(str(folder / "flights.csv"), str(folder), LOCAL)
    return folder


def test_the_program_writes_what_plain_loops_compute(written):
    """First results, corrections and flights too late for both are those of a brute-force computation, row for row."""
    for name, of_name in expected_flights(written / "flights.csv").items():
        assert sorted(",".join(row) for row in rows(written / name)) == of_name, name


def test_last_results_and_flights_too_late_are_all_flights(written):
    """No flight is lost and none counts twice: each is in its hour's last result, or in that of the late ones."""
    in_hours = {row[0]: int(row[3]) for row in sorted(rows(written / "delays"), key=lambda row: (row[0], int(row[2])))}
    too_late = Counter(f"{row[0][:13]}:00" for row in rows(written / "too_late"))
    flights = csv.DictReader(FLIGHTS_FILE.read_text().splitlines())
    scheduled = [datetime.strptime(row["date"], "%Y/%m/%d %H:%M") for row in flights]
    assert Counter(in_hours) + too_late == Counter(f"{time:%Y-%m-%d %H}:00" for time in scheduled)
    assert too_late.total() == 27


def test_a_late_flight_gives_its_hour_again_until_it_is_too_late(tmp_path):
    """Results of an hour are numbered; a flight two hours after the hour's result was due is kept, not counted."""
    log = tmp_path / "flights.csv"
    flights = [
        ("08:10", 10, "ORD", "DEN"),
        ("09:40", 0, "ORD", "DEN"),  # the watermark passes nine o'clock: the first result
        ("08:20", 110, "JFK", "BOS"),  # a correction
        ("11:29", 0, "ORD", "DEN"),  # two hours are not over yet
        ("08:59", 160, "ATL", "EWR"),  # another correction
        ("11:30", 0, "ORD", "DEN"),
        ("08:00", 215, "SJU", "MIA"),  # too late
    ]
    log.write_text("".join(f"-,2001-02-01 {time}:00,{delay},{way},{to}\n" for time, delay, way, to in flights))

    late_flights.main(str(log), str(tmp_path), LOCAL)

    of_eight = sorted(row[2:] for row in rows(tmp_path / "delays") if row[0] == "2001-02-01 08:00")
    assert of_eight == [["1", "1", "10", "10.00"], ["2", "2", "120", "60.00"], ["3", "3", "280", "93.33"]]
    assert list(rows(tmp_path / "too_late")) == [["2001-02-01 08:00", "215", "SJU", "MIA"]]


def test_a_line_of_the_log_is_parsed_to_a_flight():
    """Times are read as UTC, in milliseconds; when the flight became known is not part of it."""
    flight = late_flights.parse("1970-01-01 00:25:00,1970-01-01 00:05:00,20,ORD,DEN")
    assert flight == (5 * 60_000, 20, "ORD", "DEN")
    assert flight.row() == "1970-01-01 00:05,20,ORD,DEN"
