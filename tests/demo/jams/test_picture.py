"""The picture of jams."""

from datetime import datetime, timedelta

from tests.demo.pictures import has_colour
from windrow.demo.drawing import LINE, MARK
from windrow.demo.jams.picture import JAM, draw
from windrow.demo.jams.results import JamRow, Results
from windrow.demo.part_files import ReadingRow

START = datetime(2015, 9, 1)


def test_the_picture_shows_both_measures_and_marks_jams_and_alerts(tmp_path):
    """Jams are shaded and alerts are lines in colours of their own; another sensor's jams are not drawn."""
    readings = [
        ReadingRow(f"{measure}_1", START + timedelta(minutes=5 * n), 40.0 + n % 7)
        for measure in ("speed", "occupancy")
        for n in range(200)
    ]
    of_one, of_another = (
        JamRow(sensor, START + timedelta(hours=8), START + timedelta(hours=9), 9, 11.0, 43.0) for sensor in "12"
    )

    draw(Results(readings, [], [of_one], [of_one], [], []), tmp_path / "new" / "jam.png", sensor="1", days=1)
    draw(Results(readings, [], [of_another], [of_another], [], []), tmp_path / "none.png", sensor="1", days=1)

    for colour in (LINE, JAM, MARK):
        assert has_colour(tmp_path / "new" / "jam.png", colour)
    assert has_colour(tmp_path / "none.png", LINE)
    assert not has_colour(tmp_path / "none.png", JAM)
    assert not has_colour(tmp_path / "none.png", MARK)
