"""Files that only this process writes, so that it need not ask what is in them."""

from __future__ import annotations

import errno
from collections.abc import Iterable
from threading import Lock

from windrow.storage.disk import is_partial
from windrow.storage.folder import Files, Folder


class RememberedFiles(Files):
    """Parts of a folder: each change is made in it, and each question is answered from memory.

    Who polls for a file on an object store would pay for each look at it. Any number of threads may use it.

    Args:
        folder: Nobody else may change the parts in it.
        parts: Names of files and folders in it; what is below them is small and not much.

    Example:
        >>> import tempfile
        >>> from windrow.storage.local_folder import LocalFolder
        >>> with tempfile.TemporaryDirectory() as place:
        ...     folder = RememberedFiles(LocalFolder(place), ["reads"])
        ...     folder.create("reads/0/7", b"3 of split a")
        ...     folder.exists("reads/0"), folder.names("reads/0"), LocalFolder(place).read("reads/0/7")
        (True, ['7'], b'3 of split a')
    """

    def __init__(self, folder: Folder, parts: Iterable[str]) -> None:
        self.location = folder.location
        self._folder = folder
        #: What is in files; None: it is there, and was not asked for yet.
        self._files: dict[str, bytes | None] = {}
        #: Those that somebody is about to create.
        self._coming: set[str] = set()
        self._changing = Lock()
        for part in parts:
            found = folder.files(part) if folder.is_folder(part) else [part] if folder.exists(part) else []
            self._files.update((name, None) for name in found if not is_partial(name.rpartition("/")[2]))

    def read(self, name: str) -> bytes:
        with self._changing:
            if name not in self._files:
                raise FileNotFoundError(errno.ENOENT, "it is not there", self.place(name))
            data = self._files[name]
        if data is None:
            data = self._folder.read(name)
            with self._changing:
                if name in self._files:
                    self._files[name] = data
        return data

    def exists(self, name: str) -> bool:
        with self._changing:
            return name in self._files or any(each.startswith(f"{name}/") for each in self._files)

    def names(self, name: str = "") -> list[str]:
        above = f"{name}/" if name else ""
        with self._changing:
            below = [each.removeprefix(above) for each in self._files if each.startswith(above)]
        return list(dict.fromkeys(each.partition("/")[0] for each in below))

    def write(self, name: str, data: bytes) -> None:
        self._folder.write(name, data)
        with self._changing:
            self._files[name] = data

    def create(self, name: str, data: bytes) -> None:
        with self._changing:
            if name in self._files or name in self._coming:
                raise FileExistsError(errno.EEXIST, "it is there", self.place(name))
            self._coming.add(name)
        try:
            self._folder.create(name, data)
            with self._changing:
                self._files[name] = data
        finally:
            with self._changing:
                self._coming.discard(name)

    def remove(self, name: str) -> None:
        with self._changing:
            known = [each for each in self._files if each == name or each.startswith(f"{name}/")]
        if known:  # else there is nothing
            self._folder.remove(name)
        with self._changing:
            for each in known:
                self._files.pop(each, None)
