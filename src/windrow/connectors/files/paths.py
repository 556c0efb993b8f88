"""The files that are in folders."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path


def is_hidden(name: str) -> bool:
    """Tell whether readers leave the name out: files in progress, markers of other programs."""
    return name.startswith((".", "_"))


def files_in(path: Path) -> list[str]:
    """The file itself, or all files of a folder and the folders in it, sorted; hidden names are left out."""
    return sorted(_walk(os.fspath(path))) if path.is_dir() else [os.fspath(path)]


def _walk(folder: str) -> Iterator[str]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if is_hidden(entry.name):
                continue
            if entry.is_dir():
                yield from _walk(entry.path)
            else:
                yield entry.path
