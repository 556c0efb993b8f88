"""The sink of files."""

from __future__ import annotations

import copy
import os
import time
import uuid
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Self

from windrow.common.serialization import Encoder
from windrow.connectors.files.buckets import BucketAssigner
from windrow.connectors.files.bulk import BulkWriterFactory
from windrow.connectors.files.committer import Committer, Move
from windrow.connectors.files.part_files import OutputFileConfig, RollingPolicy
from windrow.connectors.files.part_writers import BucketWriter, BulkBucketWriter, NextFile, PartFile, RowBucketWriter
from windrow.connectors.files.sink_builder import BulkFormatBuilder, RowFormatBuilder
from windrow.connectors.interfaces import SinkWriter, WriterContext, WriterSink
from windrow.errors import JobExecutionError


class FileSink(WriterSink):
    r"""Writes elements to files below a base path, each exactly once (Flink's ``FileSink``).

    Files are ``<base path>/<bucket>/<prefix>-<batch>-<partition>-<n><suffix>``: the number of the batch and of the
    partition in it that wrote the file, and a number from 0 where a partition writes several. Until their batch is
    committed they are in the hidden folder ``.inprogress`` of the base path, and then renamed; on S3 they are uploads
    that are not completed. A batch that is run again writes the same names, in place of what a dead attempt wrote.

    What is below the base path with one prefix and suffix is one run's: a batch job that is run again replaces its
    results; a streaming job that begins anew, not from the checkpoint of the run before, is refused.

    Example:
        >>> import tempfile
        >>> from pathlib import Path
        >>> from windrow.connectors.interfaces import WriterContext
        >>> folder = tempfile.mkdtemp()
        >>> sink = (
        ...     FileSink.for_row_format(folder, Encoder.simple_string_encoder())
        ...     .with_bucket_assigner(BucketAssigner.base_path_bucket_assigner())
        ...     .build()
        ... )
        >>> writer = sink.create_writer(WriterContext(batch=0, partition=3))
        >>> writer.write(["one", "two"], [0, 0])
        >>> sink.commit(0, [writer.prepare_commit()])
        >>> Path(folder, "part-0-3-0").read_text()
        'one\ntwo\n'
    """

    hidden_until_commit = True

    def __init__(
        self,
        base_path: str,
        file_format: Encoder | BulkWriterFactory,
        names: OutputFileConfig,
        assigner: BucketAssigner,
        policy: RollingPolicy,
    ) -> None:
        self.committer = Committer(base_path, names)
        self.assigner = assigner
        self._format = file_format
        self._policy = policy
        self._overwrites: tuple[str, ...] | None = None

    def overwriting(self, folders: Sequence[str]) -> Self:
        """The same sink, whose files take the place of those that others have written.

        Args:
            folders: The folders below the base path whose files go, the empty one for all of them; so do those in each
                folder to which something is written.
        """
        made = copy.copy(self)
        made._overwrites = tuple(folders)
        return made

    def for_type(self, type_info: Any) -> Self:
        if not isinstance(self._format, Encoder):
            return self
        typed = copy.copy(self)
        typed._format = self._format.for_type(type_info)
        return typed

    @staticmethod
    def for_row_format(base_path: str | os.PathLike[str], encoder: Encoder) -> RowFormatBuilder:
        """Begin a sink that writes element by element.

        Args:
            base_path: A folder, as a local path, a ``file://`` URI, or a URI on ``s3:``, ``webhdfs:`` or ``gs:``
                (``s3://bucket/folder``); made when something is written.
            encoder: Makes bytes of an element: anything with ``encode(element) -> bytes``.

        Raises:
            ConfigurationTypeError: an argument is of another type.
            ConfigurationError: the path is on another file system, or is a file.
        """
        return RowFormatBuilder(FileSink, base_path, encoder)

    @staticmethod
    def for_bulk_format(base_path: str | os.PathLike[str], writer_factory: BulkWriterFactory) -> BulkFormatBuilder:
        """Begin a sink whose files are written as a whole: Parquet, CSV, JSON lines.

        Args:
            base_path: A folder, as a local path, a ``file://`` URI, or a URI on ``s3:``, ``webhdfs:`` or ``gs:``
                (``s3://bucket/folder``); made when something is written.
            writer_factory: Such as ``ParquetBulkWriters.for_row_type(...)`` in ``windrow.datastream.formats.parquet``.

        Raises:
            ConfigurationTypeError: an argument is of another type.
            ConfigurationError: the path is on another file system, or is a file.
        """
        return BulkFormatBuilder(FileSink, base_path, writer_factory)

    def target(self) -> str:
        """The files that no other sink of the job may write."""
        names = self.committer.names
        return f"{self.committer.base}/**/{names.part_prefix}-*{names.part_suffix}"

    def create_writer(self, context: WriterContext) -> SinkWriter:
        return FileSinkWriter(self, context)

    def commit(self, batch: int, committables: Sequence[Sequence[Move]]) -> None:
        moves = [move for each in committables for move in each]
        try:
            self.committer.commit(batch, moves)
            if self._overwrites is not None:
                written = {final.rpartition("/")[0] for _, final in moves}
                self.committer.remove_others(sorted({*self._overwrites, *written}))
        except OSError as error:
            raise self.unwritable(error) from error

    def unwritable(self, error: OSError) -> JobExecutionError:
        """The error that names the sink and the file, where something cannot be written."""
        return JobExecutionError(
            f"FileSink: {error.filename or self.committer.base} cannot be written: {error.strerror or error}; mend "
            "that and start the job again: what it has committed stays"
        )

    def bucket_writer(self, next_file: NextFile, sink: str) -> BucketWriter:
        """A writer for one folder; errors call the sink by its name."""
        if isinstance(self._format, BulkWriterFactory):
            return BulkBucketWriter(next_file, self._format)
        return RowBucketWriter(next_file, self._format.encode, self._policy.part_size, sink)

    def __repr__(self) -> str:
        return f"FileSink({self.target()})"


