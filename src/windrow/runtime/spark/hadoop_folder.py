"""Folders on the file systems that Spark knows: HDFS, object stores, whatever Hadoop has a connector for.

The program's process asks Java, with the settings and the credentials of its session: it can write where Spark can.
"""

from __future__ import annotations

import errno
import re
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from windrow.errors import ConfigurationError
from windrow.storage.folder import Folder

#: Where a file is there at once, with all its bytes, when its writer is closed; and where nothing else is atomic.
_OBJECT_STORES = {"s3a", "s3", "s3n", "gs", "oss", "cosn", "obs", "swift"}
#: A store that has this creates a file only where there is none.
_CONDITIONAL = "fs.option.create.conditional.overwrite"
_ERRORS = {
    "java.io.FileNotFoundException": (FileNotFoundError, errno.ENOENT),
    "java.nio.file.NoSuchFileException": (FileNotFoundError, errno.ENOENT),
    "org.apache.hadoop.fs.FileAlreadyExistsException": (FileExistsError, errno.EEXIST),
    "java.nio.file.FileAlreadyExistsException": (FileExistsError, errno.EEXIST),
    "org.apache.hadoop.security.AccessControlException": (PermissionError, errno.EACCES),
    "java.nio.file.AccessDeniedException": (PermissionError, errno.EACCES),
    "org.apache.hadoop.fs.ParentNotDirectoryException": (NotADirectoryError, errno.ENOTDIR),
    "org.apache.hadoop.fs.PathIsNotDirectoryException": (NotADirectoryError, errno.ENOTDIR),
}
_NO_FILE_SYSTEM = re.compile(r'No FileSystem for scheme "|ClassNotFoundException: Class (\S+) not found')


