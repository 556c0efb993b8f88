"""``windrow demo``."""

import pytest
from click.testing import CliRunner

from tests.demo.oracle import expected_flights, expected_jams
from windrow.demo.command import demo
from windrow.demo.part_files import rows
from windrow.runtime.monitor.history_file import read_history


def run(*arguments: object) -> str:
    done = CliRunner().invoke(demo, [str(argument) for argument in arguments], catch_exceptions=False)
    assert done.exit_code == 0
    return done.output


def test_the_demo_prints_a_table_and_writes_results_and_picture(tmp_path):
    """A run leaves results and a picture in the folder asked for, and a second run replaces them."""
    out = tmp_path / "out"
    for _ in range(2):
        output = run("--runtime", "local", "--out", out)

        assert "speed_7578" in output
        assert "538 readings waited so long" in output
        assert f"The job's page: windrow history {out}/road-sensor.history.jsonl" in output
        record = read_history(out / "road-sensor.history.jsonl")
        assert (record.job["name"], record.state) == ("road sensors", "FINISHED")
        assert (out / "road-sensor.png").stat().st_size > 20_000
        assert len(list(rows(out / "late_hours"))) == 538


@pytest.mark.spark
@pytest.mark.slow
def test_joins_shows_jams_and_late_flights_as_computed_by_plain_loops(tmp_path):
    """On Spark, what both programs write is row for row what a brute-force computation gives, and both are shown."""
    output = run("--joins", "--out", tmp_path)

    results = expected_jams(tmp_path / "readings.csv") | expected_flights(tmp_path / "flights.csv")
    for name, of_name in results.items():
        assert sorted(",".join(row) for row in rows(tmp_path / name)) == of_name, name
    assert f"{len(results['jams'])} jams" in " ".join(output.split())
    assert "392 corrections" in " ".join(output.split())
    for picture in ("jams.png", "late-flights.png"):
        assert (tmp_path / picture).stat().st_size > 20_000
    assert not (tmp_path / "hours").exists()


def test_the_help_says_what_joins_does():
    """One help text describes both: what is shown with the option, and the options that go with either."""
    text = " ".join(run("--help").split())

    for said in (
        "--joins",
        "jams",
        "speed and occupancy",
        "joined within five minutes",
        "flights",
        "--out",
        "--runtime",
    ):
        assert said in text
