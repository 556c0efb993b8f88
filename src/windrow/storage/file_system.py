"""File systems that sources read and sinks write, in workers: what a file system has to do for them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, BinaryIO, NamedTuple


class FileStatus(NamedTuple):
    """A file or a folder (Flink's class)."""

    #: Whole, as the file system takes it.
    path: str
    size: int
    is_folder: bool
    #: Of a file, in milliseconds since 1970; 0: the file system does not say it.
    modification_time: int = 0

    @property
    def name(self) -> str:
        """The last part of the path."""
        return self.path.rpartition("/")[2]


class PendingFile(ABC):
    """A file that is written now and seen once it is committed (Flink's ``RecoverableFsDataOutputStream``)."""

    #: Where its bytes go.
    file: BinaryIO

    @abstractmethod
    def close_for_commit(self) -> Any:
        """All is written, and outlasts a crash; what is returned (it pickles) is what its file system commits.

        Raises:
            OSError: it could not be written.
        """

    @abstractmethod
    def discard(self) -> None:
        """Remove what was written, whatever keeps the file from being written to its end."""


class FileSystem(ABC):
    """Reads and writes files (Flink's class). Paths are absolute ones, or URIs."""

    #: Whether a folder is there without a file in it.
    has_folders = True

    @abstractmethod
    def status(self, path: str) -> FileStatus:
        """The file or folder at a path.

        Raises:
            FileNotFoundError: there is none.
            OSError: it cannot be looked at.
        """

    @abstractmethod
    def list_status(self, folder: str, wanted: Callable[[str], bool] | None = None) -> list[FileStatus]:
        """All that is in a folder.

        Args:
            folder: Its path.
            wanted: Says of a path whether it is to be looked at; None: all are.

        Raises:
            FileNotFoundError: it is not there.
            OSError: it cannot be looked at.
        """

    @abstractmethod
    def open(self, path: str) -> BinaryIO:
        """A file to read, from any of its bytes on.

        Raises:
            FileNotFoundError: it is not there.
            OSError: it cannot be read.
        """

    @abstractmethod
    def write(self, path: str, data: bytes) -> None:
        """Write a file, and make its folder, so that the file is there with all its bytes or as it was before.

        Raises:
            OSError: it could not be written.
        """

    @abstractmethod
    def remove(self, path: str) -> None:
        """Remove a file, if it is there."""

    @abstractmethod
    def begin(self, hidden: str, final: str) -> PendingFile:
        """Begin a file that nobody sees before it is committed.

        Args:
            hidden: Where its bytes may lie until then, if they lie in a file; its folder is made.
            final: What the file is called once it is committed.

        Raises:
            OSError: it cannot be written.
        """

    @abstractmethod
    def commit(self, pending: Any, final: str) -> None:
        """Give a pending file its name, in place of a file that has it, in one step; the folder is made.

        May be called again.

        Args:
            pending: What its ``close_for_commit`` has returned.
            final: What it is called.

        Raises:
            FileNotFoundError: what was pending is gone, and was not committed before.
        """

    def settle(self, base: str, finals: Sequence[str]) -> None:  # noqa: B027  (most have nothing to do)
        """All files of a batch are committed: see that they stay, and that nothing of other attempts does."""

    def is_there(self, path: str) -> bool:
        """Tell whether there is a file or a folder."""
        try:
            self.status(path)
        except FileNotFoundError:
            return False
        return True

    def read(self, path: str) -> bytes:
        """All bytes of a file.

        Raises:
            FileNotFoundError: it is not there.
            OSError: it cannot be read.
        """
        with self.open(path) as file:
            return file.read()

    def names(self, folder: str) -> list[str]:
        """The last parts of the names of all that is in a folder; nothing, if it is not there."""
        try:
            return [status.name for status in self.list_status(folder)]
        except FileNotFoundError:
            return []
