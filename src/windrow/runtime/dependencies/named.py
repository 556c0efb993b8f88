"""Reads what a program's configuration names for its functions."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from windrow.common.configuration import Configuration
from windrow.common.settings.table import setting_of, text_of
from windrow.errors import ConfigurationError
from windrow.storage.local_path import local_path

#: Between a path and what belongs to it, as in Flink: an archive's folder, a requirements file's packages.
_BETWEEN = "#"
_REMOTE = "only files that the program can read are sent to functions"


class Archive(NamedTuple):
    """An archive, and the folder in a function's working directory that it is extracted to."""

    path: Path
    target: str


class Requirements(NamedTuple):
    """A requirements file, and the folder that its packages are taken from; None: wherever pip looks."""

    path: Path
    packages: Path | None


@dataclass(frozen=True)
class Dependencies:
    """Everything that functions need, by local paths that are there."""

    files: tuple[Path, ...] = ()
    archives: tuple[Archive, ...] = ()
    requirements: Requirements | None = None
    #: The Python that was asked for, as it was written.
    executable: str | None = None
    #: Folders that are there where functions run.
    folders: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return self != Dependencies()

    @staticmethod
    def of(configuration: Configuration) -> Dependencies:
        """Read what ``python.files`` and so on name.

        Raises:
            ConfigurationError: a path is not there, or not a local one; an archive's folder leads out of the working
                directory; two archives have one folder.
        """
        archives = tuple(_archive(named) for named in _items(configuration, "python.archives"))
        targets = [archive.target for archive in archives]
        if len(set(targets)) < len(targets):
            msg = f"python.archives extracts two archives to one folder: {', '.join(sorted(targets))}"
            raise ConfigurationError(msg)
        files = tuple(_there(path, "python.files") for path in _items(configuration, "python.files"))
        executable = text_of(configuration, "python.executable")
        folders = tuple((text_of(configuration, "python.pythonpath") or "").split(os.pathsep))
        there = tuple(folder for folder in folders if folder)
        return Dependencies(files, archives, _requirements(configuration), executable, there)


def is_same_python(one: str, other: str) -> bool:
    """Tell whether both lead to one program. No link is followed: a virtual environment's Python is one of its own."""
    return _absolute(one) == _absolute(other)


def _absolute(python: str) -> str:
    return os.path.abspath(shutil.which(python) or python)


def _items(configuration: Configuration, key: str) -> list[str]:
    row, text = setting_of(key), text_of(configuration, key)
    items: list[str] = [] if row is None or text is None else row.kind.read(key, text)
    return items


def _archive(named: str) -> Archive:
    path, _, target = named.partition(_BETWEEN)
    archive = _there(path, "python.archives")
    folder = PurePosixPath(target or archive.name)
    if folder.is_absolute() or ".." in folder.parts or not folder.parts:
        msg = f"python.archives extracts {path!r} to {target!r}, which is not in the functions' working directory"
        raise ConfigurationError(msg)
    if not archive.is_file():
        msg = f"python.archives names {path!r}, which is no file; python.files takes folders"
        raise ConfigurationError(msg)
    return Archive(archive, str(folder))


def _requirements(configuration: Configuration) -> Requirements | None:
    key = "python.requirements"
    named = text_of(configuration, key)
    if named is None:
        return None
    path, _, packages = named.partition(_BETWEEN)
    return Requirements(_there(path, key), _there(packages, key) if packages else None)


def _there(path: str, key: str) -> Path:
    local = local_path(path, key, _REMOTE)
    if not os.path.exists(local):
        msg = f"{key} names {path!r}, and there is nothing at {local}"
        raise ConfigurationError(msg)
    return local
