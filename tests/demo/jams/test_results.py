"""Reading back what the program of jams wrote."""

from datetime import datetime

from windrow.demo.jams.results import JamRow, PairRow, read_results
from windrow.demo.part_files import ReadingRow


def test_results_are_read_by_their_folder(tmp_path):
    """Each folder is a list of its own kind of rows; one that was not written is an empty list."""
    (tmp_path / "readings.csv").write_text("2015-09-01 08:25:00,speed_1,2015-09-01 08:05:00,50.5,5.0\n")
    for name, text in (
        ("pairs", "1,2015-09-01 08:05,50.5,2015-09-01 08:03,12.5\n"),
        ("jams", "1,2015-09-01 08:00,2015-09-01 08:40,9,11,43.06\n"),
        ("alerts", "1,2015-09-01 08:00,2015-09-01 08:15,4,15,38\n"),
        ("late_speeds", "1,2015-09-01 06:00,60\n"),
    ):
        (tmp_path / name).mkdir()
        (tmp_path / name / "part-0").write_text(text)

    results = read_results(tmp_path / "readings.csv", tmp_path)

    def at(hour: int, minute: int) -> datetime:
        return datetime(2015, 9, 1, hour, minute)

    assert results.readings == [ReadingRow("speed_1", at(8, 5), 50.5)]
    assert results.pairs == [PairRow("1", at(8, 5), 50.5, at(8, 3), 12.5)]
    assert results.jams == [JamRow("1", at(8, 0), at(8, 40), 9, 11.0, 43.06)]
    assert results.alerts == [JamRow("1", at(8, 0), at(8, 15), 4, 15.0, 38.0)]
    assert results.late_speeds == [ReadingRow("1", at(6, 0), 60.0)]
    assert results.late_occupancies == []
