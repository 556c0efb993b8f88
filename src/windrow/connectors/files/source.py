"""The source of files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, cast

from windrow.common.composite_types import RowTypeInfo, TupleTypeInfo
from windrow.common.typeinfo import TypeInformation
from windrow.connectors.files.assigners import FileSplitAssigner, FileSplitAssignerProvider, dealt
from windrow.connectors.files.enumerators import FileEnumerator, FileEnumeratorProvider
from windrow.connectors.files.file_format import BulkFormat, FileFormat, StreamFormat
from windrow.connectors.files.planned import PlannedFileSplit
from windrow.connectors.files.source_builder import FileSourceBuilder
from windrow.connectors.files.split import FileSourceSplit
from windrow.connectors.interfaces import Source
from windrow.connectors.iterator_source import IteratorSource, SplitPart
from windrow.storage.local_path import scheme_of

if TYPE_CHECKING:
    from windrow.elements.shape import Shape


@dataclass(frozen=True)
class FileSet:
    """The files that a source reads, and the way it reads them; made by the builder. Must pickle."""

    file_format: FileFormat
    #: Absolute paths, and URIs of other file systems.
    places: tuple[str, ...]
    enumerator: FileEnumeratorProvider
    assigner: FileSplitAssignerProvider

    def create_enumerator(self) -> FileEnumerator:
        """The enumerator, for the format."""
        return self.enumerator.create().for_format(self.file_format)

    @property
    def paths(self) -> Sequence[Path]:
        """The places as enumerators take them."""
        return [Path(place) if scheme_of(place) is None else cast("Path", place) for place in self.places]

    def __str__(self) -> str:
        return ", ".join(self.places)


class FileSource(Source):
    r"""Reads files (Flink's ``FileSource``): lines of text, CSV, JSON lines, Parquet.

    Folders are read with all folders in them; names that start with ``.`` or ``_`` are left out. Files of lines whose
    names end in ``.gz``, ``.gzip``, ``.bz2``, ``.xz`` or ``.zst`` are decompressed.

    The source is bounded, and reads the files that are there when the job is planned, unless the builder's
    ``monitor_continuously`` is called.

    A long file is read by all readers, each some regions of it: lines from one byte to another, or row groups. There
    are as many channels (each with its own watermark) as the parallelism says, but no more than regions; regions are
    dealt to them in the order of the paths and, within a folder, of their names, so that all get about as many bytes.
    With parallelism 1 one channel reads all files in that order.

    Lines that cannot be read end the job with a ``MalformedInputError`` that names file and line, or go to a side
    output if the format names one.

    Example:
        >>> import tempfile, pathlib
        >>> folder = pathlib.Path(tempfile.mkdtemp())
        >>> _ = (folder / "a.txt").write_text("one\ntwo\n")
        >>> source = FileSource.for_record_stream_format(StreamFormat.text_line_format(), str(folder)).build()
        >>> [batch.values for (split,) in source.plan(4) for batch in split.read()]
        [['one', 'two']]
    """

    files: FileSet

    @staticmethod
    def for_record_stream_format(stream_format: StreamFormat, *paths: str | os.PathLike[str]) -> FileSourceBuilder:
        """Begin a source of lines.

        Args:
            stream_format: ``StreamFormat.text_line_format()``, or ``CsvReaderFormat.for_schema(...)`` and
                ``JsonReaderFormat.for_row_type(...)`` in ``windrow.datastream.formats``.
            paths: Files and folders, as local paths, ``file://`` URIs, or URIs of a file system that fsspec knows
                (``s3://bucket/folder``).

        Raises:
            ConfigurationTypeError: the format is not a StreamFormat, or a path not a string.
            ConfigurationError: there is no path, or one of a file system that fsspec does not know.
        """
        return FileSourceBuilder(_source, stream_format, paths, by_record=True)

    @staticmethod
    def for_bulk_file_format(bulk_format: BulkFormat, *paths: str | os.PathLike[str]) -> FileSourceBuilder:
        """Begin a source of Parquet files.

        Args:
            bulk_format: ``ParquetColumnarRowInputFormat(...)`` in ``windrow.datastream.formats.parquet``.
            paths: Files and folders, as local paths, ``file://`` URIs, or URIs of a file system that fsspec knows
                (``s3://bucket/folder``).

        Raises:
            ConfigurationTypeError: the format is not a BulkFormat, or a path not a string.
            ConfigurationError: there is no path, or one of a file system that fsspec does not know.
        """
        return FileSourceBuilder(_source, bulk_format, paths, by_record=False)

    @property
    def produced_type(self) -> TypeInformation | None:  # type: ignore[override]
        return self.files.file_format.produced_type

    def produced_shape(self) -> Shape | None:
        kind = self.produced_type
        if not self.files.file_format.gives_columns or not isinstance(kind, RowTypeInfo | TupleTypeInfo):
            return None
        from windrow.elements.shape import shape_of

        return shape_of(kind)

    @property
    def dead_letter(self) -> str | None:
        """The side output for what cannot be parsed."""
        return self.files.file_format.dead_letter

    def __repr__(self) -> str:
        return f"FileSource({self.files})"


class StaticFileSource(FileSource, IteratorSource):
    """The files that are there when the job is planned."""

    def __init__(self, files: FileSet) -> None:
        self.files = files
        self._counted: tuple[int, FileSplitAssigner] | None = None

    def channels(self, parallelism: int) -> int:
        self._counted = self._split(parallelism)
        return self._counted[0]

    def plan(self, parallelism: int) -> list[list[SplitPart]]:
        # The regions that `channels` has counted, so that both agree where files come and go.
        channels, assigner = self._counted or self._split(parallelism)
        self._counted = None
        hands = dealt(assigner, channels)
        return [[PlannedFileSplit(self.files.file_format, split) for split in hand] for hand in hands]

    def _split(self, parallelism: int) -> tuple[int, FileSplitAssigner]:
        splits: list[FileSourceSplit] = list(
            self.files.create_enumerator().enumerate_splits(self.files.paths, parallelism)
        )
        return max(1, min(parallelism, len(splits))), self.files.assigner.create(splits)


def _source(files: FileSet, interval: int | None) -> FileSource:
    if interval is None:
        return StaticFileSource(files)
    from windrow.connectors.files.monitored import MonitoredFileSource

    return MonitoredFileSource(files, interval)
