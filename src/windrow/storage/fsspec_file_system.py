"""File systems that fsspec knows: object stores, HDFS over HTTP, whatever there is a package for.

Workers have no Java, so what Spark's connectors can do is not to be had there. Settings and credentials are fsspec's:
from the environment of each process, from its configuration, from the machine; none of them is in a job.
"""

from __future__ import annotations

import datetime as dt
import errno
import io
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, BinaryIO, cast

from windrow.storage.file_system import FileStatus, FileSystem, PendingFile

#: So much is asked for at a time: what is behind the bytes that are wanted may be another reader's.
READ_AHEAD = 4 << 20
_BUFFER = 1 << 20
_OBJECT_STORES = ("s3", "s3a", "gs", "gcs", "abfs", "abfss", "az", "adl", "oss", "oci", "memory")
_MODIFIED = ("LastModified", "last_modified", "modificationTime", "mtime", "updated", "created")
_AUTHORITY = re.compile(r"[^:]+://[^/]*")
#: An errno of its own is what an error of another package does not have.
_NO_SUCH_FILE = os.strerror(errno.ENOENT)


class FsspecFileSystem(FileSystem):
    """A file is there at once, with all its bytes, when it is written or copied, as in an object store.

    Files are pending under a hidden name, and are copied to their own by the store.

    Args:
        scheme: What its URIs begin with.
    """

    def __init__(self, scheme: str) -> None:
        self._scheme = scheme
        self.has_folders = scheme not in _OBJECT_STORES

    def status(self, path: str) -> FileStatus:
        files, place = self._at(path)
        with as_os_errors(path):
            return _status(path, files.info(place))

    def list_status(self, folder: str, wanted: Callable[[str], bool] | None = None) -> list[FileStatus]:
        files, place = self._at(folder)
        with as_os_errors(folder):
            found = files.ls(place, detail=True)
        statuses = []
        for each in found:
            if each["name"].strip("/") == place.strip("/"):
                _check_is_folder_itself(folder, each)
                continue
            path = f"{folder.rstrip('/')}/{each['name'].rstrip('/').rpartition('/')[2]}"
            if wanted is None or wanted(path):
                statuses.append(_status(path, each))
        return statuses

    def open(self, path: str) -> BinaryIO:
        files, place = self._at(path)
        with as_os_errors(path):
            return io.BufferedReader(_Stream(path, self._open(files, place)), _BUFFER)

    def write(self, path: str, data: bytes) -> None:
        files, place = self._at(path)
        with as_os_errors(path):
            files.pipe_file(place, data)

    def remove(self, path: str) -> None:
        files, place = self._at(path)
        with suppress(FileNotFoundError), as_os_errors(path):
            files.info(place)  # some say nothing where there is nothing, and some something else than that
            files.rm_file(place)

    def begin(self, hidden: str, final: str) -> PendingFile:
        files, place = self._at(hidden)
        with as_os_errors(hidden):
            return _HiddenFile(self, hidden, cast("BinaryIO", _Stream(hidden, files.open(place, "wb"))))

    def commit(self, pending: Any, final: str) -> None:
        hidden: str = pending
        try:
            size = self.status(hidden).size
        except FileNotFoundError:
            if not self.is_there(final):  # else an earlier call has committed it
                raise
            return
        self._rename(hidden, final)
        if self.status(final).size != size:
            raise OSError(errno.EIO, f"it is not what {hidden} was, which stays", final)
        self.remove(hidden)

    def _open(self, files: Any, place: str) -> Any:
        return files.open(place, "rb", block_size=READ_AHEAD)

    def _rename(self, hidden: str, final: str) -> None:
        """Have all bytes of a file under another name, in place of a file that has it; it need not go by that."""
        files, source = self._at(hidden)
        _, target = self._at(final)
        with as_os_errors(final):
            files.cp_file(source, target)

    def _at(self, path: str) -> tuple[Any, str]:
        """Fsspec's file system, which asks the server each time, and its name for the path."""
        with as_os_errors(path, self._scheme):
            import fsspec

            kind = fsspec.get_filesystem_class(self._scheme)
            files = kind(use_listings_cache=False, **kind._get_kwargs_from_urls(path))
            return files, self._place(kind, path)

    def _place(self, kind: Any, path: str) -> str:
        # Of a path with a question mark in it fsspec would give what is in front of that.
        return str(kind._strip_protocol(path)) if self._scheme in _OBJECT_STORES else behind_authority(path)


