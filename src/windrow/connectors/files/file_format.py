"""The interfaces of formats, which make elements of files."""

from __future__ import annotations

import contextlib
from abc import ABC, abstractmethod
from collections.abc import Generator, Iterator, Sequence
from typing import Any, ClassVar, NamedTuple

from windrow.common.typeinfo import TypeInformation
from windrow.connectors.files.split import FilePosition, FileSourceSplit


class FileBatch(NamedTuple):
    """Elements of a file, in order."""

    #: A place to begin reading at again: that of the batch's first element, or an earlier one.
    offset: int
    values: Sequence[Any]
    #: For elements that go to a side output instead, lines that cannot be parsed: its name.
    side: str | None = None


class FileFormat(ABC):
    """Base of formats; must pickle."""

    #: The type of the elements; None: the format says nothing about it.
    produced_type: TypeInformation | None = None
    #: Whether elements come as columns, as far as its type says what they are made of.
    gives_columns: ClassVar[bool] = False
    #: The side output of what cannot be parsed; None: that is an error.
    dead_letter: str | None = None

    @abstractmethod
    def read(self, split: FileSourceSplit) -> Iterator[FileBatch]:
        """The region's elements from ``split.position.offset`` on, the same at every call; skips and limits nothing.

        What follows from an offset that a batch has given is what followed when it was given.
        """

    def regions(self, path: str, size: int, target: int) -> list[tuple[int, int]]:
        """The file as regions of about ``target`` bytes, each its offset and length; one, if it cannot be cut."""
        return [(0, size)]

    def sub_splits(self, split: FileSourceSplit, elements: int) -> list[FileSourceSplit]:
        """The region as several of at most ``elements`` elements; a region that cannot be cut stays whole."""
        return [split]


class StreamFormat(FileFormat):
    """Formats that are read element by element: lines (Flink's ``StreamFormat``).

    Example:
        >>> StreamFormat.text_line_format("ISO-8859-1").charset_name
        'ISO-8859-1'
    """

    @staticmethod
    def text_line_format(charset_name: str = "UTF-8") -> StreamFormat:
        r"""Each line as a string, without its line end: ``\n``, ``\r`` or ``\r\n``.

        Raises:
            ConfigurationError: there is no such character set.
        """
        from windrow.connectors.files.text import TextLineFormat

        return TextLineFormat.of(charset_name)


class BulkFormat(FileFormat):
    """Formats that are read many elements at a time: Parquet (Flink's ``BulkFormat``)."""


#: Elements with the position of the first one.
Placed = tuple[FilePosition, FileBatch]


def elements(file_format: FileFormat, split: FileSourceSplit) -> Generator[Placed]:
    """Read what is left of a split, some thousands at a time, each batch with the position of its first element."""
    position = split.position or FilePosition(-1)
    skip, left = position.skip, split.limit
    offset, passed = None, 0
    for batch in file_format.read(split):
        if batch.offset != offset:
            offset, passed = batch.offset, 0
        count = len(batch.values)
        first = min(skip, count)
        skip -= first
        last = count if left is None else min(count, first + left)
        if last > first:
            whole = last - first == count
            yield FilePosition(offset, passed + first), batch if whole else _part(batch, first, last)
        passed += count
        if left is not None:
            left -= last - first
            if not left:
                return


def _part(batch: FileBatch, first: int, last: int) -> FileBatch:
    return batch._replace(values=batch.values[first:last])


def in_slices(batches: Generator[Placed], size: int) -> Generator[Placed]:
    """The batches in slices of at most ``size`` elements."""
    with contextlib.closing(batches):
        for position, batch in batches:
            for first in range(0, len(batch.values), size):
                last = min(first + size, len(batch.values))
                yield position._replace(skip=position.skip + first), _part(batch, first, last)
