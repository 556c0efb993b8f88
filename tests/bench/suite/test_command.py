"""The command `python -m bench`."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from bench import __main__ as command
from bench.environments import SetupError
from bench.suite import results
from bench.suite.engines import Engine
from bench.suite.measuring import Effort, Measured, Timing
from bench.suite.rows import Row


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Nothing is measured: Windrow makes two events a second and Flink one; results go to a file of the test's own."""
    taken: list[str] = []

    def measured(engine: Engine, row: Row, mode: str, effort: Effort) -> Measured:
        assert f"{engine.name} {row.peer_job()} {mode}" not in taken or engine.name == "windrow"
        taken.append(f"{engine.name} {row.peer_job()} {mode}")
        return Measured("1", Timing(2 if engine.name == "windrow" else 1, [1.0] * effort.runs, 0.0))

    path = tmp_path / "results.json"
    monkeypatch.setattr(command, "measure", measured)
    monkeypatch.setattr(results, "PATH", path)
    monkeypatch.setattr(command, "BENCH", tmp_path / ".bench")
    return path


def test_every_row_is_kept_in_every_mode(path: Path) -> None:
    """Without names all is measured; a job that Flink runs for two rows is measured once."""
    done = CliRunner().invoke(command.main, ["--runs", "2"])
    assert done.exit_code == 0, done.output
    rows = json.loads(path.read_text())["rows"]
    assert {name: tuple(modes) for name, modes in rows.items()} == {
        name: row.modes for name, row in command.ROWS.items()
    }
    assert rows["tumbling-untraced"]["stream"]["ratio"] == 2.0
    assert "flink" not in rows["sliding-fine"]["batch"]


def test_rows_and_mode_are_chosen(path: Path) -> None:
    """Names and --mode say what is measured."""
    done = CliRunner().invoke(command.main, ["tumbling", "sliding", "--mode", "batch"])
    assert done.exit_code == 0, done.output
    assert {name: list(modes) for name, modes in results.read(path).items()} == {
        "tumbling": ["batch"],
        "sliding": ["batch"],
    }


def test_one_engine_alone_does_not_replace_what_is_kept(path: Path) -> None:
    """Ratios are of one run; the numbers of one engine go elsewhere."""
    done = CliRunner().invoke(command.main, ["tumbling", "--engine", "windrow"])
    assert done.exit_code == 0, done.output
    assert not path.exists()
    assert "ratio" not in results.read(path.parent / ".bench" / "results.json")["tumbling"]["batch"]


def test_engine_that_cannot_be_set_up_is_told(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line says why a row is missing; the exit code says that not all was measured."""

    def refuse(*_: object) -> Measured:
        message = "cannot have apache-flink: no network"
        raise SetupError(message)

    monkeypatch.setattr(command, "measure", refuse)
    done = CliRunner().invoke(command.main, ["filter"])
    assert done.exit_code == 1
    assert "filter, batch, Windrow: cannot have apache-flink: no network" in done.output
    assert not path.exists()
