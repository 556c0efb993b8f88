"""The demo's program of joins: what it writes."""

from pathlib import Path

import pytest

from tests.demo.oracle import expected_jams
from windrow.common import Configuration
from windrow.demo import joins
from windrow.demo.arrivals import write_gateway_log
from windrow.demo.part_files import rows
from windrow.operators.process import KeyedProcessOperator
from windrow.testing import OperatorHarness

LOCAL = Configuration.from_dict({"windrow.runtime": "local"})


def run(folder: Path, *readings: tuple[str, str, float]) -> None:
    """Run the program over ``(series, time of day, value)``, in this order of arrival."""
    log = folder / "readings.csv"
    log.write_text("".join(f"-,{series},2015-09-01 {time}:00,{value},5.0\n" for series, time, value in readings))
    joins.main(str(log), str(folder), LOCAL)


def slow_and_full(*times: str) -> list[tuple[str, str, float]]:
    return [(f"{measure}_1", time, 20.0) for time in times for measure in ("speed", "occupancy")]


def times(folder: Path) -> list[tuple[str, str, int]]:
    """When a jam began, when it was last seen, its pairs."""
    return sorted((since[-5:], last[-5:], int(pairs)) for _, since, last, pairs, *_ in rows(folder))


def test_the_program_writes_what_plain_loops_compute(tmp_path):
    """Pairs, jams, alerts and late readings of the real sensors are those of a brute-force computation."""
    log = tmp_path / "readings.csv"
    write_gateway_log(log)

    joins.main(str(log), str(tmp_path), LOCAL)

    for name, of_name in expected_jams(log).items():
        assert sorted(",".join(row) for row in rows(tmp_path / name)) == of_name, name
        assert of_name, name


@pytest.mark.parametrize(("speed", "occupancy"), [(50.0, 20.0), (20.0, 15.0)])
def test_slow_alone_and_full_alone_are_no_jam(tmp_path, speed, occupancy):
    """Both limits are exclusive, and both must be passed at once."""
    moments = [f"08:{minute:02}" for minute in range(0, 60, 5)]
    readings = [reading for at in moments for reading in (("speed_1", at, speed), ("occupancy_1", at, occupancy))]

    run(tmp_path, *readings)

    assert list(rows(tmp_path / "pairs"))
    assert not list(rows(tmp_path / "jams"))
    assert not list(rows(tmp_path / "alerts"))


def test_readings_join_within_five_minutes_and_one_sensor(tmp_path):
    """Five minutes apart is close enough in both directions, six is not; another sensor's readings never are."""
    near = [("occupancy_1", at, 1.0) for at in ("07:54", "07:55", "08:05", "08:06")]

    run(tmp_path, ("speed_1", "08:00", 60.0), *near, ("occupancy_2", "08:00", 1.0))

    assert sorted(row[3][-5:] for row in rows(tmp_path / "pairs")) == ["07:55", "08:05"]


def test_an_alert_comes_when_a_jam_has_lasted_a_quarter_of_an_hour(tmp_path):
    """The alert is the jam as it is known then; what lasts a minute less gives neither alert nor jam."""
    run(tmp_path, *slow_and_full("08:00", "08:10", "08:20", "08:30"), *slow_and_full("12:00", "12:14"))

    assert times(tmp_path / "alerts") == [("08:00", "08:20", 3)]
    assert times(tmp_path / "jams") == [("08:00", "08:30", 4)]


def test_a_quarter_of_an_hour_without_a_jam_ends_it(tmp_path):
    """Fifteen minutes between two pairs are the same jam, one more makes two."""
    run(tmp_path, *slow_and_full("08:00", "08:15", "08:30"), *slow_and_full("08:46", "09:01"))

    assert times(tmp_path / "jams") == [("08:00", "08:30", 3), ("08:46", "09:01", 2)]


def test_the_order_of_arrival_does_not_matter(tmp_path):
    """Within the hour that the watermark waits, readings may come in any order: alert and jam are the same."""
    run(tmp_path, *reversed(slow_and_full("08:00", "08:10", "08:20", "08:30")))

    assert times(tmp_path / "alerts") == [("08:00", "08:20", 3)]
    assert times(tmp_path / "jams") == [("08:00", "08:30", 4)]


def test_readings_that_come_too_late_are_kept(tmp_path):
    """An hour behind the newest reading is in time, a minute more is not; speeds and occupancies are kept apart."""
    newest = ("TravelTime_9", "09:00", 1.0)
    run(tmp_path, newest, *slow_and_full("07:59"), *slow_and_full("08:00"))

    assert list(rows(tmp_path / "late_speeds")) == [["1", "2015-09-01 07:59", "20"]]
    assert list(rows(tmp_path / "late_occupancies")) == [["1", "2015-09-01 07:59", "20"]]
    assert [row[1][-5:] for row in rows(tmp_path / "pairs")] == ["08:00"]


def test_a_jam_that_is_over_leaves_nothing_behind():
    """Pairs that wait, the jam and timers are in state only as long as they are needed."""
    harness = OperatorHarness(KeyedProcessOperator(joins.FindJams()), key_selector=lambda pair: pair.sensor)
    minutes = [minute * joins.MINUTE for minute in (0, 10, 20)]
    harness.process_elements([(joins.Pair("1", at, 20.0, at, 20.0), at) for at in minutes])

    harness.process_watermark(minutes[-1])
    assert harness.num_state_entries() > 0
    harness.process_watermark(minutes[-1] + joins.OVER)

    assert len(harness.values()) == 1
    assert harness.num_state_entries() == harness.num_event_timers() == 0
