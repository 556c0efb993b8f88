"""Reading back the files that the demo's program wrote."""

from datetime import datetime

from windrow.demo.part_files import ReadingRow
from windrow.demo.windows.results import WindowRow, read_results


def test_results_are_the_rows_of_all_part_files_but_the_hidden_ones(tmp_path):
    """Rows come from every visible file below a result's folder, sorted; files in progress are not results."""
    readings = tmp_path / "readings.csv"
    readings.write_text("2015-09-01 00:25:00,speed_1,2015-09-01 00:05:00,50.5,5.0\n")
    hours = tmp_path / "hours" / "bucket"
    hours.mkdir(parents=True)
    (hours / "part-1").write_text("speed_1,2015-09-01 01:00,2015-09-01 02:00,2,50.00,40,60\n")
    (hours / "part-0").write_text("speed_1,2015-09-01 00:00,2015-09-01 01:00,1,50.50,50.5,50.5\n")
    (hours / ".part-2.inprogress").write_text("half a r")
    (tmp_path / "late_hours").mkdir()
    (tmp_path / "late_hours" / "part-0").write_text("speed_1,2015-09-01 00:05,50.5\n")

    results = read_results(readings, tmp_path)

    at = datetime(2015, 9, 1)
    assert results.readings == [ReadingRow("speed_1", at.replace(minute=5), 50.5)]
    assert results.hours == [
        WindowRow("speed_1", at, at.replace(hour=1), 1, 50.5, 50.5, 50.5),
        WindowRow("speed_1", at.replace(hour=1), at.replace(hour=2), 2, 50.0, 40.0, 60.0),
    ]
    assert results.late_hours == [ReadingRow("speed_1", at.replace(minute=5), 50.5)]
    assert results.sessions == results.late_sessions == []
