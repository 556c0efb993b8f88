"""Finds the folder that a path or a URI means, and copies between two of them."""

from __future__ import annotations

from typing import Any

from windrow.runtime.spark.hadoop_folder import HadoopFolder
from windrow.storage import disk
from windrow.storage.folder import Folder
from windrow.storage.local_folder import LocalFolder


def folder_at(spark: Any, location: str) -> Folder:
    """The folder at a path of this machine, or at a URI of a file system that the session knows.

    Raises:
        ConfigurationError: the session does not know that file system.
    """
    return LocalFolder(location) if location.startswith("/") else HadoopFolder(spark, location)


def copy_file(source: Folder, name: str, target: Folder) -> None:
    """Copy a file to the same name in another folder; on a disk it is on the disk itself then.

    Raises:
        FileNotFoundError: it is not there.
    """
    if isinstance(source, LocalFolder) and isinstance(target, LocalFolder):
        source.copy(name, target)
        return
    knows = target if isinstance(target, HadoopFolder) else source
    if not isinstance(knows, HadoopFolder):
        target.write(name, source.read(name))
        return
    knows.copy(_uri(source, name), _uri(target, name))
    if isinstance(target, LocalFolder):
        disk.sync(target.path / name)


def _uri(folder: Folder, name: str) -> str:
    # Hadoop reads no escapes.
    return f"file://{folder.place(name)}" if isinstance(folder, LocalFolder) else folder.place(name)
