"""Builds a sink of files, step by step."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, NoReturn, TypeVar

from windrow.common.serialization import Encoder
from windrow.common.time import to_millis
from windrow.connectors.files.buckets import BucketAssigner
from windrow.connectors.files.bulk import BulkWriterFactory
from windrow.connectors.files.part_files import OutputFileConfig, RollingPolicy
from windrow.errors import ConfigurationError, ConfigurationTypeError, UsageError
from windrow.storage.file_systems import sink_place
from windrow.storage.local_path import scheme_of

if TYPE_CHECKING:
    from typing import Self

    from windrow.connectors.files.sink import FileSink

Format = TypeVar("Format")
_Make = Callable[[str, Format, OutputFileConfig, BucketAssigner, RollingPolicy], "FileSink"]


class _FormatBuilder(Generic[Format]):
    """The base of builders for row and for bulk formats."""

    def __init__(self, make: _Make[Format], base_path: str | os.PathLike[str], file_format: Format) -> None:
        self._make = make
        self._base_path = sink_place(base_path, "base_path of a FileSink")
        in_the_way = _file_above(self._base_path)
        if in_the_way is not None:
            msg = f"base_path of a FileSink is a folder; got {os.fspath(base_path)!r}, and {in_the_way} is a file"
            raise ConfigurationError(msg)
        self._format = file_format
        self._names = OutputFileConfig()
        self._assigner = BucketAssigner.date_time_bucket_assigner()
        self._policy = RollingPolicy.on_checkpoint_rolling_policy()

    def with_output_file_config(self, output_file_config: OutputFileConfig) -> Self:
        """Set what file names begin and end with; ``part`` and nothing if it is not called."""
        self._names = _instance("with_output_file_config", OutputFileConfig, output_file_config)
        return self

    def with_bucket_assigner(self, bucket_assigner: BucketAssigner) -> Self:
        """Set the folder that elements go to; one for each hour, ``yyyy-MM-dd--HH``, if it is not called."""
        self._assigner = _instance("with_bucket_assigner", BucketAssigner, bucket_assigner)  # type: ignore[type-abstract]
        return self

    def with_bucket_check_interval(self, interval: Any) -> Self:
        """Set how often files would be looked at, in milliseconds; checked, not needed: files end with their batch."""
        if to_millis(interval, "interval of with_bucket_check_interval") <= 0:
            msg = f"interval of with_bucket_check_interval must be positive; got {interval!r}"
            raise ConfigurationError(msg)
        return self

    def enable_compact(self, *_: Any) -> NoReturn:
        """Not there yet."""
        msg = "FileSink.enable_compact is not there yet; longer batches (windrow.trigger.interval) make larger files"
        raise UsageError(msg)

    def disable_compact(self) -> Self:
        """Leave files as they were written, as always."""
        return self

    def build(self) -> FileSink:
        return self._make(self._base_path, self._format, self._names, self._assigner, self._policy)


class RowFormatBuilder(_FormatBuilder[Encoder]):
    """Builds a sink that writes element by element."""

    def __init__(self, make: _Make[Encoder], base_path: str | os.PathLike[str], encoder: Encoder) -> None:
        if not callable(getattr(encoder, "encode", None)) or isinstance(encoder, str | type):
            msg = (
                "FileSink.for_row_format takes an encoder such as Encoder.simple_string_encoder(); got "
                f"{encoder!r} ({type(encoder).__name__})"
            )
            raise ConfigurationTypeError(msg)
        super().__init__(make, base_path, encoder)
        self._policy = RollingPolicy.default_rolling_policy()

    def with_rolling_policy(self, rolling_policy: RollingPolicy) -> RowFormatBuilder:
        """Set when a new file begins within a batch; at 128 MiB if it is not called."""
        self._policy = _instance("with_rolling_policy", RollingPolicy, rolling_policy)
        return self


class BulkFormatBuilder(_FormatBuilder[BulkWriterFactory]):
    """Builds a sink whose files are written as a whole."""

    def __init__(
        self, make: _Make[BulkWriterFactory], base_path: str | os.PathLike[str], writer_factory: BulkWriterFactory
    ) -> None:
        if not isinstance(writer_factory, BulkWriterFactory):
            msg = (
                "FileSink.for_bulk_format takes a writer factory such as ParquetBulkWriters.for_row_type(...); got "
                f"{writer_factory!r} ({type(writer_factory).__name__})"
            )
            raise ConfigurationTypeError(msg)
        super().__init__(make, base_path, writer_factory)

    def with_rolling_policy(self, rolling_policy: RollingPolicy) -> BulkFormatBuilder:
        """As in Flink, ``RollingPolicy.on_checkpoint_rolling_policy()`` and no other."""
        policy = _instance("with_rolling_policy", RollingPolicy, rolling_policy)
        if policy.part_size is not None:
            msg = (
                "with_rolling_policy of a bulk format takes RollingPolicy.on_checkpoint_rolling_policy(): the size of "
                f"such a file is not known while it is written; got {policy!r}"
            )
            raise ConfigurationError(msg)
        return self


def _file_above(place: str) -> Path | None:
    """The file that a local path leads to or through; None: there is none, or it is for the first commit to see."""
    if scheme_of(place) is not None:
        return None
    return next((path for path in (Path(place), *Path(place).parents) if path.is_file()), None)


T = TypeVar("T")


def _instance(call: str, cls: type[T], value: Any) -> T:
    if not isinstance(value, cls):
        msg = f"{call} takes a {cls.__name__}; got {value!r} ({type(value).__name__})"
        raise ConfigurationTypeError(msg)
    return value
