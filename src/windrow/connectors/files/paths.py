"""Paths as users write them, and the files that are in them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from windrow.errors import ConfigurationError, ConfigurationTypeError

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):/")


def local_path(path: Any, parameter: str, advice: str) -> Path:
    """The absolute path of a local path or of a ``file:`` URI.

    Args:
        path: A string or ``os.PathLike``.
        parameter: What it was given for, for error messages.
        advice: What to do where the path is on another file system, for the error message.

    Raises:
        ConfigurationTypeError: it is neither.
        ConfigurationError: it is a URI of another file system, or of another machine.

    Example:
        >>> str(local_path("file:///data/a%20b.csv", "base_path", ""))
        '/data/a b.csv'
    """
    if isinstance(path, os.PathLike):
        path = os.fspath(path)
    if not isinstance(path, str) or not path:
        msg = f"{parameter} takes a path as a non-empty string; got {path!r} ({type(path).__name__})"
        raise ConfigurationTypeError(msg)
    scheme = _SCHEME.match(path)
    if scheme is not None:
        uri = urlsplit(path)
        if uri.scheme != "file" or uri.netloc not in ("", "localhost"):
            msg = f"{parameter} takes a local path or a file:// URI; got {path!r}: {advice}"
            raise ConfigurationError(msg)
        path = unquote(uri.path)
    return Path(path).absolute()


def is_hidden(name: str) -> bool:
    """Whether readers leave the name out: files in progress, markers of other programs."""
    return name.startswith((".", "_"))


def files_in(path: Path) -> list[str]:
    """The file itself, or all files of a folder and the folders in it, sorted; hidden names are left out."""
    return sorted(_walk(os.fspath(path))) if path.is_dir() else [os.fspath(path)]


def _walk(folder: str) -> Iterator[str]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if is_hidden(entry.name):
                continue
            if entry.is_dir():
                yield from _walk(entry.path)
            else:
                yield entry.path
