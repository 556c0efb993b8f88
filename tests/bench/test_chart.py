"""The chart of the benchmark."""

import json
from pathlib import Path

from click.testing import CliRunner

from bench import chart


def kept(tmp_path: Path, rows: object) -> str:
    path = tmp_path / "results.json"
    path.write_text(json.dumps({"rows": rows}))
    return str(path)


def test_chart_names_the_measured_rows_and_their_ratios(tmp_path: Path) -> None:
    """A row is there if it has Flink beside it in a mode; the same results draw the same file."""
    rows = {
        "tumbling": {"batch": {"ratio": 6.5}, "stream": {"ratio": 13}},
        "filter": {"batch": {"ratio": 4}},
        "due-timers": {"stream": {}},
    }
    pictures = []
    for name in ("one.svg", "two.svg"):
        done = CliRunner().invoke(chart.main, ["--results", kept(tmp_path, rows), "--out", str(tmp_path / name)])
        assert done.exit_code == 0, done.output
        pictures.append((tmp_path / name).read_text())
    for text in ("tumbling 60 s, reduce", "map and filter, no key", "6.5", "13"):
        assert f"<!-- {text} -->" in pictures[0]
    assert "timers due" not in pictures[0]
    assert pictures[0] == pictures[1]


def test_chart_without_ratios_says_what_to_run(tmp_path: Path) -> None:
    """Nothing is drawn of rows that stand alone."""
    done = CliRunner().invoke(chart.main, ["--results", kept(tmp_path, {}), "--out", str(tmp_path / "one.svg")])
    assert done.exit_code == 1
    assert "run `python -m bench` first" in done.output
    assert not (tmp_path / "one.svg").exists()
