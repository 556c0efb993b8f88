"""Reading back the part files that a demo's program wrote."""

from datetime import datetime

from windrow.demo.part_files import ReadingRow, readings_of_log, rows


def test_rows_are_those_of_all_part_files_but_the_hidden_ones(tmp_path):
    """Rows come from every visible file below the folder; files in progress and Spark's markers are not results."""
    (tmp_path / "bucket").mkdir()
    (tmp_path / ".inprogress").mkdir()
    for name in ("bucket/part-1", "part-0", ".part-2", "_SUCCESS", ".inprogress/part-3"):
        (tmp_path / name).write_text(f"{name},1\n")

    assert sorted(rows(tmp_path)) == [["bucket/part-1", "1"], ["part-0", "1"]]
    assert list(rows(tmp_path / "nothing was written")) == []


def test_readings_of_the_log_are_sorted_by_sensor_and_time(tmp_path):
    """The log is in the order of arrival; what is read back is not."""
    log = tmp_path / "readings.csv"
    arrivals = [("speed_2", "08:05"), ("speed_1", "08:10"), ("speed_1", "08:00")]
    log.write_text("".join(f"-,{sensor},2015-09-01 {time}:00,50.5,5.0\n" for sensor, time in arrivals))

    assert readings_of_log(log) == [
        ReadingRow("speed_1", datetime(2015, 9, 1, 8, 0), 50.5),
        ReadingRow("speed_1", datetime(2015, 9, 1, 8, 10), 50.5),
        ReadingRow("speed_2", datetime(2015, 9, 1, 8, 5), 50.5),
    ]
