"""The demo's program: what it writes, on both runtimes."""

from pathlib import Path

import pytest

from tests.demo.oracle import expected
from windrow.common import Configuration
from windrow.demo import road_sensors
from windrow.demo.arrivals import write_gateway_log

PROGRAM = Path(road_sensors.__file__)
EXAMPLE = Path(__file__).parents[2] / "examples" / "road_sensors.py"


@pytest.mark.parametrize("runtime", ["local", pytest.param("spark", marks=pytest.mark.spark)])
def test_the_program_writes_what_plain_loops_compute(tmp_path, runtime):
    """Windows, sessions and late readings of the real sensors are those of a brute-force computation, row for row."""
    log = tmp_path / "readings.csv"
    write_gateway_log(log)

    road_sensors.main(str(log), str(tmp_path), Configuration.from_dict({"windrow.runtime": runtime}))

    for name, rows in expected(log).items():
        files = [file for file in (tmp_path / name).rglob("*") if file.is_file() and file.name[0] not in "._"]
        written = sorted(line for file in files for line in file.read_text().splitlines())
        assert written == rows, name


def test_the_program_is_short_enough_to_copy():
    """The program stays under 80 lines, and the copy in examples/ is the same file."""
    assert len(PROGRAM.read_text().splitlines()) < 80
    assert EXAMPLE.read_text() == PROGRAM.read_text()


def test_statistics_of_two_halves_merge_to_those_of_the_whole():
    """Merging accumulators, as sessions do, gives the same result as adding every reading to one."""
    statistics = road_sensors.Statistics()
    readings = [road_sensors.Reading("speed_1", 0, value, 5.0) for value in (40.0, 55.5, 61.0, 12.25)]

    def added(some):
        accumulator = statistics.create_accumulator()
        for reading in some:
            accumulator = statistics.add(reading, accumulator)
        return accumulator

    merged = statistics.merge(added(readings[:1]), added(readings[1:]))
    assert statistics.get_result(merged) == statistics.get_result(added(readings)) == "4,42.19,12.25,61"


def test_a_line_of_the_log_is_parsed_to_a_reading():
    """Times are read as UTC, in milliseconds; the time of arrival is not part of a reading."""
    reading = road_sensors.parse("2015-09-01 00:25:00,speed_1,1970-01-01 00:05:00,50.5,5.0")
    assert reading == ("speed_1", 5 * 60_000, 50.5, 5.0)
