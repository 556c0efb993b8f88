"""File systems that fsspec knows: object stores, HDFS over HTTP, whatever there is a package for.

Workers have no Java, so what Spark's connectors can do is not to be had there. Settings and credentials are fsspec's:
from the environment of each process, from its configuration, from the machine; none of them is in a job.
"""

from __future__ import annotations

import errno
import io
import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, BinaryIO, cast

from windrow.storage.file_system import FileStatus, FileSystem, PendingFile, not_there

#: Where a file is there at once, with all its bytes, when it is written or copied, and where there are no folders.
_OBJECT_STORES = {"s3", "s3a", "gs", "gcs", "abfs", "abfss", "az", "adl", "oss", "oci", "memory"}
#: So much is asked for at a time: what is behind the bytes that are wanted may be another reader's.
_READ_AHEAD = 4 << 20


class FsspecFileSystem(FileSystem):
    """Files are pending under a hidden name, and get their own by a rename, or by a copy where that is what there is.

    Args:
        scheme: What its URIs begin with.
    """

    def __init__(self, scheme: str) -> None:
        self._scheme = scheme
        self._puts = scheme in _OBJECT_STORES

    def status(self, path: str) -> FileStatus:
        files, place = self._at(path)
        with as_os_errors(path):
            found = files.info(place)
        return _status(path, found)

    def list_status(self, folder: str) -> list[FileStatus]:
        files, place = self._at(folder)
        with as_os_errors(folder):
            found = files.ls(place, detail=True)
        statuses = []
        for each in found:
            name = each["name"].rstrip("/").rpartition("/")[2]
            # A store may keep an object that stands for the folder itself.
            if each["name"].strip("/") != place.strip("/"):
                statuses.append(_status(f"{folder.rstrip('/')}/{name}", each))
        return statuses

    def open(self, path: str) -> BinaryIO:
        files, place = self._at(path)
        with as_os_errors(path):
            return cast("BinaryIO", _Stream(path, files.open(place, "rb", block_size=_READ_AHEAD)))

    def write(self, path: str, data: bytes) -> None:
        if self._puts:
            files, place = self._at(path)
            with as_os_errors(path):
                files.pipe_file(place, data)
            return
        above, _, name = path.rpartition("/")
        pending = self.begin(f"{above}/.{name}.{uuid.uuid4().hex[:8]}.partial", path)
        try:
            pending.file.write(data)
            self.commit(pending.close_for_commit(), path)
        except BaseException:
            pending.discard()
            raise

    def remove(self, path: str) -> None:
        files, place = self._at(path)
        with suppress(FileNotFoundError), as_os_errors(path):
            files.info(place)  # some say nothing where there is nothing, and some something else than that
            files.rm_file(place)

    def begin(self, hidden: str, final: str) -> PendingFile:
        files, place = self._at(hidden)
        self._make_folder(files, place, hidden)
        with as_os_errors(hidden):
            return _HiddenFile(self, hidden, cast("BinaryIO", _Stream(hidden, files.open(place, "wb"))))

    def commit(self, pending: Any, final: str) -> None:
        files, source = self._at(pending)
        _, target = self._at(final)
        size = self.status(pending).size
        if self._puts:
            with as_os_errors(final):
                files.cp_file(source, target)
                files.rm_file(source)
            return
        self._make_folder(files, target, final)
        self.remove(final)  # HDFS renames only to what is not there
        with as_os_errors(final):
            files.mv(source, target)
        if not self.is_there(final) or self.status(final).size != size:  # WebHDFS says so, and fsspec does not listen
            raise OSError(errno.EIO, f"{pending} cannot be renamed to it", final)

    def _at(self, path: str) -> tuple[Any, str]:
        """Fsspec's file system, which asks the server each time, and its name for the path."""
        import fsspec

        with as_os_errors(path, self._scheme):
            files, _ = fsspec.url_to_fs(path)
            files.invalidate_cache()
            return files, str(files._strip_protocol(path))

    def _make_folder(self, files: Any, place: str, path: str) -> None:
        if not self._puts:
            with as_os_errors(path):
                files.makedirs(place.rpartition("/")[0], exist_ok=True)


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

    def read(self, size: int = -1) -> bytes:
        with as_os_errors(self._path):
            return cast("bytes", self._file.read(size))

    def readall(self) -> bytes:
        return self.read()

    def readinto(self, buffer: Any) -> int:
        data = self.read(len(buffer))
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
    is_folder = found["type"] == "directory"
    return FileStatus(path, 0 if is_folder else int(found["size"] or 0), is_folder)


@contextmanager
def as_os_errors(path: str, scheme: str = "") -> Iterator[None]:
    """Raise what packages raise as the system's errors: each has its own for a server that does not answer."""
    try:
        yield
    except FileNotFoundError:
        raise not_there(path) from None
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
