"""The files of a program: read, and written as they were but for their imports."""

from __future__ import annotations

import difflib
import io
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from windrow.port.findings import Finding, findings
from windrow.port.imports import with_windrow_imports


@dataclass(frozen=True)
class PortedFile:
    """A file before and after, and what is to be known of it."""

    path: Path
    before: str
    after: str
    encoding: str
    findings: list[Finding]

    def diff(self) -> str:
        """Show what changes, as a unified diff; empty if nothing does."""
        before, after = self.before.splitlines(keepends=True), self.after.splitlines(keepends=True)
        lines = difflib.unified_diff(before, after, str(self.path), str(self.path))
        return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)

    def write(self) -> None:
        """Write it to where it came from, if it has changed."""
        if self.after != self.before:
            self.path.write_bytes(self.after.encode(self.encoding))


def ported(path: Path) -> PortedFile:
    """Read a file of PyFlink's and make it one of Windrow's.

    Raises:
        SyntaxError: it is no Python.
        UnicodeDecodeError: it is not in the encoding that it names, or in UTF-8 if it names none.
        OSError: it cannot be read.
    """
    content = path.read_bytes()
    encoding, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
    before = content.decode(encoding)
    return PortedFile(path, before, with_windrow_imports(before), encoding, findings(before))


def python_files(path: Path) -> Iterator[Path]:
    """The file itself, or the Python files below a folder; what begins with a dot, as ``.venv`` does, is left out."""
    if not path.is_dir():
        yield path
        return
    for found in sorted(path.rglob("*.py")):
        if not any(part.startswith(".") for part in found.relative_to(path).parts):
            yield found
