"""The source of files."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, NoReturn

from windrow.connectors.files.paths import files_in, local_path
from windrow.connectors.files.text import StreamFormat, TextSplit
from windrow.connectors.interfaces import PlannedSource, Split
from windrow.errors import ConfigurationError, ConfigurationTypeError, UsageError

_ADVICE = "read other file systems with Spark: windrow.datastream.connectors.spark_files, or from_dataframe"


class FileSource(PlannedSource):
    r"""The lines of text files (Flink's ``FileSource``), bounded: the files that are there when the job is planned.

    Folders are read with all folders in them; names that start with ``.`` or ``_`` are left out. Files whose names end
    in ``.gz``, ``.gzip``, ``.bz2``, ``.xz`` or ``.zst`` are decompressed. A file's lines keep their order. There are as
    many channels (each with its own watermark) as the parallelism says, but no more than files; files are dealt to
    them in turn, in the order of the paths and, within a folder, of their names. With parallelism 1 one channel reads
    all files in that order.

    Bytes that are not text in the character set end the job with a ``MalformedInputError`` that names file and line.

    Example:
        >>> import tempfile, pathlib
        >>> folder = pathlib.Path(tempfile.mkdtemp())
        >>> _ = (folder / "a.txt").write_text("one\ntwo\n")
        >>> source = FileSource.for_record_stream_format(StreamFormat.text_line_format(), str(folder)).build()
        >>> [batch.values for (split,) in source.plan(4) for batch in split.read()]
        [['one', 'two']]
    """

    def __init__(self, line_format: StreamFormat, paths: list[Path]) -> None:
        self._format = line_format
        self._paths = paths
        self._files: list[str] | None = None

    @staticmethod
    def for_record_stream_format(stream_format: StreamFormat, *paths: str | os.PathLike[str]) -> FileSourceBuilder:
        """Begin a source that reads ``paths``: files and folders, as local paths or ``file://`` URIs.

        Raises:
            ConfigurationTypeError: the format is not a StreamFormat, or a path not a string.
            ConfigurationError: there is no path, or one of another file system.
        """
        return FileSourceBuilder(stream_format, paths)

    @staticmethod
    def for_bulk_file_format(bulk_format: Any, *paths: str) -> NoReturn:
        """Not there yet: Parquet, CSV and JSON are read by Spark's readers."""
        msg = "FileSource.for_bulk_file_format is not there yet; read such files with SparkFileSource.parquet(...)"
        raise UsageError(msg)

    def channels(self, parallelism: int) -> int:
        self._files = self._list_files()
        return self._channel_count(len(self._files), parallelism)

    def plan(self, parallelism: int) -> list[list[Split]]:
        # The files that `channels` has counted, so that both agree where files come and go.
        files = self._list_files() if self._files is None else self._files
        self._files = None
        channels: list[list[Split]] = [[] for _ in range(self._channel_count(len(files), parallelism))]
        for index, file in enumerate(files):
            channels[index % len(channels)].append(TextSplit.of(file, self._format.charset_name))
        return channels

    @staticmethod
    def _channel_count(files: int, parallelism: int) -> int:
        return max(1, min(parallelism, files))

    def _list_files(self) -> list[str]:
        check_exist(self._paths)
        return [file for path in self._paths for file in files_in(path)]

    def __repr__(self) -> str:
        return f"FileSource({', '.join(map(str, self._paths))})"


class FileSourceBuilder:
    """Builds a :class:`FileSource`."""

    def __init__(self, stream_format: StreamFormat, paths: tuple[str | os.PathLike[str], ...]) -> None:
        if not isinstance(stream_format, StreamFormat):
            msg = (
                "FileSource.for_record_stream_format takes a format such as StreamFormat.text_line_format() first; "
                f"got {stream_format!r} ({type(stream_format).__name__})"
            )
            raise ConfigurationTypeError(msg)
        if not paths:
            msg = "FileSource.for_record_stream_format takes at least one path; got none"
            raise ConfigurationError(msg)
        self._format = stream_format
        self._paths = [local_path(path, "FileSource.for_record_stream_format", _ADVICE) for path in paths]

    def process_static_file_set(self) -> FileSourceBuilder:
        """Read the files that are there and end: the default, and all there is."""
        return self

    def monitor_continuously(self, discovery_interval: Any) -> NoReturn:
        """Not there yet."""
        msg = (
            "FileSource.monitor_continuously is not there yet; to follow a folder, give from_dataframe a streaming "
            "DataFrame: spark.readStream.text(folder)"
        )
        raise UsageError(msg)

    def set_file_enumerator(self, file_enumerator: Any) -> NoReturn:
        """Not there yet."""
        msg = "FileSource.set_file_enumerator is not there yet; name the files to read as paths"
        raise UsageError(msg)

    def set_split_assigner(self, split_assigner: Any) -> NoReturn:
        """Not there yet."""
        msg = "FileSource.set_split_assigner is not there yet; files are dealt to the channels in turn"
        raise UsageError(msg)

    def build(self) -> FileSource:
        """The source.

        Raises:
            ConfigurationError: a path does not exist.
        """
        check_exist(self._paths)
        return FileSource(self._format, self._paths)


def check_exist(paths: list[Path]) -> None:
    """Refuse paths that lead nowhere."""
    for path in paths:
        if not path.exists():
            msg = f"FileSource: there is no file or folder {path}"
            raise ConfigurationError(msg)
