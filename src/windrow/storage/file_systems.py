"""Which file system a path or a URI is on."""

from __future__ import annotations

import os
from functools import cache
from typing import Any

from windrow.errors import ConfigurationError
from windrow.storage.file_system import FileSystem
from windrow.storage.fsspec_file_system import FsspecFileSystem
from windrow.storage.local_file_system import LocalFileSystem
from windrow.storage.local_path import is_place, local_path, scheme_of
from windrow.storage.s3_file_system import S3FileSystem


def file_system_of(path: str) -> FileSystem:
    """The file system of a path that :func:`file_place` has returned, or of one below it.

    Example:
        >>> type(file_system_of("/data/a.csv")).__name__, type(file_system_of("s3://bucket/a.csv")).__name__
        ('LocalFileSystem', 'S3FileSystem')
    """
    return _of_scheme(scheme_of(path) or "file")


@cache
def _of_scheme(scheme: str) -> FileSystem:
    if scheme == "file":
        return LocalFileSystem()
    return S3FileSystem(scheme) if scheme in ("s3", "s3a") else FsspecFileSystem(scheme)


def file_place(path: str | os.PathLike[str], parameter: str) -> str:
    """A place of files as sources and sinks take it: an absolute path, or a URI of a file system that fsspec knows.

    Args:
        path: A path or a ``file:`` URI, as for :func:`~windrow.storage.local_path.local_path`, or a URI such as
            ``s3://bucket/path``.
        parameter: What it was given for, for error messages.

    Raises:
        ConfigurationTypeError: it is neither, or empty.
        ConfigurationError: it is a URI of a file system that fsspec does not know, or that needs a package.

    Example:
        >>> file_place("file:/data/a%20b", "base_path")
        '/data/a b'
    """
    text: Any = os.fspath(path) if isinstance(path, os.PathLike) else path
    scheme = scheme_of(text) if isinstance(text, str) else None
    if scheme in (None, "file"):
        return str(local_path(path, parameter, ""))
    if not is_place(text):
        msg = f"{parameter} takes a path, or a URI such as 's3://bucket/path'; got {text!r}"
        raise ConfigurationError(msg)
    _check_known(str(scheme), text, parameter)
    return str(text).rstrip("/")


def _check_known(scheme: str, uri: str, parameter: str) -> None:
    try:
        import fsspec

        fsspec.get_filesystem_class(scheme)
        return
    except ImportError as error:
        reason = str(error) if error.name is None else f"pip install {error.name} brings what is missing"
    except ValueError:
        reason = "fsspec knows no such file system"
    msg = f"{parameter}: {uri!r} is on a file system that cannot be used here: {reason}"
    raise ConfigurationError(msg)