def behind_authority(path: str) -> str:
    """The path of a URI with a host, whatever characters it has: it is no URI's for those who take it.

    Example:
        >>> behind_authority("webhdfs://host:9870/a/b?c#d")
        '/a/b?c#d'
    """
    return _AUTHORITY.sub("", path, count=1) or "/"


class _HiddenFile(PendingFile):
    def __init__(self, files: FsspecFileSystem, path: str, file: BinaryIO) -> None:
        self._files = files
        self._path = path
        self.file = file

    def close_for_commit(self) -> str:
        self.file.close()
        return self._path

    def discard(self) -> None:
        with suppress(OSError):
            self.file.close()
        self._files.remove(self._path)


class _Stream(io.RawIOBase):
    """A file of fsspec's that raises errors of the system alone."""

    def __init__(self, path: str, file: Any) -> None:
        self._path = path
        self._file = file

    def readable(self) -> bool:
        return bool(self._file.readable())

    def writable(self) -> bool:
        return bool(self._file.writable())

    def seekable(self) -> bool:
        return bool(self._file.seekable())

    def readinto(self, buffer: Any) -> int:
        with as_os_errors(self._path):
            data = self._file.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def write(self, data: Any) -> int:
        with as_os_errors(self._path):
            return int(self._file.write(data))

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        with as_os_errors(self._path):
            return int(self._file.seek(offset, whence))

    def tell(self) -> int:
        return int(self._file.tell())

    def close(self) -> None:
        if not self.closed:
            try:
                with as_os_errors(self._path):
                    self._file.close()
            finally:
                super().close()


def _status(path: str, found: dict[str, Any]) -> FileStatus:
    if found["type"] == "directory":
        return FileStatus(path, 0, is_folder=True)
    if found["size"] is None:
        raise OSError(errno.ENOTSUP, "its size is not known, and so not what there is to read", path)
    return FileStatus(path, int(found["size"]), is_folder=False, modification_time=_modification_time(found))


def _modification_time(found: dict[str, Any]) -> int:
    """The time of the last change, which packages of file systems say under several names; 0: none of them does."""
    value = next((found[key] for key in _MODIFIED if found.get(key) is not None), 0)
    if isinstance(value, str):
        try:
            value = dt.datetime.fromisoformat(value)
        except ValueError:
            return 0
    if isinstance(value, dt.datetime):
        return int((value if value.tzinfo else value.replace(tzinfo=dt.UTC)).timestamp() * 1000)
    return int(value if "modificationTime" in found else value * 1000)


def _check_is_folder_itself(folder: str, found: dict[str, Any]) -> None:
    """A store may keep an object that stands for a folder; what begins with a slash below it is called alike."""
    if found.get("StorageClass") == "DIRECTORY":
        raise OSError(errno.EINVAL, "it has names that begin with a slash, which are no paths", folder)


@contextmanager
def as_os_errors(path: str, scheme: str = "") -> Iterator[None]:
    """Raise what packages raise as the system's errors: each has its own for a server that does not answer."""
    try:
        yield
    except FileNotFoundError as error:
        words = str(error).partition("\n")[0]
        reason = f"{_NO_SUCH_FILE} ({words})" if "bucket does not exist" in words.lower() else _NO_SUCH_FILE
        raise FileNotFoundError(errno.ENOENT, reason, path) from error
    except OSError as error:
        if error.filename is not None and error.errno is not None:
            raise
        number = error.errno or (errno.EACCES if isinstance(error, PermissionError) else errno.EIO)
        words = (error.strerror or str(error)).partition("\n")[0] or type(error).__name__
        raise OSError(number, f"{words}{_hint(scheme)}", path) from error
    except Exception as error:
        raise OSError(errno.EIO, f"{type(error).__name__}: {error}", path) from error


def _hint(scheme: str) -> str:
    if scheme not in ("hdfs", "viewfs"):
        return ""
    return (
        "; hdfs: needs Hadoop's libhdfs, Java and CLASSPATH in each worker, webhdfs://<name node>:<HTTP port>/<path> "
        "needs none of them"
    )
