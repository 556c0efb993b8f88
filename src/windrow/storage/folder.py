"""Folders on whatever file system: the files in them are there as a whole or not at all."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext


class Files(ABC):
    """Files below a place. Names are relative to it, with ``/`` between their parts."""

    #: A path or a URI, without a slash at its end.
    location: str

    def place(self, name: str) -> str:
        """Give the whole path or URI of a file, as a person calls it; of the place itself if the name is empty."""
        return f"{self.location}/{name}" if name else self.location

    @abstractmethod
    def read(self, name: str) -> bytes:
        """All bytes of a file.

        Raises:
            FileNotFoundError: it is not there.
            OSError: it cannot be read.
        """

    @abstractmethod
    def exists(self, name: str) -> bool:
        """Tell whether there is a file or folder of that name."""

    @abstractmethod
    def names(self, name: str = "") -> list[str]:
        """The last parts of the names of all that is in a folder; nothing, if it is not there."""

    @abstractmethod
    def write(self, name: str, data: bytes) -> None:
        """Write a file, and make its folder, so that the file is there with all its bytes or as it was before.

        Raises:
            OSError: it could not be written.
        """

    @abstractmethod
    def create(self, name: str, data: bytes) -> None:
        """Write a file that must not be there yet: of several who try it at once, one can.

        Raises:
            FileExistsError: it is there.
            OSError: it could not be written.
        """

    @abstractmethod
    def remove(self, name: str) -> None:
        """Remove a file, or a folder with all that is in it, if it is there."""


class Folder(Files):
    """A folder of a file system.

    Example:
        >>> import tempfile
        >>> from windrow.storage.local_folder import LocalFolder
        >>> with tempfile.TemporaryDirectory() as place:
        ...     folder = LocalFolder(place)
        ...     folder.write("decisions/0", b"two splits for reader 1")
        ...     folder.names(), folder.names("decisions"), folder.read("decisions/0")
        (['decisions'], ['0'], b'two splits for reader 1')
    """

    #: Whether a file is created, and given another name, in one step.
    is_atomic = True

    @abstractmethod
    def below(self, name: str) -> Folder:
        """A folder in this one; it need not be there."""

    @abstractmethod
    def make(self) -> None:
        """Make the folder, and those above it, if they are not there.

        Raises:
            OSError: it cannot be made; ``filename`` is what stands in the way, where that is known.
        """

    @abstractmethod
    def is_folder(self, name: str) -> bool:
        """Tell whether there is a folder of that name."""

    @abstractmethod
    def move(self, name: str, to: str) -> None:
        """Give a file another name, which nothing else has.

        Raises:
            FileNotFoundError: it is not there.
        """

    @abstractmethod
    def touch(self, name: str, data: bytes) -> None:
        """Let the file have been changed now, by the clock of the file system; ``data`` is what is in it."""

    @abstractmethod
    def modified(self, name: str) -> float:
        """Give the time of a file's last change, in seconds, by the clock of the file system.

        Raises:
            FileNotFoundError: it is not there.
        """

    def one_at_a_time(self) -> AbstractContextManager[None]:
        """Let those who are on one machine look at the folder one after the other, where it can do that."""
        return nullcontext()

    def files(self, name: str = "") -> Iterator[str]:
        """The names of all files below a folder, in order."""
        for each in sorted(self.names(name)):
            below = f"{name}/{each}" if name else each
            if self.is_folder(below):
                yield from self.files(below)
            else:
                yield below
