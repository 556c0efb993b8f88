"""The benchmark of the delay of windows."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from bench import delay
from bench.delay import ENGINES, main, percentiles
from bench.programs.delay import Seen


def test_a_sum_counts_when_it_is_first_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """And if its last element is not from the time in which the job became warm."""
    seen = Seen()
    clock = iter([2.0, 3.0, 5.0, 9.0])
    monkeypatch.setattr("bench.programs.delay.time.time", lambda: next(clock))
    for last in (1500, 2500, 2500):
        seen.note(last)
    assert seen.delays(0) == [500, 500]
    seen.note(2600)
    assert seen.delays(2500) == [500, 6400]


def test_percentiles_are_of_what_was_seen() -> None:
    """Between two of them they are as far as they are."""
    assert percentiles(list(range(101))) == {"p50": 50, "p99": 99}


def test_engines_are_shown_beside_spark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All are kept with the machine; a run of some of them is shown alone."""
    monkeypatch.setattr(delay, "KEPT", tmp_path / "kept.json")
    monkeypatch.setattr(delay, "measured", lambda engine, *_: [100, 200] if engine == "spark" else [300, 300])
    shown = CliRunner().invoke(main, ["--only", "windrow"])
    assert (shown.exit_code, list(tmp_path.iterdir())) == (0, [])
    shown = CliRunner().invoke(main, [], terminal_width=200)
    assert shown.exit_code == 0, shown.output
    kept = json.loads((tmp_path / "kept.json").read_text())
    assert list(kept["results"]) == list(ENGINES)
    assert kept["results"]["windrow"] == {"sums": 2, "p50": 300, "p99": 300}
    assert "2.00" in shown.output
