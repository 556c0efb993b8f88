"""Reading compressed files: the name says how a file is compressed."""

from __future__ import annotations

import bz2
import gzip
import lzma
import zlib
from collections.abc import Callable
from typing import Any, BinaryIO, cast

from windrow.connectors.files.paths import path_or_file
from windrow.storage.file_systems import file_system_of

#: What damaged compressed files raise.
DAMAGED = (EOFError, OSError, lzma.LZMAError, zlib.error)


def _zstandard(file: Any) -> Any:
    import pyarrow as pa

    return pa.input_stream(file, compression="zstd")


_OPENERS: dict[str, Callable[[Any], Any]] = {
    ".gz": gzip.open,
    ".gzip": gzip.open,
    ".bz2": bz2.open,
    ".xz": lzma.open,
    ".zst": _zstandard,
}


def _opener(path: str) -> Callable[[Any], Any] | None:
    return next((opener for suffix, opener in _OPENERS.items() if path.endswith(suffix)), None)


def is_compressed(path: str) -> bool:
    """Tell whether the file's name says that it is compressed.

    Example:
        >>> is_compressed("readings.csv.gz"), is_compressed("readings.csv")
        (True, False)
    """
    return _opener(path) is not None


def open_file(path: str) -> BinaryIO:
    """The file's content, decompressed."""
    opener = _opener(path)
    if opener is None:
        return file_system_of(path).open(path)
    return cast("BinaryIO", opener(path_or_file(path)))
