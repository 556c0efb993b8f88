"""The gateway log: packets of six, arriving when their last reading is taken."""

import csv

from windrow.demo.arrivals import SENSOR_FILES, arrivals_of, write_gateway_log


def test_a_reading_arrives_with_the_last_of_its_packet(tmp_path):
    """Six readings make a packet, which arrives when the sixth is taken; the rest of a file is a packet too."""
    file = tmp_path / "speed_1.csv"
    file.write_text("timestamp,value\n" + "".join(f"2015-09-01 00:{5 * n:02}:00,{n}\n" for n in range(8)))

    arrivals = arrivals_of(file)

    assert [a.arrived for a in arrivals] == ["2015-09-01 00:25:00"] * 6 + ["2015-09-01 00:35:00"] * 2
    assert [a.measured[-8:] for a in arrivals] == [f"00:{5 * n:02}:00" for n in range(8)]
    assert {a.sensor for a in arrivals} == {"speed_1"}


def test_the_rhythm_is_the_median_interval_of_the_packet(tmp_path):
    """One long silence in a packet does not change the rhythm that its header tells."""
    file = tmp_path / "speed_1.csv"
    minutes = ["00:00", "00:05", "00:10", "05:10", "05:15", "05:20", "05:40"]
    file.write_text("timestamp,value\n" + "".join(f"2015-09-01 {time}:00,1\n" for time in minutes))

    assert [a.every for a in arrivals_of(file)] == [5] * 6 + [20]


def test_the_log_holds_every_reading_once_in_order_of_arrival(tmp_path):
    """The log is the sensors' files, reading for reading, ordered by arrival."""
    log = tmp_path / "new" / "readings.csv"

    count = write_gateway_log(log)

    rows = list(csv.reader(log.read_text().splitlines()))
    assert count == len(rows) == 15_664
    assert [row[0] for row in rows] == sorted(row[0] for row in rows)
    for file in SENSOR_FILES.glob("*.csv"):
        of_sensor = [(measured, float(value)) for _, sensor, measured, value, _ in rows if sensor == file.stem]
        in_file = [(row["timestamp"], float(row["value"])) for row in csv.DictReader(file.read_text().splitlines())]
        assert of_sensor == in_file
