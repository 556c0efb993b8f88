"""README.md and docs/: their Python runs, prints what they say, and their links lead somewhere."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
PYTHON = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
TEXT = re.compile(r"^```text\n(.*?)^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.spark
@pytest.mark.parametrize("page", [page for page in PAGES if PYTHON.search(page.read_text())], ids=name)
def test_the_python_of_a_page_runs_and_prints_what_the_page_says(page, tmp_path):
    """A page's Python blocks are one program; what it prints is the page's text blocks, in any order of lines."""
    program = tmp_path / "page.py"
    program.write_text("\n".join(PYTHON.findall(page.read_text())))

    done = subprocess.run(
        [sys.executable, program], cwd=tmp_path, env=dict(os.environ), capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stderr
    said = [line for block in TEXT.findall(page.read_text()) for line in block.splitlines()]
    assert sorted(line for line in done.stdout.splitlines() if line) == sorted(said)


def test_the_programs_of_the_readme_stay_short():
    """The README's program is about fifteen lines."""
    (program,) = PYTHON.findall((ROOT / "README.md").read_text())
    assert len([line for line in program.splitlines() if line]) <= 15


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_the_links_of_a_page_lead_somewhere(page):
    """Every relative link names a file of the project."""
    links = [link for link in LINK.findall(page.read_text()) if "://" not in link]
    assert not [link for link in links if not (page.parent / link).exists()]


def test_the_readme_keeps_the_place_of_the_bench_table():
    """The bench writes its table between two markers."""
    text = (ROOT / "README.md").read_text()
    assert text.index("<!-- bench:begin -->") < text.index("<!-- bench:end -->")
