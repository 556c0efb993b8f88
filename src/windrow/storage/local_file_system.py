"""The disks of this machine, and those that are mounted here."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

from windrow.storage import disk
from windrow.storage.file_system import FileStatus, FileSystem, PendingFile

_BUFFER = 1 << 20


class LocalFileSystem(FileSystem):
    """Files are pending under a hidden name, and get their own by a rename.

    Example:
        >>> import tempfile
        >>> disks = LocalFileSystem()
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     pending = disks.begin(f"{folder}/.hidden/a", f"{folder}/a")
        ...     written = pending.file.write(b"one")
        ...     disks.commit(pending.close_for_commit(), f"{folder}/a")
        ...     disks.read(f"{folder}/a"), sorted(disks.names(folder))
        (b'one', ['.hidden', 'a'])
    """

    def status(self, path: str) -> FileStatus:
        return _status(path, os.stat(path))

    def list_status(self, folder: str, wanted: Callable[[str], bool] | None = None) -> list[FileStatus]:
        found = []
        with os.scandir(folder) as entries:
            for entry in entries:
                if wanted is not None and not wanted(entry.path):
                    continue
                with suppress(FileNotFoundError):  # between being listed and being asked for
                    found.append(_status(entry.path, entry.stat()))
        return found

    def names(self, folder: str) -> list[str]:
        try:
            return os.listdir(folder)
        except FileNotFoundError:
            return []

    def open(self, path: str) -> BinaryIO:
        return open(path, "rb")

    def write(self, path: str, data: bytes) -> None:
        disk.make_folder(Path(path).parent)
        disk.write(Path(path), data)

    def remove(self, path: str) -> None:
        disk.remove(Path(path))

    def begin(self, hidden: str, final: str) -> PendingFile:
        path = Path(hidden)
        path.parent.mkdir(parents=True, exist_ok=True)
        return _HiddenFile(path)

    def commit(self, pending: Any, final: str) -> None:
        path = Path(final)
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            disk.rename(Path(pending), path)
        except FileNotFoundError:
            if not path.exists():  # else an earlier call has renamed it
                raise

    def settle(self, base: str, finals: Sequence[str]) -> None:
        for folder in {Path(final).parent for final in finals}:
            disk.sync(folder)


def _status(path: str, found: os.stat_result) -> FileStatus:
    if stat.S_ISDIR(found.st_mode):
        return FileStatus(path, 0, is_folder=True)
    return FileStatus(path, found.st_size, is_folder=False, modification_time=found.st_mtime_ns // 1_000_000)


class _HiddenFile(PendingFile):
    def __init__(self, path: Path) -> None:
        self._path = path
        self.file = path.open("xb", buffering=_BUFFER)

    def close_for_commit(self) -> str:
        self.file.flush()
        os.fsync(self.file.fileno())
        self.file.close()
        return os.fspath(self._path)

    def discard(self) -> None:
        with suppress(OSError):
            self.file.close()
        disk.remove(self._path)
