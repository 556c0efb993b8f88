"""The files that are in folders."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import BinaryIO

from windrow.storage.file_system import FileStatus, FileSystem
from windrow.storage.file_systems import file_system_of
from windrow.storage.local_path import scheme_of


def is_hidden(name: str) -> bool:
    """Tell whether readers leave the name out: files in progress, markers of other programs."""
    return name.startswith((".", "_"))


def files_in(path: str, seen: Collection[str] = frozenset()) -> list[FileStatus]:
    """The file itself, or all files of a folder and the folders in it, sorted; hidden names are left out.

    Args:
        path: A path, or a URI.
        seen: Files that are left out, and not looked at.

    Raises:
        FileNotFoundError: there is neither.
        OSError: it cannot be looked at.
    """
    files = file_system_of(path)
    found = files.status(path)
    if not found.is_folder:
        return [] if path in seen else [found]
    return sorted(_walk(files, path, lambda each: not is_hidden(each.rpartition("/")[2]) and each not in seen))


def path_without_scheme(path: str) -> str:
    """The path of a URI, without scheme and host; a path is one already.

    Example:
        >>> path_without_scheme("s3://bucket/day/a.csv"), path_without_scheme("/day/a.csv")
        ('/day/a.csv', '/day/a.csv')
    """
    if scheme_of(path) is None:
        return path
    return f"/{path.partition('://')[2].partition('/')[2]}"


def path_or_file(path: str) -> str | BinaryIO:
    """Open a URI's file; a path stays one, for packages that take both: they close and map it themselves."""
    return path if scheme_of(path) is None else file_system_of(path).open(path)


def _walk(files: FileSystem, folder: str, wanted: Callable[[str], bool]) -> Iterator[FileStatus]:
    try:
        statuses = files.list_status(folder, wanted)
    except FileNotFoundError:  # it has gone since it was listed
        return
    for status in statuses:
        if status.is_folder:
            yield from _walk(files, status.path, wanted)
        else:
            yield status
