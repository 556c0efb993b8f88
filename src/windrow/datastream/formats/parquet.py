"""Parquet files of rows."""

from __future__ import annotations

from windrow.absent.explained import module_getattr
from windrow.common.composite_types import RowTypeInfo
from windrow.connectors.files.bulk import BulkWriterFactory
from windrow.connectors.files.bulk_formats import PARQUET_COMPRESSIONS, ParquetFactory, arrow_row_type_of
from windrow.errors import ConfigurationError


class ParquetBulkWriters:
    """Writers for ``FileSink.for_bulk_format``."""

    @staticmethod
    def for_row_type(row_type: RowTypeInfo, compression: str = "snappy") -> BulkWriterFactory:
        """Rows as Parquet, with the names and types of the row type's fields as columns.

        Args:
            row_type: As ``Types.ROW_NAMED`` makes it; elements are Rows, dicts, tuples, lists or objects.
            compression: Of the columns: ``snappy``, ``zstd``, ``gzip``, ``lz4``, ``brotli`` or ``none``.

        Raises:
            ConfigurationTypeError: ``row_type`` is not a row type.
            ConfigurationError: a field's type has no counterpart in Parquet, or there is no such compression.
        """
        call = "ParquetBulkWriters.for_row_type"
        if compression not in PARQUET_COMPRESSIONS:
            msg = f"compression of {call} is one of {', '.join(PARQUET_COMPRESSIONS)}; got {compression!r}"
            raise ConfigurationError(msg)
        return ParquetFactory(arrow_row_type_of(row_type, call), compression)


__getattr__ = module_getattr(__name__)
