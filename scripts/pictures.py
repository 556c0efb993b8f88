"""Writes the pictures of docs/pictures.md into docs/images, from the programs of the page.

With --check nothing is written: it fails if one is out of date.
"""

import contextlib
import io
import os
import re
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE, IMAGES = ROOT / "docs" / "pictures.md", ROOT / "docs" / "images"
_PYTHON = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


def pictures() -> dict[str, str]:
    """What the page's programs write, by the names of the files."""
    program = compile("\n".join(_PYTHON.findall(PAGE.read_text())), str(PAGE), "exec")
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        os.chdir(folder)
        try:
            exec(program, {"__name__": "__main__"})
        finally:
            os.chdir(before)
        return {path.name: path.read_text() for path in sorted(Path(folder).glob("*.svg"))}


def out_of_date() -> list[str]:
    """The names of the pictures that are not what the page's programs write."""
    return [
        name for name, text in pictures().items() if not (IMAGES / name).exists() or (IMAGES / name).read_text() != text
    ]


def main(arguments: list[str]) -> int:
    """Write the pictures, or check them."""
    if "--check" in arguments:
        old = out_of_date()
        if old:
            print(f"out of date: {', '.join(old)}; run make pictures", file=sys.stderr)
        return 1 if old else 0
    for name, text in pictures().items():
        (IMAGES / name).write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
