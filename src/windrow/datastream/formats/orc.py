"""ORC files of rows, read and written."""

from __future__ import annotations

from windrow.common.composite_types import RowTypeInfo
from windrow.common.configuration import Configuration
from windrow.connectors.files.bulk import BulkWriterFactory
from windrow.connectors.files.bulk_formats import OrcFactory, arrow_row_type_of
from windrow.connectors.files.orc_format import OrcFormat
from windrow.datastream.formats._hadoop import Known, writer_options
from windrow.errors import ConfigurationError
from windrow.table.data_types import RowType

__all__ = ["OrcBulkWriters", "OrcColumnarRowInputFormat"]


def _compression(text: str) -> str:
    if text.upper() not in ("NONE", "ZLIB", "SNAPPY", "LZ4", "ZSTD"):
        msg = f"is one of NONE, ZLIB, SNAPPY, LZ4, ZSTD; got {text!r}"
        raise ValueError(msg)
    return {"NONE": "uncompressed"}.get(text.upper(), text.lower())


_HONOURED: Known = {
    "orc.compress": ("compression", _compression),
    "orc.compress.size": ("compression_block_size", int),
    "orc.row.index.stride": ("row_index_stride", int),
    "orc.stripe.size": ("stripe_size", int),
}


class OrcBulkWriters:
    """Writers for ``FileSink.for_bulk_format``."""

    @staticmethod
    def for_row_type(
        row_type: RowTypeInfo | RowType,
        writer_properties: Configuration | None = None,
        hadoop_config: Configuration | None = None,
    ) -> BulkWriterFactory:
        """Rows as ORC, with the names and types of the row type's fields as columns.

        Args:
            row_type: As ``DataTypes.ROW`` or ``Types.ROW_NAMED`` makes it; elements are Rows, dicts, tuples, lists or
                objects.
            writer_properties: Of ORC's settings ``orc.compress`` (ZLIB by default), ``orc.compress.size``,
                ``orc.row.index.stride`` and ``orc.stripe.size`` are honoured; any other is refused.
            hadoop_config: None, or a configuration without settings: none would do anything.

        Raises:
            ConfigurationTypeError: ``row_type`` is not a row type, or a configuration is none.
            ConfigurationError: a field's type has no counterpart in ORC, or there is no such setting.
        """
        call = "OrcBulkWriters.for_row_type"
        options = writer_options(writer_properties, _HONOURED, f"writer_properties of {call}")
        writer_options(hadoop_config, {}, f"hadoop_config of {call}")
        factory = OrcFactory(_checked(row_type, call), tuple(({"compression": "zlib"} | options).items()))
        factory.check(call)
        return factory


class OrcColumnarRowInputFormat(OrcFormat):
    """The format for ``FileSource.for_bulk_file_format`` (Flink's ``OrcColumnarRowInputFormat``; PyFlink has none).

    Rows stay columns until somebody looks at them. A file is read by one reader.

    Args:
        row_type: ``Types.ROW_NAMED`` or ``DataTypes.ROW``: elements are ``Row``, of the columns of these names and no
            others. None: ``Row`` of all columns, with the values that Arrow gives.

    Raises:
        ConfigurationTypeError: ``row_type`` is not a row type.
        ConfigurationError: a field's type has no counterpart in Arrow.
    """

    def __init__(self, row_type: RowTypeInfo | RowType | None = None) -> None:
        super().__init__(None if row_type is None else _checked(row_type, "OrcColumnarRowInputFormat"))


def _checked(row_type: RowTypeInfo | RowType, call: str) -> RowTypeInfo:
    checked = arrow_row_type_of(row_type, call)
    if not checked.get_field_names():
        msg = f"{call} takes a row type with fields; got one without"
        raise ConfigurationError(msg)
    return checked
