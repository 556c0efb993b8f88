"""README.md and docs/: their Python runs, prints what they say, and their links lead somewhere."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
PYTHON = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
TEXT = re.compile(r"^```text\n(.*?)^```", re.MULTILINE | re.DOTALL)
PROGRAMS = [page for page in PAGES[1:] if PYTHON.search(page.read_text())]
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


def program_of(page: Path, folder: Path) -> Path:
    """A page's Python blocks as one program."""
    program = folder / f"{page.stem}.py"
    program.write_text("\n".join(PYTHON.findall(page.read_text())))
    return program


def check_printed(page: Path, printed: str) -> None:
    """What a page's program prints is the page's text blocks, in any order of lines."""
    said = [line for block in TEXT.findall(page.read_text()) for line in block.splitlines()]
    assert sorted(line for line in printed.splitlines() if line) == sorted(said)


@pytest.mark.spark
def test_the_program_of_the_readme_prints_what_it_says(tmp_path):
    """It is what a reader starts first, so it runs by itself."""
    program = program_of(ROOT / "README.md", tmp_path)
    done = subprocess.run([sys.executable, program], cwd=program.parent, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    check_printed(ROOT / "README.md", done.stdout)


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """What the programs of all other pages have printed, in one process: starting Spark takes longer than any of them.

    And in one folder: for Spark relative paths begin where its process was started.
    """
    folder = tmp_path_factory.mktemp("pages")
    programs = [program_of(page, folder) for page in PROGRAMS]
    command = [sys.executable, str(ROOT / "scripts" / "run_programs.py"), *map(str, programs)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(told) == len(PROGRAMS), done.stderr
    return dict(zip(PROGRAMS, told, strict=True))


@pytest.mark.spark
@pytest.mark.parametrize("page", PROGRAMS, ids=name)
def test_the_python_of_a_page_runs_and_prints_what_the_page_says(page, runs):
    """A page's Python blocks are one program."""
    assert not runs[page]["raised"], runs[page]["raised"]
    check_printed(page, runs[page]["printed"])


def test_the_programs_of_the_readme_stay_short():
    """The README's program is about fifteen lines."""
    (program,) = PYTHON.findall((ROOT / "README.md").read_text())
    assert len([line for line in program.splitlines() if line]) <= 15


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_the_links_of_a_page_lead_somewhere(page):
    """Every relative link names a file of the project."""
    links = [link for link in LINK.findall(page.read_text()) if "://" not in link]
    assert not [link for link in links if not (page.parent / link).exists()]


def test_the_page_of_measurements_keeps_the_place_of_the_peers():
    """What `make bench-peers` has measured stands between two markers."""
    text = (ROOT / "docs" / "performance.md").read_text()
    assert text.index("<!-- bench:begin -->") < text.index("<!-- bench:end -->")


def test_the_readme_is_read_in_two_minutes():
    """Measurements, conditions and details have pages of their own."""
    assert len((ROOT / "README.md").read_text().split()) < 1300
