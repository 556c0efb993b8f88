"""The places where checkpoints are written, kept for programs written for Flink 1.x."""

from __future__ import annotations

import re


def normalised(path: str) -> str:
    """A path as Flink's ``Path`` shows it: one slash between names, none at the end, ``file:///a`` as ``file:/a``.

    Example:
        >>> normalised("hdfs://host//checkpoints/"), normalised("file:///checkpoints")
        ('hdfs://host/checkpoints', 'file:/checkpoints')
    """
    scheme, colon, rest = path.rpartition(":") if ":/" in path else ("", "", path)
    authority = ""
    if colon and rest.startswith("//"):
        authority, slash, rest = rest[2:].partition("/")
        rest = slash + rest
    names = re.sub("/+", "/", rest)
    shown = names if names == "/" else names.rstrip("/")
    return f"{scheme}{colon}{'//' + authority if authority else ''}{shown}"


class CheckpointStorage:
    """Says where checkpoints are written."""

    def __repr__(self) -> str:
        return type(self).__name__


class JobManagerCheckpointStorage(CheckpointStorage):
    """Checkpoints in the memory of Flink's job manager, with an optional directory for savepoints."""

    DEFAULT_MAX_STATE_SIZE = 5 * 1024 * 1024

    def __init__(self, checkpoint_path: str | None = None, max_state_size: int | None = None) -> None:
        self._checkpoint_path = None if checkpoint_path is None else normalised(checkpoint_path)
        self._max_state_size = self.DEFAULT_MAX_STATE_SIZE if max_state_size is None else max_state_size

    def get_checkpoint_path(self) -> str | None:
        return self._checkpoint_path

    def get_savepoint_path(self) -> str | None:
        return self._checkpoint_path

    def get_max_state_size(self) -> int:
        """The largest state it takes, in bytes."""
        return self._max_state_size


class FileSystemCheckpointStorage(CheckpointStorage):
    """Checkpoints in a directory.

    Args:
        checkpoint_path: the directory, or an URI of one.
        file_state_size_threshold: the size in bytes below which Flink keeps state in a checkpoint's metadata.
        write_buffer_size: the size in bytes of Flink's write buffer.
    """

    MAX_FILE_STATE_THRESHOLD = 1024 * 1024

    def __init__(
        self, checkpoint_path: str, file_state_size_threshold: int = 20 * 1024, write_buffer_size: int = 4096
    ) -> None:
        self._checkpoint_path = normalised(checkpoint_path)
        self._threshold = file_state_size_threshold
        self._write_buffer_size = max(write_buffer_size, file_state_size_threshold)

    def get_checkpoint_path(self) -> str:
        return self._checkpoint_path

    def get_savepoint_path(self) -> str | None:
        return None

    def get_min_file_size_threshold(self) -> int:
        return self._threshold

    def get_write_buffer_size(self) -> int:
        return self._write_buffer_size


class CustomCheckpointStorage(CheckpointStorage):
    """A storage written in Java, by its class name; it cannot run here."""

    def __init__(self, checkpoint_storage: str) -> None:
        self.checkpoint_storage = checkpoint_storage
