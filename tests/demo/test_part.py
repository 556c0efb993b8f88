"""A part of a demo: what it runs, replaces and says."""

import json
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console
from rich.table import Table

from windrow.common import Configuration
from windrow.connectors.discarding import DiscardingSink
from windrow.datastream import StreamExecutionEnvironment
from windrow.demo import part as module
from windrow.demo.part import Part
from windrow.runtime.monitor.history_file import read_history
from windrow.runtime.monitor.watching import temporary_folder
from windrow.ui.job_ui import close_pages


def a_part(ran: list[str]) -> Part[list[str]]:
    def write_log(log: Path) -> int:
        log.parent.mkdir(parents=True, exist_ok=True)
        return log.write_text("x" * 1234)

    def program(log: str, out: str, configuration: object) -> None:
        ran.append(configuration.get_string("windrow.runtime", ""))
        (Path(out) / "results").mkdir()
        (Path(out) / "results" / "part-0").write_text("new")

    return Part(
        items="letters",
        log="letters.txt",
        write_log=write_log,
        work="counting",
        program=program,
        folders=("results",),
        read=lambda log, out: [file.read_text() for file in sorted((out / "results").iterdir())],
        title="What came out",
        summary=lambda results: Table(*results),
        words=lambda results: f"{len(results)} files.",
        picture="letters.png",
        draw=lambda results, path: path.write_text("a picture") and None,
    )


@pytest.mark.parametrize("matplotlib", [True, False])
def test_a_part_runs_its_program_and_shows_what_it_wrote(tmp_path, monkeypatch, matplotlib):
    """Earlier results are replaced; table, words and places are printed; without matplotlib that is said instead."""
    ran: list[str] = []
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "part-9").write_text("old")
    monkeypatch.setattr(module, "find_spec", lambda name: object() if matplotlib else None)
    console = Console(width=200)

    with console.capture() as capture:
        a_part(ran).show(tmp_path, "local", console)

    text = capture.get()
    assert ran == ["local"]
    for expected in ("1,234 letters", "counting in this process", "What came out:", "new", "1 files.", "{results}"):
        assert expected in text
    assert (f"Picture: {tmp_path / 'letters.png'}" in text) == matplotlib == (tmp_path / "letters.png").exists()
    assert ("matplotlib is missing" in text) != matplotlib


def test_the_history_of_its_own_job_is_kept(tmp_path, monkeypatch):
    """Other programs of this user leave theirs in the same folder, also while the demo runs."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    def program(log: str, out: str, configuration: Configuration) -> None:
        env = StreamExecutionEnvironment.get_execution_environment(configuration)
        env.from_collection([1]).sink_to(DiscardingSink())
        env.execute("mine")
        (mine,) = temporary_folder().glob("*.history.jsonl")
        first, *rest = mine.read_text().splitlines()
        job = json.loads(first)
        others = {**job, "name": "others", "pid": 1, "started": job["started"] + 5000}
        (temporary_folder() / "99990101-000000-others.history.jsonl").write_text(
            "\n".join([json.dumps(others), *rest, ""])
        )
        (Path(out) / "results").mkdir()

    console = Console(width=200)
    with console.capture() as capture:
        replace(a_part([]), program=program, read=lambda log, out: ["one"]).show(tmp_path, "local", console)
    close_pages()
    kept = tmp_path / "letters.history.jsonl"
    assert f"windrow history {kept}" in capture.get()
    assert read_history(kept).job["name"] == "mine"
