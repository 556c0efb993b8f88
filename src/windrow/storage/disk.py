"""The steps by which files change, each whole or not at all, whatever dies in between.

What is written counts when it is on the disk itself: a file is synced before it gets its name, and the folder after.
"""

from __future__ import annotations

import errno
import os
import re
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

#: The hidden name under which a file is written.
_PARTIAL = re.compile(r"\..+\.[0-9a-f]{8}\.partial")


def write(path: Path, data: bytes, mode: int = 0o666) -> None:
    """Write a file so that it is there with all its bytes or as it was before.

    Args:
        path: The file's.
        data: All of it.
        mode: Who may read and write it, as far as the process' umask allows that.

    Raises:
        OSError: it could not be written; nothing is left of the attempt.
    """
    with _written_beside(path, data, mode) as partial:
        rename(partial, path)
    sync(path.parent)


def create(path: Path, data: bytes) -> None:
    """Write a file that must not be there yet: of several who try it at once, one can.

    Raises:
        FileExistsError: it is there.
        OSError: it could not be written; nothing is left of the attempt.
    """
    with _written_beside(path, data) as partial:
        os.link(partial, path)  # atomic, and fails where a rename would replace
    sync(path.parent)


def rename(source: Path, target: Path) -> None:
    """Give a file another name, in place of a file that has it."""
    source.replace(target)


def remove(path: Path) -> None:
    """Remove a file if it is there."""
    path.unlink(missing_ok=True)


def sync(path: Path) -> None:
    """Make the bytes of a file, or the names in a folder, outlast a loss of power."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def make_folder(folder: Path) -> None:
    """Make a folder, and those above it, if they are not there; their names are synced.

    Raises:
        OSError: it cannot be made; ``filename`` is what stands in the way.
    """
    if folder.is_file():
        raise NotADirectoryError(errno.ENOTDIR, "it is a file", os.fspath(folder))
    if not folder.is_dir():
        make_folder(folder.parent)
        folder.mkdir(exist_ok=True)
        sync(folder.parent)


def is_partial(name: str) -> bool:
    """Tell whether a file of this name is one that somebody writes, or had begun to write when they died."""
    return _PARTIAL.fullmatch(name) is not None


@contextmanager
def _written_beside(path: Path, data: bytes, mode: int = 0o666) -> Iterator[Path]:
    """A synced file with the data, beside ``path``; gone afterwards, unless it was renamed."""
    partial = path.with_name(f".{path.name}.{uuid.uuid4().hex[:8]}.partial")
    try:
        with open(partial, "xb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        yield partial
    finally:
        remove(partial)
