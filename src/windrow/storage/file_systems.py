"""Finds the file system that a path or a URI is on."""

from __future__ import annotations

import os
import re
from functools import cache
from typing import Any

from windrow.errors import ConfigurationError
from windrow.storage.file_system import FileSystem
from windrow.storage.fsspec_file_system import FsspecFileSystem
from windrow.storage.local_file_system import LocalFileSystem
from windrow.storage.local_path import local_path, refuse_credentials, scheme_of
from windrow.storage.s3_file_system import S3FileSystem
from windrow.storage.web_hdfs_file_system import WebHdfsFileSystem

_KINDS: dict[str, type[FsspecFileSystem]] = {
    "s3": S3FileSystem,
    "s3a": S3FileSystem,
    "webhdfs": WebHdfsFileSystem,
}
#: Where files can be committed: by an upload, a rename that replaces, or a copy by a store that waits for it.
_WRITABLE = ("s3", "webhdfs", "gs")
#: Two names of one thing.
_SAME = {"s3a": "s3", "gcs": "gs"}
#: Of a process for itself: for tests in the local runtime.
_OF_TESTS = "memory"
_NO_FOLDERS = ("http", "https")
#: A URI with a host, a bucket or a first name, and names behind it.
_PLACE = re.compile(r"[^:]+://([^/]+(?:/[^/]+)*)/?")


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
    return _KINDS.get(scheme, FsspecFileSystem)(scheme)


def file_place(path: str | os.PathLike[str], parameter: str) -> str:
    """A place of files as sources take it: an absolute path, or a URI of a file system that fsspec knows.

    Args:
        path: A path or a ``file:`` URI, as for :func:`~windrow.storage.local_path.local_path`, or a URI such as
            ``s3://bucket/path``.
        parameter: What it was given for, for error messages.

    Returns:
        The path, or the URI in one form: with its scheme in lower case, ``s3`` for ``s3a``, no slash at its end.

    Raises:
        ConfigurationTypeError: it is neither, or empty.
        ConfigurationError: it is a URI of a file system that fsspec does not know, that needs a package, or that does
            not say what is in its folders; it names nothing; or it has a password.

    Example:
        >>> file_place("file:/data/a%20b", "base_path")
        '/data/a b'
    """
    text: Any = os.fspath(path) if isinstance(path, os.PathLike) else path
    scheme = scheme_of(text) if isinstance(text, str) else None
    if scheme is None or scheme == "file":
        return str(local_path(path, parameter, ""))
    refuse_credentials(text, parameter)
    named = _PLACE.fullmatch(text)
    if named is None:
        msg = (
            f"{parameter} takes a path, or a URI such as 's3://bucket/path', with two slashes behind its scheme and "
            f"one between names; got {text!r}"
        )
        raise ConfigurationError(msg)
    if scheme in _NO_FOLDERS:
        msg = f"{parameter}: {scheme}: does not say what is in a folder, nor always how long a file is; got {text!r}"
        raise ConfigurationError(msg)
    _check_known(scheme, text, parameter)
    return f"{_SAME.get(scheme, scheme)}://{named[1]}"


def sink_place(path: str | os.PathLike[str], parameter: str) -> str:
    """A place of files that a sink can write to, each once.

    Raises:
        ConfigurationTypeError: as for :func:`file_place`.
        ConfigurationError: as for :func:`file_place`; or no file can be committed in one step there.

    Example:
        >>> sink_place("S3A://bucket/out/", "base_path")
        's3://bucket/out'
    """
    place = file_place(path, parameter)
    scheme = scheme_of(place)
    if scheme is not None and scheme not in (*_WRITABLE, _OF_TESTS):
        msg = (
            f"{parameter} may be on a disk, or on {', '.join(f'{each}:' for each in _WRITABLE)}; got {place!r}, and on "
            f"{scheme}: it is not seen to that a file gets its name in one step, in place of another"
        )
        raise ConfigurationError(msg)
    return place


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
