"""The example of allowed lateness."""

import pytest

from windrow.demo.part_files import rows


@pytest.mark.spark
@pytest.mark.slow
def test_a_result_is_corrected_and_what_is_too_late_is_kept(tmp_path, session_of_programs):
    """One flight is in the first result, one corrects it, one is too late."""
    log, out = tmp_path / "flights.csv", tmp_path / "out"
    flights = [("08:10", 0), ("09:30", 0), ("08:50", 60), ("14:00", 0), ("08:20", 400)]
    log.write_text("".join(f"-,2001-02-01 {time}:00,{delay},ORD,DEN\n" for time, delay in flights))

    session_of_programs.run("late_flights.py", log, out)

    of_eight = sorted(row for row in rows(out / "delays") if row[0].endswith("08:00"))
    hour = ["2001-02-01 08:00", "2001-02-01 09:00"]
    assert of_eight == [[*hour, "1", "1", "0", "0.00"], [*hour, "2", "2", "60", "30.00"]]
    assert list(rows(out / "too_late")) == [["2001-02-01 08:20", "400", "ORD", "DEN"]]
