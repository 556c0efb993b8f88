"""Files as tables."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from windrow.common.serialization import Encoder
from windrow.common.time import Duration
from windrow.common.watermark_strategy import WatermarkStrategy
from windrow.connectors.avro.schema import AvroSchema
from windrow.connectors.files.buckets import BucketAssigner
from windrow.connectors.files.enumerators import FileEnumeratorProvider
from windrow.connectors.files.file_info import FILE_INFO, ColumnsWithInfo, LinesWithInfo, RecordsWithInfo
from windrow.connectors.files.folders import FolderAssigner, LinesInFolders, RowsInFolders, folder_of
from windrow.connectors.files.source import FileSource
from windrow.datastream.connectors.file_system import FileSink, OutputFileConfig, RollingPolicy, StreamFormat
from windrow.datastream.formats.avro import AvroBulkWriters, AvroReaders
from windrow.datastream.formats.parquet import ParquetBulkWriters, ParquetColumnarRowInputFormat
from windrow.datastream.streams.data_stream import DataStream
from windrow.datastream.streams.program import factory
from windrow.errors import SqlError
from windrow.operators.table.avro_records import FromAvroOperator, ToAvroOperator
from windrow.operators.table.decoding import DecodeOperator, EncodeOperator
from windrow.operators.table.file_info import InfoLines
from windrow.operators.table.folders import FolderColumns, FolderLines, FromFoldersOperator, ToFoldersOperator
from windrow.operators.table.line_format import LineFormat
from windrow.operators.table.rows import ToRowsOperator, ToTuplesOperator
from windrow.table.connectors.filesystem.avro import CODECS, schema_of
from windrow.table.connectors.formats import LINE_FORMATS, line_format
from windrow.table.connectors.options import check_pattern
from windrow.table.connectors.table_connector import TableConnector
from windrow.table.data_types import DataType, RowField, RowType, row_type_info

_ROWS_AT_A_TIME = 1 << 15


class Filesystem(TableConnector):
    """Files of CSV, JSON, Parquet or Avro (``filesystem``), with PARTITIONED BY in folders: ``day=2024-03-10``."""

    name = "filesystem"
    has_partitions = True

    def configure(self) -> None:
        options = self.options
        #: The folders that are replaced by what is written; None: rows are added.
        self._overwrites: list[str] | None = None
        self._path = options.needed("path")
        self._format = options.choice("format", {**LINE_FORMATS, "parquet": "parquet", "avro": "avro"})
        self._interval = options.milliseconds("source.monitor-interval", "0")
        self._pattern = options.get("source.path.regex-pattern")
        if self._pattern is not None:
            check_pattern(options, "source.path.regex-pattern", self._pattern)
        self._sink_parallelism = options.number("sink.parallelism")
        default = str(options.get("partition.default-name", "__DEFAULT_PARTITION__"))
        partitioned = self.table.partitioned
        places = [self.names.index(name) for name in partitioned]
        inside = [column for column in self.columns if column.name not in partitioned]
        self._inside = RowType([RowField(column.name, column.type) for column in inside])
        self._folders: FolderColumns | None = None
        if partitioned:
            self._folders = FolderColumns(self.types, places, default, partial(folder_of, list(partitioned)))
        self._lines: LineFormat | None = None
        self._avro: AvroSchema | None = None
        if self._format == "avro":
            if partitioned:
                options.refuse("format", "is 'avro', which has no PARTITIONED BY here: take parquet, csv or json")
            self._codec = options.choice("avro.codec", CODECS, "deflate")
            self._avro = schema_of(self._inside, self.table.name)
        elif self._format != "parquet":
            lines = line_format(self._format, self._inside.names, self._inside.field_types(), options)
            self._lines = lines if self._folders is None else FolderLines(lines, self.names, self._folders)

    # Reading

    def metadata(self) -> Mapping[str, DataType]:
        return {key: kind for key, (kind, _) in FILE_INFO.items()}

    def stream(self, environment: Any) -> DataStream:
        keys = tuple([each.key for each in self.table.metadata])
        known = [FILE_INFO[key][0] for key in keys]
        if self._avro is not None:
            records = AvroReaders.for_generic_record(self._avro)
            make = factory(FromAvroOperator, self.names, self.types, known)
            stream = self._files(environment, RecordsWithInfo(records, keys) if keys else records)
            return stream._transform("From Avro", make, None, stateless=True, convert=False)
        return self._rows(environment, keys, known) if self._lines is None else self._decoded(environment, keys, known)

    def _rows(self, environment: Any, keys: tuple[str, ...], known: Sequence[DataType]) -> DataStream:
        """The rows of files that have columns, with what is known of the files behind them."""
        names = tuple(self.table.partitioned)
        rows: Any = ParquetColumnarRowInputFormat(self._inside, batch_size=_ROWS_AT_A_TIME)
        if names:
            rows = RowsInFolders(rows, names)
        stream = self._files(environment, ColumnsWithInfo(rows, keys) if keys else rows)
        if names or keys:
            folders = self._folders or FolderColumns(self.types, [], "", partial(folder_of, []))
            make = factory(FromFoldersOperator, folders, known)
            return stream._transform("From folders", make, None, stateless=True, convert=False)
        make = factory(ToTuplesOperator, self.names, self.types, list(range(len(self.names))))
        return stream._transform("To tuples", make, None, stateless=True, convert=False)

    def _decoded(self, environment: Any, keys: tuple[str, ...], known: Sequence[DataType]) -> DataStream:
        """The rows of files that have lines, with what is known of the files behind them."""
        assert self._lines is not None
        names = tuple(self.table.partitioned)
        lines: Any = StreamFormat.text_line_format()
        if names:
            lines = LinesInFolders(lines, names)
        stream = self._files(environment, LinesWithInfo(lines, keys) if keys else lines)
        read = (
            InfoLines(self._lines, [each.column.name for each in self.table.metadata], known) if keys else self._lines
        )
        make = factory(DecodeOperator, read)
        return stream._transform(f"Decode {self._format}", make, None, stateless=True, convert=False)

    def _files(self, environment: Any, file_format: Any) -> DataStream:
        begin = FileSource.for_bulk_file_format if self._lines is None else FileSource.for_record_stream_format
        builder = begin(file_format, self._path)
        if self._pattern is not None:
            builder.set_file_enumerator(FileEnumeratorProvider.of_paths(self._pattern))
        if self._interval:
            builder.monitor_continuously(Duration.of_millis(self._interval))
        name = f"{self.table.name} ({self._format})"
        stream: DataStream = environment.from_source(builder.build(), WatermarkStrategy.no_watermarks(), name)
        return stream

    # Writing

    def overwrite(self, fixed: Mapping[str, Any]) -> None:
        """Replace the folders to which rows go, and the one that is fixed; without PARTITIONED BY all files."""
        partitioned = self.table.partitioned
        if self._folders is None:
            self._overwrites = [""]
        elif set(fixed) == set(partitioned):
            self._overwrites = [self._folders.folder([fixed[name] for name in partitioned])]
        else:
            self._overwrites = []

    def write(self, stream: DataStream, types: Sequence[DataType]) -> Any:
        assigner = BucketAssigner.base_path_bucket_assigner() if self._folders is None else FolderAssigner()
        if self._avro is not None:
            make = factory(ToAvroOperator, self.names, list(types))
            records = stream._transform("To Avro", make, None, stateless=True, convert=False)
            files = FileSink.for_bulk_format(self._path, AvroBulkWriters.for_generic_record(self._avro, self._codec))
            return self._sent(
                records, files.with_bucket_assigner(assigner).with_output_file_config(_names(stream)).build()
            )
        if self._lines is None:
            info = row_type_info(self._inside)
            writers = FileSink.for_bulk_format(self._path, ParquetBulkWriters.for_row_type(self._inside))
            sink = writers.with_bucket_assigner(assigner).with_output_file_config(_names(stream)).build()
            if self._folders is None:
                make = factory(ToRowsOperator, list(types), info)
                return self._sent(stream._transform("To rows", make, info, stateless=True, convert=False), sink)
            make = factory(ToFoldersOperator, self._folders, info)
            return self._sent(stream._transform("To folders", make, None, stateless=True, convert=False), sink)
        make = factory(EncodeOperator, self._lines)
        lines = stream._transform(f"Encode {self._format}", make, None, stateless=True, convert=False)
        encoders = FileSink.for_row_format(self._path, Encoder.simple_string_encoder()).with_bucket_assigner(assigner)
        encoders.with_rolling_policy(RollingPolicy.default_rolling_policy()).with_output_file_config(_names(stream))
        return self._sent(lines, encoders.build())

    def _sent(self, stream: DataStream, sink: FileSink) -> Any:
        if self._overwrites is not None:
            if _keeps_checkpoint(stream):
                msg = (
                    "INSERT OVERWRITE takes no execution.checkpointing.dir: files of a run that goes on could not be "
                    "told from those that it replaces"
                )
                raise SqlError(msg)
            sink = sink.overwriting(self._overwrites)
        sent = stream.sink_to(sink)
        return sent if self._sink_parallelism is None else sent.set_parallelism(self._sink_parallelism)


def _keeps_checkpoint(stream: DataStream) -> bool:
    return stream._environment._configuration.get_string("execution.checkpointing.dir", None) is not None


def _names(stream: DataStream) -> OutputFileConfig:
    """Names of files that no other statement has, so that rows are added to those that are there.

    A job that keeps a checkpoint has the same ones each time: it goes on with what it has begun.
    """
    names = OutputFileConfig.builder()
    if not _keeps_checkpoint(stream):
        names.with_part_prefix(f"part-{uuid.uuid4()}")
    return names.build()
