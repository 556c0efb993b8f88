"""Parquet files of rows, read and written."""

from __future__ import annotations

from windrow.absent.explained import module_getattr
from windrow.common.composite_types import RowTypeInfo, TupleTypeInfo
from windrow.common.configuration import Configuration
from windrow.connectors.avro.parquet import ArrowMapping, AvroParquetFactory, AvroParquetFormat
from windrow.connectors.avro.schema import AvroSchema, checked_schema
from windrow.connectors.files.bulk import BulkWriterFactory
from windrow.connectors.files.bulk_formats import PARQUET_COMPRESSIONS, ParquetFactory, arrow_row_type_of
from windrow.connectors.files.file_format import StreamFormat
from windrow.connectors.files.parquet_format import ParquetFormat
from windrow.datastream.formats._hadoop import Known, truth, writer_options
from windrow.errors import ConfigurationError, ConfigurationTypeError
from windrow.table.data_types import RowType

_HONOURED: Known = {
    "parquet.compression": ("compression", lambda text: text.lower().replace("uncompressed", "none")),
    "parquet.enable.dictionary": ("use_dictionary", truth),
    "parquet.page.size": ("data_page_size", int),
}


class AvroParquetReaders:
    """The format for ``FileSource.for_record_stream_format``."""

    @staticmethod
    def for_generic_record(schema: AvroSchema) -> StreamFormat:
        """Parquet files as Avro's records, which are dicts.

        Args:
            schema: What records are read as: its fields are columns of the files.

        Raises:
            ConfigurationTypeError: ``schema`` is no ``AvroSchema``.
            ConfigurationError: it is not of records, or has a record within itself.
        """
        call = "AvroParquetReaders.for_generic_record"
        ArrowMapping(checked_schema(schema, call).parsed)
        return AvroParquetFormat(schema)


class AvroParquetWriters:
    """Writers for ``FileSink.for_bulk_format``."""

    @staticmethod
    def for_generic_record(schema: AvroSchema) -> BulkWriterFactory:
        """Avro's records, dicts or Rows with names, as Parquet.

        Args:
            schema: Of the records.

        Raises:
            ConfigurationTypeError: ``schema`` is no ``AvroSchema``.
            ConfigurationError: it is not of records, or has a record within itself.
        """
        call = "AvroParquetWriters.for_generic_record"
        ArrowMapping(checked_schema(schema, call).parsed)
        return AvroParquetFactory(schema)


class ParquetBulkWriters:
    """Writers for ``FileSink.for_bulk_format``."""

    @staticmethod
    def for_row_type(
        row_type: RowTypeInfo | RowType,
        hadoop_config: Configuration | None = None,
        utc_timestamp: bool = False,
        compression: str = "snappy",
    ) -> BulkWriterFactory:
        """Rows as Parquet, with the names and types of the row type's fields as columns.

        Args:
            row_type: As ``Types.ROW_NAMED`` or ``DataTypes.ROW`` makes it; elements are Rows, dicts, tuples, lists or
                objects.
            hadoop_config: Of its settings ``parquet.compression``, ``parquet.enable.dictionary`` and
                ``parquet.page.size`` are honoured; any other is refused.
            utc_timestamp: Makes no difference: dates and times without a zone are written without one, as they are.
                Flink without it shifts them by the machine's time zone.
            compression: Of the columns: ``snappy``, ``zstd``, ``gzip``, ``lz4``, ``brotli`` or ``none``.

        Raises:
            ConfigurationTypeError: ``row_type`` is not a row type, ``hadoop_config`` no configuration.
            ConfigurationError: a field's type has no counterpart in Parquet, or there is no such compression or
                setting.
        """
        call = "ParquetBulkWriters.for_row_type"
        options = writer_options(hadoop_config, _HONOURED, f"hadoop_config of {call}")
        compression = options.pop("compression", compression)
        if compression not in PARQUET_COMPRESSIONS:
            msg = f"compression of {call} is one of {', '.join(PARQUET_COMPRESSIONS)}; got {compression!r}"
            raise ConfigurationError(msg)
        return ParquetFactory(arrow_row_type_of(row_type, call), compression, tuple(options.items()))


class ParquetColumnarRowInputFormat(ParquetFormat):
    """The format for ``FileSource.for_bulk_file_format``: rows, which stay columns until somebody looks at them.

    Files are read in regions of whole row groups.

    Args:
        row_type: ``Types.ROW_NAMED`` or ``DataTypes.ROW``: elements are ``Row``, of the columns of these names and no
            others.
            ``Types.TUPLE``: elements are tuples, of as many columns as there are fields, from the first on; they are
            made in a third of the time. None: elements are ``Row`` of all columns, with the values that Arrow gives.
        hadoop_config: None, or a configuration without settings: none would do anything.
        batch_size: How many rows are decoded at a time, at least 1.
        is_utc_timestamp: Makes no difference: dates and times without a zone are read as they are.
        is_case_sensitive: Whether columns have to be spelt as in the row type, capitals included.

    Raises:
        ConfigurationTypeError: an argument is of another type.
        ConfigurationError: a field's type has no counterpart in Parquet, or ``batch_size`` is not positive.

    Example:
        >>> from windrow.common import Types
        >>> ParquetColumnarRowInputFormat(Types.ROW_NAMED(["n"], [Types.LONG()])).produced_type
        RowTypeInfo(n: Long)
    """

    def __init__(
        self,
        row_type: RowTypeInfo | TupleTypeInfo | RowType | None = None,
        hadoop_config: Configuration | None = None,
        batch_size: int = 1 << 16,
        is_utc_timestamp: bool = False,
        is_case_sensitive: bool = True,
    ) -> None:
        call = "ParquetColumnarRowInputFormat"
        writer_options(hadoop_config, {}, f"hadoop_config of {call}")
        if isinstance(batch_size, bool) or not isinstance(batch_size, int):
            msg = f"batch_size of {call} takes a number of rows; got {batch_size!r} ({type(batch_size).__name__})"
            raise ConfigurationTypeError(msg)
        if batch_size < 1:
            msg = f"batch_size of {call} must be at least 1; got {batch_size}"
            raise ConfigurationError(msg)
        if isinstance(row_type, TupleTypeInfo):
            from windrow.elements.arrow_types import arrow_type

            arrow_type(row_type, f"row_type of {call}")
        elif row_type is not None:
            row_type = arrow_row_type_of(row_type, call)
        super().__init__(row_type, batch_size, bool(is_case_sensitive))


__getattr__ = module_getattr(__name__)
