"""``windrow sql``."""

import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.terminal.pseudo_terminal import Terminal
from windrow.cli import main

ROOT = Path(__file__).parents[3]


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
    assert "line 2:\n  SELECT nope;\n         ^" in done.output
    assert done.output.count("in set") == 1


def test_batch_shows_no_changes():
    """--batch shows rows without their kind."""
    assert "| op |" not in run("--batch", "-e", "SELECT 1 AS n").output


def test_a_file_and_statements_are_too_much():
    """One of both, and not both."""
    done = run("-f", str(ROOT / "examples" / "road_sensors.sql"), "-e", "SELECT 1")
    assert done.exit_code == 2
    assert "either a file of SQL" in done.output


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


def test_statements_are_read_from_standard_input_where_it_is_no_terminal():
    """They are run as those of a file are."""
    done = CliRunner().invoke(main, ["sql", "--runtime", "local"], input="SELECT 1 AS n;\nSELECT nope;\n")
    assert done.exit_code == 1
    assert "1 row in set" in done.output
    assert "line 2:\n  SELECT nope;\n         ^" in done.output


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_a_conversation_at_a_terminal(tmp_path):
    """The command asks for statements, shows a result without end, and Ctrl-C ends it and nothing else."""
    history = tmp_path / "history"
    command = [sys.executable, "-m", "windrow", "sql", "--runtime", "local", "--history", str(history)]
    with Terminal(command) as terminal:
        terminal.wait_for("Windrow SQL>")
        terminal.type("CREATE TABLE numbers (n BIGINT) WITH ('connector' = 'datagen', 'rows-per-second' = '100');\r")
        terminal.wait_for("OK")
        terminal.type("SELECT n - n AS zero, COUNT(*) AS many FROM numbers GROUP BY n - n;\r")
        terminal.wait_for("1 row, Ctrl-C ends the query")
        terminal.type("\x03")
        terminal.wait_for("ended by Ctrl-C")
        terminal.type("SELECT nope;\r")
        terminal.wait_for("there is no column 'nope'")
        terminal.type("QUIT\r")
        assert terminal.exit_code() == 0
    assert "SELECT nope;" in history.read_text()


def test_reset_leaves_what_the_command_was_started_with():
    """Jobs run where --runtime says, and tables are read as --batch does."""
    done = run("--batch", "-e", "SET 'pipeline.name' = 'mine'; RESET; SET; SELECT 1 AS n")
    assert done.exit_code == 0, done.output
    assert "windrow.runtime" in done.output
    assert "pipeline.name" not in done.output
    assert "| op |" not in done.output


def test_the_runtime_mode_may_be_set_in_the_statements():
    """At their head, as in files for Flink's client."""
    count = "SELECT COUNT(*) AS n FROM (VALUES (1), (2)) AS t(x)"
    done = run("-e", f"SET 'execution.runtime-mode' = 'batch'; {count};")
    assert done.exit_code == 0, done.output
    assert "| op |" not in done.output
    assert done.output.splitlines()[-1] == "1 row in set"
