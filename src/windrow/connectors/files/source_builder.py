"""Builds a source of files, step by step."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from windrow.common.time import to_millis
from windrow.connectors.files.assigners import FileSplitAssignerProvider
from windrow.connectors.files.enumerators import FileEnumeratorProvider
from windrow.connectors.files.file_format import BulkFormat, FileFormat, StreamFormat
from windrow.errors import ConfigurationError, ConfigurationTypeError
from windrow.storage.file_systems import file_place

if TYPE_CHECKING:
    from windrow.common.time import Duration
    from windrow.connectors.files.source import FileSet, FileSource

_CALLS = {True: "FileSource.for_record_stream_format", False: "FileSource.for_bulk_file_format"}
_EXAMPLES = {True: "StreamFormat.text_line_format()", False: "ParquetColumnarRowInputFormat(...)"}


class FileSourceBuilder:
    """Builds a :class:`FileSource`."""

    def __init__(
        self,
        make: Callable[[FileSet, int | None], FileSource],
        file_format: FileFormat,
        paths: tuple[str | os.PathLike[str], ...],
        *,
        by_record: bool,
    ) -> None:
        call = _CALLS[by_record]
        if not isinstance(file_format, StreamFormat if by_record else BulkFormat):
            msg = (
                f"{call} takes a format such as {_EXAMPLES[by_record]} first; got {file_format!r} "
                f"({type(file_format).__name__})"
            )
            if isinstance(file_format, FileFormat):
                msg += f", which {_CALLS[not by_record]} takes"
            raise ConfigurationTypeError(msg)
        if not paths:
            msg = f"{call} takes at least one path; got none"
            raise ConfigurationError(msg)
        self._make = make
        self._format = file_format
        self._paths = tuple(file_place(path, call) for path in paths)
        self._interval: int | None = None
        self._enumerator = FileEnumeratorProvider.default_splittable_file_enumerator()
        self._assigner = FileSplitAssignerProvider.locality_aware_split_assigner()

    def process_static_file_set(self) -> FileSourceBuilder:
        """Read the files that are there and end: the default."""
        self._interval = None
        return self

    def monitor_continuously(self, discovery_interval: Duration) -> FileSourceBuilder:
        """Never end: look for new files again and again, and read each once.

        A file is known by its path: what is appended to it after it was found is not read, nor is a file that takes
        the place of one. Write files elsewhere, or under a hidden name, and rename them when they are complete.

        Args:
            discovery_interval: How long to wait between two looks, in milliseconds if it is a number; at least 1 ms.

        Raises:
            ConfigurationTypeError: it is no interval.
            ConfigurationError: it is not positive.
        """
        interval = to_millis(discovery_interval, "discovery_interval of monitor_continuously")
        if interval <= 0:
            msg = f"discovery_interval of monitor_continuously must be at least a millisecond; got {interval} ms"
            raise ConfigurationError(msg)
        self._interval = interval
        return self

    def set_file_enumerator(self, file_enumerator: FileEnumeratorProvider) -> FileSourceBuilder:
        """Set what finds files and cuts them; ``default_splittable_file_enumerator()`` if it is not called.

        Raises:
            ConfigurationTypeError: it has no method ``create``.
        """
        self._enumerator = _provider("set_file_enumerator", FileEnumeratorProvider, file_enumerator)
        return self

    def set_split_assigner(self, split_assigner: FileSplitAssignerProvider) -> FileSourceBuilder:
        """Set what says which region is read next; ``locality_aware_split_assigner()`` if it is not called.

        Raises:
            ConfigurationTypeError: it has no method ``create``.
        """
        self._assigner = _provider("set_split_assigner", FileSplitAssignerProvider, split_assigner)
        return self

    def build(self) -> FileSource:
        """The source. As in Flink its paths need not be there before the job runs."""
        from windrow.connectors.files.source import FileSet

        return self._make(FileSet(self._format, self._paths, self._enumerator, self._assigner), self._interval)


def _provider(call: str, kind: type[Any], provider: Any) -> Any:
    if isinstance(provider, type) or not isinstance(provider, kind):
        msg = f"{call} takes a {kind.__name__}; got {provider!r} ({type(provider).__name__})"
        raise ConfigurationTypeError(msg)
    return provider
