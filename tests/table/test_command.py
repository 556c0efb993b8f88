"""``windrow sql``."""

from pathlib import Path

from click.testing import CliRunner

from windrow.cli import main

ROOT = Path(__file__).parents[2]


def run(*arguments):
    return CliRunner().invoke(main, ["sql", "--runtime", "local", *arguments])


def test_statements_are_run_one_behind_the_other():
    """Each prints what it gives; an INSERT INTO is waited for."""
    done = run(
        "-e", "CREATE TABLE p (n INT) WITH ('connector' = 'print'); INSERT INTO p SELECT 7; SELECT 1 + 1 AS two;"
    )
    assert done.exit_code == 0, done.output
    lines = done.output.splitlines()
    assert lines[0] == "OK"
    assert "+I[7]" in lines
    assert lines[-1] == "1 row in set"


def test_the_first_error_ends_the_run():
    """With its place in the text, and exit code 1; what stands behind it is not run."""
    done = run("-e", "SELECT 1;\nSELECT nope;\nSELECT 2")
    assert done.exit_code == 1
    assert "line 2:\n  SELECT nope\n         ^" in done.output
    assert done.output.count("in set") == 1


def test_batch_shows_no_changes():
    """--batch shows rows without their kind."""
    assert "| op |" not in run("--batch", "-e", "SELECT 1 AS n").output


def test_a_file_or_statements_are_needed():
    """One of both, and not both."""
    assert run().exit_code == 2
    assert "either a file of SQL" in run().output


def test_the_example_of_road_sensors_runs(monkeypatch):
    """Three questions about one file, each with an answer."""
    monkeypatch.chdir(ROOT)
    done = run("-f", "examples/road_sensors.sql")
    assert done.exit_code == 0, done.output
    assert [line for line in done.output.splitlines() if "in set" in line] == [
        "11 rows in set",
        "20 rows in set",
        "10 rows in set",
    ]
