"""File formats that are written as a whole: Parquet, CSV, JSON lines."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, BinaryIO


class BulkWriter(ABC):
    """Writes the elements of one file (Flink's ``BulkWriter``)."""

    @abstractmethod
    def add_elements(self, elements: Sequence[Any]) -> None:
        """Take elements; they may stay in memory until :meth:`finish`."""

    @abstractmethod
    def finish(self) -> None:
        """Write what is left, and the format's end; the file is closed by the caller."""


class BulkWriterFactory(ABC):
    """Makes a writer for each file (Flink's ``BulkWriter.Factory``); must pickle."""

    @abstractmethod
    def create(self, file: BinaryIO) -> BulkWriter:
        """A writer into the file, which is empty."""