class HadoopFolder(Folder):
    """A folder at a URI.

    Args:
        spark: The session whose settings and credentials count.
        location: The URI, without a slash at its end.

    Raises:
        ConfigurationError: Spark knows no such file system, or cannot reach it.
    """

    def __init__(self, spark: Any, location: str) -> None:
        self.location = location
        self._spark = spark
        self._hadoop = spark._jvm.org.apache.hadoop.fs
        self._conf = spark._jsparkSession.sessionState().newHadoopConf()
        self._context: Any = None
        with _told_of(location):
            self._root = self._hadoop.Path(location)
            self._files = self._root.getFileSystem(self._conf)
            self._puts = self._files.getUri().getScheme() in _OBJECT_STORES
        self.is_atomic = not self._puts

    def below(self, name: str) -> HadoopFolder:
        return HadoopFolder(self._spark, self.place(name))

    def make(self) -> None:
        with _as_python(self.location):
            self._files.mkdirs(self._root)

    def read(self, name: str) -> bytes:
        with _as_python(self.place(name)):
            stream = self._files.open(self._path(name))
            try:
                return bytes(self._spark._jvm.org.apache.commons.io.IOUtils.toByteArray(stream))
            finally:
                stream.close()

    def exists(self, name: str) -> bool:
        with _as_python(self.place(name)):
            return bool(self._files.exists(self._path(name)))

    def is_folder(self, name: str) -> bool:
        try:
            with _as_python(self.place(name)):
                return bool(self._files.getFileStatus(self._path(name)).isDirectory())
        except FileNotFoundError:
            return False

    def names(self, name: str = "") -> list[str]:
        try:
            with _as_python(self.place(name)):
                found = self._files.listStatus(self._path(name))
        except (FileNotFoundError, NotADirectoryError):
            return []
        paths = [each.getPath() for each in found]
        return [path.getName() for path in paths if not path.equals(self._path(name))]

    def files(self, name: str = "") -> Iterator[str]:
        root = self._files.makeQualified(self._root).toUri().getPath()
        paths: list[str] | None = None
        while paths is None and self.is_folder(name):
            with suppress(FileNotFoundError), _as_python(self.place(name)):  # a folder in it may go while it is listed
                found, some = self._files.listFiles(self._path(name), True), []
                while found.hasNext():
                    some.append(found.next().getPath().toUri().getPath())
                paths = some
        yield from sorted(path.removeprefix(root).lstrip("/") for path in paths or ())

    def write(self, name: str, data: bytes) -> None:
        with _as_python(self.place(name)):
            if self._puts:
                self._put(self._files.create(self._path(name), True), data)
                return
            with self._written_beside(name, data) as partial:
                self._rename(partial, self._path(name), replaces=True)

    def create(self, name: str, data: bytes) -> None:
        path = self._path(name)
        with _as_python(self.place(name)):
            if not self._puts:
                with self._written_beside(name, data) as partial:
                    self._rename(partial, path, replaces=False)
                return
            if self._files.exists(path):
                raise FileExistsError(errno.EEXIST, "it is there", self.place(name))
            if not self._files.hasPathCapability(path, _CONDITIONAL):
                self._put(self._files.create(path, False), data)
                return
            builder = self._files.createFile(path).overwrite(True).must(_CONDITIONAL, "true")
            try:
                with _as_python(self.place(name)):
                    self._put(builder.build(), data)
            except OSError as error:
                if "RemoteFileChangedException" in str(error):
                    raise FileExistsError(errno.EEXIST, "it is there", self.place(name)) from None
                raise

    def remove(self, name: str) -> None:
        with _as_python(self.place(name)):
            self._files.delete(self._path(name), True)

    def move(self, name: str, to: str) -> None:
        with _as_python(self.place(name)):
            if not self._files.rename(self._path(name), self._path(to)):
                raise FileNotFoundError(errno.ENOENT, "it cannot be renamed", self.place(name))

    def touch(self, name: str, data: bytes) -> None:
        self.write(name, data)

    def modified(self, name: str) -> float:
        with _as_python(self.place(name)):
            return float(self._files.getFileStatus(self._path(name)).getModificationTime()) / 1000

    def copy(self, source: str, target: str) -> None:
        """Copy a file of any file system to any other; both are URIs.

        Raises:
            FileNotFoundError: it is not there.
        """
        with _as_python(source):
            paths = [self._hadoop.Path(each) for each in (source, target)]
            files = [path.getFileSystem(self._conf) for path in paths]
            # Hadoop would leave checksums beside files on a disk, which do not fit when these are written again.
            files = [each.getRawFileSystem() if each.getUri().getScheme() == "file" else each for each in files]
            copied = self._hadoop.FileUtil.copy(files[0], paths[0], files[1], paths[1], False, True, self._conf)
            if not copied:
                raise OSError(errno.EIO, f"it cannot be copied to {target}", source)

    def _path(self, name: str) -> Any:
        return self._hadoop.Path(self._root, name) if name else self._root

    def _rename(self, source: Any, target: Any, *, replaces: bool) -> None:
        """Give a file another name, and fail or replace where there is a file of that name; on HDFS in one step."""
        options = self._spark._sc._gateway.new_array(self._hadoop.Options.Rename, 1)
        options[0] = self._hadoop.Options.Rename.valueOf("OVERWRITE" if replaces else "NONE")
        if self._context is None:
            self._context = self._hadoop.FileContext.getFileContext(self._files.getUri(), self._conf)
        self._context.rename(source, target, options)

    @contextmanager
    def _written_beside(self, name: str, data: bytes) -> Iterator[Any]:
        """A file with the data, on the disks of its machines; gone afterwards, unless it was renamed."""
        above, slash, last = name.rpartition("/")
        partial = self._path(f"{above}{slash}.{last}.{uuid.uuid4().hex[:8]}.partial")
        try:
            self._put(self._files.create(partial, False), data, synced=True)
            yield partial
        finally:
            with suppress(OSError), _as_python(name):
                self._files.delete(partial, False)

    def _put(self, stream: Any, data: bytes, *, synced: bool = False) -> None:
        try:
            stream.write(data)
            if synced:
                stream.hsync()
        except BaseException:
            with suppress(Exception):
                stream.abort()  # an object store would show what has come so far
            raise
        stream.close()


@contextmanager
def _as_python(place: str) -> Iterator[None]:
    """Raise what Java raises as Python's errors for the same."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        yield
    except (Py4JError, PySparkException) as error:
        words = _words(error)
        kind, number = _ERRORS.get(words.partition(":")[0], (OSError, errno.EIO))
        if "(is not a directory)" in words:
            kind, number = NotADirectoryError, errno.ENOTDIR
        raise kind(number, words, place) from None


@contextmanager
def _told_of(location: str) -> Iterator[None]:
    """Say what is missing where Spark does not know a file system, or its settings do not do."""
    try:
        with _as_python(location):
            yield
    except OSError as error:
        words = str(error.strerror)
        scheme = location.partition(":")[0]
        advice = "see that the name is right, and that the session has its credentials (spark.hadoop.*)"
        if _NO_FILE_SYSTEM.search(words):
            advice = (
                "Spark has no connector for it: give the session its package, such as "
                "spark.jars.packages=org.apache.hadoop:hadoop-aws:<Spark's Hadoop version> for s3a"
            )
        msg = f"{location}: Spark cannot use the file system {scheme!r} ({words}); {advice}"
        raise ConfigurationError(msg) from None


def _words(error: Any) -> str:
    """The class of an exception of Java's and what it says, without what another machine says of its own code."""
    thrown = getattr(error, "java_exception", None)
    words = str(error) if thrown is None else str(thrown.toString())
    return words.partition("\n")[0].strip() or type(error).__name__
