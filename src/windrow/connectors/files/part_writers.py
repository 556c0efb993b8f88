"""Writes elements into files in progress."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

from windrow.connectors.files.bulk import BulkWriter, BulkWriterFactory
from windrow.connectors.files.committer import Move
from windrow.errors import user_function_error
from windrow.storage.file_system import PendingFile


class PartFile:
    """A file in progress.

    Args:
        pending: The file.
        final: What it is called when it is committed, below the base path.
    """

    def __init__(self, pending: PendingFile, final: str) -> None:
        self._pending = pending
        self._final = final
        self._committable: Any = None
        self.file = pending.file

    @property
    def move(self) -> Move:
        """The file's committable and final name, for the commit; only a closed file may be committed."""
        return self._committable, self._final

    def close(self) -> None:
        """All is written."""
        self._committable = self._pending.close_for_commit()

    def discard(self) -> None:
        """Remove the file, whatever keeps it from being written to its end."""
        self._pending.discard()


#: Gives the next file of a bucket.
NextFile = Callable[[], PartFile]


class BucketWriter(ABC):
    """Writes what one partition of one batch has for one folder."""

    @abstractmethod
    def write(self, values: Sequence[Any]) -> None: ...

    @abstractmethod
    def finish(self) -> None:
        """End the last file."""


class RowBucketWriter(BucketWriter):
    """Writes element by element, and begins a new file when one has reached the size."""

    def __init__(
        self, next_file: NextFile, encode: Callable[[Any], bytes], part_size: int | None, sink: str = "sink"
    ) -> None:
        self._sink = sink
        self._next_file = next_file
        self._encode = encode
        self._part_size = part_size
        self._size = 0
        self._part = next_file()

    def write(self, values: Sequence[Any]) -> None:
        limit, encode = self._part_size, self._encode
        size = self._size
        pending: list[bytes] = []
        for value in values:
            if limit is not None and size >= limit:
                self._part.file.write(b"".join(pending))
                self._part.close()
                self._part = self._next_file()
                size, pending = 0, []
            try:
                encoded = encode(value)
            except BaseException as error:
                raise user_function_error(self._sink, value, error) from error
            pending.append(encoded)
            size += len(encoded)
        self._part.file.write(b"".join(pending))
        self._size = size

    def finish(self) -> None:
        self._part.close()


class BulkBucketWriter(BucketWriter):
    """Writes one file as a whole."""

    def __init__(self, next_file: NextFile, factory: BulkWriterFactory) -> None:
        self._part = next_file()
        self._writer: BulkWriter = factory.create(self._part.file)

    def write(self, values: Sequence[Any]) -> None:
        self._writer.add_elements(values)

    def finish(self) -> None:
        self._writer.finish()
        self._part.close()