class FileSinkWriter(SinkWriter):
    """Writes what one partition of one batch has for the sink."""

    def __init__(self, sink: FileSink, context: WriterContext) -> None:
        self._sink = sink
        self._context = context
        self._attempt = uuid.uuid4().hex[:12]
        self._buckets: dict[str, BucketWriter] = {}
        self._parts: dict[str, list[PartFile]] = {}

    def write(self, values: Sequence[Any], timestamps: Sequence[int]) -> None:
        try:
            for bucket, some in self._sink.assigner.split(values, time.time()):
                writer = self._buckets.get(bucket)
                if writer is None:
                    next_file = partial(self._next_file, bucket)
                    writer = self._buckets[bucket] = self._sink.bucket_writer(next_file, self._context.sink)
                writer.write(some)
        except OSError as error:
            raise self._sink.unwritable(error) from error

    def prepare_commit(self) -> list[Move] | None:
        try:
            for writer in self._buckets.values():
                writer.finish()
        except OSError as error:
            raise self._sink.unwritable(error) from error
        return [part.move for parts in self._parts.values() for part in parts] or None

    def abort(self) -> None:
        for parts in self._parts.values():
            for part in parts:
                # Why the batch has failed is told already; what stays is removed when a batch of that number commits.
                with suppress(OSError):
                    part.discard()

    def _next_file(self, bucket: str) -> PartFile:
        committer = self._sink.committer
        parts = self._parts.setdefault(bucket, [])
        name = committer.names.name(self._context.batch, self._context.partition, len(parts))
        # Buckets have files of the same name, so the place among the buckets is part of the attempt's.
        hidden = committer.in_progress(name, f"{self._attempt}{len(self._parts)}")
        final = f"{bucket}/{name}" if bucket else name
        part = PartFile(committer.begin(hidden, final), final)
        parts.append(part)
        return part
