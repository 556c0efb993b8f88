"""A part of a demo: what it runs, replaces and says."""

from pathlib import Path

import pytest
from rich.console import Console
from rich.table import Table

from windrow.demo import part as module
from windrow.demo.part import Part


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
