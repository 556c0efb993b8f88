"""The example of an interval join and of a process function with timers."""

import pytest

from windrow.demo.part_files import rows


@pytest.mark.spark
@pytest.mark.slow
def test_a_jam_is_found_where_speed_and_occupancy_say_so_together(tmp_path, session_of_programs):
    """Twenty minutes slow and full are a jam and an alert; slow alone is none."""
    log, out = tmp_path / "readings.csv", tmp_path / "out"
    readings = [("north", minute, speed, 20) for minute, speed in ((0, 60), (10, 20), (20, 12), (30, 30))]
    readings += [("south", minute, 20, 3) for minute in (0, 10, 20, 30)]
    log.write_text(
        "".join(
            f"2015-09-01 08:{minute:02}:00,{measure}_{sensor},2015-09-01 08:{minute:02}:00,{value}\n"
            for sensor, minute, *values in readings
            for measure, value in zip(("speed", "occupancy"), values, strict=True)
        )
    )

    session_of_programs.run("joins.py", log, out)

    jam = ["north", "2015-09-01 08:10", "2015-09-01 08:30", "3", "12", "20"]
    assert list(rows(out / "jams")) == [jam]
    assert list(rows(out / "alerts")) == [jam]
    assert len(list(rows(out / "pairs"))) == 8
