"""Paths and URIs as users write them, for checkpoints, savepoints, sources and sinks alike."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes

from windrow.errors import ConfigurationError, ConfigurationTypeError

#: What stands before ``:/`` is a scheme; one letter is a drive of Windows.
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):(?=/)")
#: Schemes that need no slash to be known.
_KNOWN = re.compile(
    r"(abfss?|adl|alluxio|cosn?|dbfs|file|ftp|gs|har|hdfs|https?|o3fs|ofs|oss|s3[an]?|sftp|swift|s?webhdfs|viewfs|wasbs?):",
    re.IGNORECASE,
)
#: Schemes of what no checkpoint can be written to.
_KEEP_NO_STATE = ("http", "https", "ftp", "sftp", "har")
#: With a path that is not the root, on a file system that is named or is Hadoop's own.
_URI = re.compile(r"[^:]+:(//[^/]*/+|/(?!/))[^/].*")
_SEEN_BY_ALL = "give a folder that driver and executors see under one path, such as a mount"
#: What a URI names before its path, and what that is without a user: a host, with a port or without one.
_AUTHORITY = re.compile(r"[^:]+://([^/]*)")
_HOST = re.compile(r"(\[[^\]]*\]|[^:]*)(:\d*)?")
_DRIVE = re.compile(r"[A-Za-z]:[\\/]")


def local_path(path: Any, parameter: str, advice: str) -> Path:
    """The absolute path of a local path or of a ``file:`` URI.

    Of a URI escapes such as ``%20`` are read; a path stays as it is. ``~`` at the beginning is the home folder.

    Args:
        path: A string or ``os.PathLike``.
        parameter: What it was given for (a setting's name, say), for error messages.
        advice: What to do where the path is on another file system, for the error message.

    Raises:
        ConfigurationTypeError: it is neither, or empty.
        ConfigurationError: it is a URI of another file system, or of another machine, or a path of Windows.

    Example:
        >>> str(local_path("file:/data/a%20b.csv", "base_path", ""))
        '/data/a b.csv'
    """
    text = os.fspath(path) if isinstance(path, os.PathLike) else path
    if not isinstance(text, str) or not text.strip() or "\0" in text:
        msg = f"{parameter} takes a path as a non-empty string; got {path!r} ({type(path).__name__})"
        raise ConfigurationTypeError(msg)
    scheme = _SCHEME.match(text) or _KNOWN.match(text)
    if scheme is not None:
        text = _of_uri(text, scheme[1].lower(), scheme.end(), parameter, advice)
    elif os.name == "posix" and _DRIVE.match(text):
        msg = f"{parameter} takes a path of the machine that the job runs on; got {path!r}, a path of Windows"
        raise ConfigurationError(msg)
    elif text == "~" or text.startswith("~/"):
        text = os.path.expanduser(text)
    # Spark takes ".." out of a path without a look at links: so it is done here, and both mean the same folder.
    return Path("/" + os.path.abspath(text).lstrip("/") if os.name == "posix" else os.path.abspath(text))


def scheme_of(path: str) -> str | None:
    """Give a URI's scheme, in lower case; None: it is a path.

    Example:
        >>> scheme_of("S3://bucket/a"), scheme_of("/data/a:b"), scheme_of("C:/data")
        ('s3', None, None)
    """
    scheme = _SCHEME.match(path) or _KNOWN.match(path)
    return None if scheme is None else scheme[1].lower()


def state_directory(path: Any, parameter: str) -> str:
    """A directory of checkpoints or savepoints: an absolute path, or a URI of a file system that Spark knows.

    Args:
        path: A path or a ``file:`` URI, as for :func:`local_path`, or a URI such as ``hdfs://name/path``.
        parameter: What it was given for (a setting's name, say), for error messages.

    Raises:
        ConfigurationTypeError: it is neither, or empty.
        ConfigurationError: it is a URI of what cannot keep a checkpoint, that names no path, or with a password.

    Example:
        >>> state_directory("s3a://bucket/jobs/trips/", "execution.checkpointing.dir")
        's3a://bucket/jobs/trips'
    """
    scheme = scheme_of(path) if isinstance(path, str) else None
    if scheme is not None:
        refuse_credentials(path, parameter)
    if scheme is None or scheme in ("file", *_KEEP_NO_STATE):
        return str(local_path(path, parameter, _SEEN_BY_ALL))
    if not _URI.fullmatch(path):
        msg = (
            f"{parameter} takes a path, or a URI with a path such as 'hdfs://name/jobs/trips' or "
            f"'s3a://bucket/jobs/trips'; got {path!r}"
        )
        raise ConfigurationError(msg)
    return str(path).rstrip("/")


def refuse_credentials(uri: str, parameter: str) -> None:
    """Refuse a URI with a password: it would stand in plans, errors, histories and checkpoints, as all places do.

    Raises:
        ConfigurationError: there is one, or what may be one; nothing of the URI is shown.

    Example:
        >>> refuse_credentials("s3a://key:se/cret@bucket/jobs", "base_path")
        Traceback (most recent call last):
        windrow.errors.ConfigurationError: base_path takes a URI without user and password, ...
    """
    authority = _AUTHORITY.match(uri)
    if authority is None:
        return
    user, at, host = authority[1].rpartition("@")
    if (at and ":" in user) or not _HOST.fullmatch(host):
        msg = (
            f"{parameter} takes a URI without user and password, with a host, or a host and its port: places are shown "
            "in errors, plans and histories; give credentials to the session (spark.hadoop.*) or to the environment "
            "(AWS_ACCESS_KEY_ID, say)"
        )
        raise ConfigurationError(msg)


def _of_uri(uri: str, scheme: str, end: int, parameter: str, advice: str) -> str:
    """The path that the URI names; what ends the scheme is at ``end - 1``."""
    if scheme != "file":
        msg = (
            f"{parameter} takes a local path or a file: URI; got {uri!r}: {scheme}: is another file system, which is "
            f"not supported: {advice}"
        )
        raise ConfigurationError(msg)
    authority, path = "", uri[end:]
    if path.startswith("//"):
        authority, slash, below = path[2:].partition("/")
        path = slash + below
    if authority.lower() not in ("", "localhost"):
        msg = (
            f"{parameter} takes a local path or a file: URI of this machine; got {uri!r}, which names the machine "
            f"{authority!r} (a file: URI has one slash or three): {advice}"
        )
        raise ConfigurationError(msg)
    if not path.startswith("/"):
        msg = f"{parameter} takes a file: URI with an absolute path, such as 'file:///data'; got {uri!r}"
        raise ConfigurationError(msg)
    return os.fsdecode(unquote_to_bytes(path))
