"""The files that are in folders."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from windrow.storage.file_system import FileStatus, FileSystem
from windrow.storage.file_systems import file_system_of
from windrow.storage.local_path import scheme_of


def is_hidden(name: str) -> bool:
    """Tell whether readers leave the name out: files in progress, markers of other programs."""
    return name.startswith((".", "_"))


def files_in(path: str) -> list[FileStatus]:
    """The file itself, or all files of a folder and the folders in it, sorted; hidden names are left out.

    Raises:
        FileNotFoundError: there is neither.
        OSError: it cannot be looked at.
    """
    files = file_system_of(path)
    found = files.status(path)
    return sorted(_walk(files, path)) if found.is_folder else [found]


def path_or_file(path: str) -> str | BinaryIO:
    """What packages read that take both: a path, which they close and map themselves, or an open file."""
    return path if scheme_of(path) is None else file_system_of(path).open(path)


def _walk(files: FileSystem, folder: str) -> Iterator[FileStatus]:
    for status in files.list_status(folder):
        if is_hidden(status.name):
            continue
        if status.is_folder:
            yield from _walk(files, status.path)
        else:
            yield status
