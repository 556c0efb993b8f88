"""Remembers what this process has packed: the same is not packed, nor its requirements installed, a second time."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from windrow.runtime.dependencies.named import Dependencies
from windrow.runtime.dependencies.packing import pack

_Files = tuple[tuple[str, int, int], ...]
_PACKED: dict[tuple[Dependencies, _Files], Path] = {}


def packed(dependencies: Dependencies) -> Path:
    """The archive of what functions need, made when it is first asked for, or when a file has changed since.

    Raises:
        ConfigurationError: something of it cannot be had.
    """
    key = dependencies, tuple(sorted(_files(dependencies)))
    if key not in _PACKED:
        _PACKED[key] = pack(dependencies, process_folder())
    return _PACKED[key]


@cache
def process_folder() -> Path:
    """Make the folder where this process packs and unpacks; it is there for as long as the process runs."""
    folder = tempfile.mkdtemp(prefix="windrow-dependencies-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


def _files(dependencies: Dependencies) -> Iterator[tuple[str, int, int]]:
    named: list[Any] = [*dependencies.files, *(archive.path for archive in dependencies.archives)]
    named += [path for path in dependencies.requirements or () if path is not None]
    for path in named:
        for file in path.rglob("*") if path.is_dir() else (path,):
            about = os.stat(file)
            yield str(file), about.st_mtime_ns, about.st_size
