"""The log of flights: in the order in which flights become known."""

import csv

from windrow.demo.flights.flight_log import FLIGHTS_FILE, write_flight_log


def test_a_flight_is_known_after_its_delay(tmp_path):
    """A delayed flight comes after those scheduled later and on time; an early one before its schedule."""
    file = tmp_path / "flights.csv"
    file.write_text(
        "date,delay,origin,destination\n"
        "2001/02/01 08:00,120,ORD,DEN\n"
        "2001/02/01 08:00,-5,JFK,BOS\n"
        "2001/02/01 09:30,0,ATL,EWR\n"
    )

    count = write_flight_log(tmp_path / "new" / "log.csv", file)

    assert count == 3
    assert (tmp_path / "new" / "log.csv").read_text().splitlines() == [
        "2001-02-01 07:55:00,2001-02-01 08:00:00,-5,JFK,BOS",
        "2001-02-01 09:30:00,2001-02-01 09:30:00,0,ATL,EWR",
        "2001-02-01 10:00:00,2001-02-01 08:00:00,120,ORD,DEN",
    ]


def test_the_log_holds_every_flight_once_in_the_order_in_which_it_is_known(tmp_path):
    """The log is the file, flight for flight, in another order."""
    log = tmp_path / "flights.csv"

    count = write_flight_log(log)

    written = list(csv.reader(log.read_text().splitlines()))
    in_file = [
        (row["date"].replace("/", "-") + ":00", row["delay"], row["origin"], row["destination"])
        for row in csv.DictReader(FLIGHTS_FILE.read_text().splitlines())
    ]
    assert count == len(written) == 5_964
    assert [row[0] for row in written] == sorted(row[0] for row in written)
    assert sorted(tuple(row[1:]) for row in written) == sorted(in_file)
