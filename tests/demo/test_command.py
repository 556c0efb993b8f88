"""``windrow demo``."""

from click.testing import CliRunner

from windrow.demo.command import demo


def test_the_demo_prints_a_table_and_writes_results_and_picture(tmp_path):
    """A run leaves results and a picture in the folder asked for, and a second run replaces them."""
    out = tmp_path / "out"
    for _ in range(2):
        done = CliRunner().invoke(demo, ["--runtime", "local", "--out", str(out)], catch_exceptions=False)

        assert done.exit_code == 0
        assert "speed_7578" in done.output
        assert (out / "road-sensor.png").stat().st_size > 20_000
        rows = [line for file in (out / "late_hours").rglob("late_hours-*") for line in file.open()]
        assert len(rows) == 538
