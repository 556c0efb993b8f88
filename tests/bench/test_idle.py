"""The benchmark of idle jobs."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from bench import idle
from bench.programs.idle import processor_seconds


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Nothing is measured, and the file is the test's own."""
    monkeypatch.setattr(idle, "KEPT", tmp_path / "idle.json")
    monkeypatch.setattr(idle, "measured", lambda engine, _warm_up, seconds: seconds / (4 if engine == "spark" else 50))
    return tmp_path / "idle.json"


def test_what_both_take_is_shown_and_kept(kept: Path) -> None:
    """As a share of one processor."""
    done = CliRunner().invoke(idle.main, ["--seconds", "100"])
    assert done.exit_code == 0, done.output
    assert "0.250" in done.output
    assert "0.020" in done.output
    assert json.loads(kept.read_text())["results"]["windrow"] == {"processor_seconds": 2.0, "processors": 0.02}


def test_what_is_measured_alone_is_not_kept(kept: Path) -> None:
    """A ratio of two runs would be of two days."""
    assert CliRunner().invoke(idle.main, ["--only", "spark"]).exit_code == 0
    assert not kept.exists()


def test_processor_time_is_that_of_processes_below_as_well() -> None:
    """Of those that are gone, too."""
    before = processor_seconds()
    busy = "import time\nwhile time.process_time() < 0.3:\n    pass"
    subprocess.run([sys.executable, "-c", busy], check=True)
    assert processor_seconds() - before >= 0.25
