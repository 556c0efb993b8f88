"""Finding files, and cutting them into regions."""

from __future__ import annotations

import errno
import os
import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from windrow.connectors.files.file_format import FileFormat
from windrow.connectors.files.paths import files_in, path_without_scheme
from windrow.connectors.files.split import FileSourceSplit
from windrow.errors import ConfigurationError, JobExecutionError
from windrow.storage.file_system import FileStatus
from windrow.storage.file_systems import file_system_of

#: Regions are not made smaller than this, nor larger: a reader should not wait for one to begin or to end.
SMALLEST_REGION = 1 << 20
LARGEST_REGION = 64 << 20
#: So many regions for each reader: those who are quicker read more of them, and readers move through a file together.
REGIONS_PER_READER = 4


class FileEnumerator(ABC):
    """Finds what there is to read (Flink's ``FileEnumerator``); derive from it to choose files yourself.

    Example:
        >>> class TodaysFiles(FileEnumerator):
        ...     def enumerate_splits(self, paths, min_desired_splits):
        ...         files = [file for path in paths for file in sorted(path.glob("today-*.csv"))]
        ...         return [whole_file(str(file)) for file in files]
        >>> TodaysFiles().enumerate_splits([Path("/nowhere")], 1)
        []
    """

    @abstractmethod
    def enumerate_splits(self, paths: Sequence[Path], min_desired_splits: int) -> Sequence[FileSourceSplit]:
        """The regions to read, in the order in which one reader would read them.

        Args:
            paths: The source's paths, absolute; one that is on another file system is a string, its URI.
            min_desired_splits: How many readers there are: with fewer splits some have nothing to do.

        A source that monitors its paths calls this again and again, in a thread of its own, and passes over files
        that it has seen. All regions of a file must come in the same call.
        """

    def for_format(self, file_format: FileFormat) -> FileEnumerator:
        """The enumerator for files of a format, which knows where a file can be cut; itself, unless overridden."""
        return self

    def without(self, paths: frozenset[str]) -> FileEnumerator:
        """The enumerator for a source that has seen ``paths``; itself, unless it can save itself work by it."""
        return self


def whole_file(path: str) -> FileSourceSplit:
    """A file as one region.

    Raises:
        OSError: there is no such file.
    """
    found = file_system_of(path).status(path)
    return FileSourceSplit(path, 0, found.size, found.size, modification_time=found.modification_time)


@dataclass(frozen=True)
class RecursiveFileEnumerator(FileEnumerator):
    """All files of folders and of the folders in them, but those whose names begin with ``.`` or ``_``.

    Args:
        splittable: Whether files are cut into regions where they are long and their format allows it.
        file_format: Which format that is.
        seen: Files that are left out.
        follows: Whether files may come later.
        pattern: A regular expression that the whole path of a file has to match, without scheme and host; None: all.
    """

    splittable: bool
    file_format: FileFormat | None = None
    seen: frozenset[str] = field(default=frozenset(), repr=False)
    follows: bool = False
    pattern: str | None = None

    def for_format(self, file_format: FileFormat) -> FileEnumerator:
        return replace(self, file_format=file_format)

    def without(self, paths: frozenset[str]) -> FileEnumerator:
        return replace(self, seen=paths, follows=True)

    def enumerate_splits(self, paths: Sequence[Path], min_desired_splits: int) -> list[FileSourceSplit]:
        found = [file for path in paths for file in self._found(os.fspath(path)) if self._is_wanted(file.path)]
        target = sum(file.size for file in found) // max(1, min_desired_splits * REGIONS_PER_READER)
        target = min(max(target, SMALLEST_REGION), LARGEST_REGION)
        return [
            FileSourceSplit(file.path, offset, length, file.size, modification_time=file.modification_time)
            for file in found
            for offset, length in self._regions(file.path, file.size, target, min_desired_splits)
        ]

    def _is_wanted(self, path: str) -> bool:
        return self.pattern is None or re.fullmatch(self.pattern, path_without_scheme(path)) is not None

    def _found(self, path: str) -> list[FileStatus]:
        try:
            return files_in(path, self.seen)
        except FileNotFoundError as error:
            reason = "" if error.strerror == os.strerror(errno.ENOENT) else f": {error.strerror}"
            if self.follows and not reason and not file_system_of(path).has_folders:
                return []  # a folder that is there when a file is in it
            msg = f"FileSource: there is no file or folder {path}{reason}"
            raise ConfigurationError(msg) from None
        except OSError as error:
            msg = f"FileSource: {error.filename or path} cannot be looked at: {error.strerror or error}"
            raise JobExecutionError(msg) from error

    def _regions(self, file: str, size: int, target: int, readers: int) -> list[tuple[int, int]]:
        if not self.splittable or self.file_format is None or (readers == 1 and size <= LARGEST_REGION):
            return [(0, size)]
        return self.file_format.regions(file, size, target)


class FileEnumeratorProvider(ABC):
    """Makes a source's enumerator (Flink's ``FileEnumerator.Provider``); must pickle.

    Example:
        >>> FileEnumeratorProvider.default_non_splittable_file_enumerator().create().splittable
        False
    """

    @abstractmethod
    def create(self) -> FileEnumerator:
        """Make an enumerator."""

    @staticmethod
    def default_splittable_file_enumerator() -> FileEnumeratorProvider:
        """Folders with all folders in them; long files are read in regions, side by side. The default."""
        return _Recursive(splittable=True)

    @staticmethod
    def default_non_splittable_file_enumerator() -> FileEnumeratorProvider:
        """Folders with all folders in them; every file is read by one reader, from its beginning to its end."""
        return _Recursive(splittable=False)

    @staticmethod
    def of_paths(pattern: str) -> FileEnumeratorProvider:
        """The same as the default, of files whose whole path, without scheme and host, a regular expression matches."""
        return _Recursive(splittable=True, pattern=pattern)


@dataclass(frozen=True)
class _Recursive(FileEnumeratorProvider):
    splittable: bool
    pattern: str | None = None

    def create(self) -> RecursiveFileEnumerator:
        return RecursiveFileEnumerator(self.splittable, pattern=self.pattern)
