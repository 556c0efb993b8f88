"""The demo's picture."""

from datetime import datetime, timedelta

from matplotlib.image import imread

from tests.demo.pictures import has_colour
from windrow.demo.drawing import LINE, MARK
from windrow.demo.part_files import ReadingRow
from windrow.demo.windows.picture import draw
from windrow.demo.windows.results import Results, WindowRow


def test_the_picture_shows_means_and_marks_late_readings(tmp_path):
    """The mean of the hours is drawn as a line, and late readings in a colour that nothing else has."""
    start = datetime(2015, 9, 1)
    times = [start + timedelta(minutes=15 * n) for n in range(100)]
    readings = [ReadingRow("speed_1", time, 50.0 + n % 7) for n, time in enumerate(times)]
    results = Results(
        readings=readings,
        hours=[WindowRow("speed_1", time, time + timedelta(hours=1), 4, 52.0, 50.0, 56.0) for time in times],
        sessions=[WindowRow("speed_1", times[0], times[-1], 100, 52.0, 50.0, 56.0)],
        late_hours=readings[10:20],
        late_sessions=[],
    )

    draw(results, tmp_path / "new" / "picture.png", sensor="speed_1", days=2)

    assert has_colour(tmp_path / "new" / "picture.png", LINE)
    assert imread(tmp_path / "new" / "picture.png").shape[0] > 900
    assert has_colour(tmp_path / "new" / "picture.png", MARK)
