"""The steps by which a sink changes what is on disk, each whole or not at all."""

from __future__ import annotations

import os
import uuid
from pathlib import Path


def write(path: Path, data: bytes) -> None:
    """Write a file so that it is there with all its bytes or as it was before."""
    partial = path.with_name(f".{path.name}.{uuid.uuid4().hex[:8]}")
    with partial.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    rename(partial, path)


def rename(source: Path, target: Path) -> None:
    """Give a file another name, in place of a file that has it."""
    source.replace(target)


def remove(path: Path) -> None:
    """Remove a file if it is there."""
    path.unlink(missing_ok=True)


def sync(folder: Path) -> None:
    """Make new names in a folder outlast a loss of power."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
