"""Reading back what the program of flights wrote."""

from datetime import datetime

from windrow.demo.flights.results import DelayRow, FlightRow, read_results


def test_first_and_last_results_of_an_hour_are_found_by_their_number(tmp_path):
    """Part files may hold an hour's results in any order: the number tells."""
    (tmp_path / "flights.csv").write_text("a flight\n" * 5)
    for name, text in (
        ("delays/part-1", "2001-02-01 08:00,2001-02-01 09:00,10,12,60,5.00\n"),
        (
            "delays/part-0",
            "2001-02-01 08:00,2001-02-01 09:00,2,4,8,2.00\n"
            "2001-02-01 09:00,2001-02-01 10:00,1,3,-3,-1.00\n"
            "2001-02-01 08:00,2001-02-01 09:00,1,3,0,0.00\n",
        ),
        ("too_late/part-0", "2001-02-01 08:20,250,ORD,DEN\n"),
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)

    results = read_results(tmp_path / "flights.csv", tmp_path)

    eight, nine, ten = (datetime(2001, 2, 1, hour) for hour in (8, 9, 10))
    assert results.flights == 5
    assert results.first() == [DelayRow(eight, nine, 1, 3, 0, 0.0), DelayRow(nine, ten, 1, 3, -3, -1.0)]
    assert results.last() == [DelayRow(eight, nine, 10, 12, 60, 5.0), DelayRow(nine, ten, 1, 3, -3, -1.0)]
    assert results.too_late == [FlightRow(eight.replace(minute=20), 250, "ORD", "DEN")]
