"""Folders on a disk of this machine, or on one that is mounted here."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from windrow.storage import disk
from windrow.storage.folder import Folder


class LocalFolder(Folder):
    """A folder at a path.

    Args:
        path: Made absolute.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path).absolute()
        self.location = str(self.path)

    def below(self, name: str) -> LocalFolder:
        return LocalFolder(self.path / name)

    def make(self) -> None:
        disk.make_folder(self.path)

    def read(self, name: str) -> bytes:
        return (self.path / name).read_bytes()

    def exists(self, name: str) -> bool:
        return (self.path / name).exists()

    def is_folder(self, name: str) -> bool:
        return (self.path / name).is_dir()

    def names(self, name: str = "") -> list[str]:
        try:
            return os.listdir(self.path / name)
        except (FileNotFoundError, NotADirectoryError):
            return []

    def write(self, name: str, data: bytes) -> None:
        disk.write(self._in_folder(name), data)

    def create(self, name: str, data: bytes) -> None:
        disk.create(self._in_folder(name), data)

    def remove(self, name: str) -> None:
        path = self.path / name
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            disk.remove(path)

    def move(self, name: str, to: str) -> None:
        disk.rename(self.path / name, self.path / to)

    def touch(self, name: str, data: bytes) -> None:
        os.utime(self.path / name)

    def modified(self, name: str) -> float:
        return (self.path / name).stat().st_mtime

    @contextmanager
    def one_at_a_time(self) -> Iterator[None]:
        descriptor = os.open(self.path, os.O_RDONLY)
        try:
            with suppress(OSError):
                fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)

    def copy(self, name: str, target: LocalFolder) -> None:
        """Copy a file to the same name in another folder.

        Raises:
            FileNotFoundError: it is not there.
        """
        to = target._in_folder(name)
        shutil.copy2(self.path / name, to)
        disk.sync(to)

    def _in_folder(self, name: str) -> Path:
        """The path of a file whose folder is there."""
        path = self.path / name
        if not path.parent.is_dir():
            disk.make_folder(path.parent)
        return path
